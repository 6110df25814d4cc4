//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage
import Testing

struct JSONOutputTests {
    private func written(
        indented: Bool = false, _ body: (inout JSONOutput) -> Void
    ) throws -> String {
        var bytes: [UInt8] = []
        var json = JSONOutput(isIndented: indented) { bytes += $0 }
        try json.document("headroom.test/1", body)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func writesMembersInOrder() throws {
        let text = try written { json in
            json.field("a", 1)
            json.field("b", "x\"\\\n\u{1}é")
            json.field("c", nil as String?)
            json.field("d", true)
            json.field("e", 0.25)
            json.field("f", Double.nan)
            json.field("g", Reason(.inUse, "open"))
            json.array("h", ["x", "y"])
            json.array("i") { json in
                json.object { $0.field("j", ByteCount(5)) }
                json.object { _ in }
            }
        }
        #expect(
            text == #"""
                {"schema":"headroom.test/1","a":1,"b":"x\"\\\n\u0001é","c":null,"d":true,"e":0.25,\#
                "f":null,"g":{"code":"in-use","text":"open"},"h":["x","y"],"i":[{"j":5},{}]}

                """#)
    }

    @Test func indentsForEyes() throws {
        let text = try written(indented: true) { $0.array("a", ["x"]) }
        #expect(
            text == """
                {
                  "schema": "headroom.test/1",
                  "a": [
                    "x"
                  ]
                }

                """)
    }

    @Test func pathsThatAreNotUTF8AreNotLost() throws {
        let path = FilePath(bytes: Array("/a b/lat".utf8) + [0xE9])
        let text = try written { $0.field("path", path) }
        #expect(text.contains(#""path":"/a b/lat\#u{FFFD}","pathBytes":"/a%20b/lat%E9""#))
        #expect(try written { $0.field("path", FilePath("/é")) }.contains("pathBytes") == false)
    }

    @Test func largeDocumentsGoInParts() throws {
        var parts: [Int] = []
        var json = JSONOutput(isIndented: false) { parts.append($0.count) }
        try json.document("headroom.test/1") { json in
            json.array("a", (0..<100_000).lazy.map { "element \($0)" })
        }
        #expect(parts.count > 10)
        #expect(parts.allSatisfy { $0 < 70_000 })
    }

    @Test func aReaderThatIsGoneStopsTheWriterWithoutAnError() throws {
        var json = JSONOutput(isIndented: false) { _ in throw JSONOutput.ReaderIsGone() }
        var written = 0
        try json.document("headroom.test/1") { json in
            json.array("a") { json in
                for number in 0..<100_000 where !json.isStopped {
                    json.element("element \(number)")
                    written += 1
                }
            }
        }
        // The buffer was sent once.
        #expect(written < 10_000)
    }

    @Test func aFailedSinkIsReportedOnce() {
        var calls = 0
        var json = JSONOutput(isIndented: false) { _ in
            calls += 1
            throw Errno.noSpace
        }
        #expect(throws: Errno.noSpace) {
            try json.document("headroom.test/1") { json in
                json.array("a", (0..<100_000).lazy.map { "element \($0)" })
            }
        }
        #expect(calls == 1)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_795_264_596, "2026-11-21T12:36:36Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (4_102_444_799, "2099-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func timesAreUniversal(seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).universalDescription == text)
    }
}
