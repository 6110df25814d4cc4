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

@Suite("R40: tmpfiles.d on the command line", .blocks)
struct TmpfilesCommandTests {
    private let home: Home
    private var rules: String { home.directory.path.appending("rules").string }

    init() throws {
        home = try Home()
        let work = home.directory.path.appending("work").string
        try home.tree.file(
            "rules/a.conf", text: "d \(work) - - - m:10d\nx \(work)/kept*\nd /srv/x - - - a:1d\n")
        for name in ["old", "kept-old", "young"] {
            try home.tree.file(TreePath(stringLiteral: "work/" + name), size: .kilobytes(4))
        }
        for name in ["old", "kept-old"] {
            try home.tree.age(TreePath(stringLiteral: "work/" + name), by: .seconds(20 * 86400))
        }
        try home.cache("tool/file", age: .seconds(900 * 86400))
    }

    @Test func showsTheRulesAndWhatIsLeftOut() throws {
        let result = try home.run("tmpfiles", rules)
        #expect(result.exitCode == 0)
        #expect(result.output.contains("work"))
        #expect(result.output.contains("modified"))
        #expect(result.output.contains("a.conf:3 is left out: ages by “a” alone"))
        let json = try home.run("tmpfiles", rules, "--json")
        #expect(json.values("retentionSeconds") == ["864000"])
        #expect(json.json("schema") == "\"headroom.tmpfiles/1\"")
    }

    @Test(.tags(.r40b)) func plansAndPurgesWhatHasExpiredAndNothingElse() throws {
        let plan = try home.run("plan", "--tmpfiles", rules, "--expired", "--json")
        #expect(plan.json("count") == "1")
        #expect(home.tree.exists("work/old"))
        let purge = try home.run("purge", "--tmpfiles", rules, "--expired", "--yes")
        #expect(purge.exitCode == 0, "\(purge.errors)")
        #expect(!home.tree.exists("work/old"))
        #expect(home.tree.exists("work/kept-old"))
        #expect(home.tree.exists("work/young"))
        #expect(home.exists(".cache/tool/file"))
    }

    @Test(arguments: [
        ["--all"], ["--free", "1MB"], ["--expired", "--all"], ["--expired", "--save", "x"],
    ])
    func isAboutWhatHasExpiredAlone(targets: [String]) throws {
        let result = try home.run(["plan", "--tmpfiles", rules] + targets)
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("--tmpfiles"))
    }

    @Test func aDirectoryThatIsNotThereIsAnError() throws {
        #expect(try home.run("tmpfiles", rules + "-missing").exitCode == 1)
        #expect(try home.run("tmpfiles", rules + "/a.conf").exitCode == 1)
    }
}
