//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct TreeTests {
    let directory: TemporaryDirectory
    var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
    }

    @Test func makesFilesOfASizeWithTheirDirectories() throws {
        try tree.file("a/b/c", size: ByteCount(100_000))
        #expect(try tree.status(of: "a/b/c").logicalSize == ByteCount(100_000))
        #expect(try tree.status(of: "a/b/c").allocatedSize >= ByteCount(100_000))
        #expect(try tree.contents(of: "a/b/c").count == 100_000)
    }

    @Test func replacesContents() throws {
        try tree.file("a", text: "a long text")
        try tree.file("a", text: "short")
        #expect(try tree.contents(of: "a") == Array("short".utf8))
    }

    @Test func makesSparseFiles() throws {
        try tree.sparseFile("hole", size: .gibibytes(1), written: ByteCount(4096))
        let status = try tree.status(of: "hole")
        #expect(status.logicalSize == .gibibytes(1))
        #expect(status.allocatedSize < .mebibytes(1))
        #expect(status.allocatedSize > .zero)
    }

    @Test func makesHardLinks() throws {
        try tree.file("one", size: ByteCount(1))
        try tree.hardLink("below/two", to: "one")
        #expect(try tree.status(of: "one").linkCount == 2)
        #expect(
            try tree.status(of: "below/two").identity == tree.status(of: "one").identity)
    }

    @Test func makesLinksAndSpecialFiles() throws {
        try tree.symbolicLink("link", to: "/nowhere/at/all")
        try tree.fifo("fifo")
        #expect(try tree.status(of: "link").type == .symbolicLink)
        #expect(try tree.status(of: "fifo").type == .fifo)
        #if os(Linux)
        try tree.socket("socket")
        #expect(try tree.status(of: "socket").type == .socket)
        #endif
    }

    @Test(.enabled(if: Privilege.isRoot, "making a device needs root"))
    func makesADevice() throws {
        #if os(Linux)
        try tree.nullDevice("null")
        #expect(try tree.status(of: "null").type == .characterDevice)
        #endif
    }

    @Test func keepsNamesThatAreNotText() throws {
        let odd = TreePath(name: [0xFF, 0xFE, 0x0A, 0x20])
        try tree.file("d" / odd, text: "x")
        #expect(try tree.names(in: "d").map(\.bytes) == [[0xFF, 0xFE, 0x0A, 0x20]])
        #expect(try tree.contents(of: "d" / odd) == [0x78])
    }

    @Test func agesEverythingBelow() throws {
        try tree.file("a/b", text: "x")
        try tree.symbolicLink("a/link", to: "b")
        let past = Timestamp(seconds: 486_000_000, nanoseconds: 123)
        try tree.setTimes(below: "a", to: past)
        for path: TreePath in ["a", "a/b", "a/link"] {
            #expect(try tree.status(of: path).modified == past, "\(path)")
            #expect(try tree.status(of: path).accessed == past, "\(path)")
        }
        #expect(try tree.status(of: "").modified > past)
    }

    @Test func setsOneTimeAndLeavesTheOther() throws {
        try tree.file("a", text: "x")
        let before = try tree.status(of: "a")
        try tree.setTimes(of: "a", accessed: Timestamp(seconds: 7))
        #expect(try tree.status(of: "a").accessed == Timestamp(seconds: 7))
        #expect(try tree.status(of: "a").modified == before.modified)
    }

    @Test func agesByADuration() throws {
        try tree.file("a", text: "x")
        let before = try tree.status(of: "a").modified
        try tree.age("a", by: .seconds(86_400))
        let passed = before.duration(since: try tree.status(of: "a").modified)
        #expect(passed > .seconds(86_390) && passed <= .seconds(86_400))
    }

    @Test func makesAndAgesAndRemovesADeepChain() throws {
        let bottom = try tree.chain("deep", depth: 5_000)
        try tree.file(bottom / "leaf", text: "x")
        #expect(try tree.status(of: bottom / "leaf").logicalSize == ByteCount(1))
        try tree.setTimes(below: "deep", to: Timestamp(seconds: 1))
        #expect(try tree.status(of: bottom).modified == Timestamp(seconds: 1))
        try tree.remove("deep")
        #expect(!tree.exists("deep"))
    }

    @Test func saysWhatFailed() throws {
        #expect {
            try tree.hardLink("a", to: "missing")
        } throws: { error in
            (error as? FixtureError)?.errno == .noSuchFileOrDirectory
                && (error as? FixtureError)?.call == "linkat"
        }
    }
}
