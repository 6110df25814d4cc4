//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// Within a tick of the clock a file can be written again without its times telling (safety invariant
/// S4). On a ramfs, which has the kernel's coarse clock; others ask for a finer one since Linux 6.13.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount"))
struct FileTickTests {
    private let image: MountedImage
    private let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws {
        image = try MountedImage.ramfs()
        fixture = try PurgeFixture(on: .at(image.path))
    }

    @Test(.tags(.s4e), arguments: [PurgeUnit.file, .entry])
    func whatIsWrittenRightAfterTheScanStays(unit: PurgeUnit) throws {
        for round in 0..<40 {
            let name = TreePath("d/f\(round)")
            try tree.file(name, text: "planned")
            let receipt = try fixture.purge(unit: unit) { try tree.file(name, text: "written") }
            #expect(try tree.contents(of: name) == Array("written".utf8))
            #expect(receipt.reason(unit == .file ? "d/f\(round)" : "d") == .changed)
            try tree.remove("d")
        }
    }

    /// What appears in a directory after it was read, in the tick in which it was changed last.
    @Test(.tags(.s4e)) func aDatabaseThatIsOpenedWhileItsDirectoryIsScannedStays() throws {
        let tree = tree
        for round in 0..<40 {
            let name = "d\(round)/a.sqlite"
            try tree.file(TreePath(name), text: "not small")
            var options = ScanOptions(now: PurgeFixture.now)
            options.threads = 1
            options.key = FingerprintKey(1, 2)
            var calls = HookedCalls()
            // The directory has been read: its names are there.
            calls.didExamine = { examined in
                guard examined.text == "a.sqlite" else { return }
                try? tree.file(TreePath(name + "-wal"), text: "new")
            }
            options.calls = calls
            let inventory = try Scanner.scan(
                [ScanRoot(path: fixture.root)], areas: [fixture.area()], options: options)
            let plan = Planner.plan(
                inventory, PlanRequest(targets: [.all], now: PurgeFixture.now))
            let receipt = try Purger.purge(plan, options: fixture.options())
            #expect(tree.exists(TreePath(name)), "in round \(round)")
            #expect(receipt.reason(name) == .changed)
            try tree.remove(TreePath("d\(round)"))
        }
    }

    /// An inventory that is kept up to date looks again at what it is told of, and is not ahead of it.
    @Test(.tags(.s4e)) func whatIsWrittenRightAfterALookOfALiveInventoryStays() throws {
        let area = fixture.area()
        try tree.directory("d")
        let live = try LiveInventory(
            roots: [ScanRoot(path: fixture.root)], areas: [area],
            scanOptions: {
                var options = ScanOptions(now: PurgeFixture.now)
                options.key = FingerprintKey(1, 2)
                return options
            })
        defer { live.close() }
        for round in 0..<40 {
            let name = TreePath("d/f\(round)")
            try tree.file(name, text: "planned")
            let plan = try live.plan(
                PlanRequest(targets: [.all], through: .lastResort, now: PurgeFixture.now))
            try tree.file(name, text: "written")
            let receipt = try Purger.purge(plan, options: fixture.options())
            #expect(try tree.contents(of: name) == Array("written".utf8))
            #expect(receipt.reason("d/f\(round)") == .changed)
            try tree.remove(name)
        }
    }

    @Test func oldFilesAreNotWaitedFor() throws {
        var ticks = FileTicks()
        let now = FileTicks.now()
        let wasLongAgo = ticks.note(now.advanced(by: .seconds(-3)))
        #expect(!wasLongAgo)
        // Stamped by a clock that is ahead: there is nothing to wait for.
        let isToCome = ticks.note(now.advanced(by: .seconds(3600)))
        #expect(!isToCome)
        #expect(ticks.end == nil)
        let start = ContinuousClock.now
        ticks.wait()
        #expect(start.duration(to: .now) < .seconds(1))
    }

    @Test func ofSeveralTicksTheLastIsWaitedFor() throws {
        var ticks = FileTicks()
        var others = FileTicks()
        let now = FileTicks.now()
        let later = Timestamp(nanoseconds: now.nanoseconds / 1_000 * 1_000 + 30_000_001)
        let isSoon = others.note(later)
        #expect(isSoon)
        ticks.note(now)
        ticks.join(others)
        #expect(ticks.end == later.advanced(by: .nanoseconds(1)))
        ticks.wait()
        #expect(FileTicks.now() > later)
    }

    /// What a file system cut off may have been anything.
    @Test(
        .tags(.s4e),
        arguments: [
            (1_700_000_000_000_000_000, 2_000_000_000), (1_700_000_001_000_000_000, 1_000_000_000),
            (1_700_000_000_120_000_000, 10_000_000), (1_700_000_000_123_456_000, 1_000_000),
            (1_700_000_000_123_456_700, 1_000_000), (1_700_000_000_123_456_789, 1),
        ])
    func aTickIsAsLongAsTheStampIsCoarse(stamp: Int64, grain: Int64) {
        #expect(
            FileTicks.end(of: Timestamp(nanoseconds: stamp))
                == Timestamp(nanoseconds: stamp + grain))
    }
}
#endif
