//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Reads property lists in XML: what `plutil` and Xcode write, in UTF-8, and nothing that would have to
/// be fetched or expanded.
struct XMLPropertyListParser {
    private let bytes: [UInt8]
    private var position = 0
    private var valueCount = 0

    static func parse(_ bytes: [UInt8]) throws(PropertyList.Failure) -> PropertyList {
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw PropertyList.Failure("it is in UTF-16: save it in UTF-8")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw PropertyList.Failure("it is neither UTF-8 nor a binary property list")
        }
        guard !bytes.contains(0) else {
            throw PropertyList.Failure("it contains a NUL, and is no binary property list")
        }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var parser = XMLPropertyListParser(bytes: Array(bytes[start...]))
        return try parser.document()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func document() throws(PropertyList.Failure) -> PropertyList {
        try skipMisc(inProlog: true)
        guard case .open("plist", let isEmpty) = try tag(), !isEmpty else {
            throw failure("it does not begin with <plist>")
        }
        try skipMisc()
        let value = try value(depth: 0)
        try skipMisc()
        guard case .close("plist") = try tag() else {
            throw failure("there is more than one value in <plist>")
        }
        try skipMisc()
        guard position == bytes.count else { throw failure("something follows </plist>") }
        return value
    }

    // MARK: - Values

    private mutating func value(depth: Int) throws(PropertyList.Failure) -> PropertyList {
        guard case .open(let name, let isEmpty) = try tag() else {
            throw failure("a value is missing")
        }
        return try value(of: name, isEmpty: isEmpty, depth: depth)
    }

    private mutating func value(
        of name: String, isEmpty: Bool, depth: Int
    ) throws(PropertyList.Failure) -> PropertyList {
        guard depth < PropertyList.depthLimit else {
            throw failure("it is nested more than \(PropertyList.depthLimit) levels deep")
        }
        valueCount += 1
        guard valueCount <= PropertyList.valueLimit else {
            throw failure("it has more than \(PropertyList.valueLimit) values")
        }
        switch name {
        case "string": return .string(isEmpty ? "" : try text(of: name))
        case "array": return .array(isEmpty ? [] : try array(depth: depth))
        case "dict": return .dictionary(isEmpty ? [] : try dictionary(depth: depth))
        case "true", "false":
            if !isEmpty {
                guard try text(of: name).isEmpty else { throw failure("<\(name)> is not empty") }
            }
            return .other("true or false")
        case "integer", "real":
            if !isEmpty { _ = try text(of: name) }
            return .other("a number")
        case "date":
            if !isEmpty { _ = try text(of: name) }
            return .other("a date")
        case "data":
            if !isEmpty { _ = try text(of: name) }
            return .other("data")
        default: throw failure("<\(name)> is no value of a property list")
        }
    }

    private mutating func array(depth: Int) throws(PropertyList.Failure) -> [PropertyList] {
        var values: [PropertyList] = []
        while true {
            try skipMisc()
            switch try tag() {
            case .close("array"): return values
            case .open(let name, let isEmpty):
                values.append(try value(of: name, isEmpty: isEmpty, depth: depth + 1))
            case .close(let name): throw failure("</\(name)> ends an array")
            }
        }
    }

    private mutating func dictionary(
        depth: Int
    ) throws(PropertyList.Failure) -> [PropertyList.Pair] {
        var pairs: [PropertyList.Pair] = []
        while true {
            try skipMisc()
            switch try tag() {
            case .close("dict"): return pairs
            case .open("key", let isEmpty):
                let key = isEmpty ? "" : try text(of: "key")
                try skipMisc()
                pairs.append(PropertyList.Pair(key: key, value: try value(depth: depth + 1)))
            default: throw failure("a <key> is missing in a dictionary")
            }
        }
    }

    // MARK: - Tags

    private enum Tag {
        case open(String, isEmpty: Bool)
        case close(String)
    }

    private mutating func tag() throws(PropertyList.Failure) -> Tag {
        guard take("<") else {
            throw failure("there is text where a tag has to be, or it is cut short")
        }
        let isClosing = take("/")
        let start = position
        while let byte = peek, byte.isLetter { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard !name.isEmpty, name.utf8.count <= 32 else { throw failure("a tag has no name") }
        if isClosing {
            skipSpace()
            guard take(">") else { throw failure("</\(name) is cut short") }
            return .close(name)
        }
        try skipAttributes(of: name)
        let isEmpty = take("/")
        guard take(">") else { throw failure("<\(name) is cut short") }
        return .open(name, isEmpty: isEmpty)
    }

    /// Only the version of the list is one.
    private mutating func skipAttributes(of name: String) throws(PropertyList.Failure) {
        skipSpace()
        guard name == "plist" else { return }
        while let byte = peek, byte.isLetter {
            while let byte = peek, byte.isLetter { position += 1 }
            guard take("="), let quote = peek,
                quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
            else { throw failure("an attribute of <plist> is damaged") }
            position += 1
            while let byte = peek, byte != quote { position += 1 }
            guard peek == quote else { throw failure("it is cut short") }
            position += 1
            skipSpace()
        }
    }

    // MARK: - Text

    /// The text up to the end of an element, which may hold no other.
    private mutating func text(of name: String) throws(PropertyList.Failure) -> String {
        var content: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "<"):
                if take("<![CDATA[") {
                    let start = position
                    guard skip(past: "]]>") else { throw failure("it is cut short") }
                    content += bytes[start..<(position - 3)]
                } else if take("<!--") {
                    guard skip(past: "-->") else { throw failure("it is cut short") }
                } else {
                    guard take("</") else { throw failure("<\(name)> holds another element") }
                    guard take(name) else { throw failure("<\(name)> is not closed") }
                    skipSpace()
                    guard take(">") else { throw failure("</\(name) is cut short") }
                    // Of whole characters, whole or by number: checked at the start and in `entity`.
                    return String(decoding: content, as: UTF8.self)
                }
            case UInt8(ascii: "&"): content += try entity().utf8
            default:
                content.append(byte)
                position += 1
            }
        }
        throw failure("<\(name)> is cut short")
    }

    private mutating func entity() throws(PropertyList.Failure) -> String {
        let named = ["&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": "\"", "&apos;": "'"]
        for (name, text) in named where take(name) { return text }
        guard take("&#") else { throw failure("it uses an entity that is not known") }
        let radix = take("x") ? 16 : 10
        let start = position
        while let byte = peek, byte.isLetter || byte.isDigit, position - start < 9 { position += 1 }
        let digits = String(decoding: bytes[start..<position], as: UTF8.self)
        guard take(";"), let number = UInt32(digits, radix: radix), number != 0,
            let scalar = Unicode.Scalar(number)
        else { throw failure("it has a character reference that names none") }
        return String(Character(scalar))
    }

    // MARK: - What is passed over

    /// Passes over white space, comments and, before the list, what XML has in front of it.
    private mutating func skipMisc(inProlog: Bool = false) throws(PropertyList.Failure) {
        while true {
            skipSpace()
            if take("<!--") {
                guard skip(past: "-->") else { throw failure("it is cut short in a comment") }
            } else if inProlog, take("<?") {
                let start = position
                guard skip(past: "?>") else { throw failure("it is cut short") }
                try checkEncoding(bytes[start..<position])
            } else if inProlog, take("<!DOCTYPE") {
                while let byte = peek, byte != UInt8(ascii: ">") {
                    // Declarations of its own could make anything of what follows.
                    guard byte != UInt8(ascii: "[") else {
                        throw failure("it declares entities of its own, which are not read")
                    }
                    position += 1
                }
                guard take(">") else { throw failure("it is cut short") }
            } else {
                return
            }
        }
    }

    private func checkEncoding(_ declaration: ArraySlice<UInt8>) throws(PropertyList.Failure) {
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        guard let range = text.firstRange(of: "encoding") else { return }
        let value = text[range.upperBound...].drop { " =\"'".contains($0) }.prefix {
            !"\"' ?".contains($0)
        }
        guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(String(value)) else {
            throw failure("its encoding is said to be other than UTF-8")
        }
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
    }

    /// - Returns: false if it does not come; then everything was passed over.
    private mutating func skip(past mark: String) -> Bool {
        while position < bytes.count {
            if take(mark) { return true }
            position += 1
        }
        return false
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private func failure(_ why: String) -> PropertyList.Failure {
        let line = bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
        return PropertyList.Failure("\(why) (line \(line))")
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
