//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import Testing

@Suite("The tokenizer of JSON")
struct JSONTokenizerTests {
    /// A tokenizer that receives its input in parts of `size` bytes.
    private func tokenizer(_ text: String, inPartsOf size: Int) -> JSONTokenizer {
        var rest = Array(text.utf8)[...]
        return JSONTokenizer { () throws(HeadroomError) in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }

    @Test(
        "Reads the same tokens wherever a part of the input ends", arguments: [1, 2, 3, 7, 1_000])
    func readsParts(size: Int) throws {
        var json = tokenizer(
            #" { "a" : [ 1 , -2.5e3 ] , "b\n" : "x\ud83d\ude00é" , "skipped" : {"c":[{}]}, "d":true } "#,
            inPartsOf: size)
        try json.expect("{", "an object")
        #expect(try json.nextKey() == "a")
        var numbers: [String] = []
        try json.array("numbers") { json throws(HeadroomError) in
            numbers.append(try json.number("a number"))
        }
        #expect(numbers == ["1", "-2.5e3"])
        #expect(try json.nextKey() == "b\n")
        #expect(try json.text("a text") == "x\u{1F600}é")
        #expect(try json.nextKey() == "skipped")
        try json.skipValue()
        #expect(try json.nextKey() == "d")
        #expect(try json.boolean("a flag"))
        #expect(try json.nextKey() == nil)
        try json.expectEnd()
    }

    @Test("A string keeps bytes that aren't UTF-8; a text rejects them")
    func keepsBytes() throws {
        let bytes: [UInt8] = [0x22, 0x61, 0xFF, 0x22]
        var json = JSONTokenizer(bytes)
        #expect(try json.string(limit: 10, "a name") == [0x61, 0xFF])
        var strict = JSONTokenizer(bytes)
        let error = #expect(throws: HeadroomError.self) { try strict.text("a name") }
        #expect(error?.message.contains("Expected UTF-8 for a name, in line 1, column 5") == true)
    }

    @Test(
        "Half of a surrogate pair is U+FFFD in parts and an error in memory",
        arguments: [#""\ud800""#, #""\udce9""#, #""\ud800x""#])
    func replacesHalfPairs(text: String) throws {
        var parts = tokenizer(text, inPartsOf: 4)
        #expect(try parts.string(limit: 10, "a name").starts(with: "\u{FFFD}".utf8))
        var memory = JSONTokenizer(Array(text.utf8))
        #expect(throws: HeadroomError.self) { try memory.string(limit: 10, "a name") }
    }

    @Test("A string longer than its limit is rejected")
    func limitsStrings() throws {
        var json = JSONTokenizer(Array(#""abc""#.utf8))
        #expect(throws: HeadroomError.self) { try json.string(limit: 2, "a name") }
    }

    @Test(
        "Numbers follow the grammar of JSON",
        arguments: [
            ("0", true), ("-0", true), ("10", true), ("1.5", true), ("1E+2", true), ("1e-2", true),
            ("01", false), ("+1", false), (".5", false), ("1.", false), ("1e", false), ("-", false),
            ("0x1", false), ("nan", false), ("inf", false),
        ])
    func checksNumbers(text: String, isNumber: Bool) {
        var json = JSONTokenizer(Array(text.utf8))
        #expect(((try? json.number("a number")) == text) == isNumber)
    }

    @Test("An error names line, column and byte")
    func namesPosition() throws {
        var json = JSONTokenizer(Array("{\n  \"a\": tru }".utf8))
        try json.expect("{", "an object")
        _ = try json.nextKey()
        let error = #expect(throws: HeadroomError.self) { try json.boolean("“a”") }
        #expect(
            error?.message == "Expected true or false for “a”, in line 2, column 11 (byte 12).")
    }
}
