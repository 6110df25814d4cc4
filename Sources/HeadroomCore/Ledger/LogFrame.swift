//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The 20 bytes in front of each record of a ``CheckedLog`` and of the purge journal.
///
/// See `Documentation/Design/0003-checked-log.md`. Both checksums cover the record's offset in its
/// file and its generation, so that a record inside another's payload, or one that stood there
/// before, is never taken for one of the file's own.
package enum LogFrame {
    package static let headerSize = 20
    /// The largest payload; the length has 24 bits.
    package static let payloadLimit = 1 << 24 - 1
    package static let marker: [UInt8] = [0xB5, 0x48, 0x52, 0xE9]

    enum Check {
        case valid(type: UInt8, generation: UInt32, payload: Range<Int>)
        /// The header is right, and this many bytes in all are needed to check the rest.
        case incomplete(Int)
        /// No record; so many bytes were checked to find out.
        case invalid(looked: Int)
    }

    /// Appends a record that will stand at `offset`.
    static func append(
        _ type: UInt8, _ payload: [UInt8], generation: UInt32, at offset: UInt64,
        to bytes: inout [UInt8]
    ) {
        precondition(payload.count <= payloadLimit, "a record of 16 MiB or more")
        var header = ByteWriter()
        for byte in marker { header.integer(byte) }
        header.integer(generation)
        header.integer(UInt32(payload.count) | UInt32(type) << 24)
        let headerSum = unsafe checksum(header.bytes.span.bytes, offset)
        header.integer(headerSum)
        unsafe header.integer(checksum(payload.span.bytes, UInt64(headerSum)))
        bytes += header.bytes
        bytes += payload
    }

    /// Checks for a record at a position of a window, where the file's `offset` is.
    ///
    /// - Parameter generation: the one that is expected; nil accepts any.
    static func check(
        _ window: [UInt8], at position: Int, offset: UInt64, generation expected: UInt32?
    ) -> Check {
        let left = window.count - position
        guard left >= headerSize else {
            return startsLikeMarker(window, at: position)
                ? .incomplete(headerSize) : .invalid(looked: 0)
        }
        guard startsLikeMarker(window, at: position) else { return .invalid(looked: 0) }
        let bytes = unsafe window.span.bytes
        let generation = number(window, at: position + 4)
        if let expected, generation != expected { return .invalid(looked: 0) }
        let lengthAndType = number(window, at: position + 8)
        let headerSum = number(window, at: position + 12)
        guard checksum(bytes.extracting(position..<position + 12), offset) == headerSum else {
            return .invalid(looked: headerSize)
        }
        let size = headerSize + Int(lengthAndType & 0xFF_FFFF)
        guard left >= size else { return .incomplete(size) }
        let payload = position + headerSize..<position + size
        guard
            checksum(bytes.extracting(payload), UInt64(headerSum))
                == number(window, at: position + 16)
        else { return .invalid(looked: size) }
        return .valid(
            type: UInt8(lengthAndType >> 24), generation: generation, payload: payload)
    }

    /// The first position from `start` on at which a record may begin.
    static func nextMarker(in window: [UInt8], from start: Int) -> Int {
        var position = start
        while position < window.count {
            if window[position] == marker[0], startsLikeMarker(window, at: position) {
                return position
            }
            position += 1
        }
        return window.count
    }

    /// Whether the marker, or as much of it as fits into the window, stands there.
    private static func startsLikeMarker(_ window: [UInt8], at position: Int) -> Bool {
        let count = min(4, window.count - position)
        for index in 0..<count where window[position + index] != marker[index] { return false }
        return count > 0
    }

    private static func checksum(_ bytes: RawSpan, _ seed: UInt64) -> UInt32 {
        var sum = CRC32C()
        sum.update(seed)
        sum.update(bytes)
        return sum.value
    }

    private static func number(_ bytes: [UInt8], at position: Int) -> UInt32 {
        UInt32(bytes[position]) | UInt32(bytes[position + 1]) << 8
            | UInt32(bytes[position + 2]) << 16 | UInt32(bytes[position + 3]) << 24
    }
}
