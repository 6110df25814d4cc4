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

/// `headroom scan --since`.
@Suite(.blocks)
struct GrowthTests {
    private let directory: TemporaryDirectory
    private let listing: String

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        listing = directory.path.appending("last.json").string
        for name in ["kept/a", "kept/b", "going/a"] {
            try directory.tree.file(TreePath("data") / TreePath(name), size: .kilobytes(64))
        }
    }

    private var data: String { directory.path.appending("data").string }

    private func save() throws {
        let result = try Program.run(["scan", data, "--export", "ncdu", listing])
        #expect(result.exitCode == 0, "\(result.errors)")
    }

    @Test(.tags(.r41a)) func aListingThatWasSavedTellsWhatCameAndWent() throws {
        try save()
        try directory.tree.file("data/new/big", size: .kilobytes(256))
        try directory.tree.file("data/kept/a", size: .kilobytes(128))
        try directory.tree.remove("data/going")
        let result = try Program.run(["scan", "--since", listing, "--json"])
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.values("kind") == ["\"new\"", "\"grown\""])
        #expect(
            result.values("path").map { $0.filter { $0 != "\"" } } == [
                data, data + "/new", data + "/kept", data + "/new/big", data + "/kept/a",
            ])
        #expect(result.json("goneBytes") == "65536")
        #expect(result.json("newFiles") == "1" && result.json("grownFiles") == "1")
        #expect(result.json("knowsDeletions") == "true")
        let text = try Program.run(["scan", "--since", listing])
        #expect(text.output.contains("new/big"))
        #expect(text.output.contains("65.5 kB gone"))
    }

    @Test func theNewListingMayReplaceTheOld() throws {
        try save()
        try directory.tree.file("data/new", size: .kilobytes(256))
        let arguments = ["scan", data, "--since", listing, "--json", "--export", "ncdu", listing]
        #expect(try Program.run(arguments).json("newFiles") == "1")
        #expect(try Program.run(arguments).json("newFiles") == "0")
    }

    @Test(.tags(.r41a)) func aTimeTellsWhatIsNewerThanIt() throws {
        let result = try Program.run(["scan", data, "--since", "1h", "--json"])
        #expect(result.exitCode == 0)
        #expect(result.json("newFiles") == "3")
        #expect(result.json("goneBytes") == "null")
        #expect(result.json("knowsDeletions") == "false")
        let text = try Program.run(["scan", data, "--since", "2026-01-01"])
        #expect(text.output.contains("since 2026-01-01 00:00"))
        #expect(text.output.contains("what was deleted since is not seen"))
    }

    @Test(
        arguments: [
            ("yesterday", "neither a time nor a listing"), ("2026-02-30", "neither a time"),
            ("2199-01-01", "still to come"), ("", "neither a time"),
        ])
    func saysWhatIsWrongWithATime(_ text: String, _ expected: String) throws {
        let result = try Program.run(["scan", data, "--since", text])
        #expect(result.exitCode == 1)
        #expect(result.errors.contains(expected), "\(result.errors)")
    }

    @Test func saysWhatIsWrongWithAListing() throws {
        try directory.tree.file("none.json", text: "[1,0,{},[{\"name\":")
        let damaged = try Program.run(
            ["scan", "--since", directory.path.appending("none.json").string])
        #expect(damaged.exitCode == 1)
        #expect(damaged.errors.contains("Could not import"))
        try save()
        let other = try Program.run(["scan", "/usr", "--since", listing])
        #expect(other.exitCode == 1)
        #expect(other.errors.contains("says nothing of /usr"))
        #expect(try Program.run(["scan", data, "--since", "1h", "--by", "kind"]).exitCode == 2)
    }
}
