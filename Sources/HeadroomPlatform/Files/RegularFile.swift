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

/// An open regular file of the library's own, read and written at offsets.
///
/// Never follows a link and never opens anything but a regular file. Calls block.
package struct RegularFile: ~Copyable, Sendable {
    package let descriptor: Descriptor

    package enum Access: Sendable {
        case reading
        case writing
        /// Empties it if it is there, makes it (0600) if it is not.
        case replacing
        /// Makes it (0600); it must not be there.
        case making
    }

    /// Opens a file in a directory.
    ///
    /// - Throws: `EINVAL` if it is not a regular file; `EEXIST` where it is to be made and is there.
    package init(_ name: String, in directory: StateDirectory, _ access: Access) throws(Errno) {
        let mode: Int32 =
            switch access {
            case .reading: O_RDONLY
            case .writing: O_RDWR
            case .replacing: O_RDWR | O_CREAT
            case .making: O_RDWR | O_CREAT | O_EXCL
            }
        let flags = mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let opened = Descriptor(
            owning: try retrying {
                unsafe hr_openat(directory.descriptor.rawValue, name, flags, 0o600)
            })
        guard try Self.status(opened.rawValue).type == .regular else { throw .invalidArgument }
        if case .replacing = access { _ = try retrying { ftruncate(opened.rawValue, 0) } }
        descriptor = opened
    }

    /// Opens a file in an open directory; a link is not followed.
    ///
    /// - Parameter writing: for writing as well as for reading.
    /// - Throws: `EINVAL` if it is not a regular file.
    package init(_ name: FileName, at parent: Int32, writing: Bool) throws(Errno) {
        let flags = (writing ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let opened = Descriptor(
            owning: try name.withEntryName { (name) throws(Errno) in
                try retrying { unsafe hr_openat(parent, name.base, flags, 0) }
            })
        guard try Self.status(opened.rawValue).type == .regular else { throw .invalidArgument }
        descriptor = opened
    }

    /// Opens a file for reading by its path.
    ///
    /// - Parameter isLook: see ``Descriptor/openFile(_:isLook:)``.
    package init(opening path: FilePath, isLook: Bool = false) throws(Errno) {
        descriptor = try Descriptor.openFile(path, isLook: isLook)
    }

    /// Reads and writes a file that is open already, and a regular one.
    package init(owning descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    package func status() throws(Errno) -> FileStatus { try Self.status(descriptor.rawValue) }

    private static func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
        var status = stat()
        _ = try retrying { unsafe fstat(descriptor, &status) }
        return FileStatus(status)
    }

    /// The file's length in bytes.
    package func size() throws(Errno) -> UInt64 {
        UInt64(clamping: try status().logicalSize.bytes)
    }

    /// Reads up to `count` bytes from an offset; fewer only at the end of the file.
    package func read(_ count: Int, at offset: UInt64) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(count, at: offset, appendingTo: &bytes)
        return bytes
    }

    /// Fills a buffer from an offset; less of it only at the end of the file.
    ///
    /// - Returns: how much was filled.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(Errno) -> Int {
        var filled = 0
        while filled < buffer.count {
            // In bounds: the rest of the buffer follows `filled`.
            let result = try retrying {
                unsafe pread(
                    descriptor.rawValue, buffer.baseAddress?.advanced(by: filled),
                    buffer.count - filled, off_t(clamping: offset + UInt64(filled)))
            }
            if result == 0 { break }
            filled += result
        }
        return filled
    }

    /// Appends up to `count` bytes from an offset to an array; fewer only at the end of the file.
    package func read(
        _ count: Int, at offset: UInt64, appendingTo bytes: inout [UInt8]
    ) throws(Errno) {
        let start = bytes.count
        var failure: Errno?
        let old = bytes
        // Not filled with zeros first: large files are read through this.
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: start + count) { buffer, filled in
            for index in 0..<start { unsafe buffer[index] = old[index] }
            filled = start
            while filled < start + count, failure == nil {
                let position = filled
                let place = off_t(clamping: offset + UInt64(position - start))
                do throws(Errno) {
                    // In bounds: the rest of the buffer follows `position`.
                    let result = try retrying {
                        unsafe pread(
                            descriptor.rawValue, buffer.baseAddress?.advanced(by: position),
                            start + count - position, place)
                    }
                    if result == 0 { break }
                    filled += result
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
    }

    /// Writes all bytes at an offset.
    ///
    /// - Throws: the first error; some of the bytes may have been written then.
    package func write(_ bytes: [UInt8], at offset: UInt64) throws(Errno) {
        var done = 0
        while done < bytes.count {
            let position = done
            // In bounds: the rest of the array follows `position`.
            unsafe done += try bytes.withUnsafeBufferPointer { (buffer) throws(Errno) in
                try retrying {
                    unsafe pwrite(
                        descriptor.rawValue, buffer.baseAddress?.advanced(by: position),
                        buffer.count - position, off_t(clamping: offset + UInt64(position)))
                }
            }
        }
    }

    package func truncate(_ size: UInt64) throws(Errno) {
        _ = try retrying { ftruncate(descriptor.rawValue, off_t(clamping: size)) }
    }

    /// Returns when the file's content and length are on disk (`fdatasync`).
    package func synchronizeData() throws(Errno) {
        #if canImport(Darwin)
        // Darwin's fsync leaves the data in the drive's cache; its fdatasync is no better.
        _ = try retrying { hr_fcntl(descriptor.rawValue, F_BARRIERFSYNC, 0) }
        #else
        _ = try retrying { fdatasync(descriptor.rawValue) }
        #endif
    }

    /// Returns when the file is on disk (`fsync`).
    package func synchronize() throws(Errno) { try descriptor.synchronize() }

    /// Makes sure that writing the first `size` bytes again and again needs no further space.
    ///
    /// On file systems that copy on write the file is first told not to (`FS_NOCOW_FL`), and the
    /// whole range is written with zeros once, so that no extent is left to be converted later.
    package func preallocate(_ size: UInt64) throws(Errno) {
        #if os(Linux)
        let noCopyOnWrite = 0x0080_0000
        var flags = 0
        // Best effort: only btrfs knows it, and only for an empty file.
        if unsafe hr_get_inode_flags(descriptor.rawValue, &flags) == 0 {
            flags |= noCopyOnWrite
            unsafe _ = hr_set_inode_flags(descriptor.rawValue, &flags)
        }
        let failure = posix_fallocate(descriptor.rawValue, 0, off_t(clamping: size))
        if failure != 0 { throw Errno(rawValue: failure) }
        #endif
        let zeros = [UInt8](repeating: 0, count: 65536)
        var offset: UInt64 = 0
        while offset < size {
            let count = Int(min(size - offset, 65536))
            try write(count == zeros.count ? zeros : Array(zeros[..<count]), at: offset)
            offset += UInt64(count)
        }
        try truncate(size)
    }
}
