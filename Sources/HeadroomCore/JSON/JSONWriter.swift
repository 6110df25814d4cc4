//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// Writes JSON: members in the order of the calls, integers exact.
///
///     var json = JSONWriter()
///     json.object { json in
///         json.member("id", receipt.id)
///         json.member("bytes", receipt.expected)
///         json.objects("removed", receipt.removed) { json, removed in
///             json.member("path", removed.path)
///         }
///     }
///     print(json.text)
///
/// With a sink, the writer keeps at most about 64 KiB in memory.
public struct JSONWriter {
    /// The bytes that the sink has not received yet, in UTF-8. Without a sink, everything.
    public private(set) var bytes: [UInt8] = []
    private let sink: (([UInt8]) throws -> Void)?
    private let isIndented: Bool
    private var depth = 0
    private var needsComma = false
    private var isAfterKey = false
    private var failure: (any Error)?
    private var isDiscarded = false

    /// Creates a writer that collects one line in ``bytes``.
    public init() {
        sink = nil
        isIndented = false
    }

    /// Creates a writer of a document.
    ///
    /// - Parameters:
    ///   - isIndented: Each member and element has its own line.
    ///   - sink: Receives the document in parts. After its first error, it isn't called again.
    public init(isIndented: Bool, sink: @escaping ([UInt8]) throws -> Void) {
        self.sink = sink
        self.isIndented = isIndented
    }

    /// The text of ``bytes``.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: - Documents

    /// The error of a sink whose reader has closed its end. It ends the writing and isn't thrown.
    public struct ReaderIsGone: Error {
        public init() {}
    }

    /// Whether the sink receives nothing more, so that a loop over many elements can end.
    public var isStopped: Bool { failure != nil || isDiscarded }

    /// Writes an object whose first member is `schema`, and the end of a line.
    ///
    /// - Throws: the first error of the sink, unless it is ``ReaderIsGone``.
    public mutating func document(_ schema: String, _ body: (inout JSONWriter) -> Void) throws {
        object { json in
            json.member("schema", schema)
            body(&json)
        }
        bytes.append(0x0A)
        flush()
        if let failure, !(failure is ReaderIsGone), !isDiscarded { throw failure }
    }

    /// Drops the bytes that the sink has not received yet, and everything that is written later.
    public mutating func discard() {
        bytes.removeAll()
        isDiscarded = true
    }

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

    /// Writes a number with at most six decimals, or `null` if it isn't finite.
    public mutating func value(_ number: Double) {
        word(number.isFinite ? ((number * 1_000_000).rounded() / 1_000_000).description : "null")
    }

    public mutating func null() { word("null") }

    // MARK: - Members

    /// Writes the name of a member. Its value must follow.
    ///
    /// - Parameter name: needs no escapes.
    public mutating func key(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes += name.utf8
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        if isIndented { bytes.append(0x20) }
        isAfterKey = true
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

    /// A number with at most six decimals, or `null` if it isn't finite.
    public mutating func member(_ name: String, _ number: Double) {
        key(name)
        value(number)
    }

    public mutating func member(_ name: String, _ bytes: ByteCount?) { member(name, bytes?.bytes) }

    /// A time in UTC by ISO 8601, to the second, or `null`.
    public mutating func member(_ name: String, _ time: Timestamp?) { member(name, time?.iso8601) }

    /// A path. If it isn't UTF-8, its text has U+FFFD in place of the invalid bytes, and a second member `<name>Bytes` has
    /// every byte, percent-encoded (RFC 3986).
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
        object(name) { $0.members(of: reason) }
    }

    /// Writes the members of a reason into an open object: `code` and `text`.
    public mutating func members(of reason: Reason) {
        member("code", reason.code.description)
        member("text", reason.text)
    }

    public mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    public mutating func array(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        array(body)
    }

    public mutating func array(_ name: String, _ texts: some Sequence<String>) {
        array(name) { json in
            for text in texts { json.value(text) }
        }
    }

    /// An array with one object per element, whose members `body` writes.
    public mutating func objects<Elements: Sequence>(
        _ name: String, _ elements: Elements,
        _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        array(name) { json in
            for element in elements {
                json.object { json in body(&json, element) }
            }
        }
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
        depth += 1
        needsComma = false
        body(&self)
        depth -= 1
        if needsComma { breakLine() }
        bytes.append(closing)
        needsComma = true
    }

    /// Writes what stands between the last value and the next one.
    private mutating func separate() {
        if isAfterKey {
            isAfterKey = false
            needsComma = true
            return
        }
        if bytes.count > 1 << 16 { flush() }
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        if depth > 0 { breakLine() }
    }

    private mutating func word(_ word: String) {
        separate()
        bytes += word.utf8
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        bytes.append(0x0A)
        bytes += repeatElement(0x20, count: 2 * depth)
    }

    private mutating func flush() {
        guard let sink else { return }
        if !isStopped {
            do { try sink(bytes) } catch { failure = error }
        }
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func quote(_ text: [UInt8]) { Self.append(quoted: text, to: &bytes) }
}
