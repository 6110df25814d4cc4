//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// R29: a stop, a kill and a reload while the service is in the midst of a purge.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"))
struct ServeInterruptionTests {
    private static let policy = "policy:\n  target-factor: 9\n"

    /// A purge of many files, begun by the service.
    private func beginPurge(_ volume: ServedVolume) throws -> (child: ChildProcess, files: Int) {
        try volume.configure("act", more: Self.policy)
        let files = 60_000
        try volume.image.tree.files(files, in: "cache/many")
        let left = try #require(try volume.figures.availableInodes)
        try volume.image.tree.files(Int(left) - 900, in: "essential/many")
        let child = try ChildProcess(
            "/bin/sh",
            ["-c", "exec \"$0\" serve --directory \"$1\" 2>&1", Program.path, volume.directory],
            environment: volume.home.environment)
        let hasBegun = try Soon.holds(within: .seconds(300)) {
            try (volume.figures.availableInodes ?? 0) >= 1_000
        }
        try #require(hasBegun, "nothing was purged")
        return (child, files)
    }

    @Test(.tags(.s7d)) func aStopInAPurgeLeavesAWholeReceipt() throws {
        let volume = try ServedVolume(inodes: 100_000)
        let (child, files) = try beginPurge(volume)
        child.send(15)
        #expect(try child.wait().exitCode == 0)
        let log = try volume.home.run("log", "--json")
        #expect(log.output.contains("\"outcome\":\"interrupted\""), "\(log.output.prefix(2_000))")
        let removed = try #require(log.json("removedCount").flatMap { Int($0) })
        #expect(removed > 0 && removed < files)
        #expect(try volume.count("cache/many") == files - removed)
    }

    @Test func aKillInAPurgeIsFoundAtTheNextStart() throws {
        let volume = try ServedVolume(inodes: 100_000)
        let (child, _) = try beginPurge(volume)
        child.send(9)
        #expect(try child.wait().signal == 9)
        #expect(try volume.count("cache/many") > 0)
        let again = try volume.serve()
        try again.readOutput(until: "] purged")
        again.send(15)
        #expect(try again.wait().exitCode == 0)
        let log = try volume.home.run("log", "--json")
        #expect(log.output.contains("\"outcome\":\"crashed\""))
        #expect(log.output.contains("\"outcome\":\"completed\""))
    }

    @Test func aReloadThatChangesNothingOfItLetsAPurgeEnd() throws {
        let volume = try ServedVolume(inodes: 100_000)
        let (child, _) = try beginPurge(volume)
        try volume.configure("act", more: Self.policy + "history:\n  retention: 30 d\n")
        child.send(1)
        try child.readOutput(until: "the configuration was read again")
        try child.readOutput(until: "] purged")
        child.send(15)
        #expect(try child.wait().exitCode == 0)
        let log = try volume.home.run("log", "--json")
        #expect(log.values("outcome").contains("\"completed\""), "\(log.output.prefix(2_000))")
        #expect(!log.values("outcome").contains("\"interrupted\""))
    }

    @Test func aReloadThatAllowsLessEndsAPurgeBetweenTwoItems() throws {
        let volume = try ServedVolume(inodes: 100_000)
        let (child, files) = try beginPurge(volume)
        try volume.configure("observe", more: Self.policy)
        child.send(1)
        try child.readOutput(until: "the configuration was read again")
        let left = try volume.count("cache/many")
        #expect(left > 0 && left < files)
        child.send(15)
        #expect(try child.wait().exitCode == 0)
        #expect(try volume.count("cache/many") == left)
        let log = try volume.home.run("log", "--json")
        #expect(log.values("outcome").contains("\"interrupted\""), "\(log.output.prefix(2_000))")
    }
}
#endif
