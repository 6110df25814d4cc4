//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage
import Testing

struct JSONWriterTests {
    private func written(
        indented: Bool = false, _ body: (inout JSONWriter) -> Void
    ) throws -> String {
        var bytes: [UInt8] = []
        var json = JSONWriter(isIndented: indented) { bytes += $0 }
        try json.document("headroom.test/1", body)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func nestsWithCommasWhereTheyBelong() {
        var json = JSONWriter()
        json.object { json in
            json.array("empty", [])
            json.objects("mixed", 0..<2) { json, number in
                json.member("n", number)
                json.member("even", number % 2 == 0)
            }
            json.object("o") { _ in }
            json.member("none", nil as String?)
            json.key("list")
            json.array { json in
                json.value("a")
                json.null()
                json.value(1.5)
                json.value(Double.nan)
            }
        }
        #expect(
            json.text
                == #"{"empty":[],"mixed":[{"n":0,"even":true},{"n":1,"even":false}],"o":{},"#
                + #""none":null,"list":["a",null,1.5,null]}"#)
    }

    @Test(arguments: [Int64.min, -1, 0, 9_007_199_254_740_993, .max])
    func integersAreExact(number: Int64) {
        var json = JSONWriter()
        json.value(number)
        #expect(json.text == String(number))
    }

    @Test func escapesWhatMustBeEscaped() {
        var json = JSONWriter()
        json.value("\"\\/\n\t\r\u{1}\u{7F}ä😀\u{2028}")
        #expect(json.text == #""\"\\/\n\t\r\u0001\u007Fä😀\u2028""#)
    }

    @Test func controlCharactersAreFourDigits() {
        var bytes: [UInt8] = []
        JSONWriter.append(quoted: [0x00, 0x0F, 0x10, 0x1F, 0x7F], to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self) == #""\u0000\u000F\u0010\u001F\u007F""#)
    }

    @Test func bytesThatAreNotUTF8StayAsTheyAre() {
        var bytes: [UInt8] = []
        JSONWriter.append(quoted: [0x61, 0xFF, 0x0A, 0xC3], to: &bytes)
        #expect(bytes == [0x22, 0x61, 0xFF, 0x5C, 0x6E, 0xC3, 0x22])
    }

    @Test func pathsKeepEveryByte() {
        var json = JSONWriter()
        json.object { json in
            json.member("path", FilePath(bytes: Array("/a%b/".utf8) + [0xC3, 0x28]))
        }
        #expect(json.text == "{\"path\":\"/a%b/\u{FFFD}(\",\"pathBytes\":\"/a%25b/%C3%28\"}")
    }

    @Test func timesAreInUTC() {
        var json = JSONWriter()
        json.object { $0.member("t", Timestamp(seconds: 0, nanoseconds: 999_999_999)) }
        #expect(json.text == #"{"t":"1970-01-01T00:00:00Z"}"#)
    }

    @Test("A document ends with a line feed, and its first member is the schema")
    func writesDocument() throws {
        let text = try written { json in
            json.member("a", 0.1234567)
            json.member("b", Reason(.inUse, "open"))
            json.array("c") { json in
                json.object { $0.member("d", ByteCount(5)) }
                json.object { _ in }
            }
        }
        #expect(
            text == #"""
                {"schema":"headroom.test/1","a":0.123457,"b":{"code":"in-use","text":"open"},\#
                "c":[{"d":5},{}]}

                """#)
    }

    @Test("Indented documents have a line per member and element")
    func indents() throws {
        let text = try written(indented: true) { json in
            json.array("a", ["x"])
            json.object("b") { json in
                json.member("c", 1)
                json.array("d", [])
            }
        }
        #expect(
            text == """
                {
                  "schema": "headroom.test/1",
                  "a": [
                    "x"
                  ],
                  "b": {
                    "c": 1,
                    "d": []
                  }
                }

                """)
    }

    @Test("Large documents reach the sink in parts")
    func writesInParts() throws {
        var parts: [Int] = []
        var json = JSONWriter(isIndented: false) { parts.append($0.count) }
        try json.document("headroom.test/1") { json in
            json.array("a", (0..<100_000).lazy.map { "element \($0)" })
        }
        #expect(parts.count > 10)
        #expect(parts.allSatisfy { $0 < 70_000 })
    }

    @Test("A reader that has closed its end stops the writer, and no error is thrown")
    func stopsForReaderThatIsGone() throws {
        var json = JSONWriter(isIndented: false) { _ in throw JSONWriter.ReaderIsGone() }
        var written = 0
        try json.document("headroom.test/1") { json in
            json.array("a") { json in
                for number in 0..<100_000 where !json.isStopped {
                    json.value("element \(number)")
                    written += 1
                }
            }
        }
        // The buffer was sent once.
        #expect(written < 10_000)
    }

    @Test("After its first error, which is thrown, the sink isn't called again")
    func throwsFirstErrorOfSink() {
        var calls = 0
        var json = JSONWriter(isIndented: false) { _ in
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
}
