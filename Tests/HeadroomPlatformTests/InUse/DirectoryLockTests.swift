//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

struct DirectoryLockTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("file", text: "x")
    }

    private var path: FilePath { directory.path }
    private var file: FilePath { path.appending("file") }
    private static let sleep = "echo ready; exec sleep 1000"

    private func holds(_ path: FilePath) throws -> Bool {
        guard let held = ItemGuard.acquire(try PathCalls.open(path, 0)) else { return false }
        _ = consume held
        return true
    }

    private func state(_ path: FilePath) throws -> ParentGuard.State {
        let descriptor = try PathCalls.openDirectory(path)
        let held = ParentGuard.acquire(descriptor.rawValue)
        return held.state
    }

    @Test func anUnlockedDirectoryIsGuardedExclusively() throws {
        #expect(try state(path) == .exclusive)
        // Released again.
        #expect(try state(path) == .exclusive)
    }

    @Test func aGuardEndsThoughItsDirectoryStaysOpen() throws {
        let descriptor = try PathCalls.openDirectory(path)
        do {
            let held = ParentGuard.acquire(descriptor.rawValue)
            #expect(try state(path) == .heldExclusively)
            _ = consume held
        }
        #expect(try state(path) == .exclusive)
        withExtendedLifetime(descriptor.rawValue) {}
    }

    @Test func aDirectoryUnderFlockIsLeftAlone() throws {
        let holder = try Holder.started(
            ChildProcess("flock", ["-F", "-x", path.string, "sh", "-c", Self.sleep]))
        #expect(try state(path) == .heldExclusively)
        #expect(ParentGuard.State.heldExclusively.allowsRemoval == false)
        withExtendedLifetime(holder) {}
    }

    @Test func aLockOnAChildMakesTheGuardShared() throws {
        let holder = try Holder.started(
            ChildProcess(
                "flock",
                [
                    "-F", "-s", path.string, "flock", "-F", "-s", file.string, "sh", "-c",
                    Self.sleep,
                ]))
        #expect(try state(path) == .shared)
        try directory.tree.file("other")
        #expect(try holds(path.appending("other")))
        #expect(try !holds(file))
        withExtendedLifetime(holder) {}
    }

    #if os(Linux)
    @Test(.enabled(if: Privilege.isRoot, "needs root for a PID namespace"))
    func aLockFromAnotherPIDNamespaceCounts() throws {
        let holder = try Holder.started(
            ChildProcess(
                "unshare",
                [
                    "-p", "-f", "--kill-child", "flock", "-F", "-s", path.string, "flock", "-F",
                    "-s",
                    file.string, "sh", "-c", Self.sleep,
                ]))
        #expect(try state(path) == .shared)
        #expect(try !holds(file))
        withExtendedLifetime(holder) {}
    }

    @Test(.enabled(if: Privilege.canMount(.btrfs), "needs root and mkfs.btrfs"))
    func locksWorkOnABtrfsSubvolume() throws {
        let image = try MountedImage(.btrfs)
        try #require(
            try ChildProcess.run("btrfs", ["subvolume", "create", "\(image.path)/sub"]).succeeded)
        try expectLocks(on: image.path.appending("sub"))
    }

    @Test(.enabled(if: Privilege.canMountOverlay, "needs root and overlayfs"))
    func locksWorkOnAnOverlay() throws {
        let lower = try TemporaryDirectory()
        try lower.tree.file("below/file")
        let image = try MountedImage.overlay(lower: lower.path)
        try expectLocks(on: image.path.appending("below"))
    }

    private func expectLocks(on path: FilePath) throws {
        #expect(try state(path) == .exclusive)
        let holder = try PathCalls.openDirectory(path)
        #expect(FileLock.tryShared(holder.rawValue) == .granted)
        #expect(try state(path) == .shared)
        try FileLock.markWhole(holder.rawValue)
        #expect(try state(path) == .leasedWhole)
        #expect(FileLock.tryExclusive(holder.rawValue) == .granted)
        #expect(try state(path) == .heldExclusively)
    }
    #endif

    @Test func aMarkedDirectoryIsLeasedWithAllBelow() throws {
        let holder = try PathCalls.openDirectory(path)
        #expect(FileLock.tryShared(holder.rawValue) == .granted)
        try FileLock.markWhole(holder.rawValue)
        #expect(try state(path) == .leasedWhole)
    }

    #if os(Linux)
    @Test func theLockTableNamesTheHolder() throws {
        // Stopped, not asleep: so it keeps its name.
        let holder = try Holder.started(
            ChildProcess(
                "flock", ["-F", "-x", file.string, "sh", "-c", "echo ready; kill -STOP $$"]))
        let lock = try #require(
            LockTable.read().foreignLock(of: try Holder.identity(file)))
        #expect(lock.kind == .wholeFile)
        #expect(lock.isExclusive)
        #expect(lock.text == "locked by sh (\(holder.processID))")
    }

    @Test func ourOwnFlocksAreNotForeign() throws {
        let descriptor = try PathCalls.open(file, 0)
        #expect(FileLock.tryExclusive(descriptor.rawValue) == .granted)
        let table = LockTable.read()
        let identity = try Holder.identity(file)
        #expect(table.foreignLock(of: identity) == nil)
        #expect(table.entries(inode: identity.inode).count >= 1)
    }

    @Test func aLockOnAnotherDeviceIsNotThisFiles() throws {
        let holder = try Holder.started(
            ChildProcess("flock", ["-F", "-x", file.string, "sh", "-c", Self.sleep]))
        var identity = try Holder.identity(file)
        let own = identity.device
        let other = try #require(
            try MountTable.current().mounts.first { mount in
                mount.device != own && ["ext4", "xfs", "tmpfs", "devtmpfs"].contains(mount.type)
            })
        identity.device = other.device
        #expect(LockTable.read().foreignLock(of: identity) == nil)
        // Of a device whose numbers cannot be trusted, as an overlay's, its holder's files decide.
        identity.device = 1 << 32 | 2
        #expect(LockTable.read().foreignLock(of: identity) == nil)
        withExtendedLifetime(holder) {}
    }
    #endif
}
