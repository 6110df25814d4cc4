//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import CHeadroomShims
import Glibc
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

struct OpenFileSnapshotTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("file", text: "ready\n")
    }

    private var file: FilePath { directory.path.appending("file") }

    @Test func anUnusedFileIsNotInUse() throws {
        let snapshot = OpenFileSnapshot.capture()
        #expect(snapshot.isAvailable)
        #expect(!snapshot.contains(try Holder.identity(file)))
        #expect(snapshot.processes > 0)
    }

    @Test func findsAFileHeldOpenAndWhoHoldsIt() throws {
        let holder = try Holder.started(ChildProcess("tail", ["-f", file.string]))
        let snapshot = OpenFileSnapshot.capture()
        let use = try #require(snapshot.use(of: try Holder.identity(file)))
        #expect(use.kind == .open)
        #expect(use.process == holder.processID)
        #expect(use.text == "open in tail (\(holder.processID))")
        holder.send(SIGKILL)
        try holder.wait()
        #expect(!OpenFileSnapshot.capture().contains(try Holder.identity(file)))
    }

    @Test func findsADirectoryThatIsAWorkingDirectory() throws {
        try directory.tree.directory("work")
        let path = directory.path.appending("work")
        let holder = try Holder.shell("cd \(path) && echo ready && exec sleep 1000")
        let use = OpenFileSnapshot.capture().use(of: try Holder.identity(path))
        #expect(use?.kind == .workingDirectory)
        #expect(use?.process == holder.processID)
    }

    @Test func findsAProgramThatRuns() throws {
        let program = directory.path.appending("mysleep")
        _ = try ChildProcess.run("cp", ["/bin/sleep", program.string])
        let holder = try ChildProcess(program.string, ["1000"])
        let use = OpenFileSnapshot.capture().use(of: try Holder.identity(program))
        #expect(use?.kind == .executable)
        #expect(use?.process == holder.processID)
    }

    @Test(.enabled(if: Privilege.has(program: "python3"), "needs python3"))
    func findsAFileThatIsOnlyMapped() throws {
        let holder = try Self.map(file)
        try Self.expectMapped(file, by: holder)
    }

    @Test(.enabled(if: Privilege.canMount(.btrfs), "needs root and mkfs.btrfs"))
    func findsAMappedFileOnABtrfsSubvolume() throws {
        let image = try MountedImage(.btrfs)
        try #require(
            try ChildProcess.run("btrfs", ["subvolume", "create", "\(image.path)/sub"]).succeeded)
        try image.tree.file("sub/file", size: ByteCount(8 * 1024))
        let path = image.path.appending("sub").appending("file")
        let holder = try Self.map(path)
        try Self.expectMapped(path, by: holder)
        holder.send(SIGKILL)
        try holder.wait()
    }

    @Test(.enabled(if: Privilege.canMountOverlay, "needs root and overlayfs"))
    func findsAMappedFileOfTheLowerLayerOfAnOverlay() throws {
        let lower = try TemporaryDirectory()
        try lower.tree.file("file", size: ByteCount(8 * 1024))
        let image = try MountedImage.overlay(lower: lower.path)
        let path = image.path.appending("file")
        let holder = try Self.map(path)
        try Self.expectMapped(path, by: holder)
        holder.send(SIGKILL)
        try holder.wait()
    }

    @Test(.enabled(if: Privilege.isRoot, "needs root to become another user"))
    func withoutPrivilegeMappingsAreKnownByNameOrNumber() async throws {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            var identities: [FileIdentity] = []
            for name in ["named", "gone"] {
                let path = directory.path.appending(name)
                try directory.tree.file(TreePath(name), size: ByteCount(8192))
                let file = try PathCalls.open(path, O_RDONLY)
                let memory = unsafe mmap(nil, 8192, PROT_READ, MAP_PRIVATE, file.rawValue, 0)
                try #require(unsafe memory != MAP_FAILED)
                identities.append(try PathCalls.status(path).identity)
            }
            try directory.tree.remove("gone")
            // In a mount namespace of its own, of the same user: its names may be those of other files.
            let other = try PathCalls.status("/bin/sh").identity
            let holder = try Holder.shell(
                "exec unshare -m setpriv --reuid=65534 --clear-groups sh -c 'echo ready; kill -STOP $$'"
            )
            defer { holder.send(SIGKILL) }
            _ = unsafe chmod(directory.path.string, 0o777)
            try #require(setuid(65534) == 0)
            let snapshot = OpenFileSnapshot.capture()
            #expect(!snapshot.hasExactMappings)
            #expect(snapshot.use(of: identities[0])?.kind == .mapped)
            // Only where the device is one that maps and stat call the same.
            let isExact = identities[0].device >> 32 != 0
            #expect(snapshot.mappedInode(identities[0].inode) == !isExact)
            #expect(snapshot.mappedInode(identities[1].inode))
            #expect(snapshot.mappedInode(other.inode))
            #expect(snapshot.unreadableProcesses > 0)
        }
    }

    @Test(.tags(.s5d), .enabled(if: Privilege.canMount(.ext4), "needs root and a loop device"))
    func findsTheFileBehindALoopDevice() throws {
        let image = try MountedImage(.ext4)
        let backing = image.path.removingLastComponent().appending("image")
        let use = OpenFileSnapshot.capture().use(of: try Holder.identity(backing))
        #expect(use?.kind == .loopDevice)
    }

    @Test func namesDeletedFilesThatAreHeld() throws {
        try directory.tree.file("gone", size: ByteCount(64 * 1024))
        let path = directory.path.appending("gone")
        let identity = try Holder.identity(path)
        // It is a shell still when it says so; it may be another program a moment later.
        let holder = try Holder.shell("exec 9<\(path); echo ready; exec sleep 1000")
        _ = unsafe path.withPlatformString { unsafe unlink($0) }
        let snapshot = OpenFileSnapshot.capture()
        let deleted = try #require(
            snapshot.deletedButOpen(on: identity.device).first { $0.identity == identity })
        #expect(deleted.process == holder.processID)
        #expect(["sh", "sleep"].contains(deleted.command))
        #expect(deleted.allocatedSize == ByteCount(64 * 1024))
        #expect(deleted.path == path.string)
        #expect(snapshot.deletedButOpen(on: 0).isEmpty)
    }

    @Test func thisProcessCountsWithoutWhatThePurgeOpened() throws {
        try directory.tree.directory("before")
        try directory.tree.directory("after")
        try directory.tree.file("probe")
        let before = try directory.tree.open("before")
        let own = OwnDescriptors()
        let after = try directory.tree.open("after")
        let used = try PathCalls.open(file, O_RDONLY | O_CLOEXEC)
        let probe = try PathCalls.open(directory.path.appending("probe"), O_RDONLY | O_CLOEXEC)
        own.exempt(probe.rawValue)
        let snapshot = OpenFileSnapshot.capture(own: own)
        #expect(snapshot.contains(try Holder.identity(directory.path.appending("before"))))
        #expect(!snapshot.contains(try Holder.identity(directory.path.appending("after"))))
        #expect(snapshot.contains(try Holder.identity(file)))
        #expect(!snapshot.contains(try Holder.identity(directory.path.appending("probe"))))
        own.restore(probe.rawValue)
        #expect(
            OpenFileSnapshot.capture(own: own).contains(
                try Holder.identity(directory.path.appending("probe"))))
        withExtendedLifetime((before.rawValue, after.rawValue, used.rawValue)) {}
    }

    @Test(.tags(.s5d)) func theMonitorLooksAgainOnlyWhenItsSightIsTooOld() throws {
        let clock = ManualTime()
        let monitor = OpenFileMonitor(own: OwnDescriptors(), now: { clock.now })
        let identity = try Holder.identity(file)
        let holder = try Holder.shell("exec 9<\(file); echo ready; exec sleep 1000")
        clock.advance(.milliseconds(999))
        #expect(!monitor.sight().files.contains(identity))
        #expect(monitor.refreshes == 1)
        clock.advance(.milliseconds(1))
        #expect(monitor.sight().files.contains(identity))
        #expect(monitor.refreshes == 2)
        #expect(!monitor.refreshIfOlder(than: .seconds(1)))
        withExtendedLifetime(holder) {}
    }

    /// A look that takes long is as old as its beginning.
    @Test func aSightIsAsOldAsWhenItsTakingBegan() throws {
        // Made at 0 s, taken anew from 1 s to 2 s, asked for at 2 s.
        let times = Mutex<[Duration]>([.zero, .zero, .seconds(1)])
        let monitor = OpenFileMonitor(
            own: OwnDescriptors(),
            now: { times.withLock { $0.isEmpty ? .seconds(2) : $0.removeFirst() } })
        _ = monitor.sight()
        #expect(monitor.refreshes == 2)
        _ = monitor.sight()
        #expect(monitor.refreshes == 3)
    }

    @Test("Names that a survey has read are read again a second later")
    func usesSurvey() throws {
        let clock = ManualTime()
        let identity = try Holder.identity(file)
        let child = try Holder.started(
            ChildProcess("/bin/sh", ["-c", "echo ready; kill -STOP $$", "sh", file.string]))
        func monitor(_ survey: ProcessPathSurvey?) -> OpenFileMonitor {
            OpenFileMonitor(
                own: OwnDescriptors(), below: [directory.path], survey: survey, now: { clock.now })
        }
        #expect(monitor(nil).sight().files.contains(identity))
        #expect(monitor(.capture(below: [directory.path])).sight().files.contains(identity))
        // One that has not seen the process.
        let monitor = monitor(ProcessPathSurvey())
        #expect(!monitor.sight().files.contains(identity))
        clock.advance(.seconds(1))
        #expect(monitor.sight().files.use(of: identity)?.process == child.processID)
    }

    @Test("Reads names less often where that takes long, and keeps them")
    func backsOff() throws {
        try directory.tree.file("named", text: "x")
        let named = directory.path.appending("named")
        let first = try Holder.started(
            ChildProcess("/bin/sh", ["-c", "echo ready; kill -STOP $$", "sh", file.string]))
        // The first look takes from 0 s to 0.5 s.
        let times = Mutex<[Duration]>([.zero, .milliseconds(500), .milliseconds(4_999)])
        let monitor = OpenFileMonitor(
            own: OwnDescriptors(), below: [directory.path],
            now: { times.withLock { $0.isEmpty ? .seconds(10) : $0.removeFirst() } })
        let second = try Holder.started(
            ChildProcess("/bin/sh", ["-c", "echo ready; kill -STOP $$", "sh", named.string]))
        let early = monitor.sight().files
        #expect(monitor.refreshes == 2)
        #expect(early.use(of: try Holder.identity(file))?.process == first.processID)
        #expect(!early.contains(try Holder.identity(named)))
        let late = monitor.sight().files
        #expect(late.use(of: try Holder.identity(named))?.process == second.processID)
    }

    /// Prints what a snapshot costs; `make soak` runs it.
    @Test(.enabled(if: Privilege.isSoak, "long: HEADROOM_SOAK is not set"))
    func fiftyThousandDescriptorsAreFound() throws {
        var holders: [ChildProcess] = []
        for process in 0..<5 {
            try directory.tree.files(10_000, in: TreePath("many\(process)"))
            holders.append(
                try Holder.python(
                    """
                    import resource
                    resource.setrlimit(resource.RLIMIT_NOFILE,(10100,10100))
                    d='\(directory.path)/many\(process)'
                    f=[os.open(d+'/'+n,os.O_RDONLY) for n in os.listdir(d)]
                    """))
        }
        let base = OpenFileSnapshot.capture().count
        // The second one: what the allocator needs once is there.
        let before = ResidentMemory.bytes
        let held = OpenFileSnapshot.capture(expecting: base)
        let memory = ByteCount(Int64(ResidentMemory.bytes - before))
        #expect(held.count >= 50_000)
        withExtendedLifetime(held) {}
        let clock = ContinuousClock()
        var best = Duration.seconds(60)
        for _ in 0..<5 {
            best = min(
                best,
                clock.measure {
                    let snapshot = OpenFileSnapshot.capture(expecting: base)
                    #expect(snapshot.count >= 50_000)
                })
        }
        holders.removeAll()
        var quiet = Duration.seconds(60)
        var files = 0
        for _ in 0..<5 {
            quiet = min(quiet, clock.measure { files = OpenFileSnapshot.capture().count })
        }
        let locks = clock.measure { for _ in 0..<100 { _ = LockTable.read() } } / 100
        print(
            "snapshot: \(best) and \(memory) for \(base) files, \(quiet) for \(files); "
                + "lock table \(locks)")
    }

    private static func map(_ path: FilePath) throws -> ChildProcess {
        // The mmap module keeps a descriptor of its own, so all are closed.
        try Holder.python(
            """
            f=os.open('\(path)',os.O_RDONLY)
            m=mmap.mmap(f,0,mmap.MAP_PRIVATE,mmap.PROT_READ)
            os.closerange(3,100)
            """)
    }

    private static func expectMapped(
        _ path: FilePath, by holder: ChildProcess, location: SourceLocation = #_sourceLocation
    ) throws {
        let snapshot = OpenFileSnapshot.capture()
        let use = snapshot.use(of: try Holder.identity(path))
        #expect(use?.kind == .mapped, sourceLocation: location)
        #expect(use?.process == holder.processID, sourceLocation: location)
    }
}
#endif
