//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Reads what ``ByteWriter`` wrote. Every length is checked against what is there.
public struct ByteReader {
    @usableFromInline let bytes: ArraySlice<UInt8>
    @usableFromInline var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The payload ended too early, or holds what no version writes.
    public struct Malformed: Error {
        @inlinable public init() {}
    }

    package var isAtEnd: Bool { position == bytes.endIndex }

    @inlinable
    public mutating func integer<I: FixedWidthInteger>(
        _ type: I.Type = I.self
    ) throws(Malformed) -> I {
        let count = I.bitWidth / 8
        guard bytes.endIndex - position >= count else { throw Malformed() }
        var value: I = 0
        for index in (position..<position + count).reversed() {
            value = (I.bitWidth > 8 ? value << 8 : 0) | I(truncatingIfNeeded: bytes[index])
        }
        position += count
        return value
    }

    package mutating func flag() throws(Malformed) -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        default: throw Malformed()
        }
    }

    package mutating func data() throws(Malformed) -> [UInt8] {
        try plain(Int(try integer(UInt32.self)))
    }

    /// Reads so many bytes, without a length in front.
    package mutating func plain(_ count: Int) throws(Malformed) -> [UInt8] {
        guard bytes.endIndex - position >= count else { throw Malformed() }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    package mutating func text() throws(Malformed) -> String {
        guard let text = String(validating: try data(), as: UTF8.self) else { throw Malformed() }
        return text
    }

    /// Reads a list: a 32-bit count, then the elements.
    package mutating func list<T>(
        _ element: (inout ByteReader) throws(Malformed) -> T
    ) throws(Malformed) -> [T] {
        let count = Int(try integer(UInt32.self))
        // An element takes a byte at least: a damaged count must not reserve memory.
        guard bytes.endIndex - position >= count else { throw Malformed() }
        var elements: [T] = []
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }
}

extension ByteWriter {
    package mutating func list<T>(_ elements: [T], _ body: (inout ByteWriter, T) -> Void) {
        integer(UInt32(clamping: elements.count))
        for element in elements { body(&self, element) }
    }
}
