//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite(.blocks)
struct LeaseTests {
    @Test func runsTheCommandAndPassesItsCode() throws {
        try TemporaryDirectory.with { directory in
            try directory.tree.file("a")
            let path = directory.path.appending("a").string
            let result = try Program.run(["lease", path, "--", "sh", "-c", "echo out; exit 7"])
            #expect(result.exitCode == 7)
            #expect(result.output == "out\n")
        }
    }

    @Test func theCommandHoldsTheLocks() throws {
        try TemporaryDirectory.with { directory in
            try directory.tree.file("a")
            let path = directory.path.appending("a").string
            let child = try ChildProcess(
                Program.path, ["lease", path, "--", "sh", "-c", "echo ready; exec sleep 1000"])
            #expect(try child.readOutput(until: "ready"))
            // flock(1) fails at once where somebody else holds a shared lock.
            let refused = try ChildProcess.run("flock", ["-n", "-x", path, "true"])
            #expect(refused.exitCode == 1)
            child.send(15)
            try child.wait()
            #expect(try ChildProcess.run("flock", ["-n", "-x", path, "true"]).succeeded)
        }
    }

    #if os(Linux)
    /// What the program ignores while it works, a command is not to.
    @Test func theCommandIgnoresNoSignals() throws {
        let result = try Program.run(
            ["lease", "/tmp", "--", "grep", "SigIgn", "/proc/self/status"])
        let digits = result.output.split(whereSeparator: \.isWhitespace).last ?? ""
        let ignored = try #require(UInt64(digits, radix: 16), "\(result)")
        // SIGPIPE and SIGXFSZ.
        #expect(ignored & (1 << 12 | 1 << 24) == 0, "\(result)")
    }
    #endif

    @Test(
        arguments: [
            (["lease", "/tmp"], 2), (["lease", "/tmp", "--"], 2),
            (["lease", "/no/such/place", "--", "true"], 1), (["lease", "", "--", "true"], 1),
            (["lease", "/", "--", "true"], 1), (["lease", "/dev/null", "--", "true"], 1),
            (["lease", "/tmp", "--", "no-such-program-here"], 1),
            (["lease", "/tmp", "--wait", "soon", "--", "true"], 2),
        ] as [([String], Int32)])
    func wrongInputIsAnswered(arguments: [String], code: Int32) throws {
        let result = try Program.run(arguments)
        #expect(result.exitCode == code)
        #expect(!result.errors.isEmpty)
    }
}
