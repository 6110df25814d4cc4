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
struct SavedPlanTests {
    private func file(_ home: Home, _ name: String) -> String {
        home.directory.path.appending(name).string
    }

    @Test(.tags(.r17d)) func whatChangedSinceIsSkipped() throws {
        let home = try Home()
        for name in ["a", "b"] { try home.cache(name) }
        let plan = file(home, "plan")
        #expect(try home.run("plan", "--all", "--save", plan).exitCode == 0)
        try home.tree.file("home/.cache/b", text: "rewritten")
        let result = try home.run("purge", "--plan", plan, "--yes", "--json")
        #expect(result.exitCode == 4, "\(result.errors)")
        #expect(!home.exists(".cache/a"))
        #expect(home.exists(".cache/b"))
        #expect(result.output.contains("\"code\":\"changed\""))
    }

    @Test func aPlanForANamedDirectoryNeedsNoSecondNaming() throws {
        let home = try Home()
        try home.tree.file("data/a", size: .kilobytes(40))
        let (data, plan) = (file(home, "data"), file(home, "plan"))
        #expect(
            try home.run("plan", data, "--as", "temporary", "--all", "--save", plan).exitCode == 0)
        let result = try home.run("purge", "--plan", plan, "--yes")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(!home.tree.exists("data/a"))
    }

    @Test(.tags(.s4b)) func aMarkSetSinceProtects() throws {
        let home = try Home()
        try home.cache("d/a")
        let plan = file(home, "plan")
        #expect(try home.run("plan", "--all", "--save", plan).exitCode == 0)
        #expect(try home.run("mark", home.path.appending(".cache").string, "--pin").exitCode == 0)
        _ = try home.run("purge", "--plan", plan, "--yes")
        #expect(home.exists(".cache/d/a"))
    }

    @Test(.tags(.r17e)) func differencesAreShown() throws {
        let home = try Home()
        try home.cache("a")
        let (old, new) = (file(home, "old"), file(home, "new"))
        #expect(try home.run("plan", "--all", "--save", old).exitCode == 0)
        try home.cache("b")
        #expect(try home.run("plan", "--all", "--save", new).exitCode == 0)
        let result = try home.run("plan", "--diff", old, new, "--json")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.contains("/.cache/b\""))
        #expect(!result.output.contains("/.cache/a\""))
        #expect(try home.run("plan", "--diff", old, old).output.contains("the same"))
    }

    @Test func nonsenseIsNoPlan() throws {
        let home = try Home()
        try home.cache("a")
        try home.tree.file("bad", text: "{\"schema\":\"something\"}\n")
        for name in ["bad", "missing", "home"] {
            let result = try home.run("purge", "--plan", file(home, name), "--yes")
            #expect(result.exitCode == 1, "\(name)")
            #expect(!result.errors.isEmpty)
        }
        #expect(home.exists(".cache/a"))
        #expect(try home.run("plan", "--diff", file(home, "bad")).exitCode == 2)
    }

    @Test(.tags(.r18a)) func explainSaysWhenAMarkCountsThatTheLedgerDoesNotKnow() throws {
        let home = try Home()
        try home.tree.file("home/Renders/a", size: .kilobytes(40))
        let path = home.path.appending("Renders").string
        #expect(try home.run("mark", path, "--purgeable").exitCode == 0)
        #expect(try home.run("explain", path + "/a", "--json").json("unrecorded") == "false")
        try home.tree.remove("state")
        let result = try home.run("explain", path + "/a")
        #expect(result.output.contains("cache, by a mark"), "\(result.output)")
        #expect(result.output.contains("only in a plan that"))
        #expect(try home.run("explain", path + "/a", "--json").json("unrecorded") == "true")
        #expect(try home.run("plan", path, "--all", "--json").output.contains("Renders/a"))
    }

    @Test(.tags(.r8d, .r18b)) func explainSaysWhyAndWhyNot() throws {
        let home = try Home()
        try home.cache("a")
        try home.tree.file("home/Documents/thesis", text: "years")
        let cached = try home.run("explain", home.path.appending(".cache/a").string, "--json")
        #expect(cached.exitCode == 0)
        #expect(cached.json("class") != nil)
        #expect(cached.output.contains("\"when\":\"pressure\""))
        let kept = try home.run("explain", home.path.appending("Documents/thesis").string)
        #expect(kept.output.contains("never"))
        #expect(kept.output.contains("essential"))
        #expect(!cached.output.contains("exclusiveBytes"))
        let own = try home.run(
            "explain", home.path.appending(".cache").string, "--exclusive", "--json")
        #expect(own.json("exclusiveBytes") == own.json("bytes"))
        #expect(own.json("sharedBytes") == "0")
        #expect(own.json("unknownBytes") == "0")
        let words = try home.run(
            "explain", home.path.appending(".cache/a").string, "--exclusive")
        #expect(words.output.contains("nothing shares it"))
        #expect(try home.run("explain", "/no/such/place").exitCode == 1)
        #expect(try home.run("explain", "").exitCode == 1)
        #expect(try home.run("explain").exitCode == 2)
    }
}
