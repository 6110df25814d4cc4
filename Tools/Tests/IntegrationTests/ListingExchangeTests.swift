//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// Other programs open what `scan --export ncdu` writes, and find the same totals in it.
@Suite(.blocks)
struct ListingExchangeTests {
    private let directory: TemporaryDirectory

    init() throws {
        // On a disk, where a directory has bytes of its own.
        directory = try TemporaryDirectory(on: .disk)
        let tree = directory.tree
        try tree.file("t/a/big", size: .kilobytes(300))
        try tree.file("t/a/text", text: "hello")
        try tree.hardLink("t/b/c/link", to: "t/a/text")
        try tree.hardLink("t/b/big2", to: "t/a/big")
        try tree.sparseFile("t/sparse", size: .gigabytes(1), written: .kilobytes(20))
        try tree.symbolicLink("t/dangling", to: "/nowhere")
        try tree.fifo("t/fifo")
        try tree.file(TreePath("t") / TreePath(name: Array("new\nline\"\\".utf8)), text: "y")
        try tree.file(TreePath("t") / TreePath(name: Array("lat".utf8) + [0xE9]), text: "x")
        try tree.chain("t/deep", depth: 50)
    }

    private var path: String { directory.path.appending("t").string }
    private var file: String { directory.path.appending("listing").string }

    /// Exports, and returns the totals of the scan.
    private func export() throws -> [String?] {
        let result = try Program.run(["scan", path, "--export", "ncdu", file, "--json"])
        #expect(result.exitCode == 0, "\(result.errors)")
        return totals(result)
    }

    private func totals(_ result: ChildResult) -> [String?] {
        ["allocatedBytes", "logicalBytes", "files", "directories"].map { name in
            result.json(name).map(String.init)
        }
    }

    @Test(.tags(.r40a), .enabled(if: Privilege.has(program: "ncdu"), "needs ncdu"))
    func ncduOpensIt() throws {
        let expected = try export()
        #expect(!expected.contains(nil))
        // What ncdu has read it writes again; and what it finds itself.
        for arguments in [["-e0", "-o-", "-f", file], ["-0", "-x", "-o-", path]] {
            let listing = try ChildProcess.run("ncdu", arguments)
            #expect(listing.succeeded, "\(listing.errors)")
            try directory.tree.file("again", contents: listing.standardOutput)
            let again = try Program.run([
                "scan", "--import", "ncdu", directory.path.appending("again").string, "--json",
            ])
            #expect(again.exitCode == 0, "\(again.errors)")
            var found = totals(again)
            // ncdu gives directories an apparent size; those of files are the same.
            if arguments[0] == "-0" { found[1] = expected[1] }
            #expect(found == expected, "\(arguments)")
        }
    }

    @Test(.tags(.r40a), .enabled(if: Privilege.has(program: "gdu"), "needs gdu"))
    func gduOpensIt() throws {
        let expected = try export()
        let imported = try gdu(["-f", file])
        #expect(imported > 0)
        // It takes every directory for 4 KiB, which is not so on each file system.
        #expect(try gdu([path]) == imported)
        let statuses = try ChildProcess.run("find", [path, "-type", "d", "-printf", "%k\n"])
        if statuses.output.split(separator: "\n").allSatisfy({ $0 == "4" }) {
            #expect(expected[0] == "\(imported)")
        }
    }

    /// The total in bytes that gdu shows.
    private func gdu(_ arguments: [String]) throws -> Int {
        let result = try ChildProcess.run(
            "gdu", ["-n", "-s", "-p", "-c", "--no-prefix"] + arguments)
        #expect(result.succeeded, "\(result.errors)")
        let word = result.output.split { $0 == " " || $0 == "\n" }.first
        return try #require(word.flatMap { Int($0) }, "\(result.output)")
    }
}
