//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import Testing

struct ByteReaderTests {
    @Test func integersHaveTheirLeastByteFirst() {
        var writer = ByteWriter()
        writer.integer(UInt8(0x01))
        writer.integer(UInt16(0x0203))
        writer.integer(UInt32(0x0405_0607))
        writer.integer(Int64(-2))
        #expect(
            writer.bytes == [1, 3, 2, 7, 6, 5, 4, 0xFE] + [UInt8](repeating: 0xFF, count: 7))
    }

    @Test func readsWhatWasWritten() throws {
        var writer = ByteWriter()
        writer.integer(UInt16.max)
        writer.integer(Int64.min)
        writer.flag(true)
        writer.data([1, 2])
        writer.plain([3, 4, 5])
        writer.text("é")
        writer.list([7, 8] as [UInt32]) { $0.integer($1) }
        // Not from its beginning: what is read are slices.
        var reader = ByteReader(([0] + writer.bytes).dropFirst())
        let unsigned = try reader.integer(UInt16.self)
        let signed = try reader.integer(Int64.self)
        let flag = try reader.flag()
        let data = try reader.data()
        let plain = try reader.plain(3)
        let text = try reader.text()
        let list = try reader.list { (reader) throws(ByteReader.Malformed) in
            try reader.integer(UInt32.self)
        }
        #expect(unsigned == .max && signed == .min && flag)
        #expect(data == [1, 2])
        #expect(plain == [3, 4, 5])
        #expect(text == "é")
        #expect(list == [7, 8])
        #expect(reader.isAtEnd)
    }

    @Test func whatIsCutOffIsRefusedAndNothingTaken() throws {
        var reader = ByteReader([1, 2, 3])
        #expect(throws: ByteReader.Malformed.self) { try reader.integer(UInt32.self) }
        #expect(throws: ByteReader.Malformed.self) { try reader.plain(4) }
        let rest = try reader.plain(3)
        #expect(rest == [1, 2, 3])
        #expect(reader.isAtEnd)
    }

    @Test func aLengthThatIsMoreThanThereIsIsRefused() {
        var data = ByteReader([0xFF, 0xFF, 0xFF, 0xFF, 1])
        #expect(throws: ByteReader.Malformed.self) { try data.data() }
    }

    @Test func whatWasTakenIsNotThereAnyMore() {
        var writer = ByteWriter()
        writer.integer(UInt8(1))
        let taken = writer.take()
        #expect(taken == [1])
        #expect(writer.bytes.isEmpty)
    }
}
