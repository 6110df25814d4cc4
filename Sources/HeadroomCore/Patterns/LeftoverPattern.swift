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
    private let pattern: AsteriskPattern<Character>

    public init(_ text: String) {
        self.text = text
        pattern = AsteriskPattern(text, asterisk: "*")
    }

    /// A pattern on each line; lines that begin with `#` are comments.
    public static func parse(_ text: String) -> [LeftoverPattern] {
        text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
            .map { LeftoverPattern(String($0)) }
    }

    package func matches(_ name: FileName) -> Bool {
        guard let text = String(validating: name.bytes, as: UTF8.self) else { return false }
        return pattern.matches(Array(text))
    }
}
