//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// What a live inventory does where nothing is told, and that it costs by what changed.
@Suite(.serialized) struct LiveRuleTests {
    let directory: TemporaryDirectory
    let tree: Tree

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        tree = directory.tree
    }

    private func live(
        _ roots: [FilePath]? = nil, _ options: LiveOptions = LiveOptions(),
        configure: @escaping @Sendable (inout ScanOptions) -> Void = { _ in }
    ) throws -> LiveInventory {
        let roots = roots ?? [directory.path]
        let areas = roots.map { Area(root: $0, purgeClass: .cache, origin: "test") }
        return try LiveInventory(
            roots: roots.map { ScanRoot(path: $0) }, areas: areas, options: options
        ) {
            var options = ScanOptions(now: LiveWorld.now)
            configure(&options)
            return options
        }
    }

    private func fresh(
        like inventory: Inventory, configure: (inout ScanOptions) -> Void = { _ in }
    ) throws -> Inventory {
        var options = ScanOptions(now: LiveWorld.now)
        options.key = inventory.key
        configure(&options)
        return try Scanner.scan(
            inventory.roots.map { ScanRoot(path: $0.path) }, areas: inventory.areas,
            options: options)
    }

    @Test func asksForNothingButWhatChanged() throws {
        for index in 0..<50 { try tree.files(20, in: TreePath("d\(index)")) }
        let live = try live()
        defer { live.close() }
        try tree.file("d7/f", size: .kilobytes(5))
        try tree.remove("d9/\(try tree.names(in: "d9")[3].text)")
        let inventory = try live.inventory()
        #expect(inventory.lines() == (try fresh(like: inventory)).lines())
        let statistics = live.statistics
        #expect(statistics.scans == 1)
        #expect(statistics.directoriesRead == 2)
        #expect(statistics.entriesRead == 2)
        #expect(try live.inventory() === inventory, "nothing has changed")
    }

    @Test func leavesWhatWasGivenOutAsItWas() throws {
        try tree.files(100, in: "d", size: .kilobytes(4))
        let live = try live()
        defer { live.close() }
        let first = try live.inventory()
        let lines = first.lines()
        for round in 0..<20 {
            for index in 0..<50 { try tree.file(TreePath("d/\(round % 3)-\(index)"), text: "nine") }
            try tree.remove("d/\(round % 3)-7")
            let inventory = try live.inventory()
            #expect(inventory.lines() == (try fresh(like: inventory)).lines(), "round \(round)")
        }
        #expect(first.lines() == lines)
        #expect(live.statistics.scans == 1)
    }

    /// A file that is read is told of by nobody, and does not go before one that was not.
    @Test func plansByUsesThatNobodyTellsOf() throws {
        let old = Timestamp(seconds: 1_500_000_000)
        for name in ["a", "b", "c"] {
            try tree.file(TreePath(name), size: .kilobytes(8))
            try tree.setTimes(of: TreePath(name), accessed: old, modified: old)
        }
        let live = try live()
        defer { live.close() }
        let request = PlanRequest(targets: [.free(.kilobytes(1))], now: LiveWorld.now)
        let first = try live.plan(request)
        let name = try #require(first.first?.path.lastComponent?.string)
        // Counts as a use where the volume is mounted relatime, as it is old.
        _ = try tree.contents(of: TreePath(name))
        let inventory = try live.inventory()
        let expected = Planner.plan(try fresh(like: inventory), request)
        #expect(try live.plan(request).map(\.path) == expected.map(\.path))
    }

    @Test func readsAgainWhatCouldNotBeRead() throws {
        try tree.files(3, in: "open")
        let shut = Shut()
        let faulty = FaultyCalls(NativeCalls.make()) { call, name, _ in
            guard shut.isShut else { return nil }
            if call == .open, name?.text == "closed" { return .permissionDenied }
            if call == .status, name?.text == "hidden" { return .ioError }
            return nil
        }
        let live = try live { $0.calls = faulty }
        defer { live.close() }
        try tree.file("open/hidden", text: "x")
        try tree.files(3, in: "new/closed/below")
        var inventory = try live.inventory()
        #expect(inventory.failureCount == 2)
        #expect(inventory.lines() == (try fresh(like: inventory) { $0.calls = faulty }).lines())
        shut.isShut = false
        inventory = try live.inventory()
        #expect(inventory.failureCount == 0)
        #expect(inventory.lines() == (try fresh(like: inventory)).lines())
        #expect(inventory.itemCount == 7)
        try tree.file("new/closed/below/later", text: "x")
        #expect(try live.inventory().itemCount == 8)
        #expect(live.statistics.scans == 1)
    }

    /// As a user whose directories are shut and opened, at the start and later.
    @Test(.enabled(if: Privilege.isRoot, "needs root, to be another"))
    func followsPermissions() throws {
        try tree.directory("own")
        unsafe #expect(chown(directory.path.string, 65_534, 65_534) == 0)
        unsafe #expect(chown(directory.path.appending("own").string, 65_534, 65_534) == 0)
        let failed = Mutex<[String]>([])
        let thread = try WorkerThread {
            do {
                try Privilege.becomeOnThisThread(65_534)
                try shutAndOpen { text in failed.withLock { $0.append(text) } }
            } catch {
                failed.withLock { $0.append("\(error)") }
            }
        }
        thread.join()
        #expect(failed.withLock { $0 } == [])
    }

    private func shutAndOpen(_ fail: (String) -> Void) throws {
        let own = directory.path.appending("own")
        for name in ["a", "b", "c/d"] { try tree.files(3, in: TreePath("own/\(name)")) }
        try tree.setPermissions(0, of: "own/a")
        let live = try live([own])
        defer { live.close() }
        func compare(_ step: String) throws {
            let inventory = try live.inventory()
            let (ours, theirs) = (inventory.lines(), try fresh(like: inventory).lines())
            if ours != theirs {
                let (left, right) = (Set(ours), Set(theirs))
                fail("\(step): \(left.subtracting(right)) \(right.subtracting(left))")
            }
        }
        try compare("at first")
        try tree.setPermissions(0, of: "own/b")
        try tree.setPermissions(0, of: "own/c")
        try compare("shut")
        try compare("shut still")
        try tree.setPermissions(0o700, of: "own/a")
        try tree.setPermissions(0o700, of: "own/c")
        try compare("opened")
        try tree.file("own/a/new", text: "x")
        try tree.file("own/c/d/new", text: "x")
        try compare("written")
        try tree.setPermissions(0o700, of: "own/b")
        try tree.remove("own/b/\(try tree.names(in: "own/b")[0].text)")
        try compare("all open")
        if live.statistics.scans != 1 { fail("it was scanned anew") }
    }

    private final class Shut: Sendable {
        private let state = Mutex(true)
        var isShut: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    @Test func looksAgainWhenFilesHaveComeToRest() throws {
        try tree.files(3, in: "d")
        var options = LiveOptions()
        options.restTime = .zero
        let live = try live(nil, options)
        defer { live.close() }
        try tree.file("d/f", size: .kilobytes(5))
        _ = try live.inventory()
        let before = live.statistics.entriesRead
        _ = try live.inventory()
        #expect(live.statistics.entriesRead == before + 1)
        _ = try live.inventory()
        #expect(live.statistics.entriesRead == before + 1, "once")
    }

    @Test func scansAnewWhatIsNotTheSameDirectory() throws {
        try tree.files(3, in: "root/d")
        let root = directory.path.appending("root")
        let live = try live([root])
        defer { live.close() }
        try tree.rename("root", to: "other")
        #expect(throws: HeadroomError.self) { try live.inventory() }
        try tree.files(5, in: "root/e")
        let inventory = try live.inventory()
        #expect(inventory.itemCount == 5)
        try tree.file("root/e/f", size: .kilobytes(1))
        #expect(try live.inventory().itemCount == 6)
        #expect(live.statistics.scans == 2)
    }

    @Test func readsEverythingAnewWhenItIsClosed() throws {
        try tree.files(3, in: "d")
        let live = try live()
        live.close()
        try tree.files(2, in: "e")
        #expect(try live.inventory().itemCount == 5)
        live.close()
    }

    @Test(.enabled(if: Privilege.canMountOverlay, "needs root and overlayfs"))
    func readsAnewWhereNothingIsTold() throws {
        let lower = try TemporaryDirectory(on: .memory)
        try lower.tree.files(3, in: "d")
        let image = try MountedImage.overlay(lower: lower.path)
        let live = try live([image.path])
        defer { live.close() }
        let shortfall = try #require(live.coverage.first?.shortfall)
        #expect(shortfall.code == .notWatched)
        #expect(shortfall.text.contains("overlay"))
        try image.tree.file("d/f", size: .kilobytes(1))
        let inventory = try live.inventory()
        #expect(inventory.lines() == (try fresh(like: inventory)).lines())
        #expect(inventory.itemCount == 4)
    }

    /// Directories that come and go use their numbers again.
    @Test func keepsUpWithDirectoriesThatComeAndGo() throws {
        try tree.files(3, in: "d")
        let live = try live()
        defer { live.close() }
        for round in 0..<6 {
            for index in 0..<200 { try tree.file(TreePath("n\(round)/\(index)/f")) }
            if round > 0 {
                for index in 0..<200 { try tree.remove(TreePath("n\(round - 1)/\(index)/f")) }
                for index in 0..<200 { try tree.remove(TreePath("n\(round - 1)/\(index)")) }
            }
            let inventory = try live.inventory()
            #expect(inventory.lines() == (try fresh(like: inventory)).lines(), "round \(round)")
        }
        #expect(live.statistics.scans == 1)
    }

    @Test func givesInventoriesWithoutBlocking() async throws {
        try tree.files(3, in: "d")
        let live = try live()
        defer { live.close() }
        try tree.file("d/f", size: .kilobytes(1))
        #expect(try await live.settled().itemCount == 4)
    }
}
#endif
