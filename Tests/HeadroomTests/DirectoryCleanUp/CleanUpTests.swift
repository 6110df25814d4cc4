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

@Suite("R21: clean-up by age and size")
struct CleanUpTests {
    private let fixture: StorageFixture
    private let place: TreePath = "home/.cache/Podcaster/Thumbnails"
    private let now = Timestamp.wallClock()

    init() throws {
        fixture = try StorageFixture()
        try fixture.tree.directory(place)
    }

    private var url: URL {
        URL(filePath: fixture.tree.path(place).string, directoryHint: .isDirectory)
    }

    /// Thirty days later: files are as old as they are said to be, though all were made now.
    private var storage: Storage {
        get throws { try fixture.storage(after: .seconds(30 * 86400)) }
    }

    private func file(_ name: String, unusedForDays days: Int, blocks: Int = 1) throws {
        let path = place / TreePath(name)
        try fixture.tree.file(path, contents: [UInt8](repeating: 7, count: blocks * 4096))
        let time = now.advanced(by: .seconds((30 - days) * 86400))
        try fixture.tree.setTimes(of: path, accessed: time, modified: time)
    }

    /// A process that has a file open.
    private func hold(_ name: String) throws -> ChildProcess {
        try Holder.python("f=open('\(fixture.tree.path(place / TreePath(name)))')")
    }

    private func names() throws -> [String] { try fixture.names(place) }

    @Test(.tags(.r21a)) func whatIsOldGoesFirstAndThenTheLeastRecentlyUsed() throws {
        for days in [1, 2, 3, 4, 8, 9] { try file("d\(days)", unusedForDays: days) }
        let report = try storage.cleanUp(url, olderThan: .seconds(7 * 86400), toSize: .kilobytes(9))
        #expect(try names() == ["d1", "d2"])
        #expect(report.before == ByteCount(6 * 4096))
        #expect(report.freed == ByteCount(4 * 4096) && report.excess == .zero)
    }

    @Test(.tags(.r21a)) func withoutSettingsSevenDaysMayPass() throws {
        for days in [6, 8] { try file("d\(days)", unusedForDays: days) }
        try storage.cleanUp(url)
        #expect(try names() == ["d6"])
    }

    @Test func ageAloneAndSizeAlone() throws {
        for days in [1, 2, 9] { try file("d\(days)", unusedForDays: days) }
        try storage.cleanUp(url, olderThan: nil, toSize: .kilobytes(10))
        #expect(try names() == ["d1", "d2"])
        try storage.cleanUp(url, olderThan: .seconds(36 * 3600), toSize: nil)
        #expect(try names() == ["d1"])
        try storage.cleanUp(url, olderThan: nil, toSize: nil)
        #expect(try names() == ["d1"])
    }

    @Test("Trimming to a size has no age limit", .tags(.r21a))
    func sizeHasNoAgeLimit() throws {
        for days in [1, 9, 20] { try file("d\(days)", unusedForDays: days) }
        let report = try storage.cleanUp(url, toSize: .mebibytes(1))
        #expect(report.freed == .zero && report.receipts.isEmpty)
        #expect(try names() == ["d1", "d20", "d9"])
        #expect(try storage.cleanUp(url, toSize: ByteCount(8192)).freed == ByteCount(4096))
        #expect(try names() == ["d1", "d9"])
    }

    @Test("Cleaning up by age has no size limit")
    func ageHasNoSizeLimit() throws {
        #expect(CleanUpRules(maxAge: .seconds(7 * 86400)).maxSize == nil)
        #expect(CleanUpRules(maxSize: CleanUpRules.standardSize).maxAge == nil)
        for days in [1, 9] { try file("d\(days)", unusedForDays: days) }
        let report = try storage.cleanUp(url, olderThan: .seconds(7 * 86400))
        #expect(try names() == ["d1"])
        #expect(report.excess == .zero)
    }

    @Test(
        "What is in use is skipped, and others are purged in its place until the size is reached",
        .tags(.r21a))
    func goesOnPastFilesInUse() throws {
        for days in 1...8 { try file("d\(days)", unusedForDays: days) }
        // The three that would be purged first, held open by a process.
        let holders = try ["d8", "d7", "d6"].map(hold)
        let report = try storage.cleanUp(url, toSize: ByteCount(4 * 4096))
        #expect(try names() == ["d1", "d6", "d7", "d8"])
        #expect(report.freed == ByteCount(4 * 4096) && report.removed == 4)
        #expect(report.excess == .zero)
        withExtendedLifetime(holders) {}
    }

    @Test("The report says by how much a directory is still too large", .tags(.r21a))
    func namesTheExcess() throws {
        for days in 1...4 { try file("d\(days)", unusedForDays: days) }
        let holders = try ["d1", "d3"].map(hold)
        let report = try storage.cleanUp(url, toSize: ByteCount(4096))
        #expect(try names() == ["d1", "d3"])
        #expect(report.excess == ByteCount(4096))
        withExtendedLifetime(holders) {}
    }

    @Test(.tags(.r21b)) func directoriesBelowAreTakenInAndLeftEmptyOnesGo() throws {
        try file("a/b/old", unusedForDays: 20)
        try file("a/new", unusedForDays: 1)
        try file("c/old", unusedForDays: 20)
        try storage.cleanUp(url)
        #expect(try names() == ["a"])
        #expect(try fixture.names(place / "a") == ["new"])
    }

    @Test(.tags(.r21b)) func hiddenOnesGoUnlessToldOtherwise() throws {
        for name in [".hidden", ".directory/inside", ".directory/deep/inside", "plain"] {
            try file(name, unusedForDays: 20)
        }
        try storage.cleanUp(url, includesHidden: false)
        #expect(try names() == [".directory", ".hidden"])
        #expect(try fixture.names(place / ".directory/deep") == ["inside"])
        // Who names one means it.
        try storage.cleanUp(url.appending(path: ".directory"), includesHidden: false)
        #expect(try fixture.names(place / ".directory") == [])
        try storage.cleanUp(url)
        // Itself is young: it was emptied just now.
        #expect(try names() == [".directory"])
    }

    @Test(.tags(.r21b)) func theNewestStayWhateverTheirAge() throws {
        for days in [10, 11, 12, 13, 14] { try file("d\(days)", unusedForDays: days) }
        let report = try storage.cleanUp(url, toSize: .zero, keepNewest: 2)
        #expect(try names() == ["d10", "d11"])
        #expect(report.excess == ByteCount(2 * 4096))
    }

    @Test func aFileWithTwoNamesCountsOnceAmongTheNewest() throws {
        for days in [10, 11, 12] { try file("d\(days)", unusedForDays: days) }
        try fixture.tree.hardLink(place / "again", to: place / "d10")
        try storage.cleanUp(url, toSize: .zero, keepNewest: 2)
        #expect(try names() == ["again", "d10", "d11"])
    }

    @Test func whatIsPinnedOrMarkedAsLastResortStays() throws {
        for name in ["pinned", "last", "plain"] { try file(name, unusedForDays: 20) }
        try storage.mark(url.appending(path: "pinned"), .pinned)
        try storage.mark(url.appending(path: "last"), .lastResort)
        try storage.cleanUp(url, toSize: .zero)
        #expect(try names() == ["last", "pinned"])
    }

    @Test func aDirectoryOfLastResortIsCleanedWhenItIsNamed() throws {
        let saved = try fixture.storage.save(Data([1]), as: .lastResort, named: "a")
        try storage.cleanUp(saved.deletingLastPathComponent())
        #expect(!FileManager.default.fileExists(atPath: saved.path))
    }

    @Test func directoriesWithRulesOfTheirOwnKeepThem() throws {
        _ = try fixture.storage.purgeableDirectory("Thumbnails/Kept", retention: .days(90))
        _ = try fixture.storage.purgeableDirectory("Thumbnails/Short", retention: .days(3))
        for name in ["Kept/a", "Short/b", "plain"] { try file(name, unusedForDays: 20) }
        try storage.cleanUp(url, toSize: .zero)
        #expect(try names() == ["Kept", "Short"])
        #expect(try fixture.names(place / "Kept") == ["a"])
        #expect(try fixture.names(place / "Short") == [])
    }

    @Test(
        .tags(.r21d),
        arguments: ["home/Documents", "home", "home/.cache/Other", "home/.local/share/Podcaster"])
    func whatIsNotTheAppsToSpendIsRefused(path: String) throws {
        let place = TreePath(path)
        try fixture.tree.file(place / "precious")
        let error = #expect(throws: StorageError.self) {
            try storage.cleanUp(URL(filePath: fixture.tree.path(place).string), toSize: .zero)
        }
        #expect(error?.code == .refused)
        #expect(fixture.tree.exists(place / "precious"))
    }

    /// Of what lies there some may go, and it is none of this app's.
    @Test(.tags(.r21d)) func theContainerOfAnotherAppIsRefused() throws {
        let base = fixture.base
        for name in ["Documents", "Library/Caches", "tmp"] {
            try base.tree.directory("other/\(name)")
        }
        try base.tree.file(
            "other/Library/Caches/precious", contents: [UInt8](repeating: 7, count: 4096))
        let caches = base.path.appending("other/Library/Caches")
        let error = #expect(throws: StorageError.self) {
            try storage.cleanUp(URL(filePath: caches.string), toSize: .zero)
        }
        #expect(error?.code == .refused)
        #expect(base.tree.exists("other/Library/Caches/precious"))
    }

    @Test func rulesThatMakeNoSenseAreRefused() throws {
        try file("a", unusedForDays: 20)
        for attempt: @Sendable () throws -> Void in [
            { [url] in try storage.cleanUp(url, olderThan: .seconds(-1)) },
            { [url] in try storage.cleanUp(url, toSize: ByteCount(-1)) },
            { [url] in try storage.cleanUp(url, beforeAdding: ByteCount(-1)) },
        ] {
            let error = #expect(throws: StorageError.self) { try attempt() }
            #expect(error?.code == .refused)
        }
        #expect(try names() == ["a"])
    }

    @Test func aMissingDirectoryIsAnError() throws {
        let error = #expect(throws: StorageError.self) {
            try storage.cleanUp(url.appending(path: "nothing"))
        }
        #expect(error?.code == .notFound)
    }
}

/// R21: progressive clean-up, on a volume of its own.
@Suite(
    "R21: clean-up before something is added",
    .enabled(if: Privilege.canMount, "needs root to mount a small volume"))
struct ProgressiveCleanUpTests {
    private let fixture: StorageFixture
    private let place: TreePath = "home/.cache/Podcaster/Thumbnails"

    init() throws {
        fixture = try StorageFixture(volume: .mebibytes(64))
        for number in 0..<10 {
            try fixture.tree.file(
                place / TreePath("\(number)"), contents: [UInt8](repeating: 7, count: 1 << 20))
        }
    }

    private var url: URL { URL(filePath: fixture.tree.path(place).string) }

    @Test(.tags(.r21c)) func withRoomEnoughNothingGoes() throws {
        let report = try fixture.storage.cleanUp(
            url, beforeAdding: .mebibytes(20), reserve: .mebibytes(20), target: .mebibytes(2))
        #expect(report == nil)
        #expect(try fixture.names(place).count == 10)
    }

    @Test(.tags(.r21c)) func withoutTheDirectoryIsTrimmedToItsTarget() throws {
        let report = try fixture.storage.cleanUp(
            url, beforeAdding: .mebibytes(40), reserve: .mebibytes(20), target: .mebibytes(2))
        #expect(report?.freed == .mebibytes(8))
        #expect(try fixture.names(place).count == 2)
    }
}
