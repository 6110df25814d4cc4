//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Foundation
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// R29: the service on sockets that it is handed, by the program that systemd has for trying this.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"),
    .enabled(if: Privilege.has(program: "curl"), "needs curl"),
    .enabled(
        if: Privilege.has(program: "systemd-socket-activate"), "needs systemd-socket-activate"))
struct ServeSocketTests {
    private let volume: ServedVolume

    init() throws { volume = try ServedVolume(size: .mebibytes(64)) }

    private var socket: String {
        volume.home.directory.path.appending("headroom.socket").string
    }

    /// Listens as systemd does, and starts the service when the first comes.
    private func listen(on places: [String], more: String = "") throws -> ChildProcess {
        try volume.configure("observe", more: more)
        let environment = volume.home.environment.flatMap { name, value in
            value.map { ["-E", "\(name)=\($0)"] } ?? []
        }
        let child = try ChildProcess(
            "/bin/sh",
            ["-c", "exec systemd-socket-activate \"$@\" 2>&1", "sh"]
                + places.flatMap { ["-l", $0] } + environment
                + [Program.path, "serve", "--directory", volume.directory],
            environment: volume.home.environment)
        try child.readOutput(until: "Listening on \(places[places.count - 1])")
        return child
    }

    private func curl(_ address: String, _ arguments: String...) throws -> ChildResult {
        try ChildProcess.run(
            "/usr/bin/curl", ["-s", "--max-time", "30", "-w", " %{http_code}", address] + arguments)
    }

    private var token: String {
        get throws {
            String(
                decoding: try volume.home.tree.contents(of: "state/api-token").dropLast(),
                as: UTF8.self)
        }
    }

    private func end(_ child: ChildProcess) throws -> String {
        child.send(15)
        let result = try child.wait()
        #expect(result.exitCode == 0, "\(result.output.suffix(2_000))")
        return result.output
    }

    @Test func theFirstRequestStartsItAndIsAnswered() throws {
        let child = try listen(on: [socket])
        let metrics = try curl("http://localhost/metrics", "--unix-socket", socket)
        #expect(metrics.output.contains("headroom_") && metrics.output.hasSuffix(" 200"))
        let refused = try curl("http://localhost/api/v1/status", "--unix-socket", socket)
        #expect(refused.output.hasSuffix(" 401"))
        let status = try curl(
            "http://localhost/api/v1/status", "--unix-socket", socket, "-H",
            "Authorization: Bearer \(try token)")
        #expect(status.output.contains("\"volumes\"") && status.output.hasSuffix(" 200"))
        let foreign = try curl(
            "http://localhost/metrics", "--unix-socket", socket, "-H", "Host: example.org")
        #expect(foreign.output.hasSuffix(" 421"))
        _ = try end(child)
        // The socket is systemd's: who starts the service next finds it.
        #expect(FileManager.default.fileExists(atPath: socket))
    }

    @Test func answersOnAllThatItIsHandedAndOnItsOwn() throws {
        let own = volume.home.directory.path.appending("run/own.sock").string
        let port = try FreePort.find()
        let child = try listen(
            on: [socket, "127.0.0.1:\(port)"], more: "listen: unix:\(own)\n")
        let first = try curl("http://127.0.0.1:\(port)/metrics")
        #expect(first.output.hasSuffix(" 200"))
        for path in [socket, own] {
            let answer = try curl("http://localhost/metrics", "--unix-socket", path)
            #expect(answer.output.hasSuffix(" 200"), "\(path)")
        }
        _ = try end(child)
    }

    @Test func aReloadKeepsTheSocket() throws {
        let child = try listen(on: [socket])
        #expect(
            try curl("http://localhost/metrics", "--unix-socket", socket).output.hasSuffix(" 200"))
        try volume.configure("observe", grace: "1h")
        child.send(1)
        try child.readOutput(until: "the configuration was read again")
        for _ in 0..<3 {
            let answer = try curl("http://localhost/metrics", "--unix-socket", socket)
            #expect(answer.output.hasSuffix(" 200"))
        }
        _ = try end(child)
    }

    @Test func refusesASocketThatOthersCanReach() throws {
        let port = try FreePort.find()
        let child = try listen(on: ["0.0.0.0:\(port)"])
        let answer = try ChildProcess.run(
            "/usr/bin/curl", ["-s", "--max-time", "5", "http://127.0.0.1:\(port)/metrics"])
        #expect(answer.exitCode != 0 && answer.output.isEmpty)
        try child.readOutput(until: "which answers this machine only")
        let log = try end(child)
        #expect(log.contains("0.0.0.0:\(port)"))
    }
}
#endif
