//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R19: purgeable directories")
struct PurgeableDirectoryTests {
    private let fixture: StorageFixture
    private var storage: Storage { fixture.storage }
    private let caches: TreePath = "home/.cache/Podcaster"

    init() throws {
        fixture = try StorageFixture()
    }

    private func file(_ name: String, kilobytes: Int = 4) throws {
        try fixture.tree.file(
            caches / TreePath(name), contents: [UInt8](repeating: 7, count: kilobytes * 1000))
    }

    private func refusal(_ url: URL, of storage: Storage? = nil) throws -> StorageError {
        try #require(
            #expect(throws: StorageError.self) {
                try (storage ?? self.storage).purgeableDirectory(at: url)
            })
    }

    private func url(_ path: TreePath) -> URL {
        URL(filePath: fixture.tree.path(path).string, directoryHint: .isDirectory)
    }

    // MARK: - Registration

    @Test(.tags(.r19a)) func aRelativeNameLiesInTheAppsCachesAndIsMade() throws {
        let url = try storage.purgeableDirectory(
            "Maps/Offline", retention: .days(14), limit: .megabytes(500))
        #expect(FilePath(url.path) == fixture.tree.path(caches / "Maps/Offline"))
        #expect(try fixture.tree.status(of: caches / "Maps/Offline").permissions == 0o700)
        let directory = try #require(storage.purgeableDirectories.first)
        #expect(directory.retention == .days(14) && directory.limit == .megabytes(500))
        #expect(directory.options == PurgeableDirectoryOptions())
    }

    @Test(.tags(.r19a)) func itIsMadeAgainWhenTheSystemHasTakenItAway() throws {
        let url = try storage.purgeableDirectory("Maps", retention: .days(3))
        try fixture.tree.remove(caches / "Maps")
        #expect(storage.checkPurgeableDirectories().directories.map(\.problem) == [nil])
        #expect(try storage.purgeableDirectory("Maps", retention: .days(3)) == url)
        #expect(fixture.tree.exists(caches / "Maps"))
    }

    @Test func registeringAgainChangesNothingAndOtherRulesReplace() throws {
        let first = try storage.purgeableDirectory("Maps", retention: .days(3))
        _ = try storage.purgeableDirectory("Tiles")
        #expect(try storage.purgeableDirectory("Maps", retention: .days(3)) == first)
        var options = PurgeableDirectoryOptions()
        options.order = .leastRecentlyUsed
        options.ageBasis = .used
        options.trimPercent = 80
        options.unit = .entry
        _ = try storage.purgeableDirectory(
            "Maps", retention: .after(.seconds(60)), limit: .megabytes(1), options: options)
        let all = storage.purgeableDirectories
        #expect(all.map(\.url.lastPathComponent) == ["Maps", "Tiles"])
        #expect(all[0].options == options)
        #expect(all[0].retention == .after(.seconds(60)) && all[0].limit == .megabytes(1))
    }

    @Test(.tags(.r19a)) func theyAreThereAtTheNextLaunch() throws {
        _ = try storage.purgeableDirectory("Maps", retention: .days(3), limit: .megabytes(2))
        let next = try fixture.anotherProcess()
        #expect(next.purgeableDirectories == storage.purgeableDirectories)
        #expect(next.purgeableDirectories.count == 1)
    }

    @Test(.tags(.r19d)) func overlapsAreRefused() throws {
        _ = try storage.purgeableDirectory("Maps/Offline")
        for name in ["Maps", "Maps/Offline/Tiles"] {
            let error = try refusal(url(caches / TreePath(name)))
            #expect(error.code == .refused)
            #expect(error.message.contains("side by side"), "\(error)")
        }
        #expect(!fixture.tree.exists(caches / "Maps/Offline/Tiles"))
        #expect(storage.purgeableDirectories.count == 1)
    }

    @Test(
        .tags(.r19d),
        arguments: [
            "home", "home/.cache", "home/.cache/Podcaster", "home/.local/share/Podcaster",
            "home/.local/share", "home/Documents", "home/Elsewhere", "home/.config/Podcaster",
            "home/.local/share/Podcaster/LastResort", "home/.local/share/Podcaster/LastResort/a",
            "tmp", "tmp/other",
        ] as [TreePath])
    func rolesAndOtherPlacesAreRefusedAndNothingIsMade(_ path: TreePath) throws {
        _ = try storage.save(Data([1]), as: .lastResort, named: "a/kept")
        let before = fixture.tree.exists(path)
        let error = try refusal(url(path))
        #expect(error.code == .refused, "\(error)")
        #expect(fixture.tree.exists(path) == before)
        #expect(storage.purgeableDirectories.isEmpty)
    }

    @Test(arguments: ["", "/absolute", "a/../b", "..", ".headroom-x", "a//b"])
    func badNamesAreRefused(_ name: String) throws {
        let error = #expect(throws: StorageError.self) {
            try storage.purgeableDirectory(name)
        }
        #expect(error?.code == .invalidName)
        #expect(!fixture.tree.exists(caches))
    }

    @Test func rulesThatMakeNoSenseAreRefused() throws {
        var options = PurgeableDirectoryOptions()
        options.trimPercent = 101
        for attempt: @Sendable () throws -> URL in [
            { [storage] in try storage.purgeableDirectory("a", retention: .days(0)) },
            { [storage] in try storage.purgeableDirectory("a", limit: ByteCount(-1)) },
            { [storage, options] in try storage.purgeableDirectory("a", options: options) },
        ] {
            let error = #expect(throws: StorageError.self) { try attempt() }
            #expect(error?.code == .refused)
        }
        #expect(!fixture.tree.exists(caches / "a"))
    }

    @Test(.tags(.r19d)) func aLinkOrAFileIsRefused() throws {
        try fixture.tree.directory(caches)
        try fixture.tree.file(caches / "file")
        try fixture.tree.directory("home/Precious")
        try fixture.tree.symbolicLink(
            caches / "link", to: fixture.tree.path("home/Precious").string)
        for name in ["file", "link", "file/below"] as [TreePath] {
            #expect(try refusal(url(caches / name)).code == .refused)
        }
        // Nor is a link taken for what it leads to, where that itself might be registered.
        try fixture.tree.file(caches / "Real/a")
        try fixture.tree.symbolicLink(
            caches / "inside", to: fixture.tree.path(caches / "Real").string)
        #expect(try refusal(url(caches / "inside")).code == .refused)
        #expect(storage.purgeableDirectories.isEmpty)
        #expect(fixture.tree.exists(caches / "Real/a"))
        // By a link on the way it lies elsewhere.
        #expect(try refusal(url(caches / "link/below")).code == .refused)
        #expect(try fixture.names("home/Precious") == [])
    }

    @Test func inAnEssentialPlaceItIsDeclaredByAMarkAndLeftOutOfBackups() throws {
        let place = "home/.local/share/Podcaster/Renders" as TreePath
        _ = try storage.purgeableDirectory(at: url(place), retention: .days(3))
        try fixture.tree.file(place / "a", contents: [UInt8](repeating: 1, count: 5000))
        #expect(try storage.explain(url(place / "a")).purgeClass == .cache)
        #expect(try storage.backupExclusion(of: url(place)).isVisibleToPrograms)
        let later = try fixture.storage(after: .seconds(4 * 86400))
        #expect(later.checkPurgeableDirectories().directories.first?.freed == ByteCount(8192))
        #expect(!fixture.tree.exists(place / "a"))
        // Taken back, it is as essential as before.
        try fixture.tree.file(place / "b")
        try later.removePurgeableDirectory(at: url(place))
        #expect(try later.explain(url(place / "b")).purgeClass == .essential)
        #expect(try later.backupExclusion(of: url(place)) == .none)
    }

    @Test func anotherProgramsDirectoryCannotBeTakenOver() throws {
        _ = try storage.purgeableDirectory("Maps")
        let workspace = Workspace.open(
            environment: [:], home: fixture.tree.path("home"),
            ledgerDirectory: fixture.base.path.appending("ledger"),
            minIdle: .none, clock: { Timestamp.wallClock() })
        let error = #expect(throws: HeadroomError.self) {
            try workspace.registerDirectory(
                fixture.tree.path(caches / "Maps"), DirectoryRules())
        }
        #expect(error?.message.contains("registered already, by Podcaster") == true)
    }

    // MARK: - Keeping

    @Test(.tags(.r19b)) func whatIsOlderThanTheRetentionGoesAtTheNextLaunch() async throws {
        _ = try await storage.purgeableDirectory("Maps", retention: .days(14))
        try file("Maps/old")
        try file("Maps/deep/er/old")
        try file("beside")
        await storage.start()
        #expect(try fixture.names(caches / "Maps") == ["deep", "old"])
        let report = try await (fixture.storage(after: .seconds(15 * 86400))).start()
        #expect(try fixture.names(caches / "Maps") == [])
        #expect(fixture.tree.exists(caches / "beside"))
        #expect(report.directories.directories.map(\.freed) == [ByteCount(8192)])
    }

    @Test(.tags(.r19b)) func manualContentNeverExpires() async throws {
        _ = try await storage.purgeableDirectory("Maps")
        try file("Maps/old")
        try await fixture.storage(after: .seconds(1000 * 86400)).start()
        #expect(fixture.tree.exists(caches / "Maps/old"))
    }

    @Test(.tags(.r19c)) func atTheLimitTheOldestGoUntilHalfOfItIsLeft() throws {
        var options = PurgeableDirectoryOptions()
        options.order = .leastRecentlyUsed
        _ = try storage.purgeableDirectory("Maps", limit: ByteCount(10 * 4096), options: options)
        let now = Timestamp.wallClock()
        for number in 0..<9 {
            let name = caches / TreePath("Maps/\(number)")
            try fixture.tree.file(name, contents: [UInt8](repeating: 7, count: 4000))
            // Later than they were made, each an hour after the other.
            let time = now.advanced(by: .seconds(3600 * (number + 1)))
            try fixture.tree.setTimes(of: name, accessed: time, modified: time)
        }
        let later = try fixture.storage(after: .seconds(86400))
        #expect(later.checkPurgeableDirectories().freed == .zero)  // 9 of 10: below.
        try file("Maps/9")
        let tenth = now.advanced(by: .seconds(3600 * 10))
        try fixture.tree.setTimes(of: caches / "Maps/9", accessed: tenth, modified: tenth)
        let checks = later.checkPurgeableDirectories()
        #expect(checks.directories.first?.usage == ByteCount(10 * 4096))
        #expect(try fixture.names(caches / "Maps") == ["5", "6", "7", "8", "9"])
    }

    @Test func whatIsPinnedOrLeasedStays() throws {
        _ = try storage.purgeableDirectory("Maps", retention: .days(1))
        for name in ["pinned", "leased", "plain"] { try file("Maps/\(name)") }
        try storage.mark(url(caches / "Maps/pinned"), .pinned)
        let later = try fixture.storage(after: .seconds(2 * 86400))
        let lease = try Lease.acquire(fixture.tree.path(caches / "Maps/leased"))
        _ = later.checkPurgeableDirectories()
        lease.release()
        #expect(try fixture.names(caches / "Maps") == ["leased", "pinned"])
    }

    @Test(.tags(.r19e)) func resettingEmptiesAndKeepsTheRegistrations() throws {
        _ = try storage.purgeableDirectory("Maps")
        _ = try storage.purgeableDirectory("Tiles")
        for name in ["Maps/a/b", "Maps/c", "Tiles/d", "beside"] { try file(name) }
        let one = try storage.resetPurgeableDirectory(at: url(caches / "Tiles"))
        #expect(one.freed == ByteCount(4096))
        #expect(try fixture.names(caches / "Tiles") == [])
        #expect(try fixture.names(caches / "Maps") == ["a", "c"])
        let all = storage.resetAllPurgeableDirectories()
        #expect(all.freed == ByteCount(8192))
        #expect(try fixture.names(caches) == ["Maps", "Tiles", "beside"])
        #expect(try fixture.names(caches / "Maps") == [])
        #expect(storage.purgeableDirectories.count == 2)
    }

    @Test func takingARegistrationBackLeavesTheContent() throws {
        _ = try storage.purgeableDirectory("Maps", retention: .days(1))
        try file("Maps/a")
        try storage.removePurgeableDirectory(at: url(caches / "Maps"))
        #expect(storage.purgeableDirectories.isEmpty)
        _ = try fixture.storage(after: .seconds(9 * 86400)).checkPurgeableDirectories()
        #expect(fixture.tree.exists(caches / "Maps/a"))
        let error = #expect(throws: StorageError.self) {
            try storage.removePurgeableDirectory(at: url(caches / "Maps"))
        }
        #expect(error?.code == .notFound)
    }

    @Test func oneThatIsBeingPurgedHoldsUpNoOther() throws {
        for name in ["Maps", "Tiles"] {
            _ = try storage.purgeableDirectory(name, retention: .days(1))
            try file("\(name)/a")
        }
        let later = try fixture.storage(after: .seconds(2 * 86400))
        let directory = try fixture.tree.open(caches / "Maps")
        let lock = try AreaLock.acquire(
            root: directory.rawValue, path: fixture.tree.path(caches / "Maps"))
        let checks = later.checkPurgeableDirectories()
        withExtendedLifetime(lock) {}
        #expect(checks.directories.map(\.problem?.code) == [.busy, nil])
        #expect(fixture.tree.exists(caches / "Maps/a"))
        #expect(!fixture.tree.exists(caches / "Tiles/a"))
    }

    // MARK: - Containers

    @Test(.tags(.r1e)) func registrationsMoveWithTheContainer() throws {
        let base = fixture.base
        for place in ["Documents", "Library/Caches", "tmp"] {
            try base.tree.directory("old/\(place)")
        }
        let ledger = base.path.appending("ledger")
        func open(_ name: String) throws -> Storage {
            try Storage(
                container: URL(filePath: base.path.appending(name).string), owner: "Podcaster",
                ledgerDirectory: ledger)
        }
        _ = try open("old").purgeableDirectory("Maps", retention: .days(3))
        try base.tree.rename("old", to: "new")
        let moved = try open("new").purgeableDirectories
        #expect(
            moved.map { FilePath($0.url.path) }
                == [base.path.appending("new/Library/Caches/Podcaster/Maps")])
        // One that is still there keeps its own.
        for place in ["Documents", "Library/Caches", "tmp"] {
            try base.tree.directory("other/\(place)")
        }
        #expect(try open("other").purgeableDirectories.isEmpty)
        #expect(try open("new").purgeableDirectories.count == 1)
    }

    // MARK: - Clocks

    @Test(.tags(.r19f)) func afterTheClockWasMovedAgeRulesPauseForADay() throws {
        _ = try storage.purgeableDirectory("Maps", retention: .days(3))
        try file("Maps/a")
        func check(wall: Duration, passed: Duration) throws -> DirectoryChecks {
            let storage = try Storage(
                home: fixture.tree.path("home"), environment: [:], owner: "Podcaster",
                ledgerDirectory: fixture.base.path.appending("ledger"),
                clock: { Timestamp.wallClock().advanced(by: wall) },
                sampleClocks: {
                    ClockSample(
                        wall: Timestamp.wallClock().advanced(by: wall),
                        sinceBoot: SystemBoot.elapsed + passed, boot: 1)
                })
            return storage.checkPurgeableDirectories()
        }
        let day = Duration.seconds(86400)
        #expect(try !check(wall: .zero, passed: .zero).ageRulesPaused)
        // A year ahead within a minute.
        #expect(try check(wall: day * 365, passed: .seconds(60)).ageRulesPaused)
        #expect(try check(wall: day * 365, passed: .seconds(3600)).ageRulesPaused)
        #expect(fixture.tree.exists(caches / "Maps/a"))
        // It stays so for a day: the clock was set right.
        #expect(try !check(wall: day * 366.5, passed: day * 1.5).ageRulesPaused)
        #expect(!fixture.tree.exists(caches / "Maps/a"))
    }
}
