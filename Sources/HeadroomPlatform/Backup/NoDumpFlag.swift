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

/// The inode flag that tells dump(8), borg and others to leave a file or directory out
/// (`FS_NODUMP_FL`, `chattr +d`; on BSD and Darwin `UF_NODUMP`).
///
/// Reading it costs nothing: ``FileStatus/isNoDump``.
package enum NoDumpFlag {
    /// Sets or clears the flag of an open regular file or directory.
    ///
    /// - Throws: `ENOTTY` or `EOPNOTSUPP` where the file system has no such flags, `EPERM` for files
    ///   of others.
    package static func set(_ isSet: Bool, of descriptor: Int32) throws(Errno) {
        #if os(Linux)
        // The kernel writes 32 of the bits of a long: the upper ones have to be zero.
        var flags = 0
        _ = try retrying { unsafe hr_get_inode_flags(descriptor, &flags) }
        let wanted = isSet ? flags | Int(FS_NODUMP_FL) : flags & ~Int(FS_NODUMP_FL)
        guard wanted != flags else { return }
        var value = wanted
        _ = try retrying { unsafe hr_set_inode_flags(descriptor, &value) }
        #else
        var status = stat()
        _ = try retrying { unsafe fstat(descriptor, &status) }
        let flags = status.st_flags
        let wanted = isSet ? flags | UInt32(UF_NODUMP) : flags & ~UInt32(UF_NODUMP)
        guard wanted != flags else { return }
        _ = try retrying { fchflags(descriptor, wanted) }
        #endif
    }
}
