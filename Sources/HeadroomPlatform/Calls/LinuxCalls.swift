//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import CHeadroomShims
import Glibc
package import SystemPackage

/// The Linux route: getdents64, statx with birth time and mount, openat2.
///
/// Where openat2 is missing (before Linux 5.6, or a seccomp filter) each component is opened alone
/// with `O_NOFOLLOW`, and device and mount are compared.
package struct LinuxCalls: FileSystemCalls {
    private let hasOpenat2: Bool

    package init() {
        hasOpenat2 = Self.probeOpenat2()
    }

    /// The route as on a kernel without openat2; for tests.
    package init(withoutOpenat2: Void) {
        hasOpenat2 = false
    }

    /// Asked once: where there are no instances. A sandbox may refuse the call as if it were the file.
    static let isOpenat2Known = probeOpenat2()

    /// Whether the kernel, and the sandbox we run in, know openat2.
    package static func probeOpenat2() -> Bool {
        let descriptor = unsafe hr_openat2(
            AT_FDCWD, ".", UInt64(O_DIRECTORY | O_CLOEXEC), UInt64(HR_RESOLVE_BENEATH))
        guard descriptor >= 0 else { return errno != ENOSYS && errno != EPERM }
        _ = Glibc.close(descriptor)
        return true
    }

    private static let directoryFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    private static let resolve = UInt64(
        // mutation: s2a-1
        HR_RESOLVE_BENEATH | HR_RESOLVE_NO_SYMLINKS | HR_RESOLVE_NO_MAGICLINKS)

    package func openDirectory(
        _ name: EntryName, at parent: Int32, crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        if crossingMounts {
            // One component, O_NOFOLLOW: there is nothing for openat2 to add.
            return try retrying {
                unsafe hr_openat(parent, name.base, Self.directoryFlags, 0)
            }
        }
        if hasOpenat2 {
            return try unsafe openat2(
                // mutation: s3a-1
                parent, name.base, resolve: Self.resolve | UInt64(HR_RESOLVE_NO_XDEV))
        }
        return try component(name, at: parent)
    }

    package func openDirectory(
        beneath root: Int32, path: [FileName], crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        guard hasOpenat2 else { return try componentwise(root, path, crossingMounts) }
        let resolve = Self.resolve | (crossingMounts ? 0 : UInt64(HR_RESOLVE_NO_XDEV))
        if path.isEmpty { return try anew(root) }
        var current = root
        var rest = path[...]
        while !rest.isEmpty {
            // PATH_MAX bounds one call, not the depth of a tree.
            var chunk: [CChar] = []
            chunk.reserveCapacity(256)
            while let next = rest.first, chunk.isEmpty || chunk.count + next.bytes.count + 2 < 4000
            {
                if !chunk.isEmpty { chunk.append(0x2F) }
                for byte in next.bytes { chunk.append(CChar(bitPattern: byte)) }
                rest = rest.dropFirst()
            }
            chunk.append(0)
            // What was opened on the way is closed, also if the next cannot be.
            let outer = current == root ? nil : current
            defer { if let outer { _ = Glibc.close(outer) } }
            current = try unsafe openat2(current, chunk, resolve: resolve)
        }
        return current
    }

    /// Opens with openat2. `EAGAIN` means that a rename raced with the lookup: tried again.
    private func openat2(
        _ parent: Int32, _ path: UnsafePointer<CChar>, resolve: UInt64
    ) throws(Errno) -> Int32 {
        for _ in 0..<64 {
            do {
                return try retrying {
                    unsafe hr_openat2(parent, path, UInt64(Self.directoryFlags), resolve)
                }
            } catch .resourceTemporarilyUnavailable {
                continue
            }
        }
        throw .resourceTemporarilyUnavailable
    }

    private func componentwise(
        _ root: Int32, _ path: [FileName], _ crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        var current = Descriptor(owning: try anew(root))
        for name in path {
            let parent = current.rawValue
            let next = try name.withEntryName { (entry) throws(Errno) in
                try openDirectory(entry, at: parent, crossingMounts: crossingMounts)
            }
            current = Descriptor(owning: next)
        }
        return current.release()
    }

    /// Opens one component and refuses it if it is the root of another mount.
    private func component(_ name: EntryName, at parent: Int32) throws(Errno) -> Int32 {
        let outside = try status(of: parent)
        let descriptor = Descriptor(
            owning: try retrying {
                unsafe hr_openat(parent, name.base, Self.directoryFlags, 0)
            })
        let inside = try status(of: descriptor.rawValue)
        // mutation: s3a-2
        guard inside.mountID == outside.mountID, !inside.isMountRoot else {
            throw .improperLink
        }
        return descriptor.release()
    }

    private func anew(_ directory: Int32) throws(Errno) -> Int32 {
        try retrying { unsafe hr_openat(directory, ".", Self.directoryFlags, 0) }
    }

    package func openFile(_ name: EntryName, at parent: Int32, writing: Bool) throws(Errno) -> Int32
    {
        let flags = (writing ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        do {
            // A look must not count as a use.
            return try retrying {
                // mutation: r13c-1
                unsafe hr_openat(parent, name.base, flags | Int32(HR_O_NOATIME), 0)
            }
        } catch .notPermitted {
            // Only the owner may ask for O_NOATIME.
            return try retrying { unsafe hr_openat(parent, name.base, flags, 0) }
        }
    }

    @inline(__always)
    package func status(of name: EntryName, at parent: Int32) throws(Errno) -> FileStatus {
        var status = CHeadroomShims.statx()
        try unsafe Self.callStatx(
            parent, name.base, flags: AT_SYMLINK_NOFOLLOW | Int32(HR_AT_NO_AUTOMOUNT), &status)
        return FileStatus(status)
    }

    /// By fstatat, which costs a tenth less than statx.
    @inline(__always)
    package func extent(of name: EntryName, at parent: Int32) throws(Errno) -> FileStatus {
        var status = stat()
        while unsafe fstatat(
            parent, name.base, &status, AT_SYMLINK_NOFOLLOW | Int32(HR_AT_NO_AUTOMOUNT)) != 0
        {
            let error = Errno.current
            if error != .interrupted { throw error }
        }
        return FileStatus(status)
    }

    package func status(of descriptor: Int32) throws(Errno) -> FileStatus {
        var status = CHeadroomShims.statx()
        try unsafe Self.callStatx(descriptor, "", flags: Int32(HR_AT_EMPTY_PATH), &status)
        return FileStatus(status)
    }

    @inline(__always)
    static func callStatx(
        _ parent: Int32, _ path: UnsafePointer<CChar>, flags: Int32,
        _ status: inout CHeadroomShims.statx
    ) throws(Errno) {
        while unsafe hr_statx(parent, path, flags, HR_STATX_MASK, &status) != 0 {
            let error = Errno.current
            if error != .interrupted { throw error }
        }
    }

    package func remove(_ name: EntryName, at parent: Int32, isDirectory: Bool) throws(Errno) {
        _ = try retrying {
            unsafe unlinkat(parent, name.base, isDirectory ? Int32(AT_REMOVEDIR) : 0)
        }
    }

    package func rename(_ name: EntryName, to newName: EntryName, at parent: Int32) throws(Errno) {
        _ = try retrying {
            unsafe hr_renameat2(
                parent, name.base, parent, newName.base, UInt32(HR_RENAME_NOREPLACE))
        }
    }

    package func openStream(_ directory: Int32) throws(Errno) -> DirectoryStream {
        unsafe DirectoryStream(descriptor: directory)
    }

    package func read(
        _ stream: inout DirectoryStream, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try retrying {
            unsafe hr_getdents64(stream.descriptor, buffer.baseAddress, buffer.count)
        }
    }

    package func close(_ stream: DirectoryStream) {}
}

extension FileStatus {
    @inline(__always)
    init(_ status: CHeadroomShims.statx) {
        let attributes = status.stx_attributes
        self.init(
            identity: FileIdentity(
                device: UInt64(status.stx_dev_major) << 32 | UInt64(status.stx_dev_minor),
                inode: status.stx_ino),
            mountID: status.stx_mask & UInt32(STATX_MNT_ID) != 0 ? status.stx_mnt_id : 0,
            type: FileType(mode: UInt32(status.stx_mode)),
            permissions: status.stx_mode & 0o7777,
            linkCount: status.stx_nlink,
            owner: status.stx_uid,
            group: status.stx_gid,
            logicalSize: ByteCount(Int64(clamping: status.stx_size)),
            allocatedSize: ByteCount(Int64(clamping: status.stx_blocks) &* 512),
            accessed: Timestamp(status.stx_atime),
            modified: Timestamp(status.stx_mtime),
            changed: Timestamp(status.stx_ctime),
            created: status.stx_mask & UInt32(STATX_BTIME) != 0
                ? Timestamp(status.stx_btime) : nil,
            isMountRoot: attributes & HR_STATX_ATTR_MOUNT_ROOT != 0,
            isImmutable: attributes & (HR_STATX_ATTR_IMMUTABLE | HR_STATX_ATTR_APPEND) != 0,
            isNoDump: attributes & UInt64(STATX_ATTR_NODUMP) != 0)
    }
}

extension Timestamp {
    @inline(__always)
    init(_ time: statx_timestamp) {
        self.init(seconds: time.tv_sec, nanoseconds: Int64(time.tv_nsec))
    }
}
#endif
