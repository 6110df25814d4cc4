//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// Where a file system keeps no birth times, what goes by its creation goes by when it was seen first.
@Suite("R19: without birth times")
struct FirstSeenTests {
    /// Who looks: an app or a person, or the service by its policy.
    enum Way: CaseIterable { case keeper, policy }

    private let directory: TemporaryDirectory
    private let time: Time
    private let workspace: Workspace

    private final class Time: Sendable {
        /// Later than whatever the files of the test say of themselves.
        private let start = Timestamp.now().advanced(by: .seconds(60))
        private let content = Mutex(Duration.zero)
        var passed: Duration { content.withLock { $0 } }
        var now: Timestamp { start.advanced(by: passed) }
        func pass(days: Int64) { content.withLock { $0 += .seconds(days * 86_400) } }
    }

    init() throws {
        let directory = try TemporaryDirectory(on: .disk)
        let time = Time()
        var calls = HookedCalls()
        calls.adjust = { _, status in status.created = nil }
        calls.adjustOpen = { status in status.created = nil }
        workspace = Workspace(
            ledger: Ledger.open(directory: directory.path.appending("state")) { time.now },
            layouts: [], interrupted: [], clock: { time.now },
            sampleClocks: { ClockSample(wall: time.now, sinceBoot: time.passed, boot: 1) },
            calls: calls)
        self.directory = directory
        self.time = time
    }

    private func register(_ rules: DirectoryRules) throws {
        try workspace.registerDirectory(directory.path.appending("Renders"), rules)
    }

    /// Makes a file, or a directory with a file in it, that says it is old.
    private func make(_ name: String, days: Int64, isDirectory: Bool = false) throws {
        let path = TreePath("Renders/" + name)
        try directory.tree.file(isDirectory ? path / "part" : path, size: .kilobytes(40))
        try directory.tree.age(path, by: .seconds(days * 86_400))
    }

    private func exists(_ name: String) -> Bool {
        directory.tree.exists(TreePath("Renders/" + name))
    }

    private func look(_ way: Way) {
        switch way {
        case .keeper:
            let keeper = DirectoryKeeper(workspace, requester: "test")
            let checks = keeper.check(workspace.registered)
            #expect(checks.directories.map(\.problem) == [nil])
        case .policy:
            let runner = PolicyRunner(workspace, .standard, place: nil, requester: "test")
            let results = runner.run(PolicyStep(.due, spending: .due), trigger: .interval)
            #expect(results.allSatisfy { $0.outcome == .purged || $0.outcome == .nothing })
        }
    }

    @Test(.tags(.r19g), arguments: Way.allCases, [PurgeUnit.file, .entry])
    func retentionCountsFromTheDayAFileWasSeenFirst(way: Way, unit: PurgeUnit) throws {
        try register(DirectoryRules(retention: .seconds(14 * 86_400), unit: unit))
        let isDirectory = unit == .entry
        try make("first", days: 100, isDirectory: isDirectory)
        look(way)
        #expect(exists("first"))
        time.pass(days: 6)
        try make("second", days: 200, isDirectory: isDirectory)
        look(way)
        time.pass(days: 7)
        look(way)
        #expect(exists("first") && exists("second"))
        // The fourteenth day.
        time.pass(days: 1)
        look(way)
        #expect(!exists("first") && exists("second"))
        time.pass(days: 5)
        look(way)
        #expect(exists("second"))
        time.pass(days: 1)
        look(way)
        #expect(!exists("second"))
    }

    @Test(.tags(.r19g), arguments: Way.allCases)
    func atTheLimitWhatWasSeenFirstGoesFirst(way: Way) throws {
        try register(DirectoryRules(limit: ByteCount(120_000)))
        // By their own times the other way round.
        for (name, days) in [("first", 10), ("second", 20), ("third", 30)] as [(String, Int64)] {
            try make(name, days: days)
            look(way)
            time.pass(days: 1)
            if name != "third" { #expect(exists("first") && exists(name)) }
        }
        #expect(!exists("first") && !exists("second") && exists("third"))
    }
}
