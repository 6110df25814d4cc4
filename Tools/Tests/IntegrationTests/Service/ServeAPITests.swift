//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Foundation
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// R29, R38: the API of the service as a process.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"),
    .enabled(if: Privilege.has(program: "curl"), "needs curl"))
struct ServeAPITests {
    private let volume: ServedVolume

    init() throws { volume = try ServedVolume(size: .mebibytes(64)) }

    private var socket: FilePath { volume.home.directory.path.appending("run/api.sock") }

    private func serve() throws -> ChildProcess {
        try volume.configure("observe", more: "listen: unix:\(socket.string)\n")
        for number in 0..<10 {
            try volume.image.tree.file("cache/\(number)" as TreePath, size: .mebibytes(1))
        }
        let child = try volume.serve()
        try child.readOutput(until: "api.sock port")
        return child
    }

    private var token: String {
        get throws {
            String(
                decoding: try volume.home.tree.contents(of: "state/api-token").dropLast(),
                as: UTF8.self)
        }
    }

    private func curl(_ path: String, _ arguments: [String] = []) throws -> ChildResult {
        try ChildProcess.run(
            "/usr/bin/curl",
            [
                "-s", "--max-time", "60", "--unix-socket", socket.string, "-H",
                "Authorization: Bearer \(try token)", "-H", "Content-Type: application/json",
                "http://localhost/api/v1\(path)",
            ] + arguments)
    }

    private func text(_ result: ChildResult, _ name: String) throws -> String {
        String(try #require(result.json(name), "\(result.output)")).filter {
            $0 != "\"" && $0 != " "
        }
    }

    @Test(.tags(.r29b)) func aConfirmedPlanIsPurgedThoughTheServiceOnlyObserves() throws {
        let child = try serve()
        let before = try volume.figures.available
        let plan = try curl("/plans", ["-d", #"{"target":{"kind":"free","bytes":3000000}}"#])
        let id = try text(plan, "id")
        #expect(try volume.count("cache") == 10)
        let wrong = try curl("/purges", ["-d", #"{"plan":"\#(id)","selection":"x"}"#])
        #expect(wrong.output.contains("selection-changed"))
        let job = try curl(
            "/purges",
            ["-d", #"{"plan":"\#(id)","selection":"\#(try text(plan, "digest"))"}"#])
        let events = try curl("/jobs/\(try text(job, "id"))/events", ["-N"])
        #expect(events.output.contains("event: done"), "\(events.output)")
        #expect(events.output.contains(#""state":"done""#))
        #expect(try volume.count("cache") == 7, "\(events.output)")
        #expect(try volume.figures.available >= before + .mebibytes(3))
        let log = try volume.home.run("log", "--json")
        #expect(log.output.contains("by its API"))
        child.send(15)
        #expect(try child.wait().exitCode == 0)
    }

    /// R29: in the mode ask the plan of what waits is shown, and what was shown goes: nothing else.
    @Test(.tags(.r29b)) func whatIsProposedIsShownAndThatGoes() throws {
        try volume.configure("ask", more: "listen: unix:\(socket.string)\n")
        let names = (0..<3).map { "temporary/\($0)" } + (0..<10).map { "cache/\($0)" }
        for name in names { try volume.image.tree.file(TreePath(name), size: .mebibytes(1)) }
        // Warning begins at 6.4 MiB, and 12.8 are to be available: 8 of the files.
        try volume.image.tree.file(
            "essential/fill", size: try volume.figures.available - .mebibytes(5))
        let child = try volume.serve()
        try child.readOutput(until: "api.sock port")
        try child.readOutput(until: "It waits for a person")
        let asking = try curl("/asking")
        #expect(asking.values("id").count == 1, "\(asking.output)")
        #expect(try text(asking, "items") == "8")
        let proposal = try text(asking, "id")
        #expect(try curl("/status").output.contains(proposal))

        let plan = try curl("/plans", ["-d", #"{"proposal":"\#(proposal)"}"#])
        let id = try text(plan, "id")
        #expect(try text(plan, "items") == "8", "\(plan.output)")
        let shown = Set(try curl("/plans/\(id)/entries?limit=100").values("path"))
        #expect(shown.count == 8)
        #expect(try volume.count("temporary") + volume.count("cache") == 13, "only shown")
        // What is written after it was shown was not confirmed.
        try volume.image.tree.file("temporary/new", size: .mebibytes(1))
        let job = try curl(
            "/purges",
            ["-d", #"{"plan":"\#(id)","selection":"\#(try text(plan, "digest"))"}"#])
        let events = try curl("/jobs/\(try text(job, "id"))/events", ["-N"])
        #expect(events.output.contains(#""state":"done""#), "\(events.output)")
        for name in names {
            let wasShown = shown.contains("\"\(volume.image.path.string)/\(name)\"")
            #expect(volume.image.tree.exists(TreePath(name)) == !wasShown, "\(name)")
        }
        #expect(volume.image.tree.exists("temporary/new"))
        #expect(volume.image.tree.exists("essential/fill"))

        let log = try volume.home.run("log", "--json")
        #expect(log.output.contains("by its API, user 0: warning, "), "\(log.output)")
        #expect(try curl("/asking").output.contains(#""asking":[]"#))
        let again = try curl("/plans", ["-d", #"{"proposal":"\#(proposal)"}"#])
        #expect(again.output.contains("proposal-changed"), "\(again.output)")
        child.send(15)
        #expect(try child.wait().exitCode == 0)
    }

    @Test func theTokenIsOfOneRunAndInNoLog() throws {
        let child = try serve()
        let first = try token
        #expect(try volume.home.tree.status(of: "state/api-token").permissions == 0o600)
        child.send(15)
        let output = try child.wait().output
        #expect(!output.contains(first))
        let again = try serve()
        #expect(try token != first)
        let old = try ChildProcess.run(
            "/usr/bin/curl",
            [
                "-s", "-w", "%{http_code}", "--unix-socket", socket.string, "-H",
                "Authorization: Bearer \(first)", "http://localhost/api/v1/status",
            ])
        #expect(old.output.hasSuffix("401"))
        again.send(15)
        #expect(try again.wait().exitCode == 0)
    }

    /// What `make serve` starts: the files of the configuration would have it act, and answer elsewhere.
    @Test(.tags(.r29a)) func theBuiltInConfigurationIsServedWhereItIsAsked() throws {
        try volume.configure("act", more: "listen: unix:\(socket.string)\n")
        try volume.home.tree.directory("home/.config")
        try volume.home.tree.symbolicLink(
            "home/.config/headroom", to: volume.home.directory.path.appending("etc").string)
        let own = volume.home.directory.path.appending("own.sock")
        let child = try ChildProcess(
            "/bin/sh",
            [
                "-c", "exec \"$0\" serve --defaults --listen \"unix:$1\" --show-token 2>&1",
                Program.path, own.string,
            ], environment: volume.home.environment)
        try child.readOutput(until: "own.sock port")
        let status = try ChildProcess.run(
            "/usr/bin/curl",
            [
                "-s", "--unix-socket", own.string, "-H", "Authorization: Bearer \(try token)",
                "http://localhost/api/v1/status",
            ])
        #expect(status.json("mode") == "\"observe\"", "\(status.output)")
        #expect(!volume.home.tree.exists("run/api.sock"))
        child.send(15)
        #expect(try child.wait().exitCode == 0)
    }

    @Test(
        .tags(.r29g),
        arguments: [
            "192.168.1.2:9105", "127.0.0.1", "127.0.0.1:x",
            "unix:/\(String(repeating: "x", count: 200))",
        ])
    func anAddressThatIsNoneIsRefused(_ address: String) throws {
        let result = try volume.home.run("serve", "--defaults", "--listen", address)
        #expect(result.exitCode != 0)
        #expect(result.errors.contains("127.0.0.1:9105") || result.errors.contains("103 bytes"))
        let both = try volume.home.run("serve", "--defaults", "--directory", volume.directory)
        #expect(both.exitCode == 2)
    }

    /// Whoever follows a job does not hold up the end of the service.
    @Test func endsWhileSomebodyListens() throws {
        let child = try serve()
        let scan = try curl("/scans", ["-d", #"{"view":"home"}"#])
        let listener = try ChildProcess(
            "/usr/bin/curl",
            [
                "-s", "-N", "--unix-socket", socket.string, "-H",
                "Authorization: Bearer \(try token)",
                "http://localhost/api/v1/jobs/\(try text(scan, "id"))/events",
            ])
        try listener.readOutput(until: "event:")
        child.send(15)
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try child.wait().exitCode == 0)
        #expect(start.duration(to: clock.now) < .seconds(20))
        _ = try listener.wait()
    }

    /// R24: the first screen has what people are told, until it is over.
    @Test(.tags(.r24f)) func aVolumeThatCannotBeHelpedIsTold() throws {
        try volume.configure("act", more: "listen: unix:\(socket.string)\n")
        try volume.image.tree.file("essential/precious", size: .mebibytes(62))
        let child = try volume.serve()
        try child.readOutput(until: "Free space by hand")
        let status = try curl("/status").output
        let notices = try #require(status.range(of: "\"notices\":[")).upperBound
        #expect(status[notices...].prefix { $0 != "]" }.contains("Free space by hand"))
        #expect(status[notices...].prefix { $0 != "]" }.contains(volume.image.path.string))
        child.send(15)
        #expect(try child.wait().exitCode == 0)
    }
}
#endif
