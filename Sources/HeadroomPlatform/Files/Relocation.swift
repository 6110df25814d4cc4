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

/// Moves entries from one open directory to another, and makes small files there.
package enum Relocation {
    /// Renames an entry into another directory, if nothing has the new name.
    ///
    /// - Throws: `EEXIST` if something has; `EXDEV` if the two are not of one mount: nothing is ever
    ///   copied.
    package static func move(
        _ name: FileName, from parent: Int32, to newName: FileName, in newParent: Int32
    ) throws(Errno) {
        try name.withEntryName { (old) throws(Errno) in
            try newName.withEntryName { (new) throws(Errno) in
                #if os(Linux)
                _ = try retrying {
                    unsafe hr_renameat2(
                        // mutation: r33b-1
                        parent, old.base, newParent, new.base, UInt32(HR_RENAME_NOREPLACE))
                }
                #else
                _ = try retrying {
                    unsafe renameatx_np(
                        parent, old.base, newParent, new.base, UInt32(RENAME_EXCL))
                }
                #endif
            }
        }
    }

    /// Makes a file that is not there yet, with its whole content and mode 0600.
    ///
    /// - Throws: `EEXIST` if something has the name. A file that could not be written whole is removed.
    package static func create(
        _ name: FileName, at parent: Int32, content: [UInt8]
    ) throws(Errno) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = Descriptor(
            owning: try name.withEntryName { (entry) throws(Errno) in
                try retrying { unsafe hr_openat(parent, entry.base, flags, 0o600) }
            })
        do {
            unsafe try content.withUnsafeBufferPointer { (buffer) throws(Errno) in
                unsafe try file.write(all: UnsafeRawBufferPointer(buffer))
            }
        } catch {
            // Ours, made just now: nobody else can mean it.
            _ = name.withEntryName { unsafe unlinkat(parent, $0.base, 0) }
            throw error
        }
    }

    /// Makes a directory of mode 0700; one that is there already is fine.
    package static func makeDirectory(_ name: FileName, at parent: Int32) throws(Errno) {
        do {
            try name.withEntryName { (entry) throws(Errno) in
                // mutation: r33d-1
                _ = try retrying { unsafe mkdirat(parent, entry.base, 0o700) }
            }
        } catch .fileExists {
            // Whether it is one that may be used is seen when it is opened.
        }
    }

    /// The content of a regular file, which is not followed if it is a link.
    ///
    /// - Throws: `EINVAL` for what is no regular file, `EFBIG` if it is longer than `limit`.
    package static func read(
        _ name: FileName, at parent: Int32, limit: Int
    ) throws(Errno) -> [UInt8] {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        let file = Descriptor(
            owning: try name.withEntryName { (entry) throws(Errno) in
                try retrying { unsafe hr_openat(parent, entry.base, flags, 0) }
            })
        var status = stat()
        _ = try retrying { unsafe fstat(file.rawValue, &status) }
        guard FileType(mode: UInt32(status.st_mode)) == .regular else { throw .invalidArgument }
        guard status.st_size <= limit else { throw .fileTooLarge }
        var failure: Errno?
        let content = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = 0
            while count < limit {
                // In bounds: what is left of the buffer.
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let result = unsafe pread(
                    file.rawValue, rest.baseAddress, rest.count, off_t(count))
                if result < 0, errno == EINTR { continue }
                if result < 0 { failure = .current }
                if result <= 0 { break }
                count += result
            }
        }
        if let failure { throw failure }
        return content
    }
}
