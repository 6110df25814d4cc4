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

@Suite(.blocks)
struct ScanTests {
    /// Odd names, hard links, a sparse file, a FIFO and some depth.
    private func makeTree(_ tree: Tree) throws {
        try tree.file("big", size: .kilobytes(300))
        try tree.directory("a/b/c")
        try tree.file("a/b/film.mp4", size: .kilobytes(100))
        try tree.file("a/text", text: "hello")
        try tree.hardLink("a/b/c/link", to: "a/text")
        try tree.sparseFile("sparse", size: .gigabytes(1))
        try tree.symbolicLink("dangling", to: "/nowhere")
        try tree.fifo("fifo")
        try tree.file(TreePath(name: Array("lat".utf8) + [0xE9]), text: "x")
        try tree.file(TreePath(name: Array("new\nline\"\\".utf8)), text: "y")
    }

    private func du(_ path: FilePath) throws -> String {
        let result = try ChildProcess.run("du", ["-sx", "--block-size=1", path.string])
        return String(result.output.prefix { $0 != "\t" })
    }

    @Test(.tags(.r8a), arguments: [TemporaryDirectory.Base.disk, .memory])
    func equalsDu(base: TemporaryDirectory.Base) throws {
        try TemporaryDirectory.with(on: base) { directory in
            try makeTree(directory.tree)
            let expected = try du(directory.path)
            for mode in [
                ["--totals"], ["--by", "directory"], ["--by", "file"], ["--by", "kind"],
            ] {
                let result = try Program.run(["scan", directory.path.string, "--json"] + mode)
                #expect(result.exitCode == 0, "\(mode)")
                #expect(result.output.contains("\"allocatedBytes\":\(expected),"), "\(mode)")
                #expect(result.output.contains("\"files\":9,\"directories\":4"), "\(mode)")
            }
        }
    }

    @Test func exportedListingHasTheSameTotals() throws {
        try TemporaryDirectory.with { directory in
            try makeTree(directory.tree)
            let path = directory.path.string
            let scan = try Program.run(["scan", path, "--json", "--by", "file"])
            let export = try Program.run(["scan", path, "--export", "ncdu", "-"])
            #expect(export.exitCode == 0)
            let listing = Array("lat".utf8) + [0xE9, UInt8(ascii: "\"")]
            #expect(
                export.standardOutput.indices.contains {
                    export.standardOutput[$0...].starts(with: listing)
                })
            try TemporaryDirectory.with { other in
                try other.tree.file("listing", contents: export.standardOutput)
                let file = other.path.appending("listing").string
                let again = try Program.run([
                    "scan", "--import", "ncdu", file, "--json", "--by", "file",
                ])
                #expect(again.output == scan.output)
            }
        }
    }

    @Test func neverOverwritesWhatIsNoListing() throws {
        try TemporaryDirectory.with { directory in
            let file = directory.path.appending("precious").string
            for text in [
                "precious", "[1,2,3] my data", #"[1,2,{"mine":1}]"#, #"[1,{"progname":"x"}]"#,
            ] {
                try directory.tree.file("precious", text: text)
                let arguments = ["scan", directory.path.string, "--export", "ncdu", file]
                #expect(try Program.run(arguments).exitCode == 1)
                #expect(try directory.tree.contents(of: "precious") == Array(text.utf8))
            }
            // As another program may have written it.
            try directory.tree.file(
                "precious", text: #"[1, 2, {"progname": "gdu", "progver": "5"}, [{"name":"/x"}]]"#)
            let arguments = ["scan", directory.path.string, "--export", "ncdu", file]
            #expect(try Program.run(arguments).exitCode == 0)
            #expect(
                try directory.tree.contents(of: "precious").starts(
                    with: #"[1,2,{"progname":"headroom""#.utf8))
        }
    }

    @Test(
        arguments: [
            (["scan", "/no/such/place"], 1), (["scan", ""], 1), (["scan", "/etc/passwd"], 1),
            (["scan", "--top", "0"], 2), (["scan", "--by", "colour"], 2),
            (["scan", "--export", "ncdu"], 2), (["scan", ".", "--import", "ncdu", "x"], 2),
            (["scan", "--import", "ncdu", "/etc/passwd"], 1), (["scan", "--import", "du", "x"], 1),
            (["scan", "--json", "--quiet"], 2),
        ] as [([String], Int32)])
    func wrongInputIsAnswered(arguments: [String], code: Int32) throws {
        let result = try Program.run(arguments)
        #expect(result.exitCode == code)
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty)
    }

    @Test func quietSaysNothing() throws {
        let result = try Program.run(["scan", "/etc", "--quiet", "--totals"])
        #expect(result.output.isEmpty)
    }

    @Test func failureInJSONIsADocumentToo() throws {
        let result = try Program.run(["scan", "/no/such/place", "--json"])
        #expect(result.output.contains(#""schema":"headroom.error/1","code":"notFound""#))
    }

    @Test(.enabled(if: !Privilege.isRoot, "root reads every directory"))
    func unreadableDirectoriesAreNamed() throws {
        try TemporaryDirectory.with { directory in
            try directory.tree.directory("closed")
            try directory.tree.setPermissions(0, of: "closed")
            let result = try Program.run(["scan", directory.path.string, "--json"])
            #expect(result.exitCode == 4)
            #expect(result.output.contains("closed"))
            try directory.tree.setPermissions(0o700, of: "closed")
        }
    }
}
