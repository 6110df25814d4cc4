//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import Logging
import Synchronization
import SystemPackage
import Testing

/// What people and the log are told of a volume that does not answer.
struct SilentVolumeTests {
    private let directory: TemporaryDirectory
    private let log = Lines()

    private final class Lines: Sendable {
        private let content = Mutex("")

        var text: String { content.withLock { $0 } }
        func add(_ text: String) { content.withLock { $0 += text } }
    }

    private struct Stream: TextOutputStream, Sendable {
        let lines: Lines
        mutating func write(_ string: String) { lines.add(string) }
    }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.directory("home")
        try directory.tree.directory("state")
    }

    private func makeReporter() -> ServiceReporter {
        let state = directory.path.appending("state")
        let workspace = Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"),
            ledgerDirectory: state, minIdle: .none, clock: Timestamp.now)
        let log = log
        return ServiceReporter(
            version: "1.2.3", directory: state, workspace: workspace, environment: [:],
            logger: Logger(label: "test") {
                StreamLogHandler(label: $0, stream: Stream(lines: log))
            })
    }

    /// At critical, before and now.
    private func change(to state: PressureGauge.State) -> AutomationEvent {
        var change = Events.change(from: .critical, available: .megabytes(10))
        change.volume.state = state
        return .pressure(change)
    }

    @Test func isToldOnceUntilItAnswers() throws {
        let reporter = makeReporter()
        let misses = [PressureGauge.State.silent, .failing(.ioError), .silent]
        for _ in 0..<2 {
            for state in misses { reporter.note(change(to: state)) }
            #expect(reporter.banners().count == 1)
            let text = try #require(reporter.banners().first)
            #expect(text.hasPrefix("/data does not answer: "), "\(text)")
            reporter.note(change(to: .answering))
            #expect(reporter.banners() == [])
        }
    }

    @Test(
        "A notice says that a volume is mounted read-only, until it can be written to again",
        .tags(.r23c))
    func readOnlyVolumeHasANotice() throws {
        let reporter = makeReporter()
        reporter.note(change(to: .exempt(.readOnly)))
        #expect(reporter.banners().count == 1)
        let text = try #require(reporter.banners().first)
        #expect(text.hasPrefix("/data is mounted read-only"), "\(text)")
        #expect(log.text.contains("a volume is mounted read-only"), "\(log.text)")
        reporter.note(change(to: .answering))
        #expect(reporter.banners() == [])
    }

    @Test func theLogSaysSo() {
        let reporter = makeReporter()
        for (state, line) in [
            (.silent, "a volume does not answer"), (.failing(.ioError), "cannot be asked"),
            (.answering, "a volume answers again"),
        ] as [(PressureGauge.State, String)] {
            #expect(!log.text.contains(line))
            reporter.note(change(to: state))
            #expect(log.text.contains(line), "\(log.text)")
        }
        // One line for each.
        #expect(log.text.split(separator: "\n").count == 3, "\(log.text)")
    }

    @Test func theNoticeNamesTheVolume() throws {
        let event = change(to: .failing(.ioError))
        let notice = try #require(event.notices(mode: .observe, at: Events.start).first)
        #expect(notice.kind == .volume && notice.volume == "/data" && notice.isInLog)
        #expect(notice.urgency == .medium)
        #expect(change(to: .answering).notices(mode: .observe, at: Events.start).isEmpty)
    }
}
