//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Builds a record's payload: integers little-endian, bytes and text with a 32-bit length in front.
public struct ByteWriter: Sendable {
    @usableFromInline package internal(set) var bytes: [UInt8] = []

    package init() {}

    /// - Parameter capacity: how many bytes are going to be written, so that there is one allocation.
    package init(capacity: Int) { bytes.reserveCapacity(capacity) }

    @inlinable @inline(__always)
    public mutating func integer(_ value: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// What was written; nothing of it is left here, so that it can be changed without a copy.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    package mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    package mutating func data(_ data: [UInt8]) {
        integer(UInt32(clamping: data.count))
        bytes += data
    }

    /// Without its length.
    package mutating func plain(_ data: [UInt8]) { bytes += data }

    package mutating func zeros(_ count: Int) {
        for _ in 0..<count { bytes.append(0) }
    }

    package mutating func text(_ text: String) { data(Array(text.utf8)) }
}
