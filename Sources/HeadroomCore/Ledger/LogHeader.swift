//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The first 32 bytes of a ``CheckedLog``'s file.
package struct LogHeader: Equatable {
    package static let size = 32
    private static let magic: [UInt8] = [0x48, 0x52, 0x4C, 0x4F, 0x47, 0x0D, 0x0A]  // "HRLOG\r\n"
    static let version: UInt8 = 1

    /// What the file is for: four letters.
    var kind: UInt32
    var generation: UInt32
    /// Where the snapshot ends and the appended records begin.
    var snapshotEnd: UInt64

    enum Reading: Equatable {
        case good(LogHeader)
        /// In order, but of a later version or another kind.
        case foreign
        case damaged
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        for byte in Self.magic { writer.integer(byte) }
        writer.integer(Self.version)
        writer.integer(kind)
        writer.integer(generation)
        writer.integer(snapshotEnd)
        writer.integer(UInt32(0))
        var sum = CRC32C()
        unsafe sum.update(writer.bytes.span.bytes)
        writer.integer(sum.value)
        return writer.bytes
    }

    /// Whether bytes begin as a log of a kind does, in order or not.
    package static func begins(_ bytes: [UInt8], kind: UInt32) -> Bool {
        var reader = ByteReader(bytes.dropFirst(magic.count + 1))
        return bytes.starts(with: magic) && (try? reader.integer(UInt32.self)) == kind
    }

    static func read(_ bytes: [UInt8], kind: UInt32) -> Reading {
        guard bytes.count == size else { return .damaged }
        var sum = CRC32C()
        unsafe sum.update(bytes.span.bytes.extracting(0..<size - 4))
        var reader = ByteReader(bytes[7...])
        do {
            let version = try reader.integer(UInt8.self)
            let header = LogHeader(
                kind: try reader.integer(), generation: try reader.integer(),
                snapshotEnd: try reader.integer())
            _ = try reader.integer(UInt32.self)
            guard try reader.integer(UInt32.self) == sum.value, bytes[..<7].elementsEqual(magic)
            else { return .damaged }
            return version == Self.version && header.kind == kind ? .good(header) : .foreign
        } catch {
            return .damaged
        }
    }
}
