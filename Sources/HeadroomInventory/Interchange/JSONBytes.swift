//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore

/// The tokens of a JSON text that comes in parts and need not be UTF-8.
///
/// ncdu writes names as the bytes they are, so a Unicode-aware parser would refuse or change them.
package struct JSONBytes: ~Copyable {
    /// Returns the next part of the input, empty at its end.
    package typealias Source = () throws(HeadroomError) -> [UInt8]

    private static let nestingLimit = 1_024

    private let source: Source
    private var chunk: [UInt8] = []
    private var position = 0
    private var hasEnded = false
    private var consumed: Int64 = 0
    private var line = 1
    /// The offset at which the current line starts.
    private var lineStart: Int64 = 0
    private var isFirstKey = false

    package init(source: @escaping Source) {
        self.source = source
    }

    // MARK: - Bytes

    /// The next byte without taking it, nil at the end.
    private mutating func peek() throws(HeadroomError) -> UInt8? {
        while position == chunk.count {
            if hasEnded { return nil }
            consumed += Int64(chunk.count)
            chunk = try source()
            position = 0
            hasEnded = chunk.isEmpty
        }
        return chunk[position]
    }

    /// Takes the byte that was peeked at.
    package mutating func skip() {
        if chunk[position] == 0x0A {
            line += 1
            lineStart = consumed + Int64(position) + 1
        }
        position += 1
    }

    private mutating func take() throws(HeadroomError) -> UInt8 {
        guard let byte = try peek() else { throw error("The listing is cut off") }
        skip()
        return byte
    }

    /// The first byte of the next token, without taking it.
    package mutating func peekToken() throws(HeadroomError) -> UInt8 {
        while let byte = try peek() {
            guard byte == 0x20 || (0x09...0x0D).contains(byte) else { return byte }
            skip()
        }
        throw error("The listing is cut off")
    }

    /// An error at the current position.
    package borrowing func error(_ what: String) -> HeadroomError {
        let offset = consumed + Int64(position)
        return HeadroomError(
            .damaged, "\(what), in line \(line), column \(offset - lineStart + 1) (byte \(offset))."
        )
    }

    // MARK: - Structure

    package mutating func expect(_ token: Unicode.Scalar, _ what: String) throws(HeadroomError) {
        guard try peekToken() == UInt8(ascii: token) else { throw error("Expected \(what)") }
        skip()
        isFirstKey = token == "{"
    }

    /// The next key of the object that is open, or nil after its closing brace.
    package mutating func nextKey() throws(HeadroomError) -> String? {
        let token = try peekToken()
        if token == UInt8(ascii: "}") {
            skip()
            isFirstKey = false
            return nil
        }
        if !isFirstKey {
            guard token == UInt8(ascii: ",") else { throw error("Expected a comma or “}”") }
            skip()
        }
        isFirstKey = false
        let key = try string(limit: 256, "a field's name")
        try expect(":", "a colon")
        return String(decoding: key, as: UTF8.self)
    }

    package mutating func expectEnd() throws(HeadroomError) {
        while let byte = try peek() {
            guard byte == 0x20 || (0x09...0x0D).contains(byte) else {
                throw error("Something follows the end of the listing")
            }
            skip()
        }
    }

    /// Passes over a value of any type, without recursion.
    package mutating func skipValue() throws(HeadroomError) {
        var closers: [UInt8] = []
        repeat {
            let token = try peekToken()
            switch token {
            case UInt8(ascii: "{"): try open(&closers, UInt8(ascii: "}"))
            case UInt8(ascii: "["): try open(&closers, UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard closers.popLast() == token else { throw error("Unbalanced brackets") }
                skip()
            case UInt8(ascii: "\""): _ = try string(limit: 1 << 20, "a string")
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard !closers.isEmpty else { throw error("Expected a value") }
                skip()
            default: try skipWord()
            }
        } while !closers.isEmpty
    }

    private mutating func open(_ closers: inout [UInt8], _ closer: UInt8) throws(HeadroomError) {
        guard closers.count < Self.nestingLimit else { throw error("Too deeply nested") }
        closers.append(closer)
        skip()
    }

    private mutating func skipWord() throws(HeadroomError) {
        guard !(try word()).isEmpty else { throw error("Expected a value") }
    }

    /// A number or one of the words `true`, `false`, `null`.
    private mutating func word() throws(HeadroomError) -> [UInt8] {
        _ = try peekToken()
        var bytes: [UInt8] = []
        while let byte = try peek(),
            Self.isWord(byte)
        {
            guard bytes.count < 64 else { throw error("Expected a value") }
            bytes.append(byte)
            skip()
        }
        return bytes
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }

    // MARK: - Values

    /// A whole number that is not negative and fits.
    package mutating func integer<Number: FixedWidthInteger>(
        _ what: String
    ) throws(HeadroomError) -> Number {
        _ = try peekToken()
        var value: Number = 0
        var digits = 0
        while let byte = try peek(), (0x30...0x39).contains(byte) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(Number(byte - 0x30))
            guard !overflow, !carried else { throw error("\(what) is too large") }
            value = sum
            digits += 1
            skip()
        }
        guard digits > 0, try !(peek().map(Self.isWord) ?? false) else {
            throw error("Expected a whole number for \(what)")
        }
        return value
    }

    /// A number of which only the whole part counts; clamped to what fits.
    mutating func number(_ what: String) throws(HeadroomError) -> Int64 {
        let text = String(decoding: try word(), as: UTF8.self)
        // Double also reads "nan", "inf" and hexadecimal, none of which starts like this.
        guard let first = text.utf8.first, first == 0x2D || (0x30...0x39).contains(first),
            !text.contains("x"), let value = Double(text), value.isFinite
        else {
            throw error("Expected a number for \(what)")
        }
        return Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }

    package mutating func boolean(_ what: String) throws(HeadroomError) -> Bool {
        switch String(decoding: try word(), as: UTF8.self) {
        case "true": return true
        case "false": return false
        default: throw error("Expected true or false for \(what)")
        }
    }

    /// A string of at most `limit` bytes, escapes resolved, other bytes as they are.
    package mutating func string(limit: Int, _ what: String) throws(HeadroomError) -> [UInt8] {
        guard try peekToken() == UInt8(ascii: "\"") else {
            throw error("Expected a string for \(what)")
        }
        skip()
        var bytes: [UInt8] = []
        while true {
            let byte = try take()
            switch byte {
            case UInt8(ascii: "\""): return bytes
            case UInt8(ascii: "\\"): try escape(&bytes)
            case ..<0x20: throw error("A control character in \(what)")
            default: bytes.append(byte)
            }
            guard bytes.count <= limit else {
                throw error("\(what) is longer than \(limit) bytes")
            }
        }
    }

    private mutating func escape(_ bytes: inout [UInt8]) throws(HeadroomError) {
        let byte = try take()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "u"): bytes += String(try unicodeEscape()).utf8
        default: throw error("An unknown escape")
        }
    }

    private mutating func unicodeEscape() throws(HeadroomError) -> Unicode.Scalar {
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // A surrogate: one of a pair, or nothing that a name could contain.
        guard (0xD800..<0xDC00).contains(unit), try peek() == UInt8(ascii: "\\") else {
            return "\u{FFFD}"
        }
        skip()
        guard try take() == UInt8(ascii: "u") else { throw error("Half a surrogate pair") }
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw error("Half a surrogate pair") }
        let value = 0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(low - 0xDC00)
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(HeadroomError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            let byte = try take()
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("Expected four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    /// Recognises what is not JSON at all and says what to do about it.
    mutating func refuseBinaryFormats() throws(HeadroomError) {
        guard let first = try peek() else { throw error("The listing is empty") }
        switch first {
        case 0xBF:
            throw error("This is ncdu's binary format; export with “ncdu -o” instead of “-O”")
        case 0x1F, 0x28, 0xFD, 0x42:
            throw error("This listing is compressed; unpack it first")
        default: break
        }
    }
}
