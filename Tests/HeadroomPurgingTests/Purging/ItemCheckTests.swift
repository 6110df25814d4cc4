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

/// What is asked of a file or a database right before it goes: S4, S5, S6, S10.
struct ItemCheckTests {
    let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws { fixture = try PurgeFixture() }

    // MARK: S4

    @Test(.enabled(if: Privilege.isRoot, "needs root for chattr"))
    func aFileMadeImmutableSinceThePlanStaysAndTheReasonIsSaid() throws {
        let fixture = try PurgeFixture(on: .disk)
        try fixture.tree.file("d/a", text: "x")
        let path = fixture.tree.path("d/a").string
        let known = Mutex<FileStatus?>(nil)
        try fixture.tree.file("d/b", text: "x")
        let before = try fixture.tree.status(of: "d/a")
        let receipt = try fixture.purge {
            try #require(try ChildProcess.run("chattr", ["+i", path]).succeeded)
        } change: { options in
            // As on a file system that keeps no time of change: all else is as it was planned.
            var calls = HookedCalls()
            calls.adjust = { name, status in
                guard name.text == "a" else { return }
                status.changed = before.changed
                known.withLock { $0 = status }
            }
            options.calls = calls
        }
        _ = try ChildProcess.run("chattr", ["-i", path])
        #expect(fixture.tree.exists("d/a"))
        #expect(!fixture.tree.exists("d/b"))
        #expect(known.withLock { $0?.isImmutable } == true)
        #expect(receipt.skipped.map(\.reason.code) == [.immutable])
    }

    /// Links of one file go together whichever thread would take their directories.
    @Test func linksInDirectoriesOfSeveralThreadsGo() throws {
        for index in 0..<40 { try tree.files(60, in: "d\(index)") }
        for index in 0..<20 {
            try tree.file("d\(index)/one\(index)", size: ByteCount(4096))
            try tree.hardLink("d\((index * 7 + 13) % 40)/two\(index)", to: "d\(index)/one\(index)")
        }
        let threads = Mutex<Set<UInt>>([])
        let receipt = try fixture.purge { options in
            options.threads = 2
            var calls = HookedCalls()
            calls.willRemove = { (_, _) throws(Errno) in
                // Nothing goes until both threads are at work.
                let count = threads.withLock {
                    _ = $0.insert(UInt(pthread_self()))
                    return $0.count
                }
                guard count < 2 else { return }
                for _ in 0..<5_000 where threads.withLock({ $0.count }) < 2 { usleep(1_000) }
            }
            options.calls = calls
        }
        #expect(receipt.skipped == [])
        #expect(try tree.names() == [])
    }

    // MARK: S10

    @Test(.tags(.s10b), arguments: [PurgeUnit.file, .entry])
    func whatHasGrownBeyondThePlanStays(unit: PurgeUnit) throws {
        try tree.file("d/a", size: ByteCount(4096))
        let receipt = try fixture.purge(unit: unit) { options in
            var calls = HookedCalls()
            calls.adjust = { name, status in
                if name.text == "a" { status.allocatedSize = .mebibytes(8) }
            }
            options.calls = calls
        }
        #expect(tree.exists("d/a"))
        #expect(receipt.reason(unit == .file ? "d/a" : "d") == .breaker)
    }

    @Test func aDatabaseThatHasGrownBeyondThePlanStays() throws {
        try tree.file("d.db", text: "main")
        try tree.file("d.db-wal", text: "wal")
        let receipt = try fixture.purge { options in
            var calls = HookedCalls()
            calls.adjust = { name, status in
                if name.text == "d.db-wal" { status.allocatedSize = .mebibytes(8) }
            }
            options.calls = calls
        }
        #expect(try tree.names().count == 2)
        #expect(receipt.reason("d.db") == .breaker)
    }

    @Test(.tags(.s10b)) func whatGoesIsCountedAgainstThePlan() throws {
        try tree.files(400, in: "d", size: ByteCount(4096))
        let receipt = try fixture.purge { options in
            options.threads = 1
            var calls = HookedCalls()
            calls.adjust = { _, status in
                if status.type == .regular { status.allocatedSize = ByteCount(65_536) }
            }
            options.calls = calls
        }
        #expect(receipt.expected.bytes <= 400 * 4096 * 102 / 100 + (1 << 20))
        #expect(receipt.skipped.contains { $0.reason.code == .breaker })
    }

    // MARK: S6, databases

    private func database() throws {
        try tree.file("d.db", text: "main")
        try tree.file("d.db-wal", text: "wal")
        try tree.file("d.db-shm", text: "shm")
    }

    private func purge(
        atOpening opened: String, _ action: @escaping @Sendable (Tree) throws -> Void
    ) throws -> Receipt {
        let tree = tree
        let done = Atomic<Bool>(false)
        return try fixture.purge { options in
            var calls = HookedCalls()
            calls.willOpen = { name in
                guard name.text == opened, !done.exchange(true, ordering: .relaxed) else { return }
                try? action(tree)
            }
            options.calls = calls
        }
    }

    @Test func aSidecarRewrittenSinceThePlanKeepsItsDatabase() throws {
        try database()
        let receipt = try fixture.purge { try tree.file("d.db-wal", text: "other transactions") }
        #expect(try tree.names().count == 3)
        #expect(receipt.reason("d.db") == .changed)
    }

    @Test(.tags(.s6e)) func aSidecarWrittenWhileTheDatabaseIsLockedKeepsIt() throws {
        try database()
        let receipt = try purge(atOpening: "d.db") { try $0.file("d.db-wal", text: "new pages") }
        #expect(try tree.names().count == 3)
        #expect(receipt.reason("d.db") == .changed)
    }

    @Test(.tags(.s6e)) func aSidecarThatAppearsWhileTheDatabaseIsLockedKeepsIt() throws {
        try database()
        let receipt = try purge(atOpening: "d.db") { try $0.file("d.db-journal", text: "hot") }
        #expect(try tree.names().count == 4)
        #expect(receipt.reason("d.db") == .changed)
    }

    @Test func aDatabaseOpenedJustNowStays() throws {
        try database()
        let opened = Mutex<Int32>(-1)
        let receipt = try purge(atOpening: "d.db") { tree in
            let file = unsafe open(tree.path("d.db").string, O_RDONLY | O_CLOEXEC)
            opened.withLock { $0 = file }
        }
        #expect(try tree.names().count == 3)
        #expect(receipt.reason("d.db") == .inUse)
        _ = opened.withLock { close($0) }
    }

    @Test func aLargeSidecarOpenedJustNowKeepsItsDatabase() throws {
        try tree.file("d.db", text: "main")
        try tree.file("d.db-wal", size: ByteCount(100_000))
        let opened = Mutex<Int32>(-1)
        let receipt = try purge(atOpening: "d.db-wal") { tree in
            let file = unsafe open(tree.path("d.db-wal").string, O_RDONLY | O_CLOEXEC)
            opened.withLock { $0 = file }
        }
        #expect(try tree.names().count == 2)
        #expect(receipt.reason("d.db") == .inUse)
        _ = opened.withLock { close($0) }
    }

    @Test func aDatabaseAskedForWhileItIsHeldStays() throws {
        try database()
        let tree = tree
        let isOpened = Flag()
        let done = Flag()
        let receipt = try fixture.purge { options in
            var calls = HookedCalls()
            calls.willOpen = { if $0.text == "d.db" { isOpened.set() } }
            calls.didExamine = { name in
                guard isOpened.isSet, name.text == "d.db-shm", !done.isSet else { return }
                done.set()
                // Refused for now, but it has asked: the lease is being broken.
                let file = unsafe open(
                    tree.path("d.db").string, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                if file >= 0 { close(file) }
            }
            options.calls = calls
        }
        #expect(done.isSet)
        #expect(try tree.names().count == 3)
        #expect(receipt.reason("d.db") == .inUse)
    }

    @Test func aSidecarRewrittenAfterItsDatabaseWentStays() throws {
        try database()
        let tree = tree
        let receipt = try fixture.purge { options in
            options.step = { step in
                if step == .mainRemoved { try? tree.file("d.db-wal", text: "somebody's") }
            }
        }
        #expect(try tree.contents(of: "d.db-wal") == Array("somebody's".utf8))
        #expect(try tree.names().map(\.text) == ["d.db-wal"])
        #expect(receipt.reason("d.db-wal") == .changed)
    }

    // MARK: S5

    @Test(arguments: [false, true])
    func aHeldFileKnowsThatSomebodyAsksForIt(isDatabase: Bool) throws {
        try tree.file("a", size: ByteCount(100_000))
        let check = InUseCheck(monitor: OpenFileMonitor(own: OwnDescriptors()))
        let directory = try tree.open()
        let status = try tree.status(of: "a")
        let path = tree.path("a").string
        let name = try #require(FileName("a"))
        name.withEntryName { entry in
            let hold =
                isDatabase
                ? check.holdDatabase(
                    entry, at: directory.rawValue, status: status, parent: .exclusive,
                    calls: LinuxCalls())
                : check.hold(
                    entry, at: directory.rawValue, status: status, purgeClass: .cache,
                    parent: .exclusive, calls: LinuxCalls())
            let before = hold.isUncontested
            let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            let after = hold.isUncontested
            #expect(before)
            #expect(file == -1)
            #expect(!after)
            _ = consume hold
        }
    }

    @Test(.tags(.s5e)) func theThresholdOfTheExactCheckIs64KiB() throws {
        try tree.file("a", text: "x")
        var status = try tree.status(of: "a")
        status.allocatedSize = ByteCount(65_535)
        status.logicalSize = ByteCount(65_535)
        #expect(!InUseCheck.isCheckedExactly(status, .cache))
        #expect(InUseCheck.isCheckedExactly(status, .lastResort))
        status.allocatedSize = ByteCount(65_536)
        #expect(InUseCheck.isCheckedExactly(status, .cache))
        status.allocatedSize = .zero
        status.logicalSize = ByteCount(65_536)
        #expect(InUseCheck.isCheckedExactly(status, .cache))
        status.type = .symbolicLink
        #expect(!InUseCheck.isCheckedExactly(status, .lastResort))
    }

    @Test(.tags(.s5e)) func aLargeFileOpenedJustNowStays() throws {
        try tree.file("d/a", size: ByteCount(65_536))
        let opened = Mutex<Int32>(-1)
        let receipt = try purge(atOpening: "a") { tree in
            let file = unsafe open(tree.path("d/a").string, O_RDONLY | O_CLOEXEC)
            opened.withLock { $0 = file }
        }
        #expect(tree.exists("d/a"))
        #expect(receipt.reason("d/a") == .inUse)
        _ = opened.withLock { close($0) }
    }

    @Test(.tags(.s5e), arguments: [PurgeUnit.file, .entry])
    func aLargeFileThatIsBeingOpenedWhenItGoesStays(unit: PurgeUnit) throws {
        for name in ["a", "b", "c"] {
            try tree.file("d/\(name)", size: ByteCount(70_000))
        }
        let root = fixture.root
        let opened = Mutex<[Int32]>([])
        let receipt = try fixture.purge(unit: unit) { options in
            options.step = { step in
                guard step == .willUnlink, opened.withLock({ $0.isEmpty }) else { return }
                // One of them is held, and is asked for without an answer; the others are opened.
                guard let tree = try? Tree(root: root).names().first.map({ TreePath([$0]) }) else {
                    return
                }
                for name in ["a", "b", "c"] {
                    let path = Tree(root: root).path(tree / "\(name)").string
                    let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                    opened.withLock { $0.append(file) }
                }
            }
        }
        let files = opened.withLock { $0 }
        #expect(files.count == 3)
        #expect(files.count { $0 < 0 } == 1)
        #expect(try tree.names(in: "d").count == 3)
        #expect(unit == .file || receipt.reason("d") == .inUse)
        for file in files where file >= 0 { close(file) }
    }

    @Test(.tags(.s5b)) func anUnleasedChildOfADirectoryWithALeaseIsHeldWhileItGoes() throws {
        try tree.file("d/leased", text: "x")
        try tree.file("d/free", text: "x")
        let lease = try Lease.acquire(
            tree.path("d/leased"), patience: .zero, books: fixture.options().lockBooks)
        let path = tree.path("d/free").string
        let granted = Atomic<Bool>(false)
        let receipt = try fixture.purge { options in
            var calls = HookedCalls()
            calls.willRemove = { (name, _) throws(Errno) in
                guard name.text == "free" else { return }
                let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
                if flock(file, LOCK_SH | LOCK_NB) == 0 { granted.store(true, ordering: .relaxed) }
                close(file)
            }
            options.calls = calls
        }
        let wasGranted = granted.load(ordering: .relaxed)
        #expect(!wasGranted)
        #expect(!tree.exists("d/free"))
        #expect(tree.exists("d/leased"))
        #expect(receipt.removedCount == 1)
        lease.release()
    }

    @Test(.tags(.s5b)) func noLeaseIsGrantedInADirectoryWhileItsFilesGo() throws {
        try tree.file("d/a", text: "x")
        let directory = tree.path("d").string
        let granted = Atomic<Bool>(false)
        try fixture.purge { options in
            options.step = { step in
                guard step == .willUnlink else { return }
                let opened = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                if flock(opened, LOCK_SH | LOCK_NB) == 0 { granted.store(true, ordering: .relaxed) }
                close(opened)
            }
        }
        let wasGranted = granted.load(ordering: .relaxed)
        #expect(!wasGranted)
    }
}
#endif
