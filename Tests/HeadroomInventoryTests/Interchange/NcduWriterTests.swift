//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import Testing

struct NcduWriterTests {
    private func written(
        _ body: (inout NcduWriter) throws(HeadroomError) -> Void
    ) throws(HeadroomError) -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = NcduWriter(
            program: "headroom", version: "1", timestamp: Timestamp(seconds: 5)
        ) { bytes += $0 }
        try body(&writer)
        try writer.finish()
        return bytes
    }

    @Test func writesFormatOneTwo() throws {
        let bytes = try written { (writer) throws(HeadroomError) in
            try writer.beginDirectory(
                NcduEntry(name: Array("/data".utf8), allocatedSize: ByteCount(4096), device: 7))
            try writer.file(
                NcduEntry(
                    name: Array("a".utf8), logicalSize: ByteCount(1), allocatedSize: ByteCount(512),
                    inode: 9, isHardLink: true, linkCount: 2))
            try writer.beginDirectory(
                NcduEntry(name: Array("mnt".utf8), hasReadError: true, extended: .init(mode: 1)))
            try writer.endDirectory()
            try writer.file(NcduEntry(name: Array("x".utf8), exclusion: .otherFileSystem))
            try writer.endDirectory()
        }
        let expected = """
            [1,2,{"progname":"headroom","progver":"1","timestamp":5},
            [{"name":"/data","dsize":4096,"dev":7},
            {"name":"a","asize":1,"dsize":512,"ino":9,"hlnkc":true,"nlink":2},
            [{"name":"mnt","mode":1,"read_error":true}],
            {"name":"x","excluded":"otherfs"}]]

            """
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func escapesAsNcduDoes() throws {
        let bytes = try written { (writer) throws(HeadroomError) in
            try writer.beginDirectory(
                NcduEntry(name: Array("/\"\\\n\u{1}\u{7F}é".utf8) + [0xE9]))
            try writer.endDirectory()
        }
        let name = Array(#"{"name":"/\"\\\n\u0001\u007fé"#.utf8) + [0xE9, UInt8(ascii: "\"")]
        #expect(bytes.indices.contains { bytes[$0...].starts(with: name) })
    }

    @Test func memoryStaysConstant() throws {
        var largest = 0
        var total = 0
        var writer = NcduWriter(
            program: "p", version: "1", timestamp: Timestamp(seconds: 5)
        ) { part in
            largest = max(largest, part.count)
            total += part.count
        }
        try writer.beginDirectory(NcduEntry(name: [0x2F]))
        for number in 0..<100_000 { try writer.file(NcduEntry(name: Array("f\(number)".utf8))) }
        try writer.endDirectory()
        try writer.finish()
        #expect(total > 1_500_000)
        #expect(largest < 70_000)
    }
}
