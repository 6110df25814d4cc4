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

/// A birth cannot be set back, so the clock is set forward: all files are a day old but those that are used
/// again.
@Suite(
    "R43: recently used files of an app",
    .enabled(if: Privilege.canMount, "needs root to mount a small volume"))
struct RecentUseTests {
    private let fixture: StorageFixture
    private static let day = Duration.seconds(86_400)
    private let mebibyte = 1 << 20

    init() throws {
        fixture = try StorageFixture(volume: .mebibytes(64))
        try fixture.storage.makeRoom(for: .zero, intent: .essential).finish()
        for number in 0..<2 { try save("old-\(number)", as: .cache, in: caches, isRecent: false) }
        for number in 0..<8 {
            try save("recent-\(number)", as: .cache, in: caches, isRecent: true)
        }
        try save("offline", as: .lastResort, in: offline, isRecent: false)
        try save("download", as: .temporary, in: fixture.temporary, isRecent: true)
    }

    private let caches: TreePath = "home/.cache/Podcaster"
    private let offline: TreePath = "home/.local/share/Podcaster/LastResort"

    private func save(
        _ name: String, as content: ContentClass, in directory: TreePath, isRecent: Bool
    ) throws {
        try fixture.storage.save(Data.pattern(2 * mebibyte), as: content, named: name)
        let used = Timestamp.wallClock().advanced(by: isRecent ? Self.day - .seconds(30) : .zero)
        try fixture.tree.setTimes(
            of: directory / TreePath(name), accessed: used, modified: used)
    }

    private func storage(_ minIdle: MinIdle) throws -> Storage {
        try fixture.storage(after: Self.day, minIdle: minIdle)
    }

    private func count(_ prefix: String) throws -> Int {
        try fixture.names(caches).filter { $0.hasPrefix(prefix) }.count
    }

    private func available() throws -> ByteCount {
        try #require(
            try fixture.storage.capacity(countingPurgeable: false).available.bytes)
    }

    @Test("By default an app's files may be purged as soon as nothing holds them", .tags(.r43c))
    func noIdleTimeByDefault() throws {
        let report = try fixture.storage.cleanUp(
            fixture.storage.directory(for: .cache), toSize: .zero)
        #expect(report.removed == 10)
        #expect(try count("") == 0)
    }

    @Test("With an idle time, plans and cleanups skip files that were used within it", .tags(.r43c))
    func skipsRecentFiles() throws {
        let storage = try storage(.standard)
        let plan = try storage.plan(freeing: .gigabytes(1))
        #expect(Set(plan.map { $0.path.lastComponent?.string }) == ["old-0", "old-1", "offline"])
        let report = try storage.cleanUp(storage.directory(for: .cache), toSize: .zero)
        #expect(try count("old") == 0)
        #expect(try count("recent") == 8)
        // The tag of the caches is kept, too.
        #expect(report.excess - .mebibytes(16) <= ByteCount(4096))
    }

    @Test("A requested reservation never purges recently used caches", .tags(.r43c))
    func requestedSparesThem() throws {
        let storage = try storage(.standard)
        let reserve = Intent.requested.reserve(of: .mebibytes(64))
        let wanted = try available() - reserve + .mebibytes(8)
        let error = #expect(throws: StorageError.self) {
            try storage.makeRoom(for: wanted, intent: .requested)
        }
        #expect(error?.code == .insufficientSpace)
        #expect(try count("") == 10)
    }

    @Test(
        "An essential reservation purges recently used caches last, and only as many as needed",
        .tags(.r43c)
    )
    func essentialTakesThemLast() throws {
        let storage = try storage(.standard)
        let free = try available()
        let advice = try storage.advise(free + .mebibytes(9), for: .essential)
        #expect(advice.verdict == .fitsAfterFreeing(.mebibytes(10)))
        // Two old caches and the offline content are enough for this.
        try storage.makeRoom(for: free + .mebibytes(5), intent: .essential).finish()
        #expect(try count("old") == 0)
        #expect(!fixture.tree.exists(offline / "offline"))
        #expect(try count("recent") == 8)
        let room = try storage.makeRoom(for: free + .mebibytes(9), intent: .essential)
        #expect((room.receipt?.removedCount ?? 0) > 0)
        #expect(try count("recent") == 6)
        // A temporary file that was used a moment ago is never taken.
        #expect(fixture.tree.exists(fixture.temporary / "download"))
    }

    @Test(
        "One reservation takes everything else first, and recently used caches then", .tags(.r43c))
    func oneReservationTakesBoth() throws {
        let storage = try storage(.standard)
        let room = try storage.makeRoom(
            for: try available() + .mebibytes(9), intent: .essential)
        #expect(room.bytes > .zero)
        #expect(try count("old") == 0)
        #expect(!fixture.tree.exists(offline / "offline"))
        #expect((5...6).contains(try count("recent")))
    }

    @Test("What is out of reach deletes nothing, recently used or not")
    func outOfReachDeletesNothing() throws {
        let storage = try storage(.standard)
        let error = #expect(throws: StorageError.self) {
            try storage.makeRoom(for: .mebibytes(100), intent: .essential)
        }
        #expect(error?.receipt == nil)
        #expect(try count("") == 10)
        #expect(fixture.tree.exists(offline / "offline"))
    }

    @Test("An essential save on a full volume takes them too")
    func savesTakeThem() throws {
        let storage = try storage(.standard)
        let size = Int(try available().bytes) + 9 * mebibyte
        let url = try storage.save(
            Data(count: size), as: .essential(.userContent), named: "photo")
        #expect(try fixture.contents(url).count == size)
        #expect(try count("old") == 0)
        #expect(!fixture.tree.exists(offline / "offline"))
    }
}
