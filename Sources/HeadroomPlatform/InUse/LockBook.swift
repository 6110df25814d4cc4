//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A directory of lock files, one for each directory that purges speak about, named by device and
/// inode number, so that all paths of a directory mean the same file (safety invariant S8).
///
/// It belongs to one user, nobody else may write it, and it is not on the disk where that can be
/// helped. Lock files stay when they are not used: removing one races with its next user.
package struct LockBook: ~Copyable {
    /// Where a book is, and whose.
    package struct Location: Hashable, Sendable {
        package let path: FilePath
        package let owner: UInt32

        package init(path: FilePath, owner: UInt32) {
            self.path = path
            self.owner = owner
        }

        /// The books that a purge takes part in.
        ///
        /// For root `/run/headroom`; for a user *both* `headroom` in the runtime directory and
        /// `/tmp/headroom-UID`: which of them is there depends on session and environment, and two
        /// purges must meet in one. Root, working in a user's area, takes that user's books in
        /// addition. What is not covered: an area of one owner around an area of another, and
        /// containers with a `/run` and `/tmp` of their own.
        package static func standard(areaOwner: UInt32) -> [Location] {
            let user = geteuid()
            if user != 0 { return ofUser(user) }
            #if os(Linux)
            let own = Location(path: "/run/headroom", owner: 0)
            #else
            let own = Location(path: "/var/run/headroom", owner: 0)
            #endif
            // mutation: s8e-1
            return [own] + (areaOwner == 0 ? [] : ofUser(areaOwner))
        }

        private static func ofUser(_ user: UInt32) -> [Location] {
            var directories: [FilePath] = [FilePath("/run/user/\(user)")]
            // The environment speaks of the user who runs us only.
            if user == geteuid(), let variable = unsafe getenv("XDG_RUNTIME_DIR") {
                let path = unsafe FilePath(platformString: variable)
                if path.isAbsolute, path != directories[0] { directories.append(path) }
            }
            var locations = directories.filter { directory in
                let status = try? PathCalls.status(directory)
                return status?.type == .directory && status?.owner == user
            }.map { Location(path: $0.appending("headroom"), owner: user) }
            locations.append(Location(path: FilePath("/tmp/headroom-\(user)"), owner: user))
            return locations
        }
    }

    private let directory: Descriptor
    private let owner: UInt32

    /// Opens a book, and makes it if it is not there (0700).
    ///
    /// - Throws: `EPERM` if somebody else could write it.
    package static func open(_ location: Location) throws(Errno) -> LockBook {
        let owner = location.owner
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let made =
            unsafe location.path.withPlatformString { unsafe mkdir($0, 0o700) } == 0
        if !made, Errno.current != .fileExists { throw .current }
        let directory = try PathCalls.open(location.path, flags)
        if made, owner != geteuid() {
            _ = try retrying { fchown(directory.rawValue, owner, gid_t.max) }
        }
        let status = try LinkedStatus.of(directory.rawValue)
        guard status.owner == owner, status.permissions & 0o022 == 0 else { throw .notPermitted }
        return LockBook(directory: directory, owner: owner)
    }

    private init(directory: consuming Descriptor, owner: UInt32) {
        self.directory = directory
        self.owner = owner
    }

    /// Takes the lock of a directory, without waiting.
    ///
    /// - Returns: nil if somebody else's stands in the way.
    package func take(_ identity: FileIdentity, exclusive: Bool) throws(Errno) -> HeldLock? {
        // Twice: a cleaner may have removed the file between our opening and locking it.
        for _ in 0..<2 {
            let file = try open(identity)
            let outcome =
                exclusive
                ? FileLock.tryExclusive(file.rawValue) : FileLock.tryShared(file.rawValue)
            switch outcome {
            case .refused: return nil
            case .unsupported(let error): throw error
            case .granted: break
            }
            let status = try LinkedStatus.of(file.rawValue)
            // Another's file by a hard link, or a device: never locked nor written.
            // mutation: s8d-3
            guard status.type == .regular, status.owner == owner || status.owner == 0 else {
                throw .notPermitted
            }
            // mutation: s8d-1 (2 lines)
            if status.linkCount == 1 { return HeldLock(file, isExclusive: exclusive) }
            if status.linkCount > 1 { throw .notPermitted }
        }
        throw .resourceTemporarilyUnavailable
    }

    private func open(_ identity: FileIdentity) throws(Errno) -> Descriptor {
        // mutation: s8d-2
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let name = Self.name(of: identity)
        do throws(Errno) {
            return Descriptor(
                owning: try retrying { unsafe hr_openat(directory.rawValue, name, flags, 0) })
        } catch .noSuchFileOrDirectory {}
        do throws(Errno) {
            let file = Descriptor(
                owning: try retrying {
                    unsafe hr_openat(directory.rawValue, name, flags | O_CREAT | O_EXCL, 0o600)
                })
            if owner != geteuid() {
                _ = try retrying { fchown(file.rawValue, owner, gid_t.max) }
            }
            return file
        } catch .fileExists {
            return Descriptor(
                owning: try retrying { unsafe hr_openat(directory.rawValue, name, flags, 0) })
        }
    }

    /// Who holds the lock of a directory, as far as is written and true; else as `/proc/locks`
    /// says.
    package func holder(of identity: FileIdentity) -> LockHolder? {
        if let written = holder(in: Self.name(of: identity)) { return written }
        let name = Self.name(of: identity)
        var status = stat()
        guard unsafe fstatat(directory.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return nil
        }
        let entries = LockTable.read().entries(of: FileStatus(status).identity)
        guard let entry = entries.first(where: { $0.kind == .wholeFile && $0.process > 0 }) else {
            return nil
        }
        // It shares the lock, so its own area is another: that one's file tells.
        return holder(process: entry.process)
            ?? LockHolder(process: entry.process, startTime: 0, since: 0, purpose: "", root: [])
    }

    private func holder(process: Int32) -> LockHolder? {
        let calls = POSIXCalls()
        guard let stream = try? calls.openStream(directory.rawValue) else { return nil }
        defer { calls.close(stream) }
        var names: [String] = []
        var position = stream
        var buffer = [UInt8](repeating: 0, count: 32_768)
        unsafe buffer.withUnsafeMutableBytes { bytes in
            while let count = unsafe try? calls.read(&position, into: bytes), count > 0 {
                var entries = unsafe DirectoryEntries(
                    UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                while let entry = entries.next() { names.append(entry.name.owned.text) }
            }
        }
        for name in names {
            if let holder = holder(in: name), holder.process == process { return holder }
        }
        return nil
    }

    private func holder(in name: String) -> LockHolder? {
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let opened = unsafe hr_openat(directory.rawValue, name, flags, 0)
        guard opened >= 0 else { return nil }
        let file = Descriptor(owning: opened)
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = unsafe pread(file.rawValue, &buffer, buffer.count, 0)
        guard count > 0, let holder = LockHolder(Array(buffer[..<count])), holder.isAlive else {
            return nil
        }
        return holder
    }

    static func name(of identity: FileIdentity) -> String {
        "\(String(identity.device, radix: 16))-\(String(identity.inode, radix: 16)).lock"
    }
}

/// A lock of a ``LockBook``, released when nobody refers to it any more.
package final class HeldLock: Sendable {
    private let file: Descriptor

    private let isExclusive: Bool

    init(_ file: consuming Descriptor, isExclusive: Bool) {
        self.file = file
        self.isExclusive = isExclusive
    }

    deinit {
        // While it is still locked: what is written is true, or nothing is written.
        // mutation: s8c-1
        if isExclusive { _ = ftruncate(file.rawValue, 0) }
        FileLock.unlock(file.rawValue)
    }

    /// Writes who holds the lock. On a full disk nothing is written, and `/proc/locks` must tell.
    package func write(_ holder: LockHolder) {
        let bytes = holder.bytes
        _ = ftruncate(file.rawValue, 0)
        _ = unsafe bytes.withUnsafeBytes {
            unsafe pwrite(file.rawValue, $0.baseAddress, $0.count, 0)
        }
    }
}
