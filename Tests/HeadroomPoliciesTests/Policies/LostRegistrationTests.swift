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

/// After a ledger was lost, what was registered in it, and what it knew to be in use, stays for a day.
struct LostRegistrationTests {
    private let directory: TemporaryDirectory
    private let time: Time

    private final class Time: Sendable {
        private let content = Mutex(Timestamp.now())
        var now: Timestamp { content.withLock { $0 } }
        func pass(_ duration: Duration) { content.withLock { $0 = $0.advanced(by: duration) } }
    }

    private static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        time = Time()
        try directory.tree.directory("home")
        try directory.tree.file("area/app/Maps/world", size: .kilobytes(8))
        try directory.tree.file("area/app/other", size: .kilobytes(8))
    }

    private var maps: FilePath { directory.path.appending("area/app/Maps") }

    /// What a configuration declares around it keeps things for two weeks after their last use.
    private func open() -> Workspace {
        let time = time
        let area = Area(
            root: directory.path.appending("area"), purgeClass: .cache,
            retention: Self.days(14), origin: "test")
        return Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: { time.now }
        ).declaring([area]).sampling {
            let now = time.now
            return ClockSample(
                wall: now, sinceBoot: now.duration(since: Timestamp(seconds: 0)), boot: 1)
        }
    }

    private func loseLedger() throws { try directory.tree.remove("state/ledger.log") }

    /// What the policy of a service does when it starts: what is due goes.
    private func run(_ workspace: Workspace) -> [PolicyResult] {
        PolicyRunner(workspace, .eager, place: nil, requester: "test").run(
            PolicyStep(.due, spending: .due), trigger: .launch)
    }

    /// The names of the files that would go; directories that they leave empty go along.
    private func planned(_ workspace: Workspace, _ targets: [Target]) throws -> [String] {
        let scope = workspace.scope()
        guard !scope.roots.isEmpty else { return [] }
        let plan = try scope.plan(try scope.scan(), targets: targets, through: .lastResort)
        return plan.compactMap { $0.path.lastComponent?.string }
            .filter { $0 != "app" && $0 != "Maps" }.sorted()
    }

    private func exists(_ name: String) -> Bool {
        directory.tree.exists(TreePath("area/app/" + name))
    }

    private func isSaid(_ words: String, by workspace: Workspace) -> Bool {
        workspace.scope().notes.contains { $0.text.contains(words) }
    }

    private static let lost = "was registered in the ledger that was lost"

    @Test(.tags(.r9f), arguments: [PurgeUnit.file, .entry])
    func whatWasRegisteredStaysForADay(unit: PurgeUnit) throws {
        try open().registerDirectory(maps, DirectoryRules(unit: unit))
        time.pass(Self.days(30))
        // It never expires, and goes when everything does.
        #expect(try planned(open(), [.expired]) == ["other"])
        #expect(try planned(open(), [.all]) == ["other", "world"])
        try loseLedger()
        let second = open()
        #expect(second.ledger.rebuiltAt == time.now)
        #expect(run(second).allSatisfy { $0.outcome == .nothing })
        #expect(try planned(second, [.all]) == ["other"])
        #expect(isSaid(Self.lost, by: second))
        // Nor after another start, just before the day is over.
        time.pass(.seconds(86_400 - 60))
        #expect(run(open()).allSatisfy { $0.outcome == .nothing })
        #expect(try planned(open(), [.all]) == ["other"])
        #expect(exists("Maps/world") && exists("other"))
        // Then it is a part of what it lies in.
        time.pass(.seconds(120))
        #expect(!isSaid(Self.lost, by: open()))
        #expect(run(open()).contains { $0.outcome == .purged })
        #expect(!exists("Maps/world") && !exists("other"))
    }

    @Test(.tags(.r9f)) func registeringAgainEndsIt() throws {
        try open().registerDirectory(maps, DirectoryRules())
        time.pass(Self.days(30))
        try loseLedger()
        let second = open()
        try second.registerDirectory(maps, DirectoryRules())
        #expect(!isSaid(Self.lost, by: second))
        for workspace in [second, open()] {
            #expect(try planned(workspace, [.all]) == ["other", "world"])
        }
        time.pass(Self.days(2))
        #expect(run(open()).contains { $0.outcome == .purged })
        #expect(exists("Maps/world") && !exists("other"))
    }

    /// A process that has it open knows what was registered, though the copy is lost as well. It is no permission any
    /// more, and still a reason to leave alone what lies below.
    @Test func whoHadItOpenLeavesAloneWhatItKnew() throws {
        let workspace = open()
        try workspace.registerDirectory(maps, DirectoryRules())
        time.pass(Self.days(30))
        try loseLedger()
        try directory.tree.remove("state/registrations.log")
        workspace.ledger.refresh()
        #expect(workspace.ledger.rebuiltAt == time.now)
        #expect(workspace.ledger.registrations == [])
        #expect(try planned(workspace, [.all]) == ["other"])
        #expect(isSaid(Self.lost, by: workspace))
        time.pass(.seconds(86_400 + 60))
        #expect(!isSaid(Self.lost, by: workspace))
    }

    @Test(.tags(.r9f)) func earlierRulesAreNotTakenForTheLatest() throws {
        let first = open()
        try first.registerDirectory(maps, DirectoryRules(retention: Self.days(1)))
        try first.registerDirectory(maps, DirectoryRules())
        var bytes = try directory.tree.contents(of: "state/ledger.log")
        bytes[bytes.count - 3] ^= 4
        try directory.tree.file("state/ledger.log", contents: bytes)
        let second = open()
        #expect(second.ledger.registrations.first?.retention == Self.days(1))
        #expect(try planned(second, [.all]) == ["other"])
        #expect(try planned(open(), [.all]) == ["other"])
        // Somebody says that it is these.
        try second.registerDirectory(maps, DirectoryRules(retention: Self.days(1)))
        #expect(try planned(second, [.all]) == ["other", "world"])
    }

    @Test func whatWasTakenOutIsNotLeftAlone() throws {
        let first = open()
        try first.registerDirectory(maps, DirectoryRules())
        try first.unregisterDirectory(maps)
        try loseLedger()
        #expect(try planned(open(), [.all]) == ["other", "world"])
    }

    @Test(.tags(.r9f)) func whatWasUsedStaysThoughTheUseIsForgotten() throws {
        time.pass(Self.days(30))
        let first = open()
        let status = try directory.tree.status(of: "area/app/other")
        let volume = try #require(try Volume.containing(directory.path).figures)
        try first.ledger.recordUse(
            of: FileKey(status, fileSystemID: volume.fileSystemID), at: time.now)
        #expect(try planned(first, [.expired]) == ["world"])
        try loseLedger()
        let second = open()
        #expect(try planned(second, [.expired]) == [])
        #expect(try planned(second, [.olderThan(Self.days(20), by: .used)]) == [])
        #expect(run(second).allSatisfy { $0.outcome == .nothing })
        #expect(isSaid("Nothing goes by its age", by: second))
        time.pass(Self.days(1))
        #expect(run(open()).contains { $0.outcome == .purged })
        #expect(!exists("Maps/world") && !exists("other"))
    }

    @Test(.tags(.r9f)) func aRegistrationHoldsThoughItCannotBeCopied() throws {
        _ = open()
        try directory.tree.directory("state/registrations.log")
        let first = open()
        try first.registerDirectory(maps, DirectoryRules())
        #expect(first.ledger.registrations.count == 1)
        #expect(first.ledger.notices.contains { $0.contains("registrations.log") })
        // It is copied when it can be.
        try directory.tree.remove("state/registrations.log")
        #expect(open().ledger.notices == [])
        try loseLedger()
        #expect(try planned(open(), [.all]) == ["other"])
    }

    @Test(.tags(.r9f)) func nothingGoesIfTheCopyIsDamagedToo() throws {
        try open().registerDirectory(maps, DirectoryRules())
        try directory.tree.file(
            "state/registrations.log", text: "this is no log, and long enough to be read")
        try loseLedger()
        let second = open()
        #expect(try planned(second, [.all]) == [])
        #expect(isSaid("its copy is damaged too", by: second))
        time.pass(Self.days(1))
        #expect(try planned(open(), [.all]) == ["other", "world"])
        // The next one that is registered is copied again.
        try open().registerDirectory(maps, DirectoryRules())
        #expect(open().ledger.notices == [])
        try loseLedger()
        #expect(try planned(open(), [.all]) == ["other"])
    }
}
