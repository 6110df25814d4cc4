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

/// R37: `headroom forget`.
@Suite("R37: the command forget", .blocks)
struct ForgetTests {
    private let home: Home
    private var podcasts: String { home.path.appending("Podcasts").string }

    init() throws {
        home = try Home(on: .disk)
        try home.tree.file("home/Podcasts/one", text: "one")
        try home.tree.file("home/Podcasts/two", text: "two")
        for arguments in [
            ["mark", podcasts, "--no-backup"], ["mark", podcasts + "/one", "--last-resort"],
        ] {
            #expect(try home.run(arguments).exitCode == 0)
        }
    }

    @Test(.tags(.r37e)) func tellsWhatItTookAway() throws {
        let result = try home.run("forget", podcasts)
        #expect(result.exitCode == 0, "\(result.errors)")
        for words in [
            "~/Podcasts  ", "no backup", "~/Podcasts/one", "last resort",
            "~/Podcasts/CACHEDIR.TAG", "Forgotten: 2 marks, 1 tag.",
        ] {
            #expect(result.output.contains(words), "\(words): \(result.output)")
        }
        #expect(!home.exists("Podcasts/CACHEDIR.TAG"))
        let again = try home.run("forget", podcasts)
        #expect(again.exitCode == 0)
        #expect(again.output == "There was nothing to forget.\n")
    }

    @Test func asJSON() throws {
        let result = try home.run("forget", podcasts, "--json")
        #expect(result.json("schema") == "\"headroom.forget/1\"")
        #expect(result.values("noBackup") == ["true", "false"])
        #expect(result.output.contains("\"registrations\":[]"))
    }

    @Test(.tags(.r18e)) func allNeedsYesWhereNobodyCanBeAsked() throws {
        let before = try home.listing()
        let refused = try home.run("forget", "--all")
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("--yes"))
        #expect(try home.listing() == before)
        #expect(try home.run("explain", podcasts).output.contains("Backup  left out"))
        let result = try home.run("forget", "--all", "--yes")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.contains("Forgotten: 2 marks, 1 tag."))
        #expect(try home.run("explain", podcasts).output.contains("Backup  not left out"))
    }

    @Test(arguments: [[], ["--all", "x"], ["x", "--yes"]])
    func wrongArguments(arguments: [String]) throws {
        #expect(try home.run(["forget"] + arguments).exitCode == 2)
    }

    @Test func aPathThatIsNotThereAndWasNeverMarked() throws {
        let result = try home.run("forget", home.path.appending("nothing").string)
        #expect(result.exitCode == 0)
        #expect(result.output == "There was nothing to forget.\n")
    }
}
