//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct StateFileTests {
    @Test func isReadAsItWasWritten() throws {
        let directory = try TemporaryDirectory()
        let file = StateFile("state.json", in: directory.path.appending("a/b"))
        #expect(try file.read() == nil)
        try file.replace(with: Array("one".utf8))
        #expect(try file.read() == Array("one".utf8))
        try file.replace(with: Array("a longer one".utf8))
        try file.replace(with: [])
        #expect(try file.read() == [])
        #expect(try directory.tree.names(in: "a/b").map(\.text) == ["state.json"])
    }

    @Test func saysWhatCannotBeWritten() throws {
        let directory = try TemporaryDirectory()
        try directory.tree.file("file", text: "x")
        let file = StateFile("state.json", in: directory.path.appending("file"))
        do throws(HeadroomError) {
            try file.replace(with: [1])
            Issue.record("It was written.")
        } catch {
            #expect(error.message.contains("state.json"))
        }
    }
}
