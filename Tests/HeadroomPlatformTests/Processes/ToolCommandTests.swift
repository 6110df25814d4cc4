//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPlatform
import SystemPackage
import Testing

struct ToolCommandTests {
    private func shell(_ script: String, limit: Duration = .seconds(20)) -> ToolCommand {
        ToolCommand(
            "/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"], limit: limit)
    }

    @Test func readsItsInput() throws {
        var command = shell("cat; echo done")
        command.input = Array("{\"a\":1}\n".utf8)
        let outcome = try command.run()
        #expect(outcome.exitCode == 0)
        #expect(String(decoding: outcome.output, as: UTF8.self) == "{\"a\":1}\ndone\n")
    }

    @Test("Keeps the last bytes of the output, up to the limit", arguments: [64 << 10, 1 << 20])
    func limitsOutput(limit: Int) throws {
        var command = shell("seq 30000")
        command.outputLimit = limit
        let whole = (1...30_000).map { "\($0)\n" }.joined().utf8
        #expect(try command.run().output == Array(whole.suffix(limit)))
    }

    @Test func inputThatNobodyReadsIsNoError() throws {
        var command = shell("exit 3")
        command.input = Array(repeating: 0x41, count: 60_000)
        #expect(try command.run().exitCode == 3)
    }

    @Test func tooMuchInputIsRefused() {
        var command = shell("cat")
        command.input = Array(repeating: 0x41, count: 65_537)
        #expect(throws: Errno.fileTooLarge) { _ = try command.run() }
    }

    @Test func errorsCanBeLeftOut() throws {
        var command = shell("echo 5; echo noise >&2")
        command.keepsErrors = false
        #expect(try command.run().output == Array("5\n".utf8))
        command.keepsErrors = true
        #expect(try command.run().output.count == 8)
    }

    @Test func whatIsNotKilledIsWaitedFor() throws {
        // It is told to end, and takes its time.
        var command = shell(
            "trap 'sleep 0.2; echo bye; exit 7' TERM; echo up; sleep 30 & wait",
            limit: .milliseconds(300))
        command.isKilled = false
        let outcome = try command.run()
        #expect(outcome.isTimedOut)
        #expect(outcome.exitCode == 7)
        #expect(String(decoding: outcome.output, as: UTF8.self) == "up\nbye\n")
    }
}
#endif
