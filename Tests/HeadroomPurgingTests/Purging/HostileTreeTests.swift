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

/// What lies in an area and must not go, or must not lead out of it.
struct HostileTreeTests {
    let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws { fixture = try PurgeFixture() }

    private func mark(_ path: TreePath, _ text: String) throws {
        let file = try PathCalls.open(tree.path(path), O_RDONLY | O_CLOEXEC)
        try LinuxCalls().setAttribute(
            MarkAttribute.name, to: Array(text.utf8), of: file.rawValue)
    }

    private func marksWork() -> Bool {
        (try? mark("", "1 importance=50")) != nil
    }

    @Test(.tags(.s2a)) func linksAreRemovedAndNeverFollowed() throws {
        try tree.symbolicLink("out", to: "\(fixture.outside.root)/canary")
        try tree.symbolicLink("d/out", to: "../../outside/canary/precious")
        let receipt = try fixture.purge()
        #expect(receipt.skipped == [])
        #expect(try tree.names() == [])
        #expect(try fixture.canariesAreUntouched())
    }

    @Test(arguments: [PurgeUnit.file, .entry])
    func aDirectoryThatBecameALinkIsNotEntered(unit: PurgeUnit) throws {
        try fixture.outside.file("twin/a", text: "mine")
        try tree.file("d/a", text: "mine")
        let receipt = try fixture.purge(unit: unit) {
            try tree.rename("d", to: "old")
            try tree.symbolicLink("d", to: "../outside/twin")
        }
        #expect(fixture.outside.exists("twin/a"))
        #expect(tree.exists("old/a"))
        #expect(receipt.reason(unit == .file ? "d/a" : "d") == .changed)
    }

    @Test(.tags(.s2b)) func aDirectoryThatBecomesALinkWhileThePurgeRunsIsNotEntered() throws {
        try fixture.outside.file("twin/b/c", text: "mine")
        try tree.file("a/first", text: "x")
        try tree.file("b/c", text: "x")
        let tree = tree
        let done = Atomic<Bool>(false)
        let receipt = try fixture.purge { options in
            options.step = { step in
                guard step == .willUnlink, !done.exchange(true, ordering: .relaxed) else { return }
                // Whichever goes first, the other's directory is exchanged.
                for name in ["a", "b"] where tree.exists("\(name)") {
                    try? tree.rename("\(name)", to: "\(name)-old")
                    try? tree.symbolicLink("\(name)", to: "../outside/twin/b")
                }
            }
        }
        #expect(fixture.outside.exists("twin/b/c"))
        #expect(receipt.removedCount == 1)
        #expect(receipt.skipped.contains { $0.reason.code == .changed })
    }

    @Test(.tags(.s2b), .timeLimit(.minutes(10)))
    func aThreadThatSwapsLinksInNeverLeadsThePurgeOut() throws {
        try fixture.outside.files(50, in: "twin")
        let stop = Flag()
        let tree = tree
        for round in 0..<(Privilege.isSoak ? 60 : 6) {
            let unit: PurgeUnit = round.isMultiple(of: 2) ? .file : .entry
            try tree.files(50, in: "d\(round)/sub")
            // Of a tree that keeps still: the purge is what is to be led astray.
            let plan = try fixture.plan(unit: unit)
            let racer = try WorkerThread {
                while !stop.isSet {
                    try? tree.rename("d\(round)/sub", to: "d\(round)/aside")
                    try? tree.symbolicLink("d\(round)/sub", to: "../../../outside/twin")
                    try? tree.remove("d\(round)/sub")
                    try? tree.rename("d\(round)/aside", to: "d\(round)/sub")
                }
            }
            _ = try? Purger.purge(plan, options: fixture.options(unit: unit))
            stop.set()
            racer.join()
            stop.clear()
            #expect(try fixture.outside.names(in: "twin").count == 50)
        }
        #expect(try fixture.canariesAreUntouched())
    }

    @Test(.tags(.s2c)) func anExchangedRootIsRefused() throws {
        try tree.file("a", text: "x")
        let other = fixture.base.tree
        #expect {
            try fixture.purge {
                try other.rename("area", to: "was")
                try other.file("area/a", text: "x")
            }
        } throws: { ($0 as? HeadroomError)?.code == .refused }
        #expect(other.exists("area/a"))
        #expect(other.exists("was/a"))
    }

    @Test(.tags(.s2c)) func theRootItselfIsNeverRemoved() throws {
        try tree.file("a/b", text: "x")
        try fixture.purge()
        #expect(fixture.base.tree.exists("area"))
        #expect(try tree.names() == [])
    }

    @Test(.tags(.s4a), arguments: [PurgeUnit.file, .entry])
    func aFileRewrittenSincePlanningStays(unit: PurgeUnit) throws {
        try tree.file("d/a", text: "before")
        try tree.file("e/b", text: "other")
        let times = try tree.status(of: "d/a")
        let receipt = try fixture.purge(unit: unit) {
            try tree.file("d/a", text: "after!")
            // Same size, same mtime: only the ctime tells.
            try tree.setTimes(of: "d/a", accessed: times.accessed, modified: times.modified)
        }
        #expect(try tree.contents(of: "d/a") == Array("after!".utf8))
        #expect(receipt.reason(unit == .file ? "d/a" : "d") == .changed)
        #expect(!tree.exists("e/b"))
    }

    @Test(.tags(.s5d), arguments: ["open", "mapped", "cwd"], [PurgeUnit.file, .entry])
    func whatIsInUseStays(how: String, unit: PurgeUnit) throws {
        for size in [100, 200_000] {
            try tree.file("d/used\(size)", size: ByteCount(Int64(size)))
        }
        try tree.file("e/free", size: ByteCount(200_000))
        let code =
            switch how {
            case "open": "f=[open('d/used100'), open('d/used200000')]"
            case "mapped":
                """
                m=[]
                for n in ('d/used100','d/used200000'):
                    f=open(n,'rb'); m.append(mmap.mmap(f.fileno(),0,prot=mmap.PROT_READ)); f.close()
                """
            default: "os.chdir('d')"
            }
        let holder = try Holder.started(
            ChildProcess(
                Holder.python,
                [
                    "-c",
                    "import os,mmap,signal\n\(code)\nprint('ready',flush=True)\nsignal.pause()",
                ], directory: fixture.root))
        let receipt = try fixture.purge(unit: unit)
        #expect(!tree.exists("e/free"))
        #expect(tree.exists("d"))
        if how != "cwd" {
            #expect(tree.exists("d/used100"))
            #expect(tree.exists("d/used200000"))
        }
        if unit == .entry {
            #expect(receipt.reason("d") == .inUse)
        } else if how != "cwd" {
            #expect(receipt.reason("d/used100") == .inUse)
            #expect(receipt.reason("d/used200000") == .inUse)
        }
        // The process survives our asking.
        #expect(kill(holder.processID, 0) == 0)
    }

    @Test(.tags(.s5c), arguments: [PurgeUnit.file, .entry])
    func aDirectoryHeldExclusivelyIsLeftAloneWithAllBelow(unit: PurgeUnit) throws {
        try tree.file("d/sub/a", text: "x")
        try tree.file("e/b", text: "x")
        let holder = try Holder.shell(
            "exec 9<\(fixture.root)/d; flock -x 9; echo ready; exec sleep 1000")
        let receipt = try fixture.purge(unit: unit)
        #expect(tree.exists("d/sub/a"))
        #expect(!tree.exists("e"))
        #expect(receipt.isClaimed(unit == .file ? "d/sub/a" : "d"))
        withExtendedLifetime(holder) {}
    }

    @Test func anEmptyDirectoryThatIsHeldStays() throws {
        try tree.directory("d")
        try tree.directory("e")
        let holder = try Holder.shell(
            "exec 9<\(fixture.root)/d; flock -x 9; echo ready; exec sleep 1000")
        let receipt = try fixture.purge()
        #expect(tree.exists("d"))
        #expect(!tree.exists("e"))
        #expect(receipt.isClaimed("d"))
        withExtendedLifetime(holder) {}
    }

    @Test func aRootHeldExclusivelyIsLeftAlone() throws {
        try tree.file("d/a", text: "x")
        let holder = try Holder.shell(
            "exec 9<\(fixture.root); flock -x 9; echo ready; exec sleep 1000")
        let receipt = try fixture.purge()
        #expect(tree.exists("d/a"))
        #expect(receipt.reason("d/a") == .leased)
        withExtendedLifetime(holder) {}
    }

    @Test(.tags(.s5a), arguments: [PurgeUnit.file, .entry])
    func leasedFilesAndDirectoriesStay(unit: PurgeUnit) throws {
        try tree.file("d/leased", text: "x")
        try tree.file("d/free", text: "x")
        try tree.file("e/inside/a", text: "x")
        try tree.file("f/a", text: "x")
        let books = fixture.options().lockBooks
        let file = try Lease.acquire(tree.path("d/leased"), patience: .zero, books: books)
        let directory = try Lease.acquire(tree.path("e"), patience: .zero, books: books)
        let receipt = try fixture.purge(unit: unit)
        #expect(tree.exists("d/leased"))
        #expect(tree.exists("d/free") == (unit == .entry))
        #expect(tree.exists("e/inside/a"))
        #expect(!tree.exists("f"))
        #expect(receipt.isClaimed(unit == .file ? "d/leased" : "d"))
        #expect(receipt.isClaimed(unit == .file ? "e/inside/a" : "e"))
        file.release()
        directory.release()
    }

    @Test(.tags(.s5a), .enabled(if: Privilege.isRoot, "needs root for a PID namespace"))
    func aLeaseOfAnotherProcessNamespaceCounts() throws {
        try tree.file("d/leased", text: "x")
        try tree.file("d/free", text: "x")
        let holder = try ChildProcess(
            "unshare",
            [
                "--pid", "--fork", "--kill-child", "--mount-proc", "flock", "-F", "-s",
                "\(fixture.root)/d", "flock", "-F", "-s", "\(fixture.root)/d/leased", "sh", "-c",
                "echo ready; exec sleep 1000",
            ])
        try #require(try holder.readOutput(until: "ready"))
        let receipt = try fixture.purge()
        #expect(tree.exists("d/leased"))
        #expect(!tree.exists("d/free"))
        #expect(receipt.isClaimed("d/leased"))
        withExtendedLifetime(holder) {}
    }

    @Test(.tags(.s12b)) func specialFilesAreNeitherOpenedNorRemoved() throws {
        try tree.fifo("d/fifo")
        try tree.socket("d/socket")
        if Privilege.isRoot { try tree.nullDevice("d/device") }
        try tree.file("d/a", text: "x")
        let receipt = try fixture.purge()
        #expect(receipt.removedCount == 1)
        #expect(tree.exists("d/fifo"))
        #expect(tree.exists("d/socket"))
        #expect(tree.exists("d/device") == Privilege.isRoot)
    }

    @Test(.tags(.s12a), arguments: [PurgeUnit.file, .entry])
    func whatBecameAFifoIsNotOpened(unit: PurgeUnit) throws {
        try tree.file("d/a", size: ByteCount(200_000))
        let opened = Mutex<[FileName]>([])
        let receipt = try fixture.purge(unit: unit) {
            try tree.remove("d/a")
            try tree.fifo("d/a")
        } change: { options in
            var calls = HookedCalls()
            calls.willOpen = { name in opened.withLock { $0.append(name) } }
            options.calls = calls
        }
        #expect(tree.exists("d/a"))
        #expect(opened.withLock { $0 } == [])
        #expect(!receipt.skipped.isEmpty)
    }

    @Test func namesOfAnyBytesGo() throws {
        let names: [TreePath] = [
            TreePath(name: Array("new\nline".utf8)), TreePath(name: [0xFF, 0xFE, 0x80]),
            TreePath(name: Array(repeating: 0x61, count: 255)), TreePath(name: [0x2D, 0x72, 0x66]),
        ]
        for name in names { try tree.file("d" / name, text: "x") }
        for name in names { try tree.file("e" / name / "inside", text: "x") }
        let receipt = try fixture.purge()
        #expect(receipt.skipped == [])
        #expect(try tree.names() == [])
    }

    @Test func aLinkToTheOutsideGoesAndFreesNothing() throws {
        try fixture.outside.file("kept", size: ByteCount(100_000))
        unsafe #expect(
            link(fixture.outside.path("kept").string, tree.path("again").string) == 0)
        let receipt = try fixture.purge()
        #expect(receipt.expected == .zero)
        #expect(try fixture.outside.status(of: "kept").linkCount == 1)
        #expect(try fixture.outside.contents(of: "kept").count == 100_000)
    }

    @Test(.tags(.s4c, .r8c), arguments: [PurgeUnit.file, .entry])
    func bothLinksOfAPairGoAndFreeTheirBytesOnce(unit: PurgeUnit) throws {
        try tree.file("d/one", size: ByteCount(1_000_000))
        try tree.hardLink("e/two", to: "d/one")
        try tree.symbolicLink("d/link", to: "one")
        unsafe #expect(
            linkat(
                AT_FDCWD, tree.path("d/link").string, AT_FDCWD, tree.path("d/link2").string, 0)
                == 0)
        try tree.file("d/three", size: ByteCount(500_000))
        try tree.hardLink("four", to: "d/three")
        let plan = try fixture.plan(unit: unit)
        let receipt = try Purger.purge(plan, options: fixture.options(unit: unit))
        #expect(receipt.skipped == [], "\(receipt.skipped)")
        #expect(receipt.outcome == .completed)
        #expect(try tree.names() == [])
        #expect(receipt.expected == plan.frees)
        #expect(receipt.expected.bytes >= 1_500_000)
        #expect(receipt.expected.bytes < 1_600_000)
    }

    @Test(.tags(.s4c)) func aLinkWhoseFileIsRewrittenBetweenTheLinksStays() throws {
        try tree.file("one", text: "before")
        try tree.hardLink("two", to: "one")
        let done = Atomic<Bool>(false)
        let tree = tree
        let receipt = try fixture.purge { options in
            var calls = HookedCalls()
            calls.didRemove = { name in
                // Between our unlink and our look at what it has changed.
                guard !done.exchange(true, ordering: .relaxed) else { return }
                try? tree.file(name.text == "one" ? "two" : "one", text: "after, mine")
            }
            options.calls = calls
        }
        #expect(receipt.removedCount == 1)
        #expect(receipt.skipped.map(\.reason.code) == [.changed])
        #expect(try tree.names().count == 1)
    }

    /// Deeper than a path may be long, with so small a stack that 500 bytes of it for each level
    /// would be too much (S13).
    @Test(.tags(.s13b), arguments: [PurgeUnit.file, .entry])
    func manyLevelsGoOnASmallStack(unit: PurgeUnit) throws {
        let depth = Privilege.isSoak ? 3_000 : 500
        let deep = try tree.chain("top", depth: depth, name: FileName("directory"))
        try tree.file(deep / "leaf", text: "x")
        try tree.file("top/directory/directory/other", text: "x")
        let fixture = fixture
        let receipts = Mutex<[Result<Receipt, any Error>]>([])
        try SmallStack.run(bytes: 256 << 10) {
            let result = Result { try fixture.purge(unit: unit) { $0.threads = 1 } }
            receipts.withLock { $0.append(result) }
        }
        #expect(try receipts.withLock { $0.first }?.get().skipped == [])
        #expect(try tree.names() == [])
    }

    @Test(
        .tags(.s3a), .enabled(if: Privilege.canMount, "needs root to mount"),
        arguments: [PurgeUnit.file, .entry])
    func nestedMountsAreNotEntered(unit: PurgeUnit) throws {
        try tree.directory("d/mount")
        try tree.directory("e/bind")
        try tree.file("d/a", text: "x")
        try tree.file("e/a", text: "x")
        let mount = try MountedImage.tmpfs(size: .mebibytes(1))
        try mount.tree.file("in", text: "x")
        let first = try MountedImage.bind(mount.path, at: tree.path("d/mount"))
        let second = try MountedImage.bind(
            fixture.outside.path("canary"), at: tree.path("e/bind"))
        let receipt = try fixture.purge(unit: unit)
        #expect(tree.exists("d/a") == (unit == .entry))
        #expect(tree.exists("e/a") == (unit == .entry))
        #expect(mount.tree.exists("in"))
        #expect(try fixture.canariesAreUntouched())
        withExtendedLifetime((first, second, receipt)) {}
    }

    @Test(
        .tags(.s3b), .enabled(if: Privilege.canMount, "needs root to mount"),
        arguments: [PurgeUnit.file, .entry])
    func whatWasMountedSincePlanningIsNotEntered(unit: PurgeUnit) throws {
        try tree.file("d/sub/precious", text: "x")
        try fixture.outside.file("twin/precious", text: "x")
        let plan = try fixture.plan(unit: unit)
        // The same directory over itself: same device, same inodes, another mount.
        let bind = try MountedImage.bind(tree.path("d/sub"), at: tree.path("d/sub"))
        let receipt = try Purger.purge(plan, options: fixture.options(unit: unit))
        #expect(tree.exists("d/sub/precious"))
        #expect(receipt.reason(unit == .file ? "d/sub/precious" : "d") == .mountPoint)
        withExtendedLifetime(bind) {}
    }

    @Test(.tags(.s4b), arguments: [PurgeUnit.file, .entry])
    func aPinnedFileMovedToAnUnflaggedDirectoryStays(unit: PurgeUnit) throws {
        try #require(marksWork(), "no user attributes here")
        try fixture.outside.file("pinned", text: "mine")
        try tree.file("d/a", text: "x")
        try mark("../outside/pinned", "1 pinned")
        // Moved in before the scan: its directory is not flagged, so the scan does not see it.
        try fixture.base.tree.rename("outside/pinned", to: "area/d/pinned")
        let receipt = try fixture.purge(unit: unit)
        #expect(tree.exists("d/pinned"))
        #expect(tree.exists("d/a") == (unit == .entry))
        #expect(receipt.reason(unit == .file ? "d/pinned" : "d") == .pinned)
    }

    @Test(.tags(.s4b, .r9e), arguments: [PurgeUnit.file, .entry])
    func aDamagedMarkProtects(unit: PurgeUnit) throws {
        try #require(marksWork(), "no user attributes here")
        try tree.file("d/a", text: "x")
        try mark("d/a", "nonsense")
        let receipt = try fixture.purge(unit: unit)
        #expect(tree.exists("d/a"))
        #expect(receipt.reason(unit == .file ? "d/a" : "d") == .pinned)
    }

    @Test func aDirectoryPinnedSincePlanningStaysWithAllBelow() throws {
        try #require(marksWork(), "no user attributes here")
        try tree.file("d/sub/a", text: "x")
        try tree.directory("empty")
        let receipt = try fixture.purge {
            try mark("d", "1 pinned")
            try mark("empty", "1 pinned")
        }
        #expect(tree.exists("d/sub/a"))
        #expect(tree.exists("empty"))
        #expect(receipt.reason("d/sub/a") == .pinned)
        #expect(receipt.reason("empty") == .pinned)
    }

    @Test(
        .enabled(if: Privilege.isRoot, "needs root for chattr"),
        arguments: [PurgeUnit.file, .entry])
    func immutableFilesStay(unit: PurgeUnit) throws {
        let fixture = try PurgeFixture(on: .disk)
        try fixture.tree.file("d/a", text: "x")
        try fixture.tree.file("d/b", text: "x")
        let path = fixture.tree.path("d/a").string
        try #require(try ChildProcess.run("chattr", ["+i", path]).succeeded)
        defer { _ = try? ChildProcess.run("chattr", ["-i", path]) }
        try fixture.purge(unit: unit)
        #expect(fixture.tree.exists("d/a"))
        #expect(fixture.tree.exists("d/b") == (unit == .entry))
    }

    @Test func descriptorsAreNotLeaked() throws {
        try tree.files(200, in: "a/b/c", size: ByteCount(70_000))
        try tree.chain("deep", depth: 300)
        try tree.file("u/v/w", size: ByteCount(70_000))
        let before = OwnDescriptors.areaDescriptors(below: fixture.root)
        try fixture.purge()
        #expect(OwnDescriptors.areaDescriptors(below: fixture.root) == before)
        #expect(before == 0)
    }
}

extension OwnDescriptors {
    /// How many descriptors of this process lead below a directory; other tests run meanwhile.
    static func areaDescriptors(below root: FilePath) -> Int {
        let names = (try? Tree(root: "/proc/self").names(in: "fd")) ?? []
        return names.count { name in
            var buffer = [CChar](repeating: 0, count: 4096)
            let count = unsafe readlink("/proc/self/fd/\(name.text)", &buffer, buffer.count - 1)
            guard count > 0 else { return false }
            let target = buffer[..<count].map { UInt8(bitPattern: $0) }
            return target.starts(with: Array(root.string.utf8))
        }
    }
}
#endif
