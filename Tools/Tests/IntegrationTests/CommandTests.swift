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

/// The commands that only look, and `mark`.
@Suite(.blocks)
struct CommandTests {
    @Test(.tags(.r37a, .r37f)) func statusShowsVolumesAndLadder() throws {
        let home = try Home()
        try home.cache("pip/wheel", size: .kilobytes(300))
        let before = try home.listing()
        let text = try home.run("status")
        #expect([0, 4].contains(text.exitCode))
        #expect(text.output.contains("What can go"))
        #expect(text.output.contains("pip"))
        // Nobody looks at it: what reads it may know nothing of bars.
        #expect(!text.output.contains { "█░▏▎▍▌▋▊▉".contains($0) })
        let json = try home.run("status", "--json")
        for name in [
            "schema", "volumes", "totalBytes", "availableBytes", "availableSource",
            "importantBytes", "opportunisticBytes", "inodes", "level", "ladder", "areas",
            "deletedOpenFiles", "biggestItems",
        ] {
            #expect(json.json(name) != nil, "\(name)")
        }
        #expect(try home.listing() == before)
        #expect(!home.tree.exists("state"))
    }

    @Test func statusOfAPathShowsItsVolume() throws {
        let home = try Home(on: .memory)
        let result = try home.run("status", home.path.string, "--json")
        #expect(result.exitCode == 0)
        #expect(result.output.split(separator: "\"mountPoint\"").count == 2)
    }

    @Test(.tags(.r37d)) func statusListsDeletedOpenFiles() throws {
        let home = try Home()
        try home.tree.file("home/gone", size: .kilobytes(500))
        let path = home.path.appending("gone").string
        let holder = try ChildProcess(
            "sh", ["-c", "exec 3<'\(path)'; rm '\(path)'; echo ready; exec sleep 1000"])
        #expect(try holder.readOutput(until: "ready"))
        for command in ["status", "doctor"] {
            let result = try home.run(command, "--json")
            #expect(result.output.contains(path), "\(command)")
            #expect(result.output.contains("\"process\":\(holder.processID)"), "\(command)")
        }
    }

    @Test(.tags(.r22b)) func logKeepsReceipts() throws {
        let home = try Home()
        #expect(try home.run("log").output.contains("Nothing has been purged"))
        try home.cache("a")
        let purge = try home.run("purge", "--all", "--yes", "--json")
        let id = purge.json("receipt").map { String($0.dropFirst().dropLast()) } ?? ""
        #expect(!id.isEmpty)
        #expect(try home.run("log").output.contains("completed"))
        let one = try home.run("log", "--receipt", id, "--json")
        #expect(one.json("id") == "\"\(id)\"")
        #expect(one.output.contains("/.cache/a\""))
        #expect(try home.run("log", "--last", "1", "--json").output.count { $0 == "\n" } == 1)
        #expect(try home.run("log", "--receipt", "nonsense").exitCode == 1)
    }

    @Test(.tags(.r9b)) func marksAreSetShownAndCleared() throws {
        let home = try Home()
        try home.cache("a")
        let path = home.path.appending(".cache/a").string
        #expect(try home.run("mark", path, "--pin", "--importance", "80").exitCode == 0)
        let shown = try home.run("mark", path, "--json")
        #expect(shown.json("pinned") == "true")
        #expect(shown.json("importance") == "80")
        #expect(try home.run("purge", "--all", "--yes").exitCode == 0)
        #expect(home.exists(".cache/a"))
        #expect(try home.run("mark", path, "--clear").exitCode == 0)
        #expect(try home.run("mark", path, "--json").json("pinned") == "false")
        #expect(try home.run("purge", "--all", "--yes").exitCode == 0)
        #expect(!home.exists(".cache/a"))
    }

    @Test(.tags(.r37a, .r39a)) func simulateShowsWhatWouldGo() throws {
        let home = try Home()
        try home.cache("a", size: .kilobytes(300))
        let before = try home.listing()
        let result = try home.run("simulate", "--if-available", "1%", "--json")
        #expect([0, 3].contains(result.exitCode))
        #expect(result.json("level") == "\"critical\"")
        #expect(result.json("freesBytes") != nil)
        #expect(
            try home.run("simulate", "--if-available", "90%", "--json").json("level")
                == "\"normal\"")
        #expect(try home.listing() == before)
    }

    @Test func doctorSaysWhatWorks() throws {
        let home = try Home()
        let result = try home.run("doctor", "--json")
        #expect([0, 4].contains(result.exitCode))
        for name in ["openat2", "statx", "listxattrat", "file leases", "processes", "ledger"] {
            #expect(result.output.contains("\"name\":\"\(name)\""), "\(name)")
        }
        #expect(try home.run("doctor").output.contains("birth times"))
        #expect(!home.tree.exists("state"))
    }

    #if os(Linux)
    /// In a container root is not what it says.
    @Test(
        .enabled(
            if: Privilege.isRoot && Privilege.has(program: "setpriv")
                && Privilege.has(program: "unshare"), "needs root, setpriv and unshare"))
    func doctorSaysWhichRightsOfRootsAreMissing() throws {
        let home = try Home()
        func doctor(_ wrapper: [String]) throws -> String {
            try ChildProcess.run(
                wrapper[0], wrapper.dropFirst() + [Program.path, "doctor"],
                environment: home.environment
            ).output
        }
        let bounded = try doctor(["setpriv", "--bounding-set", "-lease,-sys_ptrace"])
        #expect(bounded.contains("root without CAP_SYS_PTRACE"))
        #expect(bounded.contains("CAP_LEASE (large files"))
        #expect(bounded.contains("granted on root's own files alone"))
        #expect(!bounded.contains("CAP_DAC_OVERRIDE"))
        let contained = try doctor(["unshare", "--pid", "--fork", "--mount-proc"])
        #expect(contained.contains("of this container are seen"))
    }
    #endif

    @Test func aDamagedLedgerIsSaidAndNotFatal() throws {
        let home = try Home()
        try home.cache("a")
        #expect(try home.run("purge", "--all", "--yes").exitCode == 0)
        try home.tree.file(
            "state/ledger.log", text: "this is no ledger, and long enough to be read")
        let result = try home.run("doctor")
        #expect(result.exitCode == 4)
        #expect(result.errors.contains("damaged"))
        try home.cache("b")
        #expect(try home.run("purge", "--all", "--yes").errors.contains("damaged"))
    }

    @Test(
        arguments: [
            (["simulate"], 2), (["simulate", "--if-available", "much"], 2),
            (["mark"], 2), (["mark", "/no/such/file", "--pin"], 1), (["mark", "", "--pin"], 1),
            (["mark", "/tmp", "--importance", "101"], 2),
            (["mark", "/tmp", "--pin", "--unpin"], 2),
            (["mark", "/tmp", "--clear", "--pin"], 2), (["log", "--last", "0"], 2),
            (["status", ""], 1), (["doctor", "extra"], 2),
        ] as [([String], Int32)])
    func wrongInputIsAnswered(arguments: [String], code: Int32) throws {
        let result = try Home().run(arguments)
        #expect(result.exitCode == code)
        #expect(!result.errors.isEmpty)
    }
}
