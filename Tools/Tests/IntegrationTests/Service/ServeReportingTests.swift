//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// R29, R37: what the service as a process tells about itself.
@Suite(
    .blocks, .enabled(if: ServedVolume.isPossible, "needs root to mount a tmpfs, and a C compiler"))
struct ServeReportingTests {
    private func filled(_ volume: ServedVolume) throws {
        for number in 0..<30 {
            try volume.image.tree.file("cache/\(number)" as TreePath, size: .mebibytes(1))
        }
        try volume.image.tree.file(
            "essential/fill", size: try volume.figures.available - .mebibytes(5))
    }

    private func stop(_ child: ChildProcess) throws -> ChildResult {
        child.send(15)
        let result = try child.wait()
        #expect(result.exitCode == 0, "\(result.output)")
        return result
    }

    private func metrics(_ socket: FilePath) throws -> String {
        try ChildProcess.run(
            "/usr/bin/curl", ["-s", "--unix-socket", socket.string, "http://localhost/metrics"]
        ).output
    }

    /// The value of the line that begins so.
    private func value(_ text: String, _ line: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix(line + " ") }
            .flatMap { Double($0.dropFirst(line.utf8.count + 1)) }
    }

    // MARK: - Metrics

    @Test(.enabled(if: Privilege.has(program: "curl"), "needs curl"))
    func metricsShowThePurge() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        let socket = volume.home.directory.path.appending("run/metrics.sock")
        try volume.configure("act", more: "listen: unix:\(socket.string)\n")
        try filled(volume)
        let child = try volume.serve()
        try child.readOutput(until: "] purged")
        let text = try metrics(socket)
        let freed = value(
            text, #"headroom_freed_bytes_total{class="cache",trigger="launch"}"#)
        let gone = 30 - (try volume.count("cache"))
        #expect(gone > 0)
        #expect(freed == Double(gone) * 1_048_576, "\(text)")
        #expect(
            value(text, #"headroom_purges_total{outcome="reached",trigger="launch"}"#) == 1)
        #expect(
            value(text, #"headroom_purge_duration_seconds_count{trigger="launch"}"#) == 1)
        #expect(
            value(
                text,
                #"headroom_volume_size_bytes{mount="\#(volume.image.path)",type="tmpfs"}"#)
                == Double(volume.size.bytes))
        #expect(value(text, "headroom_configuration_taken") == 1)
        _ = try stop(child)
        #expect(!volume.home.tree.exists("run/metrics.sock"))
    }

    @Test(.enabled(if: Privilege.has(program: "curl"), "needs curl"))
    func aReloadMovesTheAddress() throws {
        let volume = try ServedVolume(size: .mebibytes(16))
        let (one, other) = (
            volume.home.directory.path.appending("run/one.sock"),
            volume.home.directory.path.appending("run/other.sock")
        )
        try volume.configure("observe", more: "listen: unix:\(one.string)\n")
        let child = try volume.serve()
        try child.readOutput(until: "one.sock port")
        #expect(try metrics(one).contains("headroom_build_info"))
        try volume.home.tree.file("etc/headroom.yaml", text: "mode: akt\n")
        child.send(1)
        try child.readOutput(until: "the one before is kept")
        try child.readOutput(until: "headroom.yaml:1: mode:")
        #expect(value(try metrics(one), "headroom_configuration_taken") == 0)
        try volume.configure("observe", more: "listen: unix:\(other.string)\n")
        child.send(1)
        try child.readOutput(until: "other.sock port")
        #expect(value(try metrics(other), "headroom_configuration_taken") == 1)
        #expect(!volume.home.tree.exists("run/one.sock"))
        _ = try stop(child)
    }

    @Test func anAddressThatCannotBeHadEndsNothing() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.home.tree.file("etc/taken", text: "no socket")
        let taken = volume.home.directory.path.appending("etc/taken")
        try volume.configure("act", more: "listen: unix:\(taken.string)\n")
        try filled(volume)
        let child = try volume.serve()
        try child.readOutput(until: "] purged")
        let result = try stop(child)
        #expect(result.output.contains("is no socket, and is not replaced by one"))
        #expect(volume.home.tree.exists("etc/taken"))
    }

    // MARK: - History

    private func history(_ volume: ServedVolume) -> FilePath {
        volume.home.directory.path.appending("state/history.sqlite")
    }

    private func known(_ volume: ServedVolume) -> HistoryVolume {
        HistoryVolume(mountPoint: volume.image.path, type: "tmpfs")
    }

    @Test func theHistoryHasSamplesAndTheReceipt() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        try volume.configure("act")
        try filled(volume)
        let child = try volume.serve()
        try child.readOutput(until: "] purged")
        _ = try stop(child)
        let history = try #require(try History.openReadOnly(at: history(volume)))
        let samples = try history.samples(of: known(volume))
        #expect(samples.first?.total == volume.size)
        let receipts = try history.receipts().filter { $0.volume == volume.image.path.string }
        let gone = 30 - (try volume.count("cache"))
        #expect(receipts.map(\.removedItems) == [gone])
        #expect(receipts.first?.freedByClass == ["cache": .mebibytes(Int64(gone))])
        let events = try history.events()
        #expect(events.contains { $0.kind == .level && $0.volume == volume.image.path })
        #expect(events.first?.kind == .service)
    }

    @Test func aHistoryThatCannotBeOpenedEndsNothing() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        let place = volume.home.directory.path.appending("etc/headroom.yaml/history.sqlite")
        try volume.configure("act", more: "history:\n  path: \(place.string)\n")
        try filled(volume)
        let child = try volume.serve()
        try child.readOutput(until: "] purged")
        #expect(try stop(child).output.contains("goes on without a history"))
    }

    @Test func aReloadMovesTheHistory() throws {
        let volume = try ServedVolume(size: .mebibytes(16))
        try volume.configure("observe")
        let child = try volume.serve()
        let other = volume.home.directory.path.appending("etc/other.sqlite")
        try volume.configure("observe", more: "history:\n  path: \(other.string)\n")
        child.send(1)
        try child.readOutput(until: "the configuration was read again")
        _ = try stop(child)
        let moved = try #require(try History.openReadOnly(at: other))
        #expect(try moved.events().map(\.kind) == [.service, .configuration])
    }

    // MARK: - Notices

    @Test(.tags(.r24e)) func aCommandGetsTheNotice() throws {
        let volume = try ServedVolume(size: .mebibytes(64))
        let told = volume.home.directory.path.appending("told")
        try volume.configure(
            "act",
            more: """
                listen: unix:\(volume.home.directory.path)/run/metrics.sock
                notifications:
                  command: [/bin/sh, -c, 'cat >> "$0"', \(told)]

                """)
        try volume.image.tree.file("cache/one", size: .mebibytes(1))
        try volume.image.tree.file("essential/fill", size: try volume.figures.available)
        let child = try volume.serve()
        try child.readOutput(until: "a volume cannot be helped")
        var notices = ""
        let isTold = Soon.holds(within: .seconds(300)) {
            // It is not there before it is told.
            notices = (try? String(contentsOf: told.string)) ?? ""
            return notices.hasSuffix("\n")
        }
        #expect(isTold)
        #expect(notices.contains(#""kind":"cannotHelp","level":"critical""#), "\(notices)")
        #expect(notices.contains(#""volume":"\#(volume.image.path)""#))
        #expect(notices.contains("Free space by hand"))
        if Privilege.has(program: "curl") {
            let text = try metrics(volume.home.directory.path.appending("run/metrics.sock"))
            #expect(value(text, #"headroom_notices_total{kind="cannotHelp"}"#) == 1)
            let labels = #"{mount="\#(volume.image.path)",type="tmpfs"}"#
            #expect(value(text, "headroom_cannot_help" + labels) == 1)
        }
        _ = try stop(child)
    }
}
#endif
