//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

struct ChildProcessTests {
    @Test func keepsOutputAndErrorApart() throws {
        let result = try ChildProcess.run("sh", ["-c", "echo out; echo err >&2; exit 3"])
        #expect(result.exitCode == 3)
        #expect(result.output == "out\n")
        #expect(result.errors == "err\n")
    }

    @Test func readsMoreThanAPipeHolds() throws {
        let result = try ChildProcess.run("head", ["-c", "1000000", "/dev/zero"])
        #expect(result.standardOutput.count == 1_000_000)
    }

    @Test func waitsForATextAndKills() throws {
        let child = try ChildProcess("sh", ["-c", "echo ready; exec sleep 100"])
        #expect(try child.readOutput(until: "ready"))
        child.send(SIGKILL)
        let result = try child.wait()
        #expect(result.signal == SIGKILL)
        #expect(result.exitCode == nil)
        #expect(result.wallTime < .seconds(60))
    }

    @Test func saysThatATextNeverCame() throws {
        let child = try ChildProcess("true")
        #expect(try !child.readOutput(until: "ready"))
    }

    @Test func passesVariablesAndDirectory() throws {
        let result = try ChildProcess.run(
            "sh", ["-c", "echo $MARK-$HOME; pwd"],
            environment: ["MARK": "7", "HOME": nil], directory: "/")
        #expect(result.output == "7-\n/\n")
    }

    @Test func leaksNoDescriptorsToTheChild() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let result = try ChildProcess.run("sh", ["-c", "ls /proc/self/fd | wc -l"])
        // Its three standard ones, and the directory that ls reads.
        #expect(result.output.contains("4"))
    }

    @Test func failsForAProgramThatIsNotThere() {
        #expect(throws: FixtureError.self) { try ChildProcess("/no/such/program") }
    }

    @Test func measuresProcessorTime() throws {
        let result = try ChildProcess.run(
            "sh", ["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"])
        #expect(result.processorTime > .milliseconds(5))
        #expect(result.peakMemory > 100_000)
    }

    @Test func killsTheChildOfAnOwnerThatGoes() throws {
        var child: ChildProcess? = try ChildProcess("sleep", ["100"])
        let number = try #require(child).processID
        child = nil
        // Reaped: the number is free again.
        #expect(kill(number, 0) == -1)
    }
}
