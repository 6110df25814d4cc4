//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// Writes one JSON document, member by member, in the order of the calls.
///
/// Nothing is kept but a buffer, so that a plan of a million entries costs no memory.
package struct JSONOutput {
    private var buffer: [UInt8] = []
    private let sink: ([UInt8]) throws -> Void
    private let isIndented: Bool
    private var depth = 0
    private var isFirst = true
    private var failure: (any Error)?
    private var isDiscarded = false

    /// Nothing more goes to the sink: whoever has much left to write may leave it.
    package var isStopped: Bool { failure != nil || isDiscarded }

    /// What a sink throws when nobody reads on, which is no failure.
    package struct ReaderIsGone: Error {
        package init() {}
    }

    /// - Parameter isIndented: a line for each member, for eyes.
    package init(isIndented: Bool, sink: @escaping ([UInt8]) throws -> Void) {
        self.sink = sink
        self.isIndented = isIndented
    }

    /// Writes the outermost object.
    ///
    /// - Throws: what the sink threw first, unless the reader is gone; nothing more went to it
    ///   after that.
    package mutating func document(_ schema: String, _ body: (inout JSONOutput) -> Void) throws {
        object { json in
            json.field("schema", schema)
            body(&json)
        }
        buffer.append(0x0A)
        flush()
        if let failure, !(failure is ReaderIsGone), !isDiscarded { throw failure }
    }

    /// Drops what has not been written yet, and all that comes after.
    package mutating func discard() {
        buffer.removeAll()
        isDiscarded = true
    }

    // MARK: - Members

    package mutating func field(_ name: String, _ value: String?) {
        key(name)
        if let value { quote(Array(value.utf8)) } else { append("null") }
    }

    package mutating func field(_ name: String, _ value: (some BinaryInteger)?) {
        key(name)
        append(value.map { String($0) } ?? "null")
    }

    package mutating func field(_ name: String, _ value: Bool) {
        key(name)
        append(value ? "true" : "false")
    }

    /// A number with at most six decimals; null if it is not finite.
    package mutating func field(_ name: String, _ value: Double) {
        key(name)
        append(value.isFinite ? String((value * 1_000_000).rounded() / 1_000_000) : "null")
    }

    package mutating func field(_ name: String, _ value: ByteCount?) { field(name, value?.bytes) }

    /// A time as `2026-11-21T12:44:56Z`.
    package mutating func field(_ name: String, _ value: Timestamp?) {
        field(name, value?.universalDescription)
    }

    package mutating func field(_ name: String, _ reason: Reason) {
        object(name) { json in
            json.field("code", reason.code.description)
            json.field("text", reason.text)
        }
    }

    /// A path; one that is not UTF-8 gets a second member `<name>Bytes`, percent-encoded.
    package mutating func field(_ name: String, _ path: FilePath) {
        let bytes = path.bytes
        guard String(validating: bytes, as: UTF8.self) == nil else {
            key(name)
            return quote(bytes)
        }
        field(name, String(decoding: bytes, as: UTF8.self))
        field(name + "Bytes", PercentEncoding.encoded(bytes))
    }

    package mutating func object(_ name: String, _ body: (inout JSONOutput) -> Void) {
        key(name)
        nest("{", "}", body)
    }

    package mutating func array(_ name: String, _ body: (inout JSONOutput) -> Void) {
        key(name)
        nest("[", "]", body)
    }

    package mutating func array(_ name: String, _ values: some Sequence<String>) {
        array(name) { json in
            for value in values { json.element(value) }
        }
    }

    /// An array of objects, one for each element.
    package mutating func objects<Elements: Sequence>(
        _ name: String, _ elements: Elements,
        _ body: (inout JSONOutput, Elements.Element) -> Void
    ) {
        array(name) { json in
            for element in elements { json.object { json in body(&json, element) } }
        }
    }

    // MARK: - Elements of an array

    package mutating func object(_ body: (inout JSONOutput) -> Void) {
        separate()
        nest("{", "}", body)
    }

    package mutating func element(_ value: String) {
        separate()
        quote(Array(value.utf8))
    }

    // MARK: - Bytes

    private mutating func nest(_ open: String, _ close: String, _ body: (inout JSONOutput) -> Void)
    {
        append(open)
        depth += 1
        isFirst = true
        body(&self)
        depth -= 1
        if !isFirst { breakLine() }
        append(close)
        isFirst = false
    }

    private mutating func key(_ name: String) {
        separate()
        append("\"")
        append(name)
        append("\"")
        append(isIndented ? ": " : ":")
    }

    private mutating func separate() {
        if buffer.count > 1 << 16 { flush() }
        if !isFirst { append(",") }
        isFirst = false
        if depth > 0 { breakLine() }
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        buffer.append(0x0A)
        buffer += repeatElement(0x20, count: 2 * depth)
    }

    private mutating func append(_ text: String) { buffer += text.utf8 }

    private mutating func flush() {
        if !isStopped {
            do { try sink(buffer) } catch { failure = error }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private mutating func quote(_ text: [UInt8]) {
        JSONWriter.append(quoted: text, to: &buffer)
    }
}
