//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A key, as the screen understands it.
package enum CleanKey: Hashable, Sendable {
    case up, down, left, right
    case pageUp, pageDown, home, end
    case enter, space, tab, escape
    case interrupt, suspend, redraw
    case letter(Character)
}

/// Turns what a terminal sends into keys; what arrives in pieces is put together.
package struct CleanKeyReader: Sendable {
    private var pending: [UInt8] = []

    package init() {}

    /// Whether something was begun that may go on, or be an Escape.
    package var isWaiting: Bool { !pending.isEmpty }

    /// The keys in what has arrived.
    package mutating func read(_ bytes: some Sequence<UInt8>) -> [CleanKey] {
        pending += bytes
        var keys: [CleanKey] = []
        while let first = pending.first {
            if first == 0x1B {
                guard let (key, length) = sequence else { break }
                pending.removeFirst(length)
                if let key { keys.append(key) }
                continue
            }
            if first >= 0x80 {
                // The other bytes of a character, which no key here has.
                pending.removeFirst()
                continue
            }
            pending.removeFirst()
            if let key = Self.plain(first) { keys.append(key) }
        }
        return keys
    }

    /// Nothing more came: what was begun is an Escape.
    package mutating func flush() -> [CleanKey] {
        guard !pending.isEmpty else { return [] }
        pending = []
        return [.escape]
    }

    private static func plain(_ byte: UInt8) -> CleanKey? {
        switch byte {
        case 0x03: .interrupt
        case 0x1A: .suspend
        case 0x0C: .redraw
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x20: .space
        case 0x02: .pageUp
        case 0x06: .pageDown
        case 0x21...0x7E: .letter(Character(Unicode.Scalar(byte)))
        default: nil
        }
    }

    /// An escape sequence and its length; nil while it is not whole.
    private var sequence: (key: CleanKey?, length: Int)? {
        guard pending.count > 1 else { return nil }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
            return (.escape, 1)
        }
        guard let end = pending[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return pending.count > 16 ? (nil, pending.count) : nil
        }
        let parameters = String(decoding: pending[2..<end], as: UTF8.self)
        let key: CleanKey? =
            switch (Character(Unicode.Scalar(pending[end])), parameters) {
            case ("A", _): .up
            case ("B", _): .down
            case ("C", _): .right
            case ("D", _): .left
            case ("H", _), ("~", "1"), ("~", "7"): .home
            case ("F", _), ("~", "4"), ("~", "8"): .end
            case ("~", "5"): .pageUp
            case ("~", "6"): .pageDown
            default: nil
            }
        return (key, end + 1)
    }
}
