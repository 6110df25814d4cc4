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

/// One test for each safety invariant that others do not cover already; each fails if its check is
/// taken out.
struct SafetyInvariantTests {
    let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws { fixture = try PurgeFixture() }

    // MARK: S1

    @Test(.tags(.s1a)) func essentialAreasPlanNothing() throws {
        try tree.file("a", text: "x")
        #expect(try fixture.plan(.essential).isEmpty)
    }

    @Test(.tags(.s1b)) func aNestedAreaDeclaredSincePlanningRefusesThePlan() throws {
        try tree.file("d/keep/a", text: "x")
        let plan = try fixture.plan()
        let keep = Area(root: tree.path("d/keep"), purgeClass: .essential, origin: "test")
        #expect {
            try Purger.purge(plan, options: fixture.options(others: [keep]))
        } throws: { ($0 as? HeadroomError)?.code == .refused }
        #expect(tree.exists("d/keep/a"))
    }

    @Test(.tags(.s1b)) func aNestedAreaInsideAUnitRefusesThePlan() throws {
        try tree.file("d/keep/a", text: "x")
        let plan = try fixture.plan(unit: .entry)
        let keep = Area(root: tree.path("d/keep"), purgeClass: .essential, origin: "test")
        #expect {
            try Purger.purge(plan, options: fixture.options(unit: .entry, others: [keep]))
        } throws: { ($0 as? HeadroomError)?.code == .refused }
        #expect(tree.exists("d/keep/a"))
    }

    @Test(.tags(.s1b)) func anAreaThatIsDeclaredOtherwiseNowRefusesThePlan() throws {
        try tree.file("a", text: "x")
        let plan = try fixture.plan(.temporary)
        for now in [PurgeClass.cache, .essential] {
            #expect {
                try Purger.purge(plan, options: fixture.options(now))
            } throws: { ($0 as? HeadroomError)?.code == .refused }
        }
        var none = fixture.options()
        none.areas = []
        #expect { try Purger.purge(plan, options: none) } throws: {
            ($0 as? HeadroomError)?.code == .refused
        }
        #expect(tree.exists("a"))
    }

    // MARK: S4

    @Test(.tags(.s4d)) func aDirectoryUnitThatGainedAMemberStays() throws {
        try tree.file("d/a", text: "x")
        let receipt = try fixture.purge(unit: .entry) { try tree.file("d/b", text: "new") }
        #expect(tree.exists("d/a"))
        #expect(tree.exists("d/b"))
        #expect(receipt.reason("d") == .changed)
    }

    @Test(.tags(.s4a)) func aFileReplacedByRenameStays() throws {
        try tree.file("a", text: "x")
        let receipt = try fixture.purge {
            try fixture.outside.file("new", text: "y")
            try fixture.base.tree.rename("outside/new", to: "area/a")
        }
        #expect(try tree.contents(of: "a") == Array("y".utf8))
        #expect(receipt.reason("a") == .changed)
    }

    // MARK: S6

    @Test(.tags(.s6b)) func aUnitExchangedRightBeforeItsRenameIsPutBack() throws {
        try tree.file("d/a", text: "planned")
        let tree = tree
        let outside = fixture.outside
        let base = fixture.base.tree
        let receipt = try fixture.purge(unit: .entry) { options in
            options.step = { step in
                guard step == .willRenameUnit else { return }
                // Moved away to keep it, and another put in its place.
                try? base.rename("area/d", to: "outside/kept")
                try? tree.file("d/b", text: "new")
            }
        }
        #expect(try outside.contents(of: "kept/a") == Array("planned".utf8))
        #expect(try tree.contents(of: "d/b") == Array("new".utf8))
        #expect(receipt.reason("d") == .changed)
        #expect(try tree.names().map(\.text) == ["d"])
    }

    @Test(.tags(.s6b), arguments: [PurgeStep.willRenameUnit, .unitRenamed])
    func aFileCreatedInAUnitBeforeAnythingHasGoneKeepsAllOfIt(at moment: PurgeStep) throws {
        try tree.files(20, in: "d/sub")
        let tree = tree
        let receipt = try fixture.purge(unit: .entry) { options in
            options.step = { step in
                guard step == moment, let name = try? tree.names().first else { return }
                // As a writer would that has the directory open.
                try? tree.file(TreePath([name]) / "sub/new", text: "mine")
            }
        }
        #expect(try tree.names(in: "d/sub").count == 21)
        #expect(receipt.reason("d") == .changed)
    }

    @Test(.tags(.s6b)) func whatAWriterCreatesInAUnitWhileItGoesIsKeptInItsPlace() throws {
        try tree.files(20, in: "d/sub")
        let tree = tree
        let receipt = try fixture.purge(unit: .entry) { options in
            options.step = { step in
                guard step == .unitHalfEmptied,
                    let name = try? tree.names().first(where: { $0.text.hasPrefix(".headroom") })
                else { return }
                // As a writer would that has the directory open.
                try? tree.file(TreePath([name]) / "sub/new", text: "mine")
            }
        }
        #expect(try tree.contents(of: "d/sub/new") == Array("mine".utf8))
        #expect(receipt.reason("d") == .changed)
        #expect(try tree.names().map(\.text) == ["d"])
    }

    @Test func aUnitLeasedBetweenTheLookAndTheRenameIsPutBack() throws {
        try tree.file("d/sub/a", text: "x")
        let root = fixture.root
        let lease = Mutex<Int32>(-1)
        let receipt = try fixture.purge(unit: .entry) { options in
            options.step = { step in
                guard step == .willRenameUnit else { return }
                let directory = unsafe open("\(root)/d/sub", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                _ = flock(directory, LOCK_SH | LOCK_NB)
                lease.withLock { $0 = directory }
            }
        }
        #expect(tree.exists("d/sub/a"))
        #expect(receipt.reason("d") == .leased)
        _ = lease.withLock { close($0) }
    }

    @Test(.tags(.s6c), arguments: [Errno.noSpace, .diskQuotaExceeded, .permissionDenied])
    func aUnitWhoseRenameFindsNoRoomIsTriedAgainAtTheEnd(error: Errno) throws {
        try tree.file("d/a", text: "x")
        try tree.file("z", text: "x")
        let attempts = Atomic<Int>(0)
        let filesGone = Atomic<Bool>(false)
        let tree = tree
        let receipt = try fixture.purge(unit: .entry) { options in
            var calls = HookedCalls()
            calls.willRename = { (_, _) throws(Errno) in
                if attempts.add(1, ordering: .relaxed).oldValue == 0 { throw error }
                filesGone.store(!tree.exists("z"), ordering: .relaxed)
            }
            options.calls = calls
        }
        let tried = attempts.load(ordering: .relaxed)
        let wentFirst = filesGone.load(ordering: .relaxed)
        #expect(tried == 2)
        #expect(wentFirst)
        #expect(receipt.skipped == [])
        #expect(try tree.names() == [])
    }

    @Test(
        .tags(.s6c),
        arguments: [
            (Errno.noSpace, 2, Reason.Code.unitBusy), (.diskQuotaExceeded, 2, .unitBusy),
            (.permissionDenied, 2, .notPermitted), (.notPermitted, 1, .notPermitted),
            (.improperLink, 1, .unitBusy),
        ])
    func aUnitThatCannotBeRenamedStaysWhole(
        error: Errno, attempts: Int, reason: Reason.Code
    ) throws {
        try tree.files(5, in: "d")
        let tried = Atomic<Int>(0)
        let receipt = try fixture.purge(unit: .entry) { options in
            var calls = HookedCalls()
            calls.willRename = { (_, _) throws(Errno) in
                tried.add(1, ordering: .relaxed)
                throw error
            }
            options.calls = calls
        }
        let count = tried.load(ordering: .relaxed)
        #expect(count == attempts)
        #expect(try tree.names(in: "d").count == 5)
        #expect(receipt.skippedCount == 1)
        #expect(receipt.reason("d") == reason)
    }

    @Test(
        .tags(.s6c), .enabled(if: Privilege.canMountOverlay, "needs root to mount an overlay"),
        arguments: [PurgeUnit.file, .entry])
    func onAnOverlayFilesOfTheLowerLayerGoAndUnitsStay(unit: PurgeUnit) throws {
        let lower = try TemporaryDirectory(on: .memory)
        try lower.tree.file("area/d/a", text: "x")
        let overlay = try MountedImage.overlay(lower: lower.path)
        let root = overlay.path.appending("area")
        let area = Area(root: root, purgeClass: .temporary, unit: unit, origin: "test")
        let inventory = try Scanner.scan(
            [ScanRoot(path: root)], areas: [area], options: ScanOptions(now: PurgeFixture.now))
        let plan = Planner.plan(inventory, PlanRequest(targets: [.all], now: PurgeFixture.now))
        var options = fixture.options()
        options.areas = [area]
        let receipt = try Purger.purge(plan, options: options)
        #expect(overlay.tree.exists("area/d/a") == (unit == .entry))
        #expect(lower.tree.exists("area/d/a"))
        if unit == .entry { #expect(receipt.reason("d") == .unitBusy) }
    }

    @Test(.enabled(if: Privilege.isRoot, "needs root to become another user"))
    func readOnlyDirectoriesOfAUnitGoWithoutRoot() throws {
        // Checked in the same process, as the effective user of this thread's file accesses.
        try tree.file("d/ro/sub/a", text: "x")
        try tree.setPermissions(0o555, of: "d/ro/sub")
        try tree.setPermissions(0o555, of: "d/ro")
        let result = try ChildProcess.run(
            "chown", ["-R", "65534:65534", fixture.base.path.string])
        #expect(result.succeeded)
        let driver = try #require(PurgeDriverProgram.path, "the driver is not built")
        let run = try ChildProcess.run(
            "setpriv",
            [
                "--reuid", "65534", "--regid", "65534", "--clear-groups", driver,
                fixture.root.string, "entry", "none", fixture.base.path.appending("book").string,
            ])
        #expect(run.succeeded, "\(run.errors)")
        #expect(try tree.names() == [])
    }

    // MARK: S6, sets

    private func database(_ name: String = "d.db") throws -> FilePath {
        let path = tree.path("\(name)")
        let script = """
            import sqlite3,os
            c=sqlite3.connect('\(path)'); c.execute('pragma journal_mode=wal')
            c.execute('create table t(x)'); c.execute("insert into t values('a')"); c.commit()
            os._exit(0)
            """
        #expect(try ChildProcess.run(Holder.python, ["-c", script]).succeeded)
        return path
    }

    @Test(.tags(.s6e)) func aDatabaseGoesWithItsSidecarsInTheSafeOrder() throws {
        _ = try database()
        #expect(tree.exists("d.db-wal"))
        let order = Mutex<[String]>([])
        let receipt = try fixture.purge { options in
            var calls = HookedCalls()
            calls.didRemove = { name in order.withLock { $0.append(name.text) } }
            options.calls = calls
        }
        #expect(order.withLock { $0 } == ["d.db", "d.db-wal", "d.db-shm"])
        #expect(receipt.removedCount == 1)
        #expect(try tree.names() == [])
    }

    @Test(.tags(.s6e)) func aDatabaseInUseStaysWhole() throws {
        let path = try database()
        let holder = try Holder.python(
            "import sqlite3\nc=sqlite3.connect('\(path)'); c.execute('select * from t').fetchall()")
        let receipt = try fixture.purge()
        #expect(try tree.names().map(\.text) == ["d.db", "d.db-shm", "d.db-wal"])
        #expect(receipt.reason("d.db") != nil)
        withExtendedLifetime(holder) {}
    }

    @Test func aSidecarThatAppearsAfterPlanningKeepsItsDatabase() throws {
        try tree.file("d.db", text: "small")
        let receipt = try fixture.purge { try tree.file("d.db-wal", text: "new") }
        #expect(tree.exists("d.db"))
        #expect(receipt.reason("d.db") == .changed)
    }

    @Test func aDatabaseThatAppearsKeepsItsSidecar() throws {
        try tree.file("d.db-wal", text: "orphan")
        let receipt = try fixture.purge { try tree.file("d.db", text: "new") }
        #expect(tree.exists("d.db-wal"))
        #expect(receipt.reason("d.db-wal") == .changed)
    }

    @Test func sidecarsOfADatabaseMadeAnewMeanwhileStay() throws {
        try tree.file("d.db", text: "main")
        try tree.file("d.db-wal", text: "wal")
        try tree.file("d.db-shm", text: "shm")
        let tree = tree
        let receipt = try fixture.purge { options in
            options.step = { step in
                guard step == .mainRemoved else { return }
                try? tree.file("d.db", text: "new database")
                try? tree.file("d.db-wal", text: "new transactions")
            }
        }
        #expect(try tree.contents(of: "d.db") == Array("new database".utf8))
        #expect(try tree.contents(of: "d.db-wal") == Array("new transactions".utf8))
        #expect(tree.exists("d.db-shm"))
        #expect(receipt.reason("d.db-wal") == .changed)
    }

    // MARK: S8

    @Test(.tags(.s8a)) func aSecondPurgeOfTheAreaIsRefusedWhileTheFirstRuns() throws {
        try tree.file("a", text: "x")
        let second = Mutex<HeadroomError.Code?>(nil)
        let fixture = fixture
        try fixture.purge { options in
            options.step = { step in
                guard step == .willUnlink else { return }
                do {
                    try fixture.purge()
                } catch {
                    second.withLock { $0 = (error as? HeadroomError)?.code }
                }
            }
        }
        #expect(second.withLock { $0 } == .busy)
    }

    @Test(.tags(.s8d)) func withoutALockFileEverythingStillGoes() throws {
        try tree.file("a", text: "x")
        try tree.file("d/b", text: "x")
        try tree.directory("e")
        let receipt = try fixture.purge { options in
            options.lockBooks = [
                LockBook.Location(path: "/proc/none/book", owner: User.effective)
            ]
        }
        #expect(try tree.names() == [])
        #expect(receipt.notes.contains(AreaLock.fallbackNote))
    }

    // MARK: S9, S10

    @Test(.enabled(if: Privilege.canMount, "needs root to mount"))
    func theReceiptSaysWhatTheVolumeGained() throws {
        // Of its own, since others write and remove elsewhere.
        let image = try MountedImage.tmpfs(size: .mebibytes(64))
        let fixture = try PurgeFixture(on: .at(image.path))
        try fixture.tree.file("a", size: .mebibytes(8))
        let tree = fixture.outside
        let receipt = try fixture.purge { options in
            options.step = { step in
                // Somebody writes meanwhile.
                if step == .unlinked { try? tree.file("b", size: .mebibytes(3)) }
            }
        }
        #expect(receipt.expected == .mebibytes(8))
        #expect(receipt.removedCount == 1)
        // Lock files and directories take a few blocks.
        let gained = try #require(receipt.volumeGained)
        #expect(abs((gained - .mebibytes(5)).bytes) < 1 << 18, "\(gained)")
    }

    @Test(.tags(.s10a)) func theBreakerStopsAfterTooManyFailures() throws {
        try tree.files(300, in: "d")
        let receipt = try fixture.purge { options in
            var calls = HookedCalls()
            calls.willRemove = { (_, _) throws(Errno) in throw .ioError }
            options.calls = calls
        }
        #expect(receipt.outcome == .broken)
        #expect(receipt.skippedCount < 300)
        #expect(try tree.names(in: "d").count == 300)
    }

    @Test(.tags(.s10b)) func theBreakerLetsNoMoreGoThanPlanned() {
        var breaker = CircuitBreaker()
        breaker.arm(count: 2, bytes: 100)
        #expect(breaker.allows(items: 2, allocated: 100))
        #expect(!breaker.allows(items: 3, allocated: 1))
        #expect(!breaker.allows(items: 1, allocated: 101))
        breaker.countRemoved(items: 2, allocated: 100)
        #expect(!breaker.allows(items: 1, allocated: 0))
        #expect(breaker.tripped == nil)
        breaker.countRemoved(items: 1, allocated: 0)
        #expect(breaker.tripped != nil)
    }

    @Test(.tags(.s10c)) func aUnitWithHardLinksInItDoesNotTripTheBreaker() throws {
        // Two: the second is not come to if the first counts as more than it is.
        for unit in ["d", "e"] {
            try tree.file("\(unit)/a", size: ByteCount(1_000_000))
            for index in 0..<5 { try tree.hardLink("\(unit)/link\(index)", to: "\(unit)/a") }
        }
        let receipt = try fixture.purge(unit: .entry)
        #expect(receipt.skipped == [])
        #expect(receipt.outcome == .completed)
        #expect(try tree.names() == [])
    }

    // MARK: S11

    @Test(.tags(.s11f), .enabled(if: Privilege.isRoot, "needs root to make files of others"))
    func inASharedDirectoryOnlyOwnEntriesGo() throws {
        try tree.file("own", text: "x")
        try tree.file("theirs", text: "x")
        try tree.file("d/theirs", text: "x")
        for path in ["theirs", "d", "d/theirs"] {
            unsafe #expect(chown("\(fixture.root)/\(path)", 12345, 12345) == 0)
        }
        unsafe #expect(chmod(fixture.root.string, 0o1777) == 0)
        try fixture.purge()
        #expect(!tree.exists("own"))
        #expect(tree.exists("theirs"))
    }

    // MARK: Stopping

    @Test(.tags(.r17b)) func aCancelledPurgeStopsBetweenItemsWithAReceipt() throws {
        try tree.files(100, in: "d")
        let progress = PurgeProgress()
        var options = fixture.options()
        let count = Atomic<Int>(0)
        options.step = { step in
            if step == .unlinked, count.add(1, ordering: .relaxed).newValue == 10 {
                progress.cancel()
            }
        }
        let receipt = try Purger.purge(
            fixture.plan(), options: options, progress: progress)
        #expect(receipt.outcome == .interrupted)
        #expect(receipt.removedCount == 10)
        #expect(try tree.names(in: "d").count == 90)
    }

    @Test func aSecondScanLeavesLastUsesAsTheyWere() throws {
        try tree.file("d/a", size: ByteCount(100_000))
        try tree.age("d/a", by: .seconds(1_000_000))
        let before = try tree.status(of: "d/a")
        let holder = try Holder.shell("exec 9<\(fixture.root)/d/a; echo ready; exec sleep 1000")
        // Opened for the check, and kept: the look must not count as a use.
        let receipt = try fixture.purge(.lastResort)
        _ = try fixture.plan()
        #expect(try tree.status(of: "d/a").accessed == before.accessed)
        #expect(receipt.reason("d/a") == .inUse)
        withExtendedLifetime(holder) {}
    }
}

enum PurgeDriverProgram {
    static let path: String? = BuiltProgram.path("PurgeDriver")
}
#endif
