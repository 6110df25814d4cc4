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

/// An open file descriptor that is closed when its owner goes away.
public struct Descriptor: ~Copyable, Sendable {
    /// The number the kernel knows it by.
    package let rawValue: Int32

    /// Takes ownership of an open descriptor.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        // The descriptor is gone whatever close(2) returns; nothing written through it is at stake.
        _ = close(rawValue)
    }

    /// Gives up ownership: the caller closes it.
    package consuming func release() -> Int32 {
        let value = rawValue
        discard self
        return value
    }
}

extension Descriptor {
    /// Opens a regular file for reading by its path; links are followed.
    ///
    /// - Parameter isLook: whether reading it must not count as a use of the file. Works on Linux, and only for the
    ///   file's owner and root (open(2), `O_NOATIME`).
    /// - Throws: `EINVAL` for anything else, which is not opened for longer than it takes to see it.
    package static func openFile(
        _ path: FilePath, isLook: Bool = false
    ) throws(Errno) -> Descriptor {
        let file = try isLook ? openWithoutUse(path) : open(path)
        var status = stat()
        _ = try retrying { unsafe fstat(file.rawValue, &status) }
        guard FileType(mode: UInt32(status.st_mode)) == .regular else { throw .invalidArgument }
        return file
    }

    private static func openWithoutUse(_ path: FilePath) throws(Errno) -> Descriptor {
        #if os(Linux)
        do {
            return try open(path, Int32(HR_O_NOATIME))
        } catch .notPermitted {
            return try open(path)
        }
        #else
        return try open(path)
        #endif
    }

    private static func open(_ path: FilePath, _ flags: Int32 = 0) throws(Errno) -> Descriptor {
        let flags = flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        return Descriptor(
            owning: try retrying {
                unsafe path.withPlatformString { unsafe hr_openat(AT_FDCWD, $0, flags, 0) }
            })
    }

    /// Opens a directory by its path, whose last component must not be a symbolic link.
    ///
    /// - Throws: `ENOTDIR` for anything that is no directory, a link to one included.
    package static func openDirectory(_ path: FilePath) throws(Errno) -> Descriptor {
        // mutation: r14b-2
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let value = try retrying {
            unsafe path.withPlatformString { unsafe hr_openat(AT_FDCWD, $0, flags, 0) }
        }
        return Descriptor(owning: value)
    }
}

extension Descriptor {
    /// Another descriptor of the same open file, closed on its own.
    package borrowing func duplicate() throws(Errno) -> Descriptor {
        Descriptor(owning: try retrying { hr_fcntl(rawValue, F_DUPFD_CLOEXEC, 3) })
    }

    /// Returns when content and length are on disk (`fsync`; on Darwin `F_FULLFSYNC`).
    package borrowing func synchronize() throws(Errno) {
        #if canImport(Darwin)
        do {
            _ = try retrying { hr_fcntl(rawValue, F_FULLFSYNC, 0) }
            return
        } catch {
            // Not every file system has it: the plain form is what is left.
        }
        #endif
        _ = try retrying { fsync(rawValue) }
    }
}

extension FileStatus {
    /// The status of what a path leads to.
    package static func ofTarget(_ path: FilePath) throws(Errno) -> FileStatus {
        var status = stat()
        _ = try retrying { unsafe path.withPlatformString { unsafe stat($0, &status) } }
        return FileStatus(status)
    }

    /// Whether a path names a symbolic link. A hint for messages: false if that cannot be told.
    package static func isSymbolicLink(_ path: FilePath) -> Bool {
        var status = stat()
        return unsafe path.withPlatformString { unsafe lstat($0, &status) } == 0
            && FileType(mode: UInt32(status.st_mode)) == .symbolicLink
    }
}
