//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
public import HeadroomPlatform
public import SystemPackage

import Glibc
import Synchronization

/// A file system of its own that is unmounted and removed when its owner goes away.
///
/// Needs root: put `.enabled(if: Privilege.canMount(.xfs), "needs root and mkfs.xfs")` on the test.
/// Directories of tests belong inside: `TemporaryDirectory(on: .at(image.path))` goes first.
///
///     let image = try MountedImage(.ext4, size: .mebibytes(64))
///     try image.tree.file("a", size: .mebibytes(1))
public final class MountedImage: Sendable {
    /// A file system that is made in a file and mounted by a loop device.
    public enum Format: String, Sendable, CaseIterable {
        case ext4
        case xfs
        case btrfs

        /// The smallest size that its mkfs accepts with room to spare.
        public var smallestSize: ByteCount {
            switch self {
            case .ext4: .mebibytes(16)
            case .xfs: .mebibytes(320)
            case .btrfs: .mebibytes(128)
            }
        }
    }

    /// Where the file system is mounted.
    public let path: FilePath

    /// The tree below the mount point.
    public var tree: Tree { Tree(root: path) }

    /// Keeps the image, and the mount point where it lies there.
    private let support: TemporaryDirectory?
    /// How often the image was copied.
    private let images = Mutex(0)

    /// Makes a file system in a sparse file in memory and mounts it.
    ///
    /// - Parameters:
    ///   - size: the smallest that works, if nil.
    ///   - formatting: further arguments of mkfs, such as `["-N", "1000"]` for few inodes on ext4.
    ///   - options: further mount options, such as `["noatime"]`.
    public init(
        _ format: Format, size: ByteCount? = nil, formatting: [String] = [],
        options: [String] = []
    ) throws {
        let support = try TemporaryDirectory(on: .memory)
        try support.tree.sparseFile("image", size: size ?? format.smallestSize)
        try support.tree.directory("mount")
        let image = support.path.appending("image").string
        let quiet = format == .ext4 ? ["-q", "-F"] : format == .xfs ? ["-q"] : ["-q", "-f"]
        try Self.command("mkfs.\(format)", quiet + formatting + [image])
        path = support.path.appending("mount")
        try Self.command(
            "mount",
            [
                "-t", format.rawValue, "-o", (["loop"] + options).joined(separator: ","), image,
                path.string,
            ])
        self.support = support
    }

    private init(path: FilePath, support: TemporaryDirectory?) {
        self.path = path
        self.support = support
    }

    /// Unmounts the image, lets a debugger of file systems at it, and mounts it again.
    ///
    /// - Parameter commands: of debugfs(8), for ext4.
    public func edit(_ commands: [String]) throws {
        guard let support else { return }
        let mounts = try MountTable.current()
        guard let device = mounts.mounts.last(where: { mount in mount.point == path })?.source
        else {
            throw FixtureError("find the loop device", on: path.string, details: "not mounted")
        }
        try support.tree.file(
            "commands", contents: Array((commands.joined(separator: "\n") + "\n").utf8))
        let editing = ["-w", "-f", support.path.appending("commands").string]
        // Kept open, and edited through the device: a loop device that somebody else looks at stays as
        // it is, with what it remembers of the image.
        let kept = try PathCalls.open(FilePath(device), O_RDONLY | O_CLOEXEC)
        try whenFree { Self.remountReadOnly(path) }
        try whenFree { Self.unmount(path, flags: 0) }
        if Self.isMountedElsewhere(device) {
            // A mount namespace that was created meanwhile keeps the file system, with its cache, in the kernel. The
            // image is complete since it was remounted read-only.
            let (old, new) = images.withLock { number in
                number += 1
                return (Self.image(number - 1), Self.image(number))
            }
            let image = support.path.appending(new).string
            try Self.command(
                "cp", ["--sparse=always", support.path.appending(old).string, image])
            try Self.command("debugfs", editing + [image])
            try Self.command("mount", ["-t", "ext4", "-o", "loop", image, path.string])
        } else {
            try Self.command("debugfs", editing + [device])
            try Self.command("mount", ["-t", "ext4", device, path.string])
        }
        withExtendedLifetime(kept) {}
    }

    private static func image(_ number: Int) -> String { number == 0 ? "image" : "image-\(number)" }

    /// Whether the file system on a device is mounted in any mount namespace: then the kernel rejects `O_EXCL`.
    private static func isMountedElsewhere(_ device: String) -> Bool {
        guard let file = try? PathCalls.open(FilePath(device), O_RDONLY | O_EXCL | O_CLOEXEC)
        else { return true }
        _ = consume file
        return false
    }

    /// Mounts it again with other options, such as `ro`.
    public func remount(_ options: String) throws {
        try Self.command("mount", ["-o", "remount,\(options)", path.string])
    }

    /// Repeats a call while it says `EBUSY`: a process that another test is just starting has all our descriptors for
    /// a moment.
    private func whenFree(_ call: () -> Int32) throws {
        for _ in 0..<200 {
            if call() == 0 { return }
            guard errno == EBUSY else { break }
            usleep(50_000)
        }
        throw FixtureError("remount or unmount", on: path.string, errno: Errno(rawValue: errno))
    }

    deinit {
        if Self.unmount(path, flags: 0) != 0 {
            // A descriptor that is still open somewhere: gone when that is closed.
            _ = Self.unmount(path, flags: Int32(MNT_DETACH))
        }
    }

    /// Mounts a tmpfs.
    ///
    /// - Parameter inodes: how many files and directories it may hold; unlimited, if nil.
    public static func tmpfs(size: ByteCount, inodes: Int? = nil) throws -> MountedImage {
        let support = try TemporaryDirectory(on: .memory)
        let limits = "size=\(size.bytes)" + (inodes.map { ",nr_inodes=\($0)" } ?? "")
        try command("mount", ["-t", "tmpfs", "-o", limits, "tmpfs", support.path.string])
        return MountedImage(path: support.path, support: support)
    }

    /// Mounts a ramfs, which has neither extended attributes, inode flags, birth times nor a limit.
    public static func ramfs() throws -> MountedImage {
        let support = try TemporaryDirectory(on: .memory)
        try command("mount", ["-t", "ramfs", "ramfs", support.path.string])
        return MountedImage(path: support.path, support: support)
    }

    /// Mounts an overlay on an existing directory; what is written goes to a directory of its own.
    ///
    /// The upper layer lies on a tmpfs, which can carry one.
    public static func overlay(lower: FilePath) throws -> MountedImage {
        let support = try TemporaryDirectory(on: .memory)
        for name in ["upper", "work", "mount"] { try support.tree.directory(TreePath(name)) }
        let path = support.path.appending("mount")
        let layers =
            "lowerdir=\(lower),upperdir=\(support.path)/upper,workdir=\(support.path)/work"
        try command("mount", ["-t", "overlay", "-o", layers, "overlay", path.string])
        return MountedImage(path: path, support: support)
    }

    /// Mounts a directory a second time, at another directory that exists.
    public static func bind(_ source: FilePath, at target: FilePath) throws -> MountedImage {
        try command("mount", ["--bind", source.string, target.string])
        return MountedImage(path: target, support: nil)
    }

    /// Runs a command that must succeed.
    private static func command(_ program: String, _ arguments: [String]) throws {
        let path = (unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin")
        let result = try ChildProcess.run(
            program, arguments, environment: ["PATH": path + ":/usr/sbin:/sbin"])
        guard result.succeeded else {
            throw FixtureError(
                program, on: arguments.joined(separator: " "), details: result.errors)
        }
    }

    private static func remountReadOnly(_ path: FilePath) -> Int32 {
        unsafe path.withPlatformString { path in
            unsafe mount(nil, path, nil, UInt(MS_REMOUNT | MS_RDONLY), nil)
        }
    }

    private static func unmount(_ path: FilePath, flags: Int32) -> Int32 {
        unsafe path.withPlatformString { unsafe umount2($0, flags | 8) }  // UMOUNT_NOFOLLOW
    }
}
#endif
