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
        _ name: EntryName, at directory: Int32, _ content: [UInt8], _ calls: any FileSystemCalls
    ) throws(Errno) {
        let file = try NewFile(in: try ResolvedDirectory.reopen(directory))
        // In bounds: the buffer is the array's.
        unsafe try content.withUnsafeBufferPointer { (bytes) throws(Errno) in
            unsafe try file.write(UnsafeRawBufferPointer(bytes))
        }
        try file.synchronize()
        try file.publishNew(as: name.owned, calls)
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
