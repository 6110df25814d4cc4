//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Takes fields from the beginning of bytes that anybody may have written.
package struct LittleEndianReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// - Returns: nil if there are not so many left.
    package mutating func bytes(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// - Returns: nil if there are not so many left.
    package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type
    ) -> Value? {
        let width = Value.bitWidth / 8
        guard rest.count >= width else { return nil }
        var value: UInt64 = 0
        for byte in rest.prefix(width).reversed() { value = value << 8 | UInt64(byte) }
        rest = rest.dropFirst(width)
        return Value(truncatingIfNeeded: value)
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// Its bytes, the least first.
    package var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }
}
