//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Reads the tokens of a JSON text (RFC 8259) that comes in parts and may contain bytes that aren't UTF-8.
///
/// ncdu writes file names as the bytes that they are. A decoder that works on Unicode would reject or change them.
public struct JSONTokenizer: ~Copyable {
    /// Returns the next part of the input, empty at its end.
    public typealias Source = () throws(HeadroomError) -> [UInt8]

    private static let nestingLimit = 1_024

    private let source: Source
    /// Half of a surrogate pair is an error, not U+FFFD.
    private let rejectsHalfPairs: Bool
    private var chunk: [UInt8] = []
    private var position = 0
    private var hasEnded = false
    private var consumed: Int64 = 0
    private var line = 1
    /// The offset at which the current line starts.
    private var lineStart: Int64 = 0
    private var isFirstKey = false

    /// Creates a tokenizer of an input that comes in parts. Half of a surrogate pair, which other programs write for bytes that
    /// aren't UTF-8, becomes U+FFFD.
    public init(source: @escaping Source) {
        self.source = source
        rejectsHalfPairs = false
    }

    /// Creates a tokenizer of an input that is in memory. Half of a surrogate pair is an error.
    public init(_ bytes: [UInt8]) {
        source = { () throws(HeadroomError) in [] }
        rejectsHalfPairs = true
        chunk = bytes
    }

    // MARK: - Bytes

    /// The next byte without consuming it, or nil at the end.
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

    /// Consumes the byte that ``peekToken()`` returned.
    public mutating func skip() {
        if chunk[position] == 0x0A {
            line += 1
            lineStart = consumed + Int64(position) + 1
        }
        position += 1
    }

    private mutating func take() throws(HeadroomError) -> UInt8 {
        guard let byte = try peek() else { throw error("The input ends too early") }
        skip()
        return byte
    }

    /// The first byte of the next token, without consuming it.
    public mutating func peekToken() throws(HeadroomError) -> UInt8 {
        try skipSpace()
        guard let byte = try peek() else { throw error("The input ends too early") }
        return byte
    }

    private mutating func skipSpace() throws(HeadroomError) {
        while let byte = try peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            skip()
        }
    }

    /// An error at the current position.
    public borrowing func error(_ what: String) -> HeadroomError {
        let offset = consumed + Int64(position)
        return HeadroomError(
            .damaged, "\(what), in line \(line), column \(offset - lineStart + 1) (byte \(offset))."
        )
    }

    // MARK: - Structure

    /// Consumes a token of one character.
    ///
    /// - Parameter what: what the error says if the next token is another one.
    public mutating func expect(_ token: Unicode.Scalar, _ what: String) throws(HeadroomError) {
        guard try peekToken() == UInt8(ascii: token) else { throw error("Expected \(what)") }
        skip()
        isFirstKey = token == "{"
    }

    /// The next key of the open object, or nil after its closing brace.
    public mutating func nextKey() throws(HeadroomError) -> String? {
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
        let key = try text(limit: 256, "a field's name")
        try expect(":", "a colon")
        return key
    }

    /// Reads an array. `element` is called once per element and reads it.
    public mutating func array(
        _ what: String, _ element: (inout JSONTokenizer) throws(HeadroomError) -> Void
    ) throws(HeadroomError) {
        try expect("[", "an array for \(what)")
        if try peekToken() == UInt8(ascii: "]") { return skip() }
        while true {
            try element(&self)
            switch try peekToken() {
            case UInt8(ascii: ","): skip()
            case UInt8(ascii: "]"): return skip()
            default: throw error("Expected a comma or “]”")
            }
        }
    }

    public mutating func expectEnd() throws(HeadroomError) {
        try skipSpace()
        guard try peek() == nil else { throw error("Expected the end") }
    }

    /// Skips a value of any type, without recursion.
    public mutating func skipValue() throws(HeadroomError) {
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
    public mutating func word() throws(HeadroomError) -> [UInt8] {
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

    /// A whole number that isn't negative.
    public mutating func integer<Number: FixedWidthInteger>(
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

    /// The digits of a number.
    public mutating func number(_ what: String) throws(HeadroomError) -> String {
        let word = try word()
        guard Self.isNumber(word) else { throw error("Expected a number for \(what)") }
        return String(decoding: word, as: UTF8.self)
    }

    private static func isNumber(_ word: [UInt8]) -> Bool {
        var rest = word[...]
        func skip(_ bytes: String) -> Bool {
            guard let first = rest.first, bytes.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        func skipDigits() -> Int {
            let digits = rest.prefix { (0x30...0x39).contains($0) }.count
            rest.removeFirst(digits)
            return digits
        }
        _ = skip("-")
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits == 1 || digits > 1 && !startsWithZero else { return false }
        if skip("."), skipDigits() == 0 { return false }
        if skip("eE") {
            _ = skip("+-")
            if skipDigits() == 0 { return false }
        }
        return rest.isEmpty
    }

    public mutating func boolean(_ what: String) throws(HeadroomError) -> Bool {
        switch String(decoding: try word(), as: UTF8.self) {
        case "true": return true
        case "false": return false
        default: throw error("Expected true or false for \(what)")
        }
    }

    /// A string that is UTF-8, of at most `limit` bytes.
    public mutating func text(limit: Int = 1 << 16, _ what: String) throws(HeadroomError) -> String
    {
        let bytes = try string(limit: limit, what)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw error("Expected UTF-8 for \(what)")
        }
        return text
    }

    /// A string of at most `limit` bytes: escapes are resolved, other bytes stay as they are.
    public mutating func string(limit: Int, _ what: String) throws(HeadroomError) -> [UInt8] {
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
        guard (0xD800..<0xDC00).contains(unit), try peek() == UInt8(ascii: "\\") else {
            guard !rejectsHalfPairs else { throw error("Half a surrogate pair") }
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
            guard byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("Expected four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
