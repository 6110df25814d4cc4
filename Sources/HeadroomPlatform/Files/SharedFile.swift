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

/// An open regular file that several threads read and write at offsets.
///
/// What is read stays the same though the name is gone: the file is closed with the last reference.
package final class SharedFile: Sendable {
    package let descriptor: Descriptor

    package init(owning descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// Makes a file with mode 0600.
    ///
    /// - Throws: `EEXIST` if there is something of that name.
    package static func make(
        _ name: String, in directory: StateDirectory
    ) throws(Errno) -> SharedFile {
        try open(name, in: directory, O_RDWR | O_CREAT | O_EXCL)
    }

    /// Opens a file, for reading alone or for both.
    ///
    /// - Throws: `EINVAL` if it is not a regular file.
    package static func open(
        _ name: String, in directory: StateDirectory, forWriting: Bool = false
    ) throws(Errno) -> SharedFile {
        let file = try open(name, in: directory, forWriting ? O_RDWR : O_RDONLY)
        guard try file.status().type == .regular else { throw .invalidArgument }
        return file
    }

    /// The same, of whatever kind it is: for who reads at offsets, and believes nothing that is read.
    ///
    /// What has no offsets says so then (`ESPIPE`, `EISDIR`).
    package static func openUnchecked(
        _ name: String, in directory: StateDirectory
    ) throws(Errno) -> SharedFile {
        try open(name, in: directory, O_RDONLY)
    }

    private static func open(
        _ name: String, in directory: StateDirectory, _ flags: Int32
    ) throws(Errno) -> SharedFile {
        let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        return SharedFile(
            owning: Descriptor(
                owning: try retrying {
                    unsafe hr_openat(directory.descriptor.rawValue, name, flags, 0o600)
                }))
    }

    /// Makes a file that has no name, and is gone when it is closed.
    package static func nameless(in directory: StateDirectory) throws(Errno) -> SharedFile {
        #if os(Linux)
        let descriptor = try retrying { hr_memfd_create() }
        return SharedFile(owning: Descriptor(owning: descriptor))
        #else
        let name = ".\(UInt64.random(in: 0 ... .max)).copy"
        let file = try make(name, in: directory)
        try directory.remove(name)
        return file
        #endif
    }

    package func status() throws(Errno) -> FileStatus {
        var status = stat()
        _ = try retrying { unsafe fstat(descriptor.rawValue, &status) }
        return FileStatus(status)
    }

    /// Writes two stretches of bytes one after the other, at an offset.
    ///
    /// - Throws: the first error; some of the bytes may have been written then.
    package func write(
        _ first: RawSpan, _ second: RawSpan, at offset: UInt64
    ) throws(Errno) {
        let descriptor = descriptor.rawValue
        try unsafe first.withUnsafeBytes { (first) throws(Errno) in
            try unsafe second.withUnsafeBytes { (second) throws(Errno) in
                var done = 0
                let total = first.count + second.count
                while done < total {
                    // In bounds: what is done is taken off the first, then off the second.
                    let skipped = min(done, first.count)
                    let rest = done - skipped
                    let place = off_t(clamping: offset + UInt64(done))
                    done += try retrying {
                        unsafe hr_pwrite_parts(
                            descriptor, first.baseAddress.map { unsafe $0 + skipped },
                            first.count - skipped, second.baseAddress.map { unsafe $0 + rest },
                            second.count - rest, place)
                    }
                }
            }
        }
    }

    /// Fills memory with what stands from an offset on.
    ///
    /// - Returns: how much of it; less than all only if the file ends before.
    package func fill(
        _ memory: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(Errno) -> Int {
        let descriptor = descriptor.rawValue
        var done = 0
        while done < memory.count {
            // In bounds: what is done is less than what there is room for.
            let place = off_t(clamping: offset + UInt64(done))
            let result = try retrying {
                unsafe hr_pread(
                    descriptor, memory.baseAddress.map { unsafe $0 + done }, memory.count - done,
                    place)
            }
            if result == 0 { break }
            done += result
        }
        return done
    }

    /// Up to so many bytes from an offset; none at the end.
    package func upTo(_ count: Int, at offset: UInt64) throws(Errno) -> [UInt8] {
        let size = UInt64(clamping: try status().logicalSize.bytes)
        return try bytes(min(count, Int(clamping: size - min(size, offset))), at: offset)
    }

    /// The same, whatever the file says of its size: some that the system makes up say nothing.
    package func available(_ count: Int, at offset: UInt64) throws(Errno) -> [UInt8] {
        var failure: Errno?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(Errno) {
                // There may be more of it than was asked for.
                let memory = unsafe UnsafeMutableRawBufferPointer(
                    start: buffer.baseAddress, count: count)
                filled = try unsafe fill(memory, at: offset)
            } catch {
                failure = error
                filled = 0
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// So many bytes from an offset; none if the file ends before.
    package func bytes(_ count: Int, at offset: UInt64) throws(Errno) -> [UInt8] {
        let bytes = try available(count, at: offset)
        return bytes.count == count ? bytes : []
    }

    /// All of it.
    package func contents(from offset: UInt64 = 0) throws(Errno) -> [UInt8] {
        let size = UInt64(clamping: try status().logicalSize.bytes)
        // Cut meanwhile: then there is nothing that could be trusted.
        return try bytes(Int(clamping: size - min(size, offset)), at: offset)
    }

    /// Returns when the file's content is on disk.
    package func synchronizeData() throws(Errno) {
        #if canImport(Darwin)
        // Darwin's fsync leaves the data in the drive's cache; its fdatasync is no better.
        _ = try retrying { hr_fcntl(descriptor.rawValue, F_BARRIERFSYNC, 0) }
        #else
        _ = try retrying { fdatasync(descriptor.rawValue) }
        #endif
    }

    package func truncate(_ size: UInt64) throws(Errno) {
        _ = try retrying { ftruncate(descriptor.rawValue, off_t(clamping: size)) }
    }
}
