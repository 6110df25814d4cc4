//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// Writes JSON on one line: members in the order of the calls, integers exact.
///
///     var json = JSONWriter()
///     json.object { json in
///         json.member("id", receipt.id)
///         json.member("bytes", receipt.expected.bytes)
///         json.array("removed", receipt.removed) { json, removed in
///             json.object { $0.member("path", removed.path) }
///         }
///     }
///     print(json.text)
public struct JSONWriter: Sendable {
    /// What was written so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    public init() {}

    /// What was written so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: - Values

    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    public mutating func value(_ text: String) {
        separate()
        quote(Array(text.utf8))
    }

    public mutating func value(_ number: some BinaryInteger) { word(String(number)) }

    public mutating func value(_ flag: Bool) { word(flag ? "true" : "false") }

    /// A number in the fewest digits that give it back; `null` if it is not finite.
    public mutating func value(_ number: Double) {
        word(number.isFinite ? number.description : "null")
    }

    public mutating func null() { word("null") }

    // MARK: - Members

    /// Writes a member's name; its value must follow.
    public mutating func key(_ name: String) {
        separate()
        quote(Array(name.utf8))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    public mutating func member(_ name: String, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    public mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    public mutating func member(_ name: String, _ flag: Bool) {
        key(name)
        value(flag)
    }

    public mutating func member(_ name: String, _ number: Double) {
        key(name)
        value(number)
    }

    /// A time by ISO 8601 in UTC, or `null`.
    public mutating func member(_ name: String, _ time: Timestamp?) {
        member(name, time?.iso8601)
    }

    /// A path. Where it is not UTF-8, its text has U+FFFD in place of what cannot be shown, and a
    /// second member `<name>Bytes` has every byte, percent-encoded (RFC 3986).
    public mutating func member(_ name: String, _ path: FilePath) {
        let bytes = path.bytes
        guard String(validating: bytes, as: UTF8.self) == nil else {
            key(name)
            separate()
            return quote(bytes)
        }
        member(name, String(decoding: bytes, as: UTF8.self))
        member(name + "Bytes", PercentEncoding.encoded(bytes))
    }

    public mutating func member(_ name: String, _ reason: Reason) {
        key(name)
        object { json in
            json.member("code", reason.code.description)
            json.member("text", reason.text)
        }
    }

    public mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    /// An array of whatever `element` writes for each of the elements: one value each.
    public mutating func array<S: Sequence>(
        _ name: String, _ elements: S, _ element: (inout JSONWriter, S.Element) -> Void
    ) {
        key(name)
        array { json in
            for each in elements { element(&json, each) }
        }
    }

    public mutating func array(_ name: String, _ texts: [String]) {
        array(name, texts) { $0.value($1) }
    }

    // MARK: - Bytes

    /// Appends text in quotes. Escapes characters that JSON does not allow, and characters that move a
    /// terminal's cursor or change the reading direction.
    ///
    /// Most text needs no escapes: what lies between them is appended at once.
    ///
    /// - Parameter text: UTF-8; what is not is appended as it is.
    public static func append(quoted text: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            var length = 1
            var scalar: UInt32?
            if byte < 0x20 || byte == 0x7F {
                scalar = UInt32(byte)
            } else if byte == 0xC2 || byte == 0xD8 || byte == 0xE1 || byte == 0xE2 || byte == 0xEF {
                // The first bytes of control characters beyond ASCII.
                (scalar, length) = control(at: index, of: text)
            }
            guard scalar != nil || byte == 0x22 || byte == 0x5C else {
                index += 1
                continue
            }
            bytes += text[start..<index]
            index += length
            start = index
            switch scalar {
            case nil: bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += "\\n".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0D: bytes += "\\r".utf8
            case let scalar?:
                let digits = String(scalar, radix: 16, uppercase: true)
                bytes += "\\u".utf8
                bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
                bytes += digits.utf8
            }
        }
        bytes += text[start...]
        bytes.append(UInt8(ascii: "\""))
    }

    /// The control character of two or three bytes that begins at a byte, and its length; nil: none does.
    private static func control(at index: Int, of text: [UInt8]) -> (UInt32?, Int) {
        let length = text[index] < 0xE0 ? 2 : 3
        guard index + length <= text.count,
            let decoded = String(validating: text[index..<index + length], as: UTF8.self),
            let scalar = decoded.unicodeScalars.first, scalar.isControl
        else { return (nil, 1) }
        return (scalar.value, length)
    }

    private mutating func nest(
        _ opening: UInt8, _ closing: UInt8, _ body: (inout JSONWriter) -> Void
    ) {
        separate()
        bytes.append(opening)
        needsComma = false
        body(&self)
        bytes.append(closing)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func word(_ word: String) {
        separate()
        bytes += word.utf8
    }

    private mutating func quote(_ text: [UInt8]) { Self.append(quoted: text, to: &bytes) }
}
