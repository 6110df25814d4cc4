//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// A name in `Entries`: `*` stands for any characters, none included.
///
/// Compared byte by byte, so that it holds for names of any bytes; and, since a file system may have
/// taken a letter apart, as people read it.
struct EntryPattern {
    private let pieces: [[UInt8]]
    private let spoken: LeftoverPattern

    init(_ text: String) {
        pieces = Array(text.utf8).split(
            separator: UInt8(ascii: "*"), omittingEmptySubsequences: false
        ).map(Array.init)
        spoken = LeftoverPattern(text)
    }

    func matches(_ name: FileName) -> Bool { matches(name.bytes) || spoken.matches(name) }

    private func matches(_ name: [UInt8]) -> Bool {
        guard let first = pieces.first, let last = pieces.last else { return false }
        guard pieces.count > 1 else { return name == first }
        guard name.count >= first.count + last.count, name.starts(with: first),
            name.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = name[first.count..<(name.count - last.count)]
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
