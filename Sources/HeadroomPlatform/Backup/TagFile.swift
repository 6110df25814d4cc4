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

/// A small file that says something of the directory it is in, made whole and removed only by whom
/// it is of.
package enum TagFile {
    /// The first bytes of a regular file in a directory.
    ///
    /// - Returns: nil if there is no such entry, or it is no regular file.
    package static func read(
        _ name: EntryName, at directory: Int32, limit: Int
    ) throws(Errno) -> [UInt8]? {
        guard let file = try open(name, at: directory) else { return nil }
        return try read(file, limit: limit)
    }

    /// Makes the file if the name is free. It has all its bytes from the start; on disk when this
    /// returns, but for the directory.
    ///
    /// - Throws: `EEXIST` if the name is taken, whatever by.
    package static func make(
        _ name: EntryName, at directory: Int32, _ content: [UInt8]
    ) throws(Errno) {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        // A name that a save would use, so that what a crash leaves is found and removed as such.
        let temporary = NewFile.prefix + String(UInt64.random(in: 0 ... .max), radix: 16)
        let file = Descriptor(
            owning: try retrying { unsafe hr_openat(directory, temporary, flags, 0o666) })
        do throws(Errno) {
            try write(content, to: file)
            _ = try retrying { fsync(file.rawValue) }
            #if canImport(Darwin)
            _ = try retrying {
                unsafe renameatx_np(
                    directory, temporary, directory, name.base, UInt32(RENAME_EXCL))
            }
            #else
            _ = try retrying {
                unsafe hr_renameat2(
                    directory, temporary, directory, name.base, UInt32(HR_RENAME_NOREPLACE))
            }
            #endif
        } catch {
            _ = unsafe unlinkat(directory, temporary, 0)
            throw error
        }
    }

    private static func write(_ content: [UInt8], to file: borrowing Descriptor) throws(Errno) {
        var rest = content[...]
        while !rest.isEmpty {
            let descriptor = file.rawValue
            let count = unsafe try rest.withUnsafeBufferPointer { (bytes) throws(Errno) in
                try retrying { unsafe hr_write(descriptor, bytes.baseAddress, bytes.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Removes the file if its first bytes are as expected.
    ///
    /// - Returns: whether it was there and is gone.
    package static func remove(
        _ name: EntryName, at directory: Int32, startingWith expected: [UInt8],
        _ calls: some FileSystemCalls
    ) throws(Errno) -> Bool {
        guard let file = try open(name, at: directory),
            try read(file, limit: expected.count) == expected,
            try calls.status(of: file.rawValue).identity
                == calls.status(of: name, at: directory).identity
        else { return false }
        try calls.remove(name, at: directory, isDirectory: false)
        return true
    }

    private static func open(
        _ name: EntryName, at directory: Int32
    ) throws(Errno) -> Descriptor? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let file: Descriptor
        do {
            file = Descriptor(
                owning: try retrying { unsafe hr_openat(directory, name.base, flags, 0) })
        } catch .noSuchFileOrDirectory {
            return nil
        } catch .tooManySymbolicLinkLevels {
            return nil
        } catch {
            // A socket, or a device without a driver.
            if error.rawValue == ENXIO { return nil }
            throw error
        }
        guard try ResolvedDirectory.status(file.rawValue).type == .regular else { return nil }
        return file
    }

    private static func read(
        _ file: borrowing Descriptor, limit: Int
    ) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            var failure: Errno?
            let offset = bytes.count
            let descriptor = file.rawValue
            let part = unsafe [UInt8](unsafeUninitializedCapacity: limit - offset) {
                buffer, count in
                let result = unsafe pread(
                    descriptor, buffer.baseAddress, buffer.count, off_t(offset))
                if result < 0 { failure = .current } else { count = result }
            }
            if failure == .interrupted { continue }
            if let failure { throw failure }
            if part.isEmpty { break }
            bytes += part
        }
        return bytes
    }
}
