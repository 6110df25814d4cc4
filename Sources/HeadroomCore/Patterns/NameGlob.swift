//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// A pattern for one name of a path, as in glob(7): `*`, `?`, `[…]`, and `\` before what is meant as
/// it stands.
///
/// Bytes are compared, not characters: names have no particular encoding. A dot at the beginning of a
/// name is matched by a dot alone, as the shell and glob(3) have it.
package struct NameGlob: Hashable, Sendable {
    private enum Piece: Hashable, Sendable {
        case byte(UInt8)
        case any
        case anyRun
        case oneOf(ByteSet)
    }

    private let pieces: [Piece]
    /// The byte that each matching name ends with; nil if they end with different bytes.
    private let end: UInt8?
    /// The name, if the pattern stands for one alone.
    package let literal: FileName?

    /// - Parameter hasCounts: whether a number in braces repeats the bracket before it: `[0-9a-f]{64}`. Only the
    ///   catalog has such patterns.
    /// - Returns: nil if it is empty, a bracket or an escape has no end, or a count isn't one of 1…255.
    package init?(_ text: some Sequence<UInt8>, hasCounts: Bool = false) {
        var rest = Array(text)[...]
        guard rest.contains(where: Self.isSpecial) else {
            guard !rest.isEmpty else { return nil }
            pieces = rest.map { .byte($0) }
            end = rest.last
            literal = FileName(Array(rest))
            return
        }
        var pieces: [Piece] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                if pieces.last != .anyRun { pieces.append(.anyRun) }
            case UInt8(ascii: "?"): pieces.append(.any)
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst() else { return nil }
                pieces.append(.byte(next))
            case UInt8(ascii: "["):
                guard let set = Self.bracket(&rest) else { return nil }
                guard hasCounts, rest.first == UInt8(ascii: "{") else {
                    pieces.append(.oneOf(set))
                    continue
                }
                guard let count = Self.count(&rest) else { return nil }
                pieces += Array(repeating: .oneOf(set), count: count)
            default: pieces.append(.byte(byte))
            }
        }
        guard !pieces.isEmpty else { return nil }
        self.pieces = pieces
        end = if case .byte(let byte) = pieces.last { byte } else { nil }
        let bytes = pieces.compactMap { piece -> UInt8? in
            guard case .byte(let byte) = piece else { return nil }
            return byte
        }
        literal = bytes.count == pieces.count ? FileName(bytes) : nil
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "\\"), UInt8(ascii: "["): true
        default: false
        }
    }

    /// Whether it stands for `.` or `..` alone, which no entry is called; so does `\.\.`.
    package var isDots: Bool {
        guard let literal else { return false }
        return literal.bytes == Array(".".utf8) || literal.bytes == Array("..".utf8)
    }

    /// A name that stands for itself, whatever signs it has.
    package init(literal name: FileName) {
        pieces = name.bytes.map { .byte($0) }
        end = name.bytes.last
        literal = name
    }

    /// What stands between brackets; `rest` is left behind the closing one.
    private static func bracket(_ rest: inout ArraySlice<UInt8>) -> ByteSet? {
        var members = ByteSet()
        var isNegated = false
        if let first = rest.first, first == UInt8(ascii: "!") || first == UInt8(ascii: "^") {
            isNegated = true
            rest.removeFirst()
        }
        var isFirst = true
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "]"), !isFirst {
                return isNegated ? members.inverted : members
            }
            isFirst = false
            var start = byte
            if start == UInt8(ascii: "\\") {
                guard let next = rest.popFirst() else { return nil }
                start = next
            }
            let rest2 = rest.prefix(2)
            if rest2.count == 2, rest2.first == UInt8(ascii: "-"),
                let end = rest2.last, end != UInt8(ascii: "]")
            {
                rest = rest.dropFirst(2)
                if start <= end { members.insert(start...end) }
            } else {
                members.insert(start...start)
            }
        }
        return nil
    }

    /// The number between braces; `rest` starts with the opening one and is left behind the closing one.
    private static func count(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
        let digits = rest[..<end].dropFirst()
        rest = rest[end...].dropFirst()
        guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let count = UInt8(String(decoding: digits, as: UTF8.self)), count > 0
        else { return nil }
        return Int(count)
    }

    /// - Complexity: O(bytes of the name × pieces).
    package func matches(_ name: [UInt8]) -> Bool {
        if let end, name.last != end { return false }
        if name.first == UInt8(ascii: "."), pieces.first != .byte(UInt8(ascii: ".")) {
            return false
        }
        var (index, piece) = (0, 0)
        // Where to go on if what follows the last run does not match: one byte further on.
        var retry: (index: Int, piece: Int)?
        while index < name.count {
            if piece < pieces.count, pieces[piece] == .anyRun {
                retry = (index, piece)
                piece += 1
            } else if piece < pieces.count, Self.matches(pieces[piece], name[index]) {
                index += 1
                piece += 1
            } else if let last = retry {
                retry = (last.index + 1, last.piece)
                index = last.index + 1
                piece = last.piece + 1
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { $0 == .anyRun }
    }

    private static func matches(_ piece: Piece, _ byte: UInt8) -> Bool {
        switch piece {
        case .byte(let wanted): wanted == byte
        case .any, .anyRun: true
        case .oneOf(let set): set.contains(byte)
        }
    }
}

/// A set of bytes in 32 bytes.
private struct ByteSet: Hashable {
    private var words = SIMD4<UInt64>()

    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }

    mutating func insert(_ bytes: ClosedRange<UInt8>) {
        for byte in bytes { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
    }

    var inverted: ByteSet {
        var set = self
        set.words = ~words
        return set
    }
}
