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

/// The POSIX route: readdir, fstatat and `O_NOFOLLOW`, one component at a time.
///
/// Darwin uses it; on Linux it is compiled and passes the same tests as ``LinuxCalls``. POSIX knows
/// no mount numbers: a mount is recognised by its device alone, so a bind mount is not.
package struct POSIXCalls: FileSystemCalls {
    package init() {}

    private static let directoryFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK

    package func openDirectory(
        _ name: EntryName, at parent: Int32, crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        let descriptor = Descriptor(
            owning: try retrying {
                unsafe hr_openat(parent, name.base, Self.directoryFlags, 0)
            })
        if !crossingMounts {
            let inside = try status(of: descriptor.rawValue)
            let outside = try status(of: parent)
            guard inside.identity.device == outside.identity.device else { throw .improperLink }
        }
        return descriptor.release()
    }

    package func openDirectory(
        beneath root: Int32, path: [FileName], crossingMounts: Bool
    ) throws(Errno) -> Int32 {
        var current = Descriptor(
            owning: try retrying { unsafe hr_openat(root, ".", Self.directoryFlags, 0) })
        for name in path {
            let parent = current.rawValue
            let next = try name.withEntryName { (entry) throws(Errno) in
                try openDirectory(entry, at: parent, crossingMounts: crossingMounts)
            }
            current = Descriptor(owning: next)
        }
        return current.release()
    }

    package func openFile(_ name: EntryName, at parent: Int32, writing: Bool) throws(Errno) -> Int32
    {
        let flags = (writing ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        return try retrying { unsafe hr_openat(parent, name.base, flags, 0) }
    }

    package func status(of name: EntryName, at parent: Int32) throws(Errno) -> FileStatus {
        var status = stat()
        _ = try retrying {
            unsafe fstatat(parent, name.base, &status, AT_SYMLINK_NOFOLLOW)
        }
        return FileStatus(status)
    }

    /// The status of what a relative path leads to.
    func status(ofPath path: String, at directory: Int32) throws(Errno) -> FileStatus {
        var status = stat()
        _ = try retrying { unsafe fstatat(directory, path, &status, 0) }
        return FileStatus(status)
    }

    package func status(of descriptor: Int32) throws(Errno) -> FileStatus {
        var status = stat()
        _ = try retrying { unsafe fstat(descriptor, &status) }
        return FileStatus(status)
    }

    package func remove(_ name: EntryName, at parent: Int32, isDirectory: Bool) throws(Errno) {
        _ = try retrying {
            unsafe unlinkat(parent, name.base, isDirectory ? Int32(AT_REMOVEDIR) : 0)
        }
    }

    package func rename(_ name: EntryName, to newName: EntryName, at parent: Int32) throws(Errno) {
        #if canImport(Darwin)
        _ = try unsafe retrying {
            unsafe renameatx_np(parent, name.base, parent, newName.base, UInt32(RENAME_EXCL))
        }
        #else
        // POSIX cannot rename exclusively; on Linux, where this route runs in tests, renameat2 can.
        _ = try retrying {
            unsafe hr_renameat2(
                parent, name.base, parent, newName.base, UInt32(HR_RENAME_NOREPLACE))
        }
        #endif
    }

    package func openStream(_ directory: Int32) throws(Errno) -> DirectoryStream {
        // The stream owns and closes its descriptor, so it gets one of its own.
        let own = Descriptor(owning: try anew(directory))
        guard let opened = unsafe fdopendir(own.rawValue) else { throw .current }
        _ = own.release()
        // A duplicate shares its position.
        unsafe rewinddir(opened)
        #if canImport(Darwin)
        return unsafe DirectoryStream(descriptor: directory, handle: OpaquePointer(opened))
        #else
        return unsafe DirectoryStream(descriptor: directory, handle: opened)
        #endif
    }

    private func anew(_ directory: Int32) throws(Errno) -> Int32 {
        do {
            return try retrying { unsafe hr_openat(directory, ".", Self.directoryFlags, 0) }
        } catch .permissionDenied {
            // It may be read but not searched.
            return try retrying { hr_fcntl(directory, F_DUPFD_CLOEXEC, 0) }
        }
    }

    package func read(
        _ stream: inout DirectoryStream, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        guard let handle = unsafe stream.handle else { return 0 }
        var offset = 0
        // The longest record of any system: header, a name of 1,023 bytes (Darwin), NUL, padding.
        while offset + 1056 <= buffer.count {
            errno = 0
            guard let entry = unsafe readdir(Self.directory(handle)) else {
                let error = Errno.current
                // What was read before the error is still good; the error comes at the next call.
                if error.rawValue != 0, offset == 0 { throw error }
                break
            }
            offset += unsafe Self.append(entry, to: buffer, at: offset)
        }
        return offset
    }

    package func close(_ stream: DirectoryStream) {
        if let handle = unsafe stream.handle { _ = unsafe closedir(Self.directory(handle)) }
    }

    #if canImport(Darwin)
    private static func directory(_ handle: OpaquePointer) -> UnsafeMutablePointer<DIR> {
        unsafe UnsafeMutablePointer(handle)
    }
    #else
    private static func directory(_ handle: OpaquePointer) -> OpaquePointer { unsafe handle }
    #endif

    /// Writes one record in the layout of ``DirectoryEntries``; `buffer` has room for the longest.
    private static func append(
        _ entry: UnsafeMutablePointer<dirent>, to buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) -> Int {
        let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let name = unsafe (UnsafeRawPointer(entry) + nameOffset).assumingMemoryBound(to: CChar.self)
        let count = unsafe strlen(name)
        let header = DirectoryEntries.headerSize
        let length = (header + count + 1 + 7) & ~7
        let inode = unsafe UInt64(entry.pointee.d_ino)
        let type = unsafe entry.pointee.d_type
        unsafe buffer.storeBytes(of: inode, toByteOffset: offset, as: UInt64.self)
        unsafe buffer.storeBytes(of: UInt16(length), toByteOffset: offset + 16, as: UInt16.self)
        unsafe buffer.storeBytes(of: type, toByteOffset: offset + 18, as: UInt8.self)
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(offset + header)...])
            .copyMemory(from: UnsafeRawBufferPointer(start: name, count: count + 1))
        return length
    }
}

extension FileStatus {
    @inline(__always)
    init(_ status: stat) {
        #if canImport(Darwin)
        let device = UInt64(UInt32(bitPattern: status.st_dev))
        let accessed = status.st_atimespec
        let modified = status.st_mtimespec
        let changed = status.st_ctimespec
        let created: timespec? = status.st_birthtimespec
        let flags = status.st_flags
        let immutable = UInt32(UF_IMMUTABLE | UF_APPEND | SF_IMMUTABLE | SF_APPEND)
        let isImmutable = flags & immutable != 0
        let isNoDump = flags & UInt32(UF_NODUMP) != 0
        #else
        // The same form as statx gives: major and minor apart.
        let device =
            UInt64(gnu_dev_major(status.st_dev)) << 32
            | UInt64(gnu_dev_minor(status.st_dev))
        let accessed = status.st_atim
        let modified = status.st_mtim
        let changed = status.st_ctim
        let created: timespec? = nil
        let isImmutable = false
        let isNoDump = false
        #endif
        self.init(
            identity: FileIdentity(device: device, inode: UInt64(status.st_ino)),
            mountID: 0,
            type: FileType(mode: UInt32(status.st_mode)),
            permissions: UInt16(status.st_mode & 0o7777),
            linkCount: UInt32(clamping: status.st_nlink),
            owner: status.st_uid,
            group: status.st_gid,
            logicalSize: ByteCount(Int64(status.st_size)),
            allocatedSize: ByteCount(Int64(status.st_blocks) &* 512),
            accessed: Timestamp(accessed),
            modified: Timestamp(modified),
            changed: Timestamp(changed),
            created: created.map(Timestamp.init),
            isMountRoot: false,
            isImmutable: isImmutable,
            isNoDump: isNoDump)
    }
}

extension Timestamp {
    init(_ time: timespec) {
        self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}
