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

/// Purges that end before they are done.
@Suite(.blocks)
struct InterruptionTests {
    private static let files = 60_000

    /// A purge that has begun: something is gone, and not everything.
    private func begin(_ home: Home, unit: String) throws -> ChildProcess {
        try home.tree.directory("data")
        for index in 0..<6 {
            try home.tree.files(
                Self.files / 6, in: TreePath(stringLiteral: "data/d\(index)"))
        }
        let data = home.directory.path.appending("data").string
        let child = try home.start(
            ["purge", data, "--as", "cache", "--unit", unit, "--all", "--yes", "--json"])
        // Items are told as they go, in blocks: the first block is there, most are not.
        try child.readOutput(until: "\"path\"")
        return child
    }

    private func remaining(_ home: Home) throws -> Int {
        let found = try ChildProcess.run(
            "find", [home.directory.path.appending("data").string, "-type", "f"])
        return found.output.count { $0 == "\n" }
    }

    @Test(.tags(.s7d, .r37c)) func controlCEndsBetweenTwoItemsWithAReceipt() throws {
        let home = try Home()
        let child = try begin(home, unit: "file")
        child.send(2)
        let result = try child.wait()
        #expect(result.exitCode == 130)
        #expect(result.json("completed") == "false")
        #expect(result.json("outcome") == "\"interrupted\"")
        #expect(try remaining(home) > 0)
        let log = try home.run("log", "--json")
        #expect(log.output.contains("\"outcome\":\"interrupted\""))
    }

    /// What is left, what has gone and what is told add up.
    @Test func controlCEndsACleaningTheSameWay() throws {
        let home = try Home()
        // Directly in the cache: a directory there goes as a whole.
        try home.tree.files(Self.files, in: "home/.cache")
        let child = try home.start(["clean", "--deep", "--yes", "--json"])
        let place = home.path.appending(".cache").string
        func left() throws -> Int {
            try ChildProcess.run("find", [place, "-type", "f"]).output.count { $0 == "\n" }
        }
        let hasBegun = try Soon.holds(within: .seconds(300)) { try left() != Self.files }
        try #require(hasBegun, "nothing has gone")
        child.send(2)
        let result = try child.wait()
        #expect(result.exitCode == 130, "\(result.errors)")
        #expect(result.json("cancelled") == "true")
        #expect(result.json("outcome") == "\"interrupted\"")
        let removed = try #require(result.json("removedCount").flatMap { Int($0) })
        #expect(try left() == Self.files - removed && removed > 0)
        let log = try home.run("log", "--json")
        #expect(log.output.contains("\"outcome\":\"interrupted\""))
        let again = try home.run("clean", "--deep", "--yes")
        #expect(again.exitCode == 0, "\(again.errors)")
        #expect(try left() == 0)
    }

    @Test(.tags(.s7a)) func aKilledPurgeIsReportedAtTheNextStart() throws {
        let home = try Home()
        let child = try begin(home, unit: "file")
        child.send(9)
        #expect(try child.wait().signal == 9)
        #expect(try remaining(home) > 0)
        // Those that only look say so too, and leave it to be said again.
        for command in [["status", home.path.string], ["plan", "--all"], ["log"]] {
            let before = try home.listing()
            let looked = try home.run(command)
            #expect(looked.errors.contains("cut off"), "\(command)")
            // The journal is told in batches, and never of more than has gone.
            let told = looked.errors.firstMatch(of: /cut off after at least ([0-9,]+) items?/)
            let count = told.flatMap { Int($0.1.filter { $0 != "," }) }
            #expect(try count ?? 0 <= Self.files - remaining(home), "\(looked.errors)")
            #expect(count != 0, "\(looked.errors)")
            #expect(count != nil || looked.errors.contains("before it had told what went"))
            #expect(try home.listing() == before)
        }
        #expect(try home.run("log", "--json").output.contains("\"outcome\":\"crashed\""))
        let next = try home.run("purge", "--all", "--yes")
        #expect(next.errors.contains("cut off"))
        let log = try home.run("log", "--json")
        #expect(log.output.contains("\"outcome\":\"crashed\""))
        // Told once.
        #expect(!(try home.run("purge", "--all", "--yes").errors.contains("cut off")))
    }

    @Test func aKilledPurgeOfUnitsLeavesNoneHalf() throws {
        let home = try Home()
        let child = try begin(home, unit: "entry")
        child.send(9)
        try child.wait()
        for name in try home.tree.names(in: "data") {
            guard !name.text.hasPrefix(".headroom-going-") else { continue }
            let count = try home.tree.names(in: TreePath(stringLiteral: "data/" + name.text)).count
            #expect(count == Self.files / 6, "\(name.text)")
        }
    }
    @Test func leftoversAreFinishedAlsoWithoutTheLedger() throws {
        let home = try Home()
        try home.tree.files(1_000, in: "data/.headroom-going-2026-11-21-0badcafe-0")
        try home.tree.files(3, in: "data/whole")
        let data = home.directory.path.appending("data").string
        let plan = try home.run(
            "plan", data, "--as", "cache", "--unit", "entry", "--free", "1", "--json")
        #expect(plan.output.contains("interrupted-purge"))
        let result = try home.run(
            "purge", data, "--as", "cache", "--unit", "entry", "--all", "--yes")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try home.tree.names(in: "data").isEmpty)
    }
}
