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

/// An open directory, with where it really is and what is around it.
///
/// What is known is read through descriptors, so that `..`, `//`, links on the way and bind mounts
/// make no difference to it.
package struct ResolvedDirectory: ~Copyable {
    package let descriptor: Descriptor
    /// Its path without links, `.` and `..`, as the system gives it for the open directory.
    package let path: FilePath
    package let status: FileStatus
    /// The directories around it, from its parent up to the root of the file tree.
    package let ancestors: [FileStatus]

    /// Opens a directory, without needing permission to read it.
    ///
    /// - Parameter followingLast: whether the last component may be a link; those before may.
    /// - Throws: `ENOTDIR`, also for a link that may not be followed (`ELOOP` on Darwin); what
    ///   open(2) says.
    package init(_ path: FilePath, followingLast: Bool = true) throws(Errno) {
        let flags = Self.searchFlags | (followingLast ? 0 : O_NOFOLLOW)
        let opened = Descriptor(
            owning: try retrying {
                unsafe path.withPlatformString { unsafe hr_openat(AT_FDCWD, $0, flags, 0) }
            })
        let status = try Self.status(opened.rawValue)
        let ancestors = try Self.ancestors(of: opened.rawValue, status)
        self.path = Self.path(of: opened.rawValue) ?? path
        self.status = status
        self.ancestors = ancestors
        descriptor = opened
    }

    #if os(Linux)
    private static let searchFlags = Int32(HR_O_PATH) | O_DIRECTORY | O_CLOEXEC
    #else
    private static let searchFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK
    #endif

    /// Opens the parent of an open directory.
    package static func parent(of directory: Int32) throws(Errno) -> Descriptor {
        Descriptor(owning: try retrying { unsafe hr_openat(directory, "..", searchFlags, 0) })
    }

    /// A second descriptor of an open directory.
    package static func reopen(_ directory: Int32) throws(Errno) -> Descriptor {
        Descriptor(owning: try retrying { unsafe hr_openat(directory, ".", searchFlags, 0) })
    }

    /// The status of an open file, however it was opened.
    package static func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
        #if os(Linux)
        // Without LinuxCalls(), which would probe for openat2 each time.
        var status = CHeadroomShims.statx()
        try unsafe LinuxCalls.callStatx(
            descriptor, "", flags: Int32(HR_AT_EMPTY_PATH), &status)
        return FileStatus(status)
        #else
        return try POSIXCalls().status(of: descriptor)
        #endif
    }

    private static func ancestors(
        of directory: Int32, _ status: FileStatus
    ) throws(Errno) -> [FileStatus] {
        #if os(Linux)
        var ancestors: [FileStatus] = []
        var inner = status
        var current = try parent(of: directory)
        while true {
            let outer = try Self.status(current.rawValue)
            // At the root `..` leads to itself. A bind mount of a directory on its own child has the
            // same identity too, but another mount.
            if outer.identity == inner.identity, outer.mountID == inner.mountID { return ancestors }
            ancestors.append(outer)
            inner = outer
            current = try parent(of: current.rawValue)
        }
        #else
        // Not by opening: an app's sandbox lets nobody open what is around its container, and tells the
        // status of it.
        var ancestors: [FileStatus] = []
        var inner = status
        var path = ".."
        while true {
            let outer: FileStatus
            do throws(Errno) {
                outer = try POSIXCalls().status(ofPath: path, at: directory)
            } catch .notPermitted {
                // Beyond what the sandbox shows nothing can be reached either.
                return ancestors
            }
            if outer.identity == inner.identity { return ancestors }
            ancestors.append(outer)
            inner = outer
            path += "/.."
        }
        #endif
    }

    /// The path of an open file or directory; nil where the system does not tell, or it is deleted.
    package static func path(of descriptor: Int32) -> FilePath? {
        #if os(Linux)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            let size = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                guard let base = text.baseAddress else { return 0 }
                return unsafe readlink("/proc/self/fd/\(descriptor)", base, text.count)
            }
            count = max(0, size)
        }
        // A path that fills the buffer was cut.
        guard bytes.first == UInt8(ascii: "/"), bytes.count < 4096 else { return nil }
        return FilePath(bytes: bytes)
        #else
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(MAXPATHLEN)) { buffer, count in
            guard let base = unsafe buffer.baseAddress else { return }
            let result = unsafe fcntl(descriptor, F_GETPATH, UnsafeMutableRawPointer(base))
            count = result < 0 ? 0 : unsafe strnlen(base, buffer.count)
        }
        return bytes.isEmpty ? nil : FilePath(bytes: bytes)
        #endif
    }
}

extension FilePath {
    /// What a symbolic link says; nil if the path is none.
    package var linkTarget: FilePath? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            let size = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                guard let base = text.baseAddress else { return 0 }
                return unsafe withPlatformString { unsafe readlink($0, base, text.count) }
            }
            count = max(0, size)
        }
        return bytes.isEmpty ? nil : FilePath(bytes: bytes)
    }
}
