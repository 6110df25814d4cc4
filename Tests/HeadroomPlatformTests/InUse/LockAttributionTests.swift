//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("S5: which file a lock is on", .timeLimit(.minutes(10)))
struct LockAttributionTests {
    /// Python code that locks the file `f`.
    private static let locks = [
        "fcntl.flock(f,fcntl.LOCK_EX)", "fcntl.lockf(f,fcntl.LOCK_EX)",
        "import struct; fcntl.fcntl(f,37,struct.pack('hhqqi',fcntl.F_WRLCK,0,0,0,0))",
    ]

    @Test(
        "Ignores a lock in another mount namespace on a file with the same inode number",
        .enabled(if: Privilege.canMount, "needs root to mount"), arguments: locks)
    func ignoresForeignNamespace(lock: String) throws {
        let image = try MountedImage.tmpfs(size: .mebibytes(1))
        for number in 1...8 { try image.tree.file(TreePath("f\(number)"), text: "x") }
        let file = try Holder.identity(image.path.appending("f5"))
        let mount = try TemporaryDirectory(on: .memory)
        let holder = try Self.holder(inode: file.inode, lock, mount.path)
        let table = LockTable.read()
        try #require(!table.entries(inode: file.inode).isEmpty)
        #expect(table.entries(of: file).isEmpty)
        #expect(table.foreignLock(of: file) == nil)
        withExtendedLifetime((holder, mount)) {}
    }

    @Test(
        "Ignores such a lock also without the right to read its holder's files",
        .enabled(if: Privilege.canMount, "needs root to mount and to become another user"),
        arguments: [0, 1])
    func ignoresUnreadableForeignNamespace(index: Int) async throws {
        await #expect(processExitsWith: .success) { [index] in
            let (image, file) = try LockAttributionTests.uncommonFile()
            let mount = try TemporaryDirectory(on: .memory)
            let holder = try LockAttributionTests.holder(
                inode: file.inode, LockAttributionTests.locks[index], mount.path)
            try #require(seteuid(65534) == 0)
            let table = LockTable.read()
            let found = table.foreignLock(of: file)
            try #require(seteuid(0) == 0)
            #expect(!table.entries(inode: file.inode).isEmpty)
            #expect(found == nil)
            withExtendedLifetime((holder, mount, image)) {}
        }
    }

    @Test(
        "Ignores a POSIX lock of a process that has ended since the table was read",
        .enabled(if: Privilege.canMount, "needs root to mount and to become another user"))
    func ignoresLockOfEndedProcess() async throws {
        await #expect(processExitsWith: .success) {
            let (image, file) = try LockAttributionTests.uncommonFile()
            let mount = try TemporaryDirectory(on: .memory)
            let holder = try LockAttributionTests.holder(
                inode: file.inode, LockAttributionTests.locks[1], mount.path)
            let table = LockTable.read()
            holder.send(SIGKILL)
            try holder.wait()
            try #require(seteuid(65534) == 0)
            let found = table.foreignLock(of: file)
            try #require(seteuid(0) == 0)
            #expect(!table.entries(inode: file.inode).isEmpty)
            #expect(found == nil)
            withExtendedLifetime((mount, image)) {}
        }
    }

    @Test("Sees every kind of lock on the file itself", arguments: locks)
    func seesLock(lock: String) throws {
        let directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("file", text: "x")
        try Self.expectLock(lock, on: directory.path.appending("file"))
    }

    @Test(
        "Sees every kind of lock on the file itself on an overlay",
        .enabled(if: Privilege.canMountOverlay, "needs root and overlayfs"), arguments: locks)
    func seesLockOnOverlay(lock: String) throws {
        let lower = try TemporaryDirectory()
        try lower.tree.file("below", text: "x")
        let image = try MountedImage.overlay(lower: lower.path)
        try image.tree.file("new", text: "x")
        try Self.expectLock(lock, on: image.path.appending("below"))
        try Self.expectLock(lock, on: image.path.appending("new"))
    }

    @Test(
        "Sees every kind of lock on the file itself on btrfs",
        .enabled(if: Privilege.canMount(.btrfs), "needs root and mkfs.btrfs"), arguments: locks)
    func seesLockOnBtrfs(lock: String) throws {
        let image = try MountedImage(.btrfs)
        try image.tree.file("new", text: "x")
        try Self.expectLock(lock, on: image.path.appending("new"))
    }

    @Test(
        "Tells a lock on a btrfs file from a foreign lock with the same inode number",
        .enabled(if: Privilege.canMount(.btrfs), "needs root and mkfs.btrfs"), arguments: locks)
    func ignoresForeignLockBesideBtrfs(lock: String) throws {
        let image = try MountedImage(.btrfs)
        try image.tree.file("new", text: "x")
        let path = image.path.appending("new")
        let mount = try TemporaryDirectory(on: .memory)
        let holder = try Self.holder(
            inode: Holder.identity(path).inode, Self.locks[0], mount.path)
        try Self.expectLock(lock, on: path)
        withExtendedLifetime((holder, mount)) {}
    }

    @Test("Sees a flock whose taker has ended and whose descriptor another process inherited")
    func seesInheritedLock() throws {
        let directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("file", text: "x")
        try Self.expectInheritedLock(on: directory.path.appending("file"))
    }

    @Test(
        "Sees an inherited flock on an overlay",
        .enabled(if: Privilege.canMountOverlay, "needs root and overlayfs"))
    func seesInheritedLockOnOverlay() throws {
        let lower = try TemporaryDirectory()
        let image = try MountedImage.overlay(lower: lower.path)
        try image.tree.file("file", text: "x")
        try Self.expectInheritedLock(on: image.path.appending("file"))
    }

    // MARK: - Helpers

    /// A file on a tmpfs, with an inode number that no lock of another test has: without rights, it can't be told that such
    /// a lock is on another file.
    private static func uncommonFile() throws -> (MountedImage, FileIdentity) {
        let image = try MountedImage.tmpfs(size: .mebibytes(4))
        let last = Int.random(in: 250...350)
        for number in 1...last { try image.tree.file(TreePath("f\(number)"), text: "x") }
        return (image, try Holder.identity(image.path.appending("f\(last)")))
    }

    /// A process that holds a lock on a file with this inode number on a tmpfs that only it sees.
    ///
    /// - Parameter directory: where it mounts that; it must exist as long as the process.
    private static func holder(
        inode: UInt64, _ lock: String, _ directory: FilePath
    ) throws -> ChildProcess {
        let code = """
            import os,fcntl,signal
            for i in range(400):
                f=os.open('\(directory)/x%d'%i,os.O_RDWR|os.O_CREAT)
                if os.fstat(f).st_ino==\(inode): break
            else: raise SystemExit(1)
            \(lock)
            print('ready',flush=True)
            signal.pause()
            """
        return try Holder.started(
            ChildProcess(
                "unshare",
                [
                    "-m", "--propagation", "private", "sh", "-c",
                    "mount -t tmpfs none '\(directory)' && exec \(Holder.python) -c \"$0\"",
                    code,
                ]))
    }

    private static func expectLock(
        _ lock: String, on path: FilePath, location: SourceLocation = #_sourceLocation
    ) throws {
        let holder = try Holder.python("f=os.open('\(path)',os.O_RDWR)\n\(lock)")
        let table = LockTable.read()
        let identity = try Holder.identity(path)
        #expect(table.foreignLock(of: identity) != nil, sourceLocation: location)
        #expect(table.entries(of: identity).count == 1, sourceLocation: location)
        withExtendedLifetime(holder) {}
    }

    private static func expectInheritedLock(
        on path: FilePath, location: SourceLocation = #_sourceLocation
    ) throws {
        let holder = try ChildProcess(
            Holder.python,
            [
                "-c",
                """
                import os,fcntl,signal
                f=os.open('\(path)',os.O_RDWR)
                fcntl.flock(f,fcntl.LOCK_EX)
                if os.fork(): os._exit(0)
                signal.alarm(300)
                print('ready',flush=True)
                signal.pause()
                """,
            ])
        #expect(try holder.readOutput(until: "ready"), sourceLocation: location)
        let identity = try Holder.identity(path)
        let heir = try #require(OpenFileSnapshot.capture().use(of: identity)).process
        defer { kill(heir, SIGKILL) }
        #expect(heir != holder.processID, sourceLocation: location)
        #expect(LockTable.read().foreignLock(of: identity) != nil, sourceLocation: location)
    }
}
#endif
