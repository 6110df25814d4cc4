//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims

/// The checksum CRC-32C (Castagnoli; RFC 3720): by the processor's own instruction where it has one,
/// by tables elsewhere.
package struct CRC32C: Sendable {
    private var state: UInt32 = .max

    package init() {}

    /// The checksum of what went in so far.
    package var value: UInt32 { ~state }

    /// Adds bytes.
    package mutating func update(_ bytes: RawSpan) {
        guard Self.hasInstruction else { return updateByTables(bytes) }
        let crc = state
        state = unsafe bytes.withUnsafeBytes { bytes in
            // In bounds: base and count are of one buffer, and the tables have four times 256.
            guard let base = bytes.baseAddress else { return crc }
            if bytes.count >= Self.wideCount {
                return unsafe hr_crc32c_wide(crc, base, bytes.count)
            }
            return unsafe Self.skip.withUnsafeBufferPointer { skip in
                unsafe hr_crc32c(crc, base, bytes.count, skip.baseAddress)
            }
        }
    }

    private static let hasInstruction = hr_has_crc32c() != 0
    /// From so many bytes on they are taken 64 at a time, where the processor can.
    private static let wideCount = hr_has_wide_crc32c() != 0 ? 256 : Int.max

    /// The same without the instruction.
    package mutating func updateByTables(_ bytes: RawSpan) {
        let tables = Self.tables.span
        let count = bytes.byteCount
        var crc = state
        var offset = 0
        while offset &+ 8 <= count {
            // In bounds by the loop's condition; the span keeps the bytes alive.
            let word = unsafe UInt64(
                littleEndian: bytes.unsafeLoadUnaligned(
                    fromUncheckedByteOffset: offset, as: UInt64.self))
            let mixed = word ^ UInt64(crc)
            // Each index is a table's start plus a byte, and there are eight tables of 256.
            unsafe crc =
                tables[unchecked: 1792 &+ Int(truncatingIfNeeded: mixed & 0xFF)]
                ^ tables[unchecked: 1536 &+ Int(truncatingIfNeeded: mixed &>> 8 & 0xFF)]
                ^ tables[unchecked: 1280 &+ Int(truncatingIfNeeded: mixed &>> 16 & 0xFF)]
                ^ tables[unchecked: 1024 &+ Int(truncatingIfNeeded: mixed &>> 24 & 0xFF)]
                ^ tables[unchecked: 768 &+ Int(truncatingIfNeeded: mixed &>> 32 & 0xFF)]
                ^ tables[unchecked: 512 &+ Int(truncatingIfNeeded: mixed &>> 40 & 0xFF)]
                ^ tables[unchecked: 256 &+ Int(truncatingIfNeeded: mixed &>> 48 & 0xFF)]
                ^ tables[unchecked: Int(truncatingIfNeeded: mixed &>> 56)]
            offset &+= 8
        }
        while offset < count {
            let byte = unsafe bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: UInt8.self)
            let index = Int(truncatingIfNeeded: (crc ^ UInt32(byte)) & 0xFF)
            crc = unsafe tables[unchecked: index] ^ crc &>> 8
            offset &+= 1
        }
        state = crc
    }

    /// Adds a number as its eight bytes, the lowest first.
    package mutating func update(_ number: UInt64) {
        if Self.hasInstruction {
            state = hr_crc32c_number(state, number)
            return
        }
        let tables = Self.tables.span
        var crc = state
        var rest = number
        for _ in 0..<8 {
            let index = Int(truncatingIfNeeded: (UInt64(crc) ^ rest) & 0xFF)
            crc = unsafe tables[unchecked: index] ^ crc &>> 8
            rest &>>= 8
        }
        state = crc
    }

    /// `tables[256 k + b]` is the checksum of the byte `b` followed by `k` zero bytes.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        for byte in 0..<256 as Range<UInt32> {
            var crc = byte
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
            tables.append(crc)
        }
        for index in 256..<2048 {
            let previous = tables[index - 256]
            tables.append(tables[Int(previous & 0xFF)] ^ previous >> 8)
        }
        return tables
    }()

    /// What as many zero bytes as a part has (`HR_CRC32C_PART`) make of each byte of a checksum.
    private static let skip: [UInt32] = {
        // Of a checksum with one bit set; all others are sums of these.
        var bits: [UInt32] = []
        for bit in 0..<32 {
            var crc: UInt32 = 1 << UInt32(bit)
            for _ in 0..<HR_CRC32C_PART { crc = tables[Int(crc & 0xFF)] ^ crc >> 8 }
            bits.append(crc)
        }
        var skip: [UInt32] = []
        for byte in 0..<4 {
            for value in 0..<256 {
                var sum: UInt32 = 0
                for bit in 0..<8 where value >> bit & 1 == 1 { sum ^= bits[byte * 8 + bit] }
                skip.append(sum)
            }
        }
        return skip
    }()
}
