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
struct PurgeTests {
    @Test(.tags(.r37c)) func purgesWhatWasPlannedAndTellsIt() throws {
        let home = try Home()
        try home.cache("a/one", size: .kilobytes(100))
        try home.tree.file("home/Documents/thesis", text: "years of work")
        let result = try home.run("purge", "--all", "--yes", "--json")
        #expect(result.exitCode == 0, "\(result.errors)")
        for name in [
            "schema", "removed", "path", "bytes", "skipped", "expectedBytes", "volumeGainedBytes",
            "completed",
        ] {
            #expect(result.json(name) != nil, "\(name)")
        }
        #expect(result.json("schema") == "\"headroom.purge/1\"")
        #expect(result.json("completed") == "true")
        #expect(!home.exists(".cache/a/one"))
        #expect(home.exists(".cache"))
        #expect(home.exists("Documents/thesis"))
    }

    @Test(
        "Purges a path that only the processes name that started the purge",
        arguments: [
            #""$0" purge "$1" --all --min-idle 0s --yes; true"#,
            #"timeout 60 "$0" purge "$1" --all --min-idle 0s --yes; true"#,
            #"NAMES="$1" sh -c "$0 purge $1 --all --min-idle 0s --yes; true"; true"#,
        ])
    func ignoresLaunchers(script: String) throws {
        let home = try Home()
        try home.cache("a/one", size: .kilobytes(100))
        let result = try ChildProcess.run(
            "sh", ["-c", script, Program.path, home.path.appending(".cache/a").string],
            environment: home.environment)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(!home.exists(".cache/a/one"), "\(result.output)")
    }

    @Test(.tags(.r37b)) func refusesWithoutATerminalAndWithoutYes() throws {
        let home = try Home()
        try home.cache("a")
        let before = try home.listing()
        let result = try home.run("purge", "--all")
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("--yes"))
        #expect(try home.listing() == before)
    }

    @Test func freesNoMoreThanIsAskedFor() throws {
        let home = try Home()
        for name in ["a", "b", "c", "d"] {
            try home.cache(name, size: .kilobytes(100))
        }
        let result = try home.run("purge", "--free", "150kB", "--yes")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(["a", "b", "c", "d"].count { home.exists(".cache/" + $0) } == 2)
    }

    @Test(.tags(.r10a)) func lastResortGoesOnlyWhenNamed() throws {
        let home = try Home()
        try home.cache("precious")
        #expect(
            try home.run("mark", home.path.appending(".cache/precious").string, "--last-resort")
                .exitCode == 0)
        #expect(try home.run("purge", "--all", "--yes").exitCode == 0)
        #expect(home.exists(".cache/precious"))
        #expect(
            try home.run("purge", "--all", "--through", "last-resort", "--yes").exitCode == 0)
        #expect(!home.exists(".cache/precious"))
    }

    @Test(.tags(.s5d, .r37c)) func whatIsHeldOpenStaysAndIsNamed() throws {
        let home = try Home()
        try home.cache("held", size: .kilobytes(100))
        try home.cache("free", size: .kilobytes(100))
        let path = home.path.appending(".cache/held").string
        let holder = try ChildProcess(
            "sh", ["-c", "exec 3<'\(path)'; echo ready; exec sleep 1000"])
        #expect(try holder.readOutput(until: "ready"))
        let result = try home.run("purge", "--all", "--yes", "--json")
        #expect(result.exitCode == 4)
        #expect(home.exists(".cache/held"))
        #expect(!home.exists(".cache/free"))
        #expect(result.output.contains("\"code\":\"in-use\""))
        // The holder has survived being asked.
        holder.send(0)
        #expect(try ChildProcess.run("kill", ["-0", "\(holder.processID)"]).succeeded)
    }

    @Test(.tags(.s5a)) func whatIsLeasedStays() throws {
        let home = try Home()
        try home.cache("leased")
        let path = home.path.appending(".cache/leased").string
        let holder = try home.start([
            "lease", path, "--", "sh", "-c", "echo ready; exec sleep 1000",
        ])
        #expect(try holder.readOutput(until: "ready"))
        let result = try home.run("purge", "--all", "--yes", "--json")
        #expect(result.exitCode == 4)
        #expect(home.exists(".cache/leased"))
        // The lease is a lock on a file that is open: either is a true reason.
        #expect(
            ["leased", "in-use"].contains { result.output.contains("\"code\":\"\($0)\"") })
    }

    @Test func anAreaInsideAnEssentialOneNeedsAMark() throws {
        let home = try Home()
        try home.tree.file("home/Documents/builds/a.o", size: .kilobytes(100))
        let path = home.path.appending("Documents/builds").string
        let before = try home.listing()
        let refused = try home.run("purge", path, "--as", "cache", "--all", "--yes")
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("headroom mark"))
        #expect(try home.listing() == before)
        #expect(try home.run("mark", path, "--purgeable").exitCode == 0)
        let purged = try home.run("purge", path, "--as", "cache", "--all", "--yes")
        #expect(purged.exitCode == 0, "\(purged.errors)")
        #expect(!home.exists("Documents/builds/a.o"))
        #expect(home.exists("Documents/builds"))
    }

    @Test(arguments: ["", "/", "HOME", "/etc", "/usr", "/no/such/place", "PARENT"])
    func whatMayNotBePurgedIsRefused(path: String) throws {
        let home = try Home()
        try home.cache("a")
        let named =
            path == "HOME"
            ? home.path.string : path == "PARENT" ? home.directory.path.string : path
        let before = try home.listing()
        let result = try home.run("purge", named, "--as", "cache", "--all", "--yes")
        #expect(result.exitCode == 1)
        #expect(!result.errors.isEmpty)
        #expect(try home.listing() == before)
    }

    @Test func nothingToDoIsNoFailure() throws {
        let home = try Home()
        let result = try home.run("purge", "--all", "--yes", "--json")
        #expect(result.exitCode == 0)
        #expect(result.json("completed") == "true")
        #expect(result.json("receipt") == "null")
    }

    @Test(.enabled(if: Privilege.isRoot, "only root can become another user"))
    func withoutPermissionNothingHappens() throws {
        let home = try Home()
        try home.cache("a")
        try home.tree.setPermissions(0o755, of: "")
        let result = try ChildProcess.run(
            "setpriv",
            [
                "--reuid", "65534", "--regid", "65534", "--clear-groups", Program.path, "purge",
                home.path.appending(".cache").string, "--as", "cache", "--all", "--yes",
            ], environment: home.environment)
        #expect(result.exitCode == 1)
        #expect(!result.errors.isEmpty)
        #expect(home.exists(".cache/a"))
    }
}
