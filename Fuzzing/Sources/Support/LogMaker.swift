//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Makes a checked log of an input, with checksums that are right: else a fuzzer would never get behind them.
///
/// See Documentation/Design/0003-checked-log.md. The input is a row of records: type, length (2 bytes),
/// payload; a type with the highest bit set stands for bytes that are no record.
struct LogMaker {
    private(set) var bytes: [UInt8]
    private static let marker: [UInt8] = [0xB5, 0x48, 0x52, 0xE9]
    private static let generation: [UInt8] = [1, 0, 0, 0]

    /// - Parameter kind: the four letters that tell the log from others.
    init(_ input: [UInt8], kind: UInt32) {
        let header =
            Array("HRLOG\r\n".utf8) + [1] + Self.little(UInt64(kind), 4) + Self.generation
            + Self.little(32, 8) + [0, 0, 0, 0]
        bytes = header + Checksum.crc32c(header)
        var reader = InputReader(input)
        while !reader.isAtEnd {
            let type = reader.byte()
            let payload = reader.bytes(reader.number(2) % 4_096)
            if type & 0x80 != 0 {
                bytes += payload
            } else {
                append(type, payload)
            }
        }
    }

    private mutating func append(_ type: UInt8, _ payload: [UInt8]) {
        let offset = Self.little(UInt64(bytes.count), 8)
        let header =
            Self.marker + Self.generation + Self.little(UInt64(payload.count), 3) + [type]
        let sum = Checksum.crc32c(offset + header)
        bytes += header + sum + Checksum.crc32c(sum + [0, 0, 0, 0] + payload) + payload
    }

    private static func little(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
