//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// File names cannot change the text around them.
struct ShownTextTests {
    @Test(
        "Writes out control characters, and characters that turn or hide text", .tags(.r38g),
        arguments: [
            ("a\nb", "a\\x0Ab"), ("a\u{1B}[31m", "a\\x1B[31m"), ("a\u{85}b", "a\\xC2\\x85b"),
            ("a\u{202E}gpj.exe", "a\\u{202E}gpj.exe"), ("a\u{2028}b", "a\\u{2028}b"),
            ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"),
            ("\u{200E}\u{200F}", "\\u{200E}\\u{200F}"),
            ("a\u{061C}b", "a\\u{61C}b"), ("a\u{FEFF}b", "a\\u{FEFF}b"),
            ("Grüße 日本 👨‍👩‍👧", "Grüße 日本 👨‍👩‍👧"),
        ])
    func escapesControls(name: String, shown: String) {
        #expect(FilePath(name).displayText == shown)
        if !name.contains("\u{85}") { #expect(name.escapingControls == shown) }
    }

    @Test("A path in a suggested command is one word, and names the file", .tags(.r38g))
    func shellWords() throws {
        let directory = try TemporaryDirectory(on: .memory)
        let names: [[UInt8]] = [
            Array("plain".utf8), Array("a b".utf8), Array("it's".utf8), Array("$(id)`id`".utf8),
            Array("a\"b\\c".utf8), Array("a;b&c|d>e*?[x]".utf8), Array("~root".utf8),
            Array("-rf".utf8), Array("a\nb\tc".utf8), [0x61, 0xFF, 0x62],
            Array("a\u{202E}b".utf8), Array("!history".utf8), Array("Grüße".utf8),
        ]
        for name in names {
            let path = directory.path.pushing(FilePath(bytes: name))
            try directory.tree.file(TreePath(name: name), text: "found")
            let result = try ChildProcess.run("bash", ["-c", "cat -- \(path.shellText)"])
            #expect(result.output == "found", "\(path.shellText) \(result)")
            let alone = FilePath(bytes: name).shellText
            let inside = try ChildProcess.run(
                "bash", ["-c", "cd '\(directory.path.string)' && cat -- \(alone)"])
            #expect(inside.output == "found", "\(alone) \(inside)")
        }
    }

    @Test("JSON has characters that turn or break text as escapes, and loses none", .tags(.r38g))
    func jsonEscapes() {
        var json = JSONWriter()
        json.value("a\u{202E}b\u{2028}\u{85}\u{61C}\u{FEFF}é日")
        #expect(json.text == "\"a\\u202Eb\\u2028\\u0085\\u061C\\uFEFFé日\"")
    }
}
