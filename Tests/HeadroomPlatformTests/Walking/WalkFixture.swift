//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// Walks for tests.
enum WalkFixture {
    static func walk(
        _ path: FilePath, _ calls: any FileSystemCalls, threads: Int? = nil,
        progress: WalkProgress = WalkProgress(),
        configure: (inout WalkOptions) -> Void = { _ in },
        makeSink: (@Sendable () -> any WalkSink)? = nil
    ) throws -> WalkResult {
        var options = WalkOptions()
        options.threads = threads
        configure(&options)
        let root = try Descriptor.openDirectory(path)
        return try Walk.run(calls, root, path, options, progress, makeSink)
    }

    /// A tree with everything that has ever gone wrong in a disk-usage tool.
    static func makeOddTree(_ tree: Tree, links: Int) throws {
        try tree.files(links / 10, in: "linked", size: ByteCount(5_000))
        for index in 0..<links {
            try tree.hardLink("links/\(index % 7)/l\(index)", to: "linked/f\(index % (links / 10))")
        }
        try tree.sparseFile("sparse/hole", size: .gibibytes(3))
        try tree.sparseFile("sparse/island", size: .gibibytes(2), written: ByteCount(70_000))
        try tree.file("names" / TreePath(name: [0x61, 0x0A, 0x62]), size: ByteCount(1))
        try tree.file("names" / TreePath(name: [0xFF, 0xFE, 0x80]), size: ByteCount(9_000))
        try tree.file("names" / TreePath(name: Array(repeating: 0x78, count: 255)))
        try tree.file(
            "names" / TreePath(name: Array(repeating: 0xC3, count: 255)) / "below",
            size: ByteCount(100))
        try tree.file("names/-rf", size: ByteCount(10))
        try tree.file("names/ ", size: ByteCount(10))
        try tree.file("names/...", size: ByteCount(10))
        try tree.file("hidden/.a/.b/.c", size: ByteCount(10_000))
        try tree.symbolicLink("others/link", to: "/usr")
        try tree.symbolicLink("others/loop", to: "loop")
        try tree.symbolicLink("others/long", to: String(repeating: "x", count: 900))
        try tree.fifo("others/fifo")
        #if os(Linux)
        try tree.socket("others/socket")
        if Privilege.isRoot { try tree.nullDevice("others/null") }
        #endif
        try tree.directory("empty")
    }
}
