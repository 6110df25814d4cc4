//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Reads the JSON of a request (RFC 8259) in one pass.
///
/// Stricter than a decoder is: an object that has a member twice is refused, since nobody knows which of them
/// was meant, and so is what is nested deeper than any request; its cost grows with the length alone.
struct JSONReader {
    private let bytes: [UInt8]
    private var place = 0

    /// No request needs half of it.
    private static let depth = 16

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func value(of bytes: [UInt8]) throws(APIError) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.place == bytes.count else { throw Self.mistake }
        return value
    }

    private static let mistake = APIError.bad("The body is not JSON.")

    // MARK: - Values

    private mutating func value(depth: Int) throws(APIError) -> JSONValue {
        guard depth < Self.depth else { throw .bad("The body is nested too deeply.") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .list(try list(depth: depth))
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(APIError) -> [String: JSONValue] {
        place += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take("}") { return members }
        while true {
            skipSpace()
            let name = try text()
            skipSpace()
            guard take(":") else { throw Self.mistake }
            guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
                throw .bad("The body has a member “\(name.prefix(80))” twice.")
            }
            skipSpace()
            if take("}") { return members }
            guard take(",") else { throw Self.mistake }
        }
    }

    private mutating func list(depth: Int) throws(APIError) -> [JSONValue] {
        place += 1
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return values }
        while true {
            values.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return values }
            guard take(",") else { throw Self.mistake }
        }
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONValue
    ) throws(APIError) -> JSONValue {
        let wanted = Array("\(word)".utf8)
        guard bytes[place...].starts(with: wanted) else { throw Self.mistake }
        place += wanted.count
        return value
    }

    // MARK: - Numbers

    private mutating func number() throws(APIError) -> JSONValue {
        let start = place
        _ = take("-")
        // No zeros in front.
        let first = peek
        let digits = skipDigits()
        guard digits == 1 || (digits > 1 && first != UInt8(ascii: "0")) else { throw Self.mistake }
        if take(".") { guard skipDigits() > 0 else { throw Self.mistake } }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard skipDigits() > 0 else { throw Self.mistake }
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw Self.mistake }
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }

    private mutating func skipDigits() -> Int {
        let start = place
        while let byte = peek, (0x30...0x39).contains(byte) { place += 1 }
        return place - start
    }

    // MARK: - Texts

    private mutating func text() throws(APIError) -> String {
        guard take("\"") else { throw Self.mistake }
        var content: [UInt8] = []
        while let byte = peek {
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw .bad("The body has text that is not UTF-8.")
                }
                return text
            case UInt8(ascii: "\\"): try escape(&content)
            case 0..<0x20: throw Self.mistake
            default: content.append(byte)
            }
        }
        throw Self.mistake
    }

    private mutating func escape(_ content: inout [UInt8]) throws(APIError) {
        guard let byte = peek else { throw Self.mistake }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                // Above the first plane it takes two.
                guard take("\\"), take("u") else { throw Self.mistake }
                let second = try hexadecimal()
                guard (0xDC00..<0xE000).contains(second) else { throw Self.mistake }
                code = 0x1_0000 + (code - 0xD800) << 10 + (second - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw Self.mistake }
            content += UTF8.encode(scalar).map { Array($0) } ?? []
        default: throw Self.mistake
        }
    }

    private mutating func hexadecimal() throws(APIError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
                byte < 0x80
            else { throw Self.mistake }
            code = code << 4 | UInt32(digit)
            place += 1
        }
        return code
    }

    // MARK: - Bytes

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        place += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek,
            byte == 0x20
                || (0x09...0x0D).contains(byte) && byte != 0x0B
                    && byte != 0x0C
        { place += 1 }
    }
}
