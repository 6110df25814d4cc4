//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// R26: modules that are two commands.
struct CommandModuleTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func module(
        usage: String, clean: String = "true", owner: UInt32 = User.effective,
        timeLimit: Duration = .seconds(20)
    ) -> CommandModule {
        CommandModule(
            id: "m", name: "M", quota: .megabytes(1), timeLimit: timeLimit,
            usage: ["/bin/sh", "-c", usage], clean: ["/bin/sh", "-c", clean], owner: owner,
            environment: ["PATH": "/usr/bin:/bin", "PLACE": directory.path.string])
    }

    @Test func usageIsANumber() async throws {
        #expect(try await module(usage: "echo 1234; echo noise >&2").usage() == ByteCount(1_234))
        for words in [
            "echo 12 MB", "echo", "echo -5", "echo 1; echo 2", "echo 99999999999999999999",
        ] {
            await #expect(throws: CommandModuleError.self, "\(words)") {
                try await module(usage: words).usage()
            }
        }
        do {
            _ = try await module(usage: "exit 3").usage()
            Issue.record("It was believed.")
        } catch {
            #expect("\(error)".contains("exit code 3"))
        }
    }

    @Test(.tags(.r26d)) func theRequestIsJSONOnStandardInput() async throws {
        let module = module(
            usage: "echo 0", clean: "cat > \"$PLACE/request\"; pwd > \"$PLACE/cwd\"")
        try await module.clean(
            CleaningRequest(
                level: .critical, trigger: .levelChange, bytesWanted: ByteCount(5_000),
                allowedClass: .lastResort, deadline: .now.advanced(by: .seconds(20))))
        let text = String(decoding: try directory.tree.contents(of: "request"), as: UTF8.self)
        #expect(text.hasPrefix("{\"allowedClass\":\"lastResort\",\"bytesWanted\":5000,"))
        #expect(text.contains("\"level\":\"critical\""))
        #expect(text.contains("\"trigger\":\"levelChange\""))
        #expect(text.hasSuffix("}\n"))
        #expect(try directory.tree.contents(of: "cwd") == Array("/\n".utf8))
    }

    @Test(.tags(.r26d)) func anotherUsersCommandIsNotRun() async throws {
        await #expect(throws: CommandModuleError.self) {
            try await module(usage: "touch $PLACE/ran; echo 1", owner: User.effective + 77).usage()
        }
        #expect(!directory.tree.exists("ran"))
    }

    @Test func oneThatHangsIsReportedAndNotCalledAgain() async throws {
        let group = ModuleGroup()
        // It does not listen when it is told to end, and ends when the file is there.
        group.register(
            module(
                usage:
                    "trap '' TERM; echo x >> $PLACE/calls; while [ ! -e $PLACE/end ]; do sleep 0.05; done; echo 5",
                timeLimit: .milliseconds(300)))
        let first = try #require(await group.clean(level: .normal, trigger: .interval))
        #expect(first.modules.map(\.outcome) == [.timedOut])
        let second = try #require(await group.clean(level: .normal, trigger: .interval))
        #expect(second.modules.map(\.outcome) == [.stillRunning])
        #expect(try directory.tree.contents(of: "calls") == Array("x\n".utf8))
        try directory.tree.file("end")
        var third = second
        // On a busy machine the limit is too short even for one that does nothing.
        while let outcome = third.modules.first?.outcome,
            outcome == .stillRunning || outcome == .timedOut
        {
            third = try #require(await group.clean(level: .normal, trigger: .interval))
        }
        #expect(third.modules.map(\.outcome) == [.notNeeded])
    }
}
#endif
