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

struct StateFileTests {
    @Test func isReadAsItWasWritten() throws {
        let directory = try TemporaryDirectory()
        let file = StateFile("state.json", in: directory.path.appending("a/b"))
        #expect(try file.read() == nil)
        for text in ["one", "a longer one", "", "one again"] {
            try file.replace(with: Array(text.utf8)) { $0.contains(UInt8(ascii: "o")) }
            #expect(try file.read() == Array(text.utf8))
        }
        #expect(try directory.tree.names(in: "a/b").map(\.text) == ["state.json"])
    }

    @Test func saysWhatCannotBeWritten() throws {
        let directory = try TemporaryDirectory()
        try directory.tree.file("file", text: "x")
        let file = StateFile("state.json", in: directory.path.appending("file"))
        do throws(HeadroomError) {
            try file.replace(with: [1]) { _ in true }
            Issue.record("It was written.")
        } catch {
            #expect(error.message.contains("state.json"))
        }
    }

    /// A file of somebody's may have the name; so may a link, or a directory.
    @Test(.tags(.s7b), arguments: ["text", "link", "directory", "long"])
    func whatIsNotOursIsKeptBesideIt(kind: String) throws {
        let directory = try TemporaryDirectory()
        try directory.tree.file("elsewhere", text: "their own")
        switch kind {
        case "text": try directory.tree.file("state.json", text: "my notes")
        case "link": try directory.tree.symbolicLink("state.json", to: "elsewhere")
        case "directory": try directory.tree.file("state.json/file", text: "x")
        default: try directory.tree.file("state.json", size: .megabytes(6))
        }
        let file = StateFile("state.json", in: directory.path)
        try file.replace(with: Array("ours".utf8)) { $0 == Array("ours".utf8) }
        try file.replace(with: Array("ours".utf8)) { $0 == Array("ours".utf8) }
        #expect(try file.read() == Array("ours".utf8))
        let names = try directory.tree.names(in: "").map(\.text).sorted()
        let aside = try #require(names.first { $0.hasPrefix("state.json.damaged-") })
        #expect(names == ["elsewhere", "state.json", aside])
        #expect(try directory.tree.contents(of: "elsewhere") == Array("their own".utf8))
        let kept = TreePath(stringLiteral: aside)
        switch kind {
        case "text":
            #expect(try directory.tree.contents(of: kept) == Array("my notes".utf8))
        case "link": #expect(directory.path.appending(aside).linkTarget == "elsewhere")
        case "directory": #expect(directory.tree.exists(TreePath(stringLiteral: "\(aside)/file")))
        default: #expect(try directory.tree.contents(of: kept).count == 6_000_000)
        }
    }

    @Test func aPrivateOneIsReadByItsOwnerAlone() throws {
        let directory = try TemporaryDirectory()
        try StateFile("key", in: directory.path).replace(with: [1], isPrivate: true) { _ in true }
        let status = try PathCalls.entryStatus(directory.path.appending("key"))
        #expect(status.permissions == 0o600)
    }
}
