//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import Testing

struct NcduReaderTests {
    private func events(
        _ bytes: [UInt8], chunk: Int = 7, limits: NcduReader.Limits = .init()
    ) throws(HeadroomError) -> [NcduEvent] {
        var rest = bytes[...]
        var reader = try NcduReader(limits: limits) {
            defer { rest = rest.dropFirst(chunk) }
            return Array(rest.prefix(chunk))
        }
        var events: [NcduEvent] = []
        while let event = try reader.next() { events.append(event) }
        return events
    }

    private func listing(_ root: String) -> [UInt8] {
        Array(#"[1,2,{"progname":"ncdu","progver":"1.18","timestamp":1},\#n"#.utf8)
            + Array(root.utf8)
            + [UInt8(ascii: "]")]
    }

    @Test func readsWhatNcduWrites() throws {
        let read = try events(
            listing(
                #"""
                [{"name":"/t","asize":4096,"dsize":8192,"dev":65024,"mtime":1795264596},
                {"name":"sl","asize":1,"notreg":true},
                {"name":"a\n\u0001\"\\\u00e9\ud83d\ude00","ino":16,"hlnkc":true,"nlink":2},
                [{"name":"d","read_error":true},
                {"name":"proc","excluded":"kernfs","new":[{"a":[1,null,"]"]},{}]}]]
                """#))
        #expect(
            read == [
                .beginDirectory(
                    NcduEntry(
                        name: Array("/t".utf8), logicalSize: ByteCount(4096),
                        allocatedSize: ByteCount(8192), device: 65024,
                        extended: .init(modified: Timestamp(seconds: 1_795_264_596)))),
                .file(
                    NcduEntry(name: Array("sl".utf8), logicalSize: ByteCount(1), isNotRegular: true)
                ),
                .file(
                    NcduEntry(
                        name: Array("a\n\u{1}\"\\é😀".utf8), inode: 16, isHardLink: true,
                        linkCount: 2)),
                .beginDirectory(NcduEntry(name: Array("d".utf8), hasReadError: true)),
                .file(NcduEntry(name: Array("proc".utf8), exclusion: .kernelFileSystem)),
                .endDirectory, .endDirectory,
            ])
    }

    @Test func keepsBytesThatAreNotUTF8() throws {
        var bytes = listing(#"[{"name":"/"},{"name":"lat?n"}]"#)
        let index = try #require(bytes.firstIndex(of: UInt8(ascii: "?")))
        bytes[index] = 0xE9
        #expect(try events(bytes)[1] == .file(NcduEntry(name: Array("lat".utf8) + [0xE9, 0x6E])))
    }

    @Test(.tags(.s13b)) func depthCostsNoStack() throws {
        let depth = 90_000
        let text =
            #"[{"name":"/"}"# + String(repeating: #",[{"name":"d"}"#, count: depth - 1)
            + String(repeating: "]", count: depth)
        #expect(try events(listing(text), chunk: 4096).count == 2 * depth)
    }

    @Test(arguments: [
        "", "x", "{}", "[", "[2,0,{},[{\"name\":\"/\"}]]", "[1,2,{}]", "[1,2,{},{}]", "[1,2,[],[]]",
        "\u{1F}\u{8B}", "[1,2,{},[]]", "[1,2,{},[{}]]", "[1,2,{},[{\"name\":\"\"}]]",
        #"[1,2,{},[{"name":"/"}"#, #"[1,2,{},[{"name":"/"}]"#, #"[1,2,{},[{"name":"/"}]]x"#,
        #"[1,2,{},[{"name":"/"},{"name":"a/b"}]]"#, #"[1,2,{},[{"name":"/"},{"name":".."}]]"#,
        #"[1,2,{},[{"name":"a\u0000"}]]"#, #"[1,2,{},[{"name":"/","asize":-1}]]"#,
        #"[1,2,{},[{"name":"/","asize":9223372036854775808}]]"#,
        #"[1,2,{},[{"name":"/","asize":"1"}]]"#, #"[1,2,{},[{"name":"/","asize":1.5}]]"#,
        #"[1,2,{},[{"name":1}]]"#, #"[1,2,{},[{"name":"/","hlnkc":1}]]"#,
        #"[1,2,{},[{"name":"/","mtime":"x"}]]"#, #"[1,2,{},[{"name":"/" "asize":1}]]"#,
        #"[1,2,{},[{"name":"/"} {"name":"a"}]]"#, #"[1,2,{},[{"name":"/"},,{"name":"a"}]]"#,
        #"[1,2,{},[{"name":"\q"}]]"#, #"[1,2,{},[{"name":"\u12g4"}]]"#,
        #"[1,2,{},[{"name":"/","x":[}]}]]"#, #"[1,2,{},[{"name":"/","x":}]]"#,
        #"[1,2,{},[{"name":"/","nlink":4294967296}]]"#, "[1,2,{},[{\"name\":\"a\nb\"}]]",
    ])
    func refusesDamage(text: String) {
        let error = #expect(throws: HeadroomError.self) { try events(Array(text.utf8)) }
        #expect(error?.code == .damaged)
    }

    @Test(.tags(.r40a)) func everyTruncationIsAnError() throws {
        let whole = listing(
            #"[{"name":"/","x":[{"y":null}]},{"name":"\u00e9","mtime":1.5},[{"name":"d"}]]"#)
        #expect(try events(whole).count == 5)
        for length in whole.indices {
            #expect(throws: HeadroomError.self) { try events(Array(whole.prefix(length))) }
        }
    }

    @Test func boundsDepthAndNames() {
        let deep =
            #"[{"name":"/"}"# + String(repeating: #",[{"name":"d"}"#, count: 10)
            + String(repeating: "]", count: 11)
        let limits = NcduReader.Limits(depth: 10, nameLength: 20)
        #expect(throws: HeadroomError.self) { try events(listing(deep), limits: limits) }
        let long = #"[{"name":"\#(String(repeating: "n", count: 21))"}]"#
        #expect(throws: HeadroomError.self) { try events(listing(long), limits: limits) }
        let nested = #"[{"name":"/","x":\#(String(repeating: "[", count: 100_000))"#
        #expect(throws: HeadroomError.self) { try events(listing(nested)) }
    }

    @Test func errorSaysWhere() {
        let error = #expect(throws: HeadroomError.self) {
            try events(listing(#"[{"name":"/"},"# + "\n" + #"{"name":"a","asize":x}]"#))
        }
        #expect(error?.message.contains("line 3, column 21") == true)
    }

    @Test func roundTrips() throws {
        let first = try events(
            listing(
                #"[{"name":"/t","dev":1,"uid":0,"mode":33188,"mtime":-5},{"name":"a\tb","dsize":9}]"#
            ))
        var bytes: [UInt8] = []
        var writer = NcduWriter(
            program: "headroom", version: "1", timestamp: Timestamp(seconds: 1)
        ) { bytes += $0 }
        for event in first { try writer.write(event) }
        try writer.finish()
        #expect(try events(bytes) == first)
    }
}
