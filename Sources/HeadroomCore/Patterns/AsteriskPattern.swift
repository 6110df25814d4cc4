//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A pattern in which an asterisk stands for any elements, none included: `*.tmp`, `Cache-*-v*`.
///
/// Whoever makes one decides by its elements what is equal: bytes, for names of any encoding, or
/// characters, for names as people read them.
package struct AsteriskPattern<Element: Hashable & Sendable>: Hashable, Sendable {
    /// What stands between the asterisks: one more than there are of them.
    private let pieces: [[Element]]

    package init(_ text: some Collection<Element>, asterisk: Element) {
        pieces = text.split(separator: asterisk, omittingEmptySubsequences: false)
            .map { Array($0) }
    }

    /// What it stands for if there is no asterisk in it.
    package var literal: [Element]? { pieces.count == 1 ? pieces[0] : nil }

    /// - Complexity: O(elements of the text × those of the pattern).
    package func matches(_ text: [Element]) -> Bool {
        let (first, last) = (pieces[0], pieces[pieces.count - 1])
        // mutation: r30a-1
        guard pieces.count > 1 else { return text == first }
        guard text.count >= first.count + last.count, text.starts(with: first),
            text.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = text[first.count..<(text.count - last.count)]
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
