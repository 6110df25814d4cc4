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
struct PlanTests {
    @Test(.tags(.r37a)) func tellsWhatTheIssueNamesAndDeletesNothing() throws {
        let home = try Home()
        try home.cache("a/one", size: .kilobytes(100))
        try home.cache("b/two", size: .kilobytes(200))
        let before = try home.listing()
        let result = try home.run("plan", "--all", "--json")
        #expect(result.exitCode == 0)
        for name in [
            "schema", "entries", "path", "class", "unit", "bytes", "lastUse", "reason", "code",
            "text", "freesBytes", "reachesTarget", "missingBytes",
        ] {
            #expect(result.json(name) != nil, "\(name)")
        }
        #expect(result.json("schema") == "\"headroom.plan/1\"")
        #expect(result.json("reachesTarget") == "true")
        #expect(try home.listing() == before)
        #expect(!home.tree.exists("state"))
    }

    @Test("Leaves out files that free nothing, unless --include-linked asks for them", .tags(.r45c))
    func leavesOutLinkedFiles() throws {
        let home = try Home()
        try home.tree.file("work/own", size: .kilobytes(100))
        try home.tree.file("work/linked", size: .kilobytes(100))
        try home.tree.hardLink("home/Documents/kept", to: "work/linked")
        let work = home.directory.path.appending("work").string
        // They were written just now.
        let words = [work, "--as", "cache", "--all", "--min-idle", "0s"]
        let plan = try home.run(["plan", "--json"] + words)
        #expect(plan.output.contains("/work/own\""), "\(plan.output)")
        #expect(!plan.output.contains("/work/linked\""), "\(plan.output)")
        #expect(plan.output.contains("\"linked-elsewhere\""), "\(plan.output)")
        let all = try home.run(["plan", "--json", "--include-linked"] + words)
        #expect(all.output.contains("/work/linked\""), "\(all.output)")
        #expect(all.json("freesBytes") == plan.json("freesBytes"))
        let purge = try home.run(["purge", "--include-linked", "--yes"] + words)
        #expect(purge.exitCode == 0, "\(purge.errors)")
        #expect(!home.tree.exists("work/linked") && home.exists("Documents/kept"))
    }

    @Test func theOldestGoesFirst() throws {
        let home = try Home()
        for name in ["new", "old"] { try home.cache(name) }
        try home.tree.age("home/.cache/old", by: .seconds(40 * 86_400))
        let result = try home.run(
            "plan", "--older-than", "30d", "--age-by", "modified", "--json")
        #expect(result.output.contains("/.cache/old\""))
        #expect(!result.output.contains("/.cache/new\""))
    }

    @Test(.tags(.r16c, .r37c)) func saysHowMuchIsMissing() throws {
        let home = try Home()
        try home.cache("a", size: .kilobytes(100))
        let result = try home.run("plan", "--free", "1TB")
        #expect(result.exitCode == 3)
        #expect(result.output.contains("Not enough"))
        let json = try home.run("plan", "--free", "1TB", "--json")
        #expect(json.exitCode == 3)
        #expect(json.json("reachesTarget") == "false")
        #expect((json.json("missingBytes").flatMap { Int($0) } ?? 0) > 900_000_000_000)
    }

    /// Where not even the roots can be opened, nobody knows what may go.
    @Test(.tags(.r16c)) func aPlanThatIsNotWholeSaysSo() throws {
        let home = try Home()
        try home.cache("a")
        let result = try ChildProcess.run(
            "sh", ["-c", #"ulimit -n 6; exec "$0" plan --all"#, Program.path],
            environment: home.environment)
        #expect(result.exitCode == 4, "\(result.output) \(result.errors)")
        #expect(result.output.contains("could not be looked at"))
        #expect(try home.run("plan", "--all", "--json").json("unreadPlaces") == "0")
    }

    @Test(.tags(.r14c)) func aNameThatIsNotUTF8Survives() throws {
        let home = try Home()
        let name = try #require(FileName(Array("x".utf8) + [0xFF, 0x0A]))
        let cache: TreePath = "home/.cache"
        try home.tree.file(TreePath(cache.names + [name]), text: "x")
        let result = try home.run("plan", "--all", "--json")
        #expect(result.output.contains("/.cache/x%FF%0A\""))
    }

    @Test func aNamedDirectoryNeedsAClass() throws {
        let home = try Home()
        try home.tree.directory("data/junk")
        try home.tree.file("data/junk/a", size: .kilobytes(100))
        let path = home.directory.path.appending("data").string
        let refused = try home.run("plan", path, "--all")
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("--as"))
        let planned = try home.run("plan", path, "--as", "cache", "--all", "--json")
        #expect(planned.exitCode == 0)
        #expect(planned.output.contains("/data/junk/a\""))
        let whole = try home.run(
            "plan", path, "--as", "cache", "--unit", "entry", "--all", "--json")
        #expect(whole.output.contains("\"unit\":\"directory\""))
    }

    @Test(
        arguments: [
            (["plan"], 2), (["plan", "--free", "lots"], 2), (["plan", "--free", "-1GB"], 2),
            (["plan", "--free", "0"], 2), (["plan", "--until", "soon"], 2),
            (["plan", "--older-than", "red"], 2), (["plan", "--inodes", "0"], 2),
            (["plan", "--all", "--through", "essential"], 2),
            (["plan", "--all", "--as", "cache"], 2),
            (["plan", "--all", "--age-by", "modified"], 2),
            (["plan", "/no/such/place", "--as", "cache", "--all"], 1),
            (["plan", "", "--as", "cache", "--all"], 1),
            (["plan", "/", "--as", "cache", "--all"], 1),
            (["plan", "/usr", "--as", "cache", "--all"], 1),
            (["plan", "/etc", "--as", "temporary", "--all"], 1),
            (["plan", "/etc/passwd", "--as", "cache", "--all"], 1),
        ] as [([String], Int32)])
    func wrongInputIsAnswered(arguments: [String], code: Int32) throws {
        let home = try Home()
        let result = try home.run(arguments)
        #expect(result.exitCode == code)
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty)
    }
}
