//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform

/// Collects the records of a log in their order.
package struct Recorder: LogReplay, Equatable {
    package var records: [LogRecord] = []
    package var offsets: [UInt64] = []
    package var restarts = 0

    package init() {}

    package mutating func restart() {
        records = []
        offsets = []
        restarts += 1
    }

    package mutating func record(_ type: UInt8, _ payload: ArraySlice<UInt8>, at offset: UInt64) {
        records.append(LogRecord(type, Array(payload)))
        offsets.append(offset)
    }
}

extension StateDirectory {
    package func bytes(ofLog name: String) throws -> [UInt8] {
        let file = try RegularFile(name, in: self, .reading)
        return try file.read(Int(try file.size()), at: 0)
    }

    /// Writes into the existing file, from its start.
    package func overwrite(_ name: String, by bytes: [UInt8]) throws {
        try RegularFile(name, in: self, .writing).write(bytes, at: 0)
    }

    /// Makes a log look as if a later version had written it.
    package func makeLater(_ name: String) throws {
        var bytes = try bytes(ofLog: name)
        bytes[7] = 2
        var sum = CRC32C()
        let head = Array(bytes[..<28])
        unsafe sum.update(head.span.bytes)
        for index in 0..<4 {
            bytes[28 + index] = UInt8(truncatingIfNeeded: sum.value >> (8 * index))
        }
        try overwrite(name, by: bytes)
    }
}

extension LogRecord {
    /// A record whose type and payload depend on `number`.
    package static func sample(_ number: Int, length: Int = 5) -> LogRecord {
        LogRecord(
            UInt8(number % 200), (0..<length).map { UInt8(truncatingIfNeeded: number &* 31 + $0) })
    }
}
