//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// What is asked of areas, roots and directories before anything in them goes: S1, S2, S3, S5, S11.
struct PlaceCheckTests {
    let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws { fixture = try PurgeFixture() }

    private func refusal(_ plan: Plan, _ options: PurgeOptions) -> HeadroomError? {
        #expect(throws: HeadroomError.self) { try Purger.purge(plan, options: options) }
    }

    // MARK: S1, S11

    @Test(.tags(.s1b)) func anAreaDeclaredInsideSinceThePlanRefusesItWhateverItsClass() throws {
        try tree.file("d/keep/a", text: "x")
        // So that the directories are not in the plan, which would be refused for them.
        try tree.fifo("d/keep/fifo")
        let plan = try fixture.plan()
        let keep = Area(root: tree.path("d/keep"), purgeClass: .temporary, origin: "test")
        #expect(refusal(plan, fixture.options(others: [keep]))?.code == .refused)
        #expect(tree.exists("d/keep/a"))
    }

    @Test func aPlanForOtherUnitsIsRefused() throws {
        try tree.file("d/a", text: "x")
        let plan = try fixture.plan(unit: .file)
        #expect(refusal(plan, fixture.options(unit: .entry))?.code == .refused)
        #expect(tree.exists("d/a"))
    }

    @Test(.tags(.s11e), arguments: [GuardedPlace.Rule.essential, .never])
    func anAreaThatIsEssentialOnThisMachineIsRefused(rule: GuardedPlace.Rule) throws {
        try tree.file("d/a", text: "x")
        let plan = try fixture.plan()
        // The area itself, what is in it, and for the kernel's own what is around it.
        let places = [fixture.root, tree.path("d")] + (rule == .never ? [fixture.base.path] : [])
        for place in places {
            var options = fixture.options()
            options.guardedPlaces = Layout(
                kind: .system, root: "/", guardedPlaces: [GuardedPlace(place, rule, "precious")])
            #expect(refusal(plan, options)?.code == .refused, "\(place)")
        }
        #expect(tree.exists("d/a"))
    }

    @Test func aPlaceWithARoleOfItsOwnIsNoReasonToRefuse() throws {
        try tree.file("d/a", text: "x")
        let receipt = try fixture.purge { options in
            options.guardedPlaces = Layout(
                kind: .system, root: "/",
                guardedPlaces: [
                    GuardedPlace(fixture.root, .itself, "the cache"),
                    GuardedPlace(fixture.base.path, .essential, "the home"),
                ])
        }
        #expect(receipt.removedCount == 1)
    }

    @Test(.tags(.s11d), .enabled(if: Privilege.canMount, "needs root to mount"))
    func anAreaThatIsTheRootOfAMountIsRefusedUnlessItsDeclarationAllowsIt() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(1))
        try image.tree.file("a", text: "x")
        var area = Area(root: image.path, purgeClass: .temporary, origin: "test")
        let inventory = try Scanner.scan(
            [ScanRoot(path: image.path)], areas: [area],
            options: ScanOptions(now: PurgeFixture.now))
        let plan = Planner.plan(inventory, PlanRequest(targets: [.all], now: PurgeFixture.now))
        var options = fixture.options()
        options.areas = [area]
        #expect(refusal(plan, options)?.code == .refused)
        #expect(image.tree.exists("a"))
        area.allowsMountRoot = true
        options.areas = [area]
        #expect(try Purger.purge(plan, options: options).removedCount == 1)
    }

    @Test(.tags(.s2c)) func anAreaThatBecameALinkIsRefused() throws {
        try tree.file("a", text: "x")
        let plan = try fixture.plan()
        let base = fixture.base.tree
        try base.rename("area", to: "moved")
        try base.symbolicLink("area", to: "moved")
        #expect(refusal(plan, fixture.options())?.code == .refused)
        #expect(base.exists("moved/a"))
    }

    @Test(
        .tags(.s11c), .enabled(if: PurgeDriverProgram.path != nil && Privilege.isRoot, "needs root")
    )
    func anAreaOfAnotherUserIsRefused() throws {
        try tree.file("a", text: "x")
        // The area may be written by all, so nothing but its owner speaks against it.
        unsafe #expect(chmod(fixture.root.string, 0o777) == 0)
        unsafe #expect(chmod(fixture.base.path.string, 0o777) == 0)
        let run = try ChildProcess.run(
            "setpriv",
            [
                "--reuid", "65534", "--regid", "65534", "--clear-groups",
                try #require(PurgeDriverProgram.path), fixture.root.string, "file", "none",
                fixture.base.path.appending("book").string,
            ])
        #expect(run.exitCode == 2)
        #expect(tree.exists("a"))
    }

    // MARK: S2, S3

    @Test(.tags(.s3b), .enabled(if: Privilege.canMount, "needs root to mount"))
    func aRootThatWasMountedOverSinceThePlanIsRefused() throws {
        try tree.file("a", text: "x")
        var options = fixture.options()
        options.areas[0].allowsMountRoot = true
        let plan = try fixture.plan()
        // Over itself: the same device and inodes, another mount.
        let bind = try MountedImage.bind(fixture.root, at: fixture.root)
        #expect(refusal(plan, options)?.code == .refused)
        #expect(tree.exists("a"))
        withExtendedLifetime(bind) {}
    }

    @Test(.tags(.s2b)) func aDirectoryReplacedByAnotherIsSaidToHaveChanged() throws {
        try tree.file("d/a", text: "x")
        let receipt = try fixture.purge {
            try tree.rename("d", to: "old")
            try tree.directory("d")
        }
        #expect(receipt.reason("d/a") == .changed)
        #expect(tree.exists("old/a"))
    }

    @Test func anEmptyDirectoryReplacedByAnotherStays() throws {
        try tree.directory("d")
        let receipt = try fixture.purge {
            // Made before the first goes, so that it has another inode number.
            try tree.directory("new")
            try tree.rename("d", to: "old")
            try tree.rename("new", to: "d")
        }
        #expect(tree.exists("d"))
        #expect(receipt.reason("d") == .changed)
    }

    @Test(.tags(.s3b), .enabled(if: Privilege.canMount, "needs root to mount"))
    func anEmptyDirectoryThatWasMountedOverStays() throws {
        try tree.directory("d")
        let plan = try fixture.plan()
        let bind = try MountedImage.bind(tree.path("d"), at: tree.path("d"))
        let receipt = try Purger.purge(plan, options: fixture.options())
        #expect(receipt.reason("d") == .mountPoint)
        withExtendedLifetime(bind) {}
    }

    // MARK: S4, marks

    private func mark(_ path: TreePath, _ text: String) throws {
        let file = try PathCalls.open(tree.path(path), O_RDONLY | O_CLOEXEC)
        let name = MarkAttribute.name
        try LinuxCalls().setAttribute(name, to: Array(text.utf8), of: file.rawValue)
    }

    private func marksWork() -> Bool { (try? mark("", "1 importance=50")) != nil }

    @Test(.tags(.s4b), arguments: ["", "d"], ["nonsense", "1 pinned", "1 class=last-resort"])
    func aDirectoryMarkedSinceThePlanKeepsWhatIsInIt(place: TreePath, text: String) throws {
        try #require(marksWork(), "no user attributes here")
        try tree.file("d/a", text: "x")
        try tree.directory("d/e")
        let text = text.replacing(
            "last-resort", with: PurgeableClass.lastResort.purgeClass.name)
        let receipt = try fixture.purge { try mark(place, text) }
        #expect(tree.exists("d/a"))
        #expect(tree.exists("d/e"))
        let code: Reason.Code = text.contains("class") ? .changed : .pinned
        #expect(receipt.reason("d/a") == code)
        #expect(receipt.reason("d/e") == code)
    }

    @Test(arguments: ["nonsense", "1 pinned", "1 importance=80"])
    func anEmptyDirectoryMarkedSinceThePlanStays(text: String) throws {
        try #require(marksWork(), "no user attributes here")
        try tree.directory("e")
        let receipt = try fixture.purge { try mark("e", text) }
        #expect(tree.exists("e"))
        #expect(receipt.reason("e") == (text.contains("importance") ? .changed : .pinned))
    }

    @Test(arguments: [PurgeUnit.file, .entry])
    func aFileOfALaterClassMovedToAnUnflaggedDirectoryStays(unit: PurgeUnit) throws {
        try #require(marksWork(), "no user attributes here")
        try fixture.outside.file("marked", text: "mine")
        try tree.file("d/a", text: "x")
        try mark("../outside/marked", "1 class=\(PurgeableClass.lastResort.purgeClass.name)")
        // Moved in before the scan: its directory is not flagged, so the scan does not see it.
        try fixture.base.tree.rename("outside/marked", to: "area/d/marked")
        let receipt = try fixture.purge(unit: unit)
        #expect(tree.exists("d/marked"))
        #expect(receipt.reason(unit == .file ? "d/marked" : "d") == .changed)
    }

    // MARK: S5

    @Test func aDirectoryHeldExclusivelyKeepsItsOwnFiles() throws {
        try tree.file("d/a", text: "x")
        try tree.directory("d/e")
        let holder = try Holder.shell(
            "exec 9<\(fixture.root)/d; flock -x 9; echo ready; exec sleep 1000")
        let receipt = try fixture.purge()
        #expect(tree.exists("d/a"))
        #expect(tree.exists("d/e"))
        #expect(receipt.reason("d/a") == .leased)
        #expect(receipt.reason("d/e") == .leased)
        withExtendedLifetime(holder) {}
    }

    @Test(.tags(.s5c)) func aDirectoryOnTheWayThatIsHeldExclusivelyIsNotPassed() throws {
        try tree.file("d/sub/deep/a", text: "x")
        // In this process, so that no table of open files or locks tells.
        let held = try PathCalls.open(tree.path("d"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let receipt = try fixture.purge {
            #expect(flock(held.rawValue, LOCK_EX | LOCK_NB) == 0)
        }
        #expect(tree.exists("d/sub/deep/a"))
        #expect(receipt.reason("d/sub/deep/a") == .leased)
    }

    @Test func anEmptyDirectoryWithALockStays() throws {
        try tree.directory("e")
        let held = try PathCalls.open(tree.path("e"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let receipt = try fixture.purge {
            #expect(flock(held.rawValue, LOCK_SH | LOCK_NB) == 0)
        } change: { options in
            // The descriptor was open before the purge began, which alone would keep it.
            options.threads = 1
        }
        #expect(tree.exists("e"))
        #expect(receipt.isClaimed("e"))
    }

    @Test func anEmptyDirectoryThatIsAWorkingDirectoryStays() throws {
        try tree.directory("e")
        let holder = try Holder.started(
            ChildProcess(
                "/bin/sh", ["-c", "echo ready; exec sleep 1000"], directory: tree.path("e")))
        let receipt = try fixture.purge()
        #expect(tree.exists("e"))
        #expect(receipt.reason("e") == .inUse)
        withExtendedLifetime(holder) {}
    }

    @Test func anEmptyDirectoryLeasedWhileThePurgeRunsStays() throws {
        try tree.directory("e")
        let path = tree.path("e").string
        let held = Mutex<Int32>(-1)
        let receipt = try fixture.purge { options in
            options.step = { step in
                guard step == .areaLocked else { return }
                held.withLock {
                    $0 = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                    _ = flock($0, LOCK_SH | LOCK_NB)
                }
            }
        }
        #expect(tree.exists("e"))
        #expect(receipt.reason("e") == .failed || receipt.reason("e") == .leased)
        _ = held.withLock { close($0) }
    }

    @Test func anEmptyDirectoryInOneThatIsHeldSinceStays() throws {
        try tree.file("p/q/file", text: "x")
        try tree.directory("p/e")
        let path = tree.path("p").string
        let held = Mutex<Int32>(-1)
        let receipt = try fixture.purge { options in
            options.step = { step in
                // Passed already on the way to the file.
                guard step == .willUnlink else { return }
                held.withLock {
                    $0 = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                    _ = flock($0, LOCK_EX | LOCK_NB)
                }
            }
        }
        #expect(!tree.exists("p/q/file"))
        #expect(tree.exists("p/e"))
        #expect(receipt.reason("p/e") == .leased)
        _ = held.withLock { close($0) }
    }

    // MARK: Order

    @Test func anInterruptedPurgeHasSpentTheEarlierClassFirst() throws {
        try tree.files(20, in: "a-cache")
        try tree.files(20, in: "z-temporary")
        let inner = Area(root: tree.path("z-temporary"), purgeClass: .temporary, origin: "test")
        let progress = PurgeProgress()
        let plan = try fixture.plan(.cache, others: [inner])
        var options = fixture.options(.cache, others: [inner])
        options.step = { if $0 == .unlinked, progress.removed >= 0 { Self.cancel(progress) } }
        _ = try Purger.purge(plan, options: options, progress: progress)
        #expect(try tree.names(in: "a-cache").count == 20)
        #expect(try tree.names(in: "z-temporary").count == 19)
    }

    private static func cancel(_ progress: PurgeProgress) { progress.cancel() }
}
#endif
