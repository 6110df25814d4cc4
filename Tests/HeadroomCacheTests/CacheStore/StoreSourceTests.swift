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

/// What plans take from cache stores, and what purges then do to them.
@Suite("R20: a store is a source of what may go")
struct StoreSourceTests {
    /// An area with a cache store in it, and what one does with both.
    struct Fixture {
        let base: TemporaryDirectory
        let root: FilePath
        var now: Timestamp { Timestamp.now().advanced(by: .seconds(60)) }

        init(on storage: TemporaryDirectory.Base = .memory) throws {
            base = try TemporaryDirectory(on: storage)
            try base.tree.directory("area")
            root = base.path.appending("area")
        }

        var tree: Tree { Tree(root: root) }

        func open(
            _ name: String = "store", policy: CachePolicy = .leastRecentlyUsed,
            limit: Int64 = 64 << 20, at time: Timestamp = .now()
        ) throws -> StoreCore {
            var options = CacheOptions(limit: ByteCount(limit), policy: policy)
            options.heedsPressure = false
            return try StoreCore(at: root.appending(name), options, clock: { time })
        }

        /// A store with values that were all put at one time.
        func fill(
            _ names: Range<Int>, _ length: Int = 10_000, at time: Timestamp = .now(),
            attributes: CacheAttributes = CacheAttributes(),
            policy: CachePolicy = .leastRecentlyUsed
        ) throws {
            let store = try open(policy: policy, at: time)
            for name in names { try store.put(StoreFixture.value(length), "\(name)", attributes) }
            store.end()
        }

        func area(_ purgeClass: PurgeClass = .cache, retention: Duration? = nil) -> Area {
            Area(root: root, purgeClass: purgeClass, retention: retention, origin: "test")
        }

        func plan(
            _ targets: [Target], through: PurgeableClass = .cache, area: Area? = nil,
            root: FilePath? = nil
        ) throws -> Plan {
            var options = ScanOptions(now: now)
            options.stores = { StoreSurvey() }
            options.markSource = LedgerMarkSource(calls: NativeCalls.make(), recorded: [])
            let inventory = try Scanner.scan(
                [ScanRoot(path: root ?? self.root)], areas: [area ?? self.area()], options: options)
            return Planner.plan(
                inventory, PlanRequest(targets: targets, through: through, now: now))
        }

        var book: LockBook.Location {
            LockBook.Location(path: base.path.appending("book"), owner: User.effective)
        }

        func purge(_ plan: Plan, area: Area? = nil) throws -> Receipt {
            var options = PurgeOptions(requester: "test", areas: [area ?? self.area()]) { now }
            options.lockBooks = [book]
            return try Purger.purge(plan, options: options)
        }

        /// What the files of the store occupy, its index aside.
        func occupied() throws -> Int64 {
            try tree.names(in: "store").map(\.text)
                .filter { $0.hasSuffix(".segment") || $0.hasSuffix(".value") }
                .reduce(0) { sum, name in
                    sum + (try tree.status(of: TreePath("store/\(name)")).allocatedSize.bytes)
                }
        }

        func left(_ names: Range<Int>) throws -> [Int] {
            let store = try open()
            defer { store.end() }
            return names.filter { store.contains("\($0)") }
        }
    }

    private static func ago(days: Int64) -> Timestamp {
        Timestamp.now().advanced(by: .seconds(-days * 86400))
    }

    @Test func valuesArePlannedAndNotFiles() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<500)
        let plan = try fixture.plan([.free(.mebibytes(2))])
        #expect(plan.count == 1)
        let entry = try #require(plan.first)
        #expect(entry.unit == .cacheValues)
        #expect(entry.path == fixture.root.appending("store"))
        #expect(entry.purgeClass == .cache)
        #expect(entry.bytes >= .mebibytes(2))
        #expect(entry.bytes < .mebibytes(4))
        #expect(entry.reason.text.contains("values of a cache store, least worth first"))
        // What the store needs for itself, and the values that are not needed.
        #expect(plan.kept.byReason[.cacheStore] != nil)
        #expect(plan.kept.byReason[.notNeeded] != nil)
        #expect(plan.reachesTarget)
    }

    @Test(.tags(.r20g)) func whatIsWorthLeastGoesAndTheVolumeGains() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<400, at: Self.ago(days: 30))
        try fixture.fill(400..<800, at: Self.ago(days: 1))
        let before = try fixture.occupied()
        let receipt = try fixture.purge(try fixture.plan([.free(.mebibytes(2))]))
        #expect(receipt.outcome == .completed)
        #expect(receipt.skipped.isEmpty)
        #expect(receipt.removedCount == 1)
        let gained = before - (try fixture.occupied())
        #expect(gained >= 2 << 20)
        // Not more than what was planned, and a segment.
        #expect(gained <= 5 << 20)
        #expect(receipt.expected.bytes >= 2 << 20)
        let left = try fixture.left(0..<800)
        #expect(left.filter { $0 >= 400 }.count == 400)
        #expect((100...230).contains(left.filter { $0 < 400 }.count))
        // And they are what they were.
        let store = try fixture.open()
        for name in left { #expect(try store.get("\(name)") == StoreFixture.value(10_000)) }
    }

    @Test func itTakesItsPlaceAmongFiles() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<300, at: Self.ago(days: 20))
        try fixture.tree.file("older", size: .mebibytes(1))
        try fixture.tree.file("younger", size: .mebibytes(1))
        // A file that has just been made is as young as can be, whatever its modification says.
        let plan = try fixture.plan([.all])
        #expect(
            plan.map { $0.path.lastComponent?.string } == ["store", "older", "younger"]
                || plan.map { $0.path.lastComponent?.string } == ["store", "younger", "older"])
    }

    @Test func classesOfValuesHold() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<100, attributes: CacheAttributes(as: .temporary))
        try fixture.fill(100..<200, attributes: CacheAttributes(as: .cache))
        try fixture.fill(200..<300, attributes: CacheAttributes(as: .lastResort))
        let plan = try fixture.plan([.all])
        #expect(plan.map(\.purgeClass) == [.temporary, .cache])
        #expect(plan.kept.byReason[.classNotAllowed] != nil)
        _ = try fixture.purge(plan)
        #expect(try fixture.left(0..<300) == Array(200..<300))
        let all = try fixture.plan([.all], through: .lastResort)
        #expect(all.map(\.purgeClass) == [.lastResort])
        _ = try fixture.purge(all)
        #expect(try fixture.left(0..<300) == [])
    }

    @Test func aDearerDirectoryMakesItsValuesDearer() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<100, attributes: CacheAttributes(as: .temporary))
        try fixture.fill(100..<200, attributes: CacheAttributes(as: .cache))
        let area = fixture.area(.lastResort)
        #expect(try fixture.plan([.all], area: area).isEmpty)
        let plan = try fixture.plan([.all], through: .lastResort, area: area)
        #expect(plan.map(\.purgeClass) == [.lastResort])
        _ = try fixture.purge(plan, area: area)
        #expect(try fixture.left(0..<200) == [])
    }

    @Test func theAreaItselfMayBeAStore() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<400)
        let path = fixture.root.appending("store")
        let area = Area(root: path, purgeClass: .cache, origin: "test")
        let plan = try fixture.plan([.free(.mebibytes(1))], area: area, root: path)
        #expect(plan.map(\.unit) == [.cacheValues])
        let receipt = try fixture.purge(plan, area: area)
        #expect(receipt.skipped.isEmpty)
        #expect((100..<350).contains(try fixture.left(0..<400).count))
    }

    @Test(.enabled(if: Privilege.canMount, "needs root to mount"))
    func aReadOnlyVolumeIsSaidSo() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(16))
        let fixture = try Fixture(on: .at(image.path))
        try fixture.fill(0..<400)
        let plan = try fixture.plan([.free(.mebibytes(1))])
        let mount = try ChildProcess.run("mount", ["-o", "remount,ro", image.path.string])
        try #require(mount.succeeded, "\(mount)")
        let error = #expect(throws: HeadroomError.self) { try fixture.open() }
        #expect(error?.message.contains("mounted read-only") == true)
        let receipt = try fixture.purge(plan)
        #expect(receipt.removedCount == 0)
        #expect(receipt.skipped.map(\.reason.code) == [.failed])
        #expect(receipt.skipped.first?.reason.text.contains("mounted read-only") == true)
        #expect(try CacheInspection(of: fixture.root.appending("store")).entries == 400)
        #expect(try ChildProcess.run("mount", ["-o", "remount,rw", image.path.string]).succeeded)
        #expect(try fixture.left(0..<400).count == 400)
    }

    @Test func anEssentialDirectoryGivesNothing() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<100)
        #expect(
            try fixture.plan([.all], through: .lastResort, area: fixture.area(.essential)).isEmpty)
    }

    @Test func whatHasExpiredGoesAlone() throws {
        let fixture = try Fixture()
        try fixture.fill(
            0..<200, at: Self.ago(days: 3), attributes: CacheAttributes(lifetime: .seconds(60)))
        try fixture.fill(200..<400, at: Self.ago(days: 3))
        let plan = try fixture.plan([.expired])
        #expect(plan.map(\.reason.code) == [.expired])
        _ = try fixture.purge(plan)
        #expect(try fixture.left(0..<400) == Array(200..<400))
    }

    @Test func youngerValuesThanAnAgeStay() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<400, at: Self.ago(days: 30))
        try fixture.fill(400..<800, at: Self.ago(days: 1))
        let plan = try fixture.plan([.olderThan(.seconds(10 * 86400), by: .used)])
        #expect(plan.map(\.reason.code) == [.olderThan])
        _ = try fixture.purge(plan)
        let left = try fixture.left(0..<800)
        #expect(left.filter { $0 >= 400 }.count == 400)
        // A slice that holds both stays.
        #expect(left.filter { $0 < 400 }.count < 120)
    }

    @Test func whatWasUsedSinceThePlanStays() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<400, at: Self.ago(days: 30))
        try fixture.fill(400..<500, at: Self.ago(days: 20))
        let plan = try fixture.plan([.free(.mebibytes(1))])
        let app = try fixture.open()
        for name in 0..<100 { _ = try app.get("\(name)") }
        try app.close()
        _ = try fixture.purge(plan)
        let left = try fixture.left(0..<500)
        #expect(left.filter { $0 < 100 || $0 >= 400 }.count == 200)
        #expect(left.count < 450)
        for name in left { #expect(try app.get("\(name)") != nil) }
    }

    @Test func pinnedAndLeasedValuesStayWhileTheAppGoesOn() throws {
        let fixture = try Fixture()
        let app = try fixture.open()
        for name in 0..<300 { try app.put(StoreFixture.value(10_000), "\(name)") }
        let pins = try (0..<20).map { try #require(try app.pin("\($0)")) }
        try app.close()
        let receipt = try fixture.purge(try fixture.plan([.all]))
        #expect(receipt.outcome == .completed)
        for name in 0..<20 {
            #expect(try app.get("\(name)") == StoreFixture.value(10_000))
        }
        for name in 20..<300 { #expect(try app.get("\(name)") == nil) }
        try app.put([1, 2, 3], "new")
        #expect(try app.get("new") == [1, 2, 3])
        #expect(pins.count == 20)
    }

    @Test func whatTheStoreGaveUpByItselfNeedNotGoAgain() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<800, at: Self.ago(days: 3))
        let plan = try fixture.plan([.free(.mebibytes(2))])
        let store = try fixture.open()
        store.shrink(by: 4 << 20)
        store.end()
        let left = try fixture.left(0..<800)
        let receipt = try fixture.purge(plan)
        #expect(receipt.skipped.map(\.reason.code) == [.changed])
        #expect(try fixture.left(0..<800) == left)
    }

    @Test func aPinnedDirectoryKeepsAll() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<100)
        let plan = try fixture.plan([.all])
        let ledger = Ledger.open(
            directory: fixture.base.path.appending("ledger"), now: { Timestamp.now() })
        let marks = MarkStore(calls: NativeCalls.make(), ledger: ledger)
        try marks.update(fixture.root.appending("store")) { $0.isPinned = true }
        #expect(try fixture.plan([.all]).isEmpty)
        // Pinned after the plan was made.
        let receipt = try fixture.purge(plan)
        #expect(receipt.removedCount == 0)
        #expect(try fixture.left(0..<100).count == 100)
    }

    @Test func savedPlansDoTheSame() throws {
        let fixture = try Fixture()
        try fixture.fill(
            0..<400, at: Self.ago(days: 30), attributes: CacheAttributes(as: .temporary))
        try fixture.fill(400..<800, at: Self.ago(days: 1))
        let plan = try fixture.plan([.free(.mebibytes(6))])
        var bytes: [UInt8] = []
        try SavedPlan.write(plan) { bytes += $0 }
        let saved = try SavedPlan.read { () throws(HeadroomError) in
            defer { bytes = [] }
            return bytes
        }
        #expect(Array(saved) == Array(plan))
        #expect(PlanDifference(from: plan, to: saved).isEmpty)
        _ = try fixture.purge(saved)
        let left = try fixture.left(0..<800)
        #expect(left.filter { $0 < 400 }.isEmpty)
        #expect((60..<200).contains(left.count))
    }

    @Test func explainsItsPlace() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<400)
        let plan = try fixture.plan([.all])
        let explainer = Explainer(plan.inventory, plan.request)
        let path = fixture.root.appending("store")
        let store = explainer.explain(path)
        #expect(store.subject == .cacheStore)
        #expect(store.place?.position == 1)
        #expect(store.frees > .mebibytes(3))
        let name = try #require(
            try fixture.tree.names(in: "store").map(\.text).first { $0.hasSuffix(".segment") })
        let segment = explainer.explain(path.appending(name))
        #expect(segment.subject == .memberOfStore)
        #expect(segment.goesWith == path)
    }

    @Test func whatIsNoStoreGoesAsFilesDo() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<100)
        // The index is gone: nobody can say what is worth least.
        try fixture.tree.remove("store/index.log")
        let plan = try fixture.plan([.all])
        #expect(plan.allSatisfy { $0.unit != .cacheValues })
        #expect(plan.contains { $0.path.string.hasSuffix(".segment") })
    }

    #if os(Linux)
    @Test(.enabled(if: Privilege.canMount, "needs root to mount"))
    func notEvenRoomForAWordInTheLog() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(16))
        let fixture = try Fixture(on: .at(image.path))
        try fixture.fill(0..<1000, at: Self.ago(days: 3))
        // Until what is appended next needs another page.
        func slack() throws -> Int64 {
            4095 - (try fixture.tree.status(of: "store/index.log").logicalSize.bytes + 4095) % 4096
        }
        for extra in 1000..<4000 where try slack() > 24 {
            let store = try fixture.open()
            try store.put([1], "\(extra)")
            store.end()
        }
        try #require(try slack() <= 24)
        let script = "head -c 20000000 /dev/zero > \(image.path)/filler 2>/dev/null; true"
        _ = try ChildProcess.run("sh", ["-c", script])
        #expect(throws: HeadroomError.self) { try fixture.open() }
        let receipt = try fixture.purge(try fixture.plan([.free(.mebibytes(3))]))
        #expect(receipt.skipped.isEmpty, "\(receipt.skipped)")
        #expect(receipt.expected.bytes >= 3 << 20)
        // What the store's log has grown by since is in neither.
        let available = try Volume.containing(image.path).available?.bytes ?? 0
        #expect(available >= receipt.expected.bytes - 4096)
        #expect(try fixture.left(0..<1000).count > 400)
    }

    @Test(.enabled(if: Privilege.canMount, "needs root to mount"), arguments: [0, 1, 2, 3])
    func aFullVolumeIsRelieved(seed: Int) throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(16))
        let fixture = try Fixture(on: .at(image.path))
        // With more or less room left in the last page of its log.
        try fixture.fill(0..<1000 - 20 * seed, at: Self.ago(days: 3))
        let script = "head -c 20000000 /dev/zero > \(image.path)/filler 2>/dev/null; true"
        _ = try ChildProcess.run("sh", ["-c", script])
        let full = try Volume.containing(image.path)
        #expect(full.available?.bytes == 0)
        let plan = try fixture.plan([.free(.mebibytes(3))])
        let receipt = try fixture.purge(plan)
        #expect(receipt.outcome == .completed)
        #expect(receipt.skipped.isEmpty, "\(receipt.skipped)")
        let relieved = try Volume.containing(image.path)
        #expect((relieved.available?.bytes ?? 0) >= 3 << 20)
        #expect(try fixture.left(0..<1000).count > 400)
    }
    #endif

    @Test func leasedFilesAndStoresStay() throws {
        let fixture = try Fixture()
        try fixture.fill(0..<400)
        let path = fixture.root.appending("store")
        let segment = try #require(
            try fixture.tree.names(in: "store").map(\.text).first { $0.hasSuffix(".segment") })
        let plan = try fixture.plan([.free(.mebibytes(1))])
        for leased in [path.appending(segment), path] {
            let lease = try Lease.acquire(leased, patience: .zero, books: [fixture.book])
            let receipt = try fixture.purge(plan)
            #expect(receipt.removedCount == 0, "\(leased)")
            #expect(receipt.skipped.map(\.reason.code) == [.leased], "\(leased)")
            #expect(try fixture.left(0..<400).count == 400)
            lease.release()
        }
        #expect(try fixture.purge(plan).removedCount == 1)
    }

    /// The first of them has to give a whole segment where it was asked for a third of one.
    @Test(.enabled(if: Privilege.canMount, "needs root to mount"))
    func severalSmallDemandsOnAFullVolumeDoNotTripTheBreaker() throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(24))
        let fixture = try Fixture(on: .at(image.path))
        for name in 0..<5 {
            let store = try fixture.open("store\(name)", limit: 1 << 30, at: Self.ago(days: 30))
            for number in 0..<150 { try store.put(StoreFixture.value(20_000), "\(number)") }
            store.end()
            let user = try fixture.open("store\(name)", limit: 1 << 30, at: Self.ago(days: 10))
            for number in 0..<150 where number % 3 > 0 { _ = try user.get("\(number)") }
            user.end()
        }
        let script = "head -c 30000000 /dev/zero > \(image.path)/filler 2>/dev/null; true"
        _ = try ChildProcess.run("sh", ["-c", script])
        let plan = try fixture.plan([.free(.mebibytes(4))])
        try #require(plan.count >= 4)
        let receipt = try fixture.purge(plan)
        #expect(receipt.outcome == .completed, "\(receipt.notes)")
        #expect(receipt.removedCount == plan.count)
        #expect(receipt.skipped.isEmpty, "\(receipt.skipped)")
        #expect(receipt.notes.contains { $0.contains("a whole segment went") }, "\(receipt.notes)")
        #expect(receipt.expected.bytes > plan.frees.bytes * 102 / 100 + 1 << 20)
    }

    @Test(.enabled(if: User.isRoot, "needs root"), arguments: ["", "/store", "/index.log"])
    func anotherUsersStoreIsLeftAlone(file: String) throws {
        let fixture = try Fixture()
        try fixture.fill(0..<100)
        let mine = try fixture.plan([.all])
        let path = fixture.root.appending("store").string + file
        _ = try ChildProcess.run("chown", ["1000", path])
        let plan = try fixture.plan([.all], through: .lastResort)
        #expect(plan.isEmpty)
        #expect(plan.kept.byReason[.foreignOwner] != nil)
        #expect(!plan.inventory.stores.isEmpty)
        // What has become another's since it was planned.
        let receipt = try fixture.purge(mine)
        #expect(receipt.removedCount == 0)
        _ = try ChildProcess.run("chown", ["0", path])
        #expect(try fixture.left(0..<100).count == 100)
    }

    /// S11: in a directory like `/tmp` others have put what looks like a store of ours.
    @Test(arguments: ["777", "1777", "1770"])
    func aDirectoryThatIsSharedIsNoStore(mode: String) throws {
        let fixture = try Fixture()
        try fixture.fill(0..<100)
        let planned = try fixture.plan([.all])
        #expect(planned.map(\.unit) == [.cacheValues])
        let path = fixture.root.appending("store").string
        _ = try ChildProcess.run("chmod", [mode, path])
        #expect(try fixture.plan([.all]).inventory.stores.isEmpty)
        let receipt = try fixture.purge(planned)
        #expect(receipt.removedCount == 0)
        #expect(receipt.skipped.map(\.reason.code) == [.changed])
        _ = try ChildProcess.run("chmod", ["700", path])
        #expect(try fixture.left(0..<100).count == 100)
    }
}
