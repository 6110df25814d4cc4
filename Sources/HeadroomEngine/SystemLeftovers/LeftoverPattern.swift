//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// A pattern for names that frameworks give to what they leave behind: `*` stands for any characters.
///
/// Compared as people read: letters that Unicode has in one piece and in several are equal, since a
/// file system may have taken a name apart. A name that is not UTF-8 is none of theirs.
public struct LeftoverPattern: Hashable, Sendable {
    public let text: String
    /// What stands between the asterisks.
    private let pieces: [[Character]]

    public init(_ text: String) {
        self.text = text
        pieces = text.split(separator: "*", omittingEmptySubsequences: false).map { Array($0) }
    }

    /// What comes with Headroom.
    public static let standard = parse(EmbeddedLeftovers.temporary)

    /// A pattern on each line; lines that begin with `#` are comments.
    public static func parse(_ text: String) -> [LeftoverPattern] {
        text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
            .map { LeftoverPattern(String($0)) }
    }

    package func matches(_ name: FileName) -> Bool {
        guard let text = String(validating: name.bytes, as: UTF8.self) else { return false }
        var rest = Array(text)[...]
        guard let first = pieces.first, let last = pieces.last else { return false }
        guard pieces.count > 1 else { return rest.elementsEqual(first) }
        guard rest.starts(with: first) else { return false }
        rest = rest.dropFirst(first.count)
        guard rest.count >= last.count, rest.suffix(last.count).elementsEqual(last) else {
            return false
        }
        rest = rest.dropLast(last.count)
        // Each at its first place: what follows has the most room then.
        for piece in pieces[1..<(pieces.count - 1)] where !piece.isEmpty {
            guard
                let start = rest.indices.first(where: { rest[$0...].starts(with: piece) })
            else { return false }
            rest = rest[(start + piece.count)...]
        }
        return true
    }
}
