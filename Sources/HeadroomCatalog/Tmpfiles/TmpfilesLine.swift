//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore

/// One line of a `tmpfiles.d` file, as far as it matters to what is cleaned.
public struct TmpfilesLine: Hashable, Sendable {
    /// The letter: `d`, `x`, …
    public var type: UInt8
    public var modifiers: Set<UInt8>
    /// As it was written, without quotes and escapes; specifiers are in it.
    package var path: [UInt8]
    public var age: TmpfilesAge?
    public var source: Source

    /// Where it stands.
    public struct Source: Hashable, Sendable, CustomStringConvertible {
        public var file: String
        public var line: Int

        public init(file: String, line: Int) {
            self.file = file
            self.line = line
        }

        public var description: String { "\(file):\(line)" }
    }

    /// What the letters of lines do.
    enum Kind {
        /// A path, whose contents may age.
        case path
        /// Patterns of directories whose contents age.
        case patterns
        /// A line of its own, which keeps what it names from being cleaned by another one.
        case other
        case otherPatterns
        case removal
        case exclusion
        case exclusionOfItself
    }

    var kind: Kind? {
        switch Character(Unicode.Scalar(type)) {
        case "d", "D", "v", "q", "Q", "C": .path
        case "e": .patterns
        case "x": .exclusion
        case "X": .exclusionOfItself
        case "r", "R": .removal
        case "f", "F", "L", "p", "c", "b": .other
        case "w", "m", "z", "Z", "t", "T", "h", "H", "a", "A": .otherPatterns
        default: nil
        }
    }

    /// Whether only the start of the system looks at it.
    var isForBoot: Bool { modifiers.contains(UInt8(ascii: "!")) }

    /// Reads a line.
    ///
    /// - Returns: nil for an empty line and a comment.
    /// - Throws: ``HeadroomError`` `invalid`, with the place and what is wrong.
    static func parse(
        _ text: [UInt8], at source: Source
    ) throws(HeadroomError) -> TmpfilesLine? {
        func wrong(_ what: String) -> HeadroomError {
            HeadroomError(.invalid, "\(source): \(what).")
        }
        var words = TmpfilesWords(text)
        guard let first = text.first(where: { !TmpfilesWords.isSpace($0) }),
            first != UInt8(ascii: "#")
        else { return nil }
        var fields: [[UInt8]] = []
        while fields.count < 6 {
            guard let word = words.next() else { break }
            guard let word = word else {
                throw wrong("a quote has no end, or an escape no meaning")
            }
            fields.append(word)
        }
        guard fields.count >= 2, let type = fields[0].first else {
            throw wrong("it has no path")
        }
        var line = TmpfilesLine(
            type: type, modifiers: Set(fields[0].dropFirst()), path: fields[1], age: nil,
            source: source)
        let letter = String(decoding: fields[0], as: UTF8.self)
        guard line.kind != nil else { throw wrong("“\(letter)” is no type of line") }
        guard line.modifiers.isSubset(of: Set("!-+=~^$".utf8)) else {
            throw wrong("“\(letter)” has a modifier that is none")
        }
        if fields.count > 5, !fields[5].isEmpty, fields[5] != [UInt8(ascii: "-")] {
            let text = String(decoding: fields[5], as: UTF8.self)
            guard let age = TmpfilesAge(text) else { throw wrong("“\(text)” is no age") }
            line.age = age
        }
        return line
    }
}

/// Takes a line apart as systemd does: words between spaces, quotes of both kinds, escapes as in C.
struct TmpfilesWords {
    private var rest: ArraySlice<UInt8>

    init(_ text: [UInt8]) { rest = text[...] }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// - Returns: nil at the end; nil in it for a word that cannot be read.
    mutating func next() -> [UInt8]?? {
        rest = rest.drop(while: Self.isSpace)
        guard !rest.isEmpty else { return .none }
        var word: [UInt8] = []
        var quote: UInt8?
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") {
                guard let unescaped = unescape() else { return .some(nil) }
                word += unescaped
            } else if let open = quote {
                if byte == open { quote = nil } else { word.append(byte) }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if Self.isSpace(byte) {
                return word
            } else {
                word.append(byte)
            }
        }
        return quote == nil ? word : .some(nil)
    }

    /// What an escape stands for; `rest` begins behind the backslash.
    private mutating func unescape() -> [UInt8]? {
        guard let byte = rest.popFirst() else { return nil }
        switch Character(Unicode.Scalar(byte)) {
        case "a": return [0x07]
        case "b": return [0x08]
        case "f": return [0x0C]
        case "n": return [0x0A]
        case "r": return [0x0D]
        case "t": return [0x09]
        case "v": return [0x0B]
        case "s": return [0x20]
        case "\\", "\"", "'": return [byte]
        case "x": return digits(2, radix: 16).map { [UInt8(truncatingIfNeeded: $0)] }
        case "u": return scalar(digits(4, radix: 16))
        case "U": return scalar(digits(8, radix: 16))
        case "0"..."7":
            rest = [byte] + rest
            guard let value = digits(3, radix: 8), value < 256 else { return nil }
            return [UInt8(value)]
        default: return nil
        }
    }

    private func scalar(_ value: UInt32?) -> [UInt8]? {
        guard let value, value != 0, let scalar = Unicode.Scalar(value) else { return nil }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func digits(_ count: Int, radix: Int) -> UInt32? {
        guard rest.count >= count else { return nil }
        let text = String(decoding: rest.prefix(count), as: UTF8.self)
        // A sign is none of the digits, whatever UInt32 takes.
        guard text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: radix), value != 0
        else {
            return nil
        }
        rest = rest.dropFirst(count)
        return value
    }
}
