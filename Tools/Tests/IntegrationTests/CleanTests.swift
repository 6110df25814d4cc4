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

@Suite("R31, R37: the command clean", .blocks)
struct CleanTests {
    private let home: Home

    init() throws {
        home = try Home()
        try home.cache("app/one", size: .kilobytes(300))
        try home.cache("other/two", size: .kilobytes(200))
        try home.tree.file("home/Videos/film.mkv", size: .kilobytes(900))
    }

    private var film: String { home.path.appending("Videos/film.mkv").string }

    @Test func listsSections() throws {
        let before = try home.listing()
        let list = try home.run("clean", "--list")
        #expect(list.exitCode == 0, "\(list.errors)")
        #expect(list.output.contains("System caches  --section caches"))
        #expect(list.output.contains("film.mkv"))
        let json = try home.run("clean", "--list", "--json")
        #expect(json.json("schema") == "\"headroom.cleanables/1\"")
        #expect(json.values("id").contains("\"video\""))
        #expect(try home.listing() == before)
    }

    @Test(.tags(.r31b)) func previewChangesNothing() throws {
        let before = try home.listing()
        let preview = try home.run("clean", "--section", "caches", "--preview", "--json")
        #expect(preview.json("purgedItems") == "2")
        #expect(try home.listing() == before)
    }

    @Test(.tags(.r37b)) func cleansSectionsAndItems() throws {
        let refused = try home.run("clean", "--section", "caches")
        #expect(refused.exitCode == 1)
        #expect(home.exists(".cache/app/one"))
        let one = try home.run("clean", home.path.appending(".cache/app").string, "--yes")
        #expect(one.exitCode == 0, "\(one.errors)")
        #expect(!home.exists(".cache/app/one") && home.exists(".cache/other/two"))
        let all = try home.run(
            "clean", "--section", "caches", "--section", "video", "--yes", "--json")
        #expect(all.exitCode == 0, "\(all.errors)")
        #expect(!home.exists(".cache/other/two") && !home.exists("Videos/film.mkv"))
        let id = try #require(all.values("id").last).filter { $0 != "\"" }
        #expect(try home.run("trash", "restore", "--receipt", id).exitCode == 0)
        #expect(home.exists("Videos/film.mkv"))
    }

    @Test(.tags(.r31c)) func deepLeavesAPersonsFiles() throws {
        #expect(try home.run("clean", "--deep", "--yes").exitCode == 0)
        #expect(!home.exists(".cache/app/one"))
        #expect(home.exists("Videos/film.mkv"))
    }

    @Test func wrongArguments() throws {
        for arguments in [
            ["--list", "--yes"], ["--section", "nothing"], ["--deep", "--section", "caches"],
            ["--yes"], ["--json"], ["--section", "modules"],
        ] {
            #expect(try home.run(["clean"] + arguments).exitCode == 2, "\(arguments)")
        }
        #expect(try home.run("clean").exitCode == 1, "there is no terminal")
        #expect(try home.run("clean", "nothing", "--yes").exitCode == 1)
    }
}
