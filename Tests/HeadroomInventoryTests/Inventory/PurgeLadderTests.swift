//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

struct PurgeLadderTests {
    let directory: TemporaryDirectory
    var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
    }

    private func area(
        _ name: String, _ purgeClass: PurgeClass, retention: Duration? = nil,
        limit: ByteCount? = nil
    ) -> Area {
        Area(
            root: directory.path.pushing(FilePath(name)), purgeClass: purgeClass,
            retention: retention, limit: limit, origin: "test")
    }

    /// Marks directories by name.
    private struct Marks: MarkSource {
        var byInode: [UInt64: MarkReading]

        func reading(ofDirectory descriptor: Int32, _ status: FileStatus) -> MarkReading? {
            byInode[status.identity.inode]
        }

        func reading(
            ofFile name: EntryName, at directory: Int32, _ status: FileStatus
        ) -> MarkReading? {
            byInode[status.identity.inode]
        }

        func isKnown(inode: UInt64) -> Bool { false }

        let grantors = GrantorTable()

        var knowsFiles: Bool { false }
    }

    private func inode(_ path: TreePath) throws -> UInt64 {
        try tree.status(of: path).identity.inode
    }

    @Test func sumsClassesAndAreas() throws {
        try tree.file("tmp/a", size: ByteCount(4_096))
        try tree.file("cache/b", size: ByteCount(8_192))
        try tree.file("cache/deep/c", size: ByteCount(4_096))
        try tree.file("cache/nested/d", size: ByteCount(40_960))
        try tree.file("own/e", size: ByteCount(4_096))
        let inventory = try InventoryFixture.scan(
            directory.path,
            areas: [
                area("cache/nested", .temporary), area("cache", .cache), area("tmp", .temporary),
            ])
        let ladder = inventory.ladder(now: InventoryFixture.now)
        #expect(ladder.classes.map(\.purgeClass) == PurgeClass.allCases)
        #expect(ladder.classes.map(\.sum.items) == [2, 2, 0, 1])
        #expect(ladder.classes[0].sum.allocated == ByteCount(4_096 + 40_960))
        #expect(ladder.classes[1].sum.allocated == ByteCount(12_288))
        #expect(
            ladder.classes[0].areas.map(\.area?.root)
                == [directory.path.appending("cache/nested"), directory.path.appending("tmp")])
        #expect(ladder.classes[3].areas.map(\.area) == [nil])
    }

    @Test func tellsWhatHasExpiredAndWhatIsOverTheLimit() throws {
        try tree.files(2, in: "cache", size: ByteCount(8_192))
        let inventory = try InventoryFixture.scan(
            directory.path,
            areas: [
                area("cache", .cache, retention: .seconds(86_400), limit: ByteCount(10_000))
            ])
        let use = try #require(inventory.largestItems(1).first?.lastUse)
        let early = inventory.ladder(now: use.advanced(by: .seconds(3_600))).classes[1]
        #expect(early.sum.items == 2)
        #expect(early.expired.items == 0)
        #expect(early.overLimit >= ByteCount(16_384 - 10_000))
        let late = inventory.ladder(now: use.advanced(by: .seconds(90_000))).classes[1]
        #expect(late.expired.items == 2)
        #expect(late.expired.allocated == ByteCount(16_384))
        #expect(late.sum.oldestUse != nil && late.sum.newestUse.map { $0 <= use } == true)
    }

    @Test(.tags(.r2b)) func letsTheNearestDeclarationWin() throws {
        try tree.file("cache/a", size: ByteCount(4_096))
        try tree.file("cache/kept/b", size: ByteCount(4_096))
        try tree.file("cache/kept/nested/c", size: ByteCount(4_096))
        try tree.file("cache/pinned/d", size: ByteCount(4_096))
        try tree.file("cache/flagged/e", size: ByteCount(4_096))
        try tree.file("cache/flagged/f", size: ByteCount(4_096))
        let marks = Marks(byInode: [
            try inode("cache/kept"): MarkReading(mark: Mark(purgeClass: .lastResort)),
            try inode("cache/pinned"): MarkReading(mark: Mark(isPinned: true)),
            try inode("cache/flagged"): MarkReading(mark: .none, hasMarkedFiles: true),
            try inode("cache/flagged/e"): MarkReading(mark: Mark(purgeClass: .temporary)),
        ])
        let inventory = try InventoryFixture.scan(
            directory.path, areas: [area("cache", .cache), area("cache/kept/nested", .cache)]
        ) { $0.markSource = marks }
        let ladder = inventory.ladder(now: InventoryFixture.now)
        // e is temporary; a, f and the nested c are cache; b is last resort; d is pinned.
        #expect(ladder.classes.map(\.sum.items) == [1, 3, 1, 0])
        #expect(ladder.classes.map(\.pinned.items) == [0, 1, 0, 0])
        let nested = try #require(
            inventory.item(at: directory.path.appending("cache/kept/nested/c")))
        #expect(nested.purgeClass == .cache)
        let kept = try #require(inventory.item(at: directory.path.appending("cache/kept/b")))
        #expect(kept.purgeClass == .lastResort)
        let marked = try #require(inventory.item(at: directory.path.appending("cache/flagged/e")))
        #expect(marked.purgeClass == .temporary)
        let pinned = try #require(inventory.item(at: directory.path.appending("cache/pinned/d")))
        #expect(pinned.isPinned)
    }

    @Test(.tags(.s7c)) func showsLeftoversApart() throws {
        let reserved = FileName(unchecked: Array((ReservedName.prefix + "7f3a-1").utf8))
        try tree.file("cache" / TreePath([reserved]) / "sub/gone", size: ByteCount(4_096))
        try tree.file("cache/a", size: ByteCount(4_096))
        let inventory = try InventoryFixture.scan(
            directory.path, areas: [area("cache", .cache)])
        #expect(inventory.leftovers.map(\.name) == [reserved])
        #expect(inventory.ladder(now: InventoryFixture.now).classes[1].sum.items == 1)
        #expect(inventory.largestItems(10).map(\.name.text) == ["a"])
        #expect(inventory.sumsByKind()[.other]?.items == 1)
    }
}
