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

/// A file that is not seen under its name before it is complete.
///
/// It is written under a reserved name beside its place, held with an exclusive flock, and then
/// renamed onto it in one step. Whoever dies before leaves a file of that name without a lock: see
/// ``isOrphan(_:at:)``. For one thread; all calls block.
package final class NewFile {
    /// What the reserved names start with.
    package static let prefix = ".headroom-saving-"

    package let descriptor: Descriptor
    /// Open for as long as the file; owned by the caller.
    private let directory: Int32
    private let temporaryName: String
    private var isPublished = false

    /// Makes the file.
    ///
    /// - Parameters:
    ///   - directory: an open directory that stays open.
    ///   - permissions: before the process's umask is taken off.
    /// - Throws: `ENOSPC` and `EDQUOT` where no file can be made any more.
    package init(in directory: Int32, permissions: UInt16 = 0o666) throws(Errno) {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        var generator = SystemRandomNumberGenerator()
        while true {
            let name = Self.prefix + String(generator.next() as UInt64, radix: 16)
            do {
                descriptor = Descriptor(
                    owning: try retrying {
                        unsafe hr_openat(directory, name, flags, mode_t(permissions))
                    })
                temporaryName = name
                break
            } catch .fileExists {
                continue
            }
        }
        self.directory = directory
        // Where there are no locks an orphan is told by its age alone.
        _ = FileLock.tryExclusive(descriptor.rawValue)
    }

    deinit {
        // Nobody has seen it; if it cannot be removed it is an orphan.
        if !isPublished { _ = unsafe unlinkat(directory, temporaryName, 0) }
    }

    /// Appends bytes.
    ///
    /// - Throws: the first error; some of the bytes may have been written then.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
            let count = try retrying {
                unsafe hr_write(descriptor.rawValue, part.baseAddress, part.count)
            }
            unsafe rest = rest.dropFirst(count)
        }
    }

    /// Copies the content of another open file, from its start, without bringing it into memory
    /// where the system can do that.
    package func copy(from source: borrowing Descriptor) throws(Errno) {
        #if os(Linux)
        var offset: off_t = 0
        while true {
            let count = try retrying {
                unsafe sendfile(descriptor.rawValue, source.rawValue, &offset, 1 << 30)
            }
            if count == 0 { return }
        }
        #else
        _ = try retrying {
            unsafe fcopyfile(
                source.rawValue, descriptor.rawValue, nil, copyfile_flags_t(COPYFILE_DATA))
        }
        #endif
    }

    /// Takes the blocks that the first `size` bytes need, so that writing them cannot fail for
    /// want of space. The length stays as it is.
    ///
    /// - Throws: `ENOTSUP` where the file system cannot; `ENOSPC`, and then it has taken none.
    package func reserve(_ size: Int64) throws(Errno) {
        #if os(Linux)
        _ = try retrying { hr_reserve(descriptor.rawValue, size) }
        #else
        var store = fstore_t(
            fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
            fst_length: off_t(size), fst_bytesalloc: 0)
        _ = try retrying { unsafe fcntl(descriptor.rawValue, F_PREALLOCATE, &store) }
        #endif
    }

    package func setPermissions(_ permissions: UInt16) throws(Errno) {
        _ = try retrying { fchmod(descriptor.rawValue, mode_t(permissions)) }
    }

    /// Returns when content and length are on disk (`fsync`; on Darwin `F_FULLFSYNC`).
    package func synchronize() throws(Errno) { try descriptor.synchronize() }

    /// Gives the file its name; what had it is replaced in the same step.
    package func publish(as name: EntryName) throws(Errno) {
        _ = try retrying {
            unsafe renameat(directory, temporaryName, directory, name.base)
        }
        isPublished = true
        // A lock on a file that others know would pass for a lease.
        FileLock.unlock(descriptor.rawValue)
    }

    /// Whether an entry is what a process that died while saving has left: of a reserved name, not
    /// locked by anybody, and unchanged for a minute, since it is locked just after it is made.
    package static func isOrphan(
        _ name: FileName, at directory: Int32, now: Timestamp, _ calls: some FileSystemCalls
    ) -> Bool {
        guard name.bytes.starts(with: prefix.utf8) else { return false }
        return name.withEntryName { entry in
            guard let status = try? calls.status(of: entry, at: directory),
                status.type == .regular, status.changed.advanced(by: .seconds(60)) < now,
                let opened = try? calls.openFile(entry, at: directory, writing: false)
            else { return false }
            let file = Descriptor(owning: opened)
            return FileLock.tryExclusive(file.rawValue) == .granted
        }
    }
}
