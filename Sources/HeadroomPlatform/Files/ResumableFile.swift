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

/// A file that is written over several lives of a process before it gets its name.
///
/// Its temporary name tells what it is to become, so whoever goes on with it finds it again. Whoever
/// writes it holds an exclusive flock, which ends with the process; another one waits for that and
/// then looks whether the file is still where it was. Calls block; writing is for one thread.
package final class ResumableFile: Sendable {
    package let descriptor: Descriptor
    package let name: FileName

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - directory: open; it is not needed afterwards.
    ///   - makes: make it if it is not there.
    /// - Throws: `EINVAL` if what has the name is no regular file; `ENOENT`.
    package init(_ name: FileName, in directory: Int32, makes: Bool) throws(Errno) {
        let flags =
            O_RDWR | (makes ? O_CREAT : 0) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let opened = Descriptor(
            owning: try name.withEntryName { (entry) throws(Errno) in
                try retrying { unsafe hr_openat(directory, entry.base, flags, 0o666) }
            })
        guard try Self.status(opened.rawValue).type == .regular else { throw .invalidArgument }
        descriptor = opened
        self.name = name
    }

    deinit { FileLock.unlock(descriptor.rawValue) }

    /// Whether its name still stands for it: it may have been removed, and made anew by another.
    package func isInPlace(_ directory: Int32) -> Bool {
        var own = stat()
        var present = stat()
        return name.withEntryName { entry in
            unsafe fstat(descriptor.rawValue, &own) == 0
                && fstatat(directory, entry.base, &present, AT_SYMLINK_NOFOLLOW) == 0
                && own.st_ino == present.st_ino && own.st_dev == present.st_dev
        }
    }

    /// Takes the lock if nobody else has it. Where there are no locks it is given to everybody.
    package func tryLock() -> Bool { FileLock.tryExclusive(descriptor.rawValue) != .refused }

    package func unlock() { FileLock.unlock(descriptor.rawValue) }

    package func status() throws(Errno) -> FileStatus { try Self.status(descriptor.rawValue) }

    private static func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
        var status = stat()
        _ = try retrying { unsafe fstat(descriptor, &status) }
        return FileStatus(status)
    }

    /// Writes all bytes at an offset.
    ///
    /// - Throws: the first error; some of the bytes may have been written then.
    package func write(_ bytes: RawSpan, at offset: Int64) throws(Errno) {
        var done = 0
        while done < bytes.byteCount {
            let start = done
            // The rest of the span is in bounds and lives as long as the closure.
            done += try unsafe bytes.withUnsafeBytes { (buffer) throws(Errno) in
                let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                return try retrying {
                    unsafe pwrite(
                        descriptor.rawValue, part.baseAddress, part.count,
                        off_t(offset) + off_t(start))
                }
            }
        }
    }

    /// Reads up to the array's length from an offset.
    ///
    /// - Returns: how many bytes; 0 at the end of the file.
    package func read(_ bytes: inout [UInt8], at offset: Int64) throws(Errno) -> Int {
        // In bounds: the buffer is the array's.
        try unsafe bytes.withUnsafeMutableBufferPointer { (buffer) throws(Errno) in
            try retrying {
                unsafe pread(descriptor.rawValue, buffer.baseAddress, buffer.count, off_t(offset))
            }
        }
    }

    package func truncate(to size: Int64) throws(Errno) {
        _ = try retrying { ftruncate(descriptor.rawValue, off_t(size)) }
    }

    package func setPermissions(_ permissions: UInt16) throws(Errno) {
        _ = try retrying { fchmod(descriptor.rawValue, mode_t(permissions)) }
    }

    package func synchronize() throws(Errno) { try descriptor.synchronize() }

    /// Gives the file its name, in a directory of the same file system; what had it is replaced in
    /// the same step.
    ///
    /// - Throws: `ENOENT` if its name is not its own any more.
    package func publish(
        from directory: Int32, to newName: FileName, in newDirectory: Int32
    ) throws(Errno) {
        guard isInPlace(directory) else { throw .noSuchFileOrDirectory }
        try name.withEntryName { (entry) throws(Errno) in
            try newName.withEntryName { (newEntry) throws(Errno) in
                _ = try retrying {
                    unsafe renameat(directory, entry.base, newDirectory, newEntry.base)
                }
            }
        }
    }

    /// The digest of the first bytes.
    ///
    /// - Complexity: O(count); 1 MiB at a time.
    package func digest(of count: Int64) throws(Errno) -> SHA256Digest {
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: Int64 = 0
        while offset < count {
            let read = try read(&buffer, at: offset)
            guard read > 0 else { break }
            let wanted = Int(min(Int64(read), count - offset))
            unsafe hash.update(buffer.span.bytes.extracting(0..<wanted))
            offset += Int64(wanted)
        }
        return hash.finish()
    }
}
