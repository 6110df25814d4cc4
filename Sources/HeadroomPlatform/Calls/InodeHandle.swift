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

/// Keeps hold of an inode without opening it, so that its status can be asked for when its name is
/// gone (`O_PATH`, on Darwin `O_EVTONLY`).
///
/// Works for links and special files too, breaks no lease, needs no permission to read, and closing
/// it drops no POSIX lock.
package struct InodeHandle: ~Copyable {
    private let descriptor: Descriptor

    /// Takes hold of an entry, without following a link.
    package init(_ name: EntryName, at parent: Int32) throws(Errno) {
        #if os(Linux)
        let flags = Int32(HR_O_PATH) | O_NOFOLLOW | O_CLOEXEC
        #else
        let flags = O_EVTONLY | O_SYMLINK | O_CLOEXEC
        #endif
        descriptor = Descriptor(
            owning: try retrying { unsafe hr_openat(parent, name.base, flags, 0) })
    }

    /// The status of the inode now.
    package func status(_ calls: some FileSystemCalls) throws(Errno) -> FileStatus {
        try calls.status(of: descriptor.rawValue)
    }
}
