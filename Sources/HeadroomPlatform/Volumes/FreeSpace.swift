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

/// What a volume has free, by its own account (fstatvfs(3); on Darwin fstatfs(2)).
package struct FreeSpace: Hashable, Sendable {
    /// Free blocks, those reserved for root included: what a removal changes.
    package var bytes: Int64
    package var inodes: Int64

    /// Asks the volume of an open file or directory.
    package init(of descriptor: Int32) throws(Errno) {
        #if canImport(Darwin)
        // Darwin's statvfs counts blocks in 32 bits: 16 TiB of 4 KiB.
        var space = statfs()
        _ = try retrying { unsafe fstatfs(descriptor, &space) }
        let size = space.f_bsize
        #else
        var space = statvfs()
        _ = try retrying { unsafe fstatvfs(descriptor, &space) }
        let size = space.f_frsize == 0 ? space.f_bsize : space.f_frsize
        #endif
        bytes =
            Int64(clamping: space.f_bfree).multipliedReportingOverflow(by: Int64(clamping: size))
            .partialValue
        inodes = Int64(clamping: space.f_ffree)
    }

    /// Writes back what is pending, so that file systems that free blocks later (btrfs) have done it.
    package static func settle(_ descriptor: Int32) {
        #if os(Linux)
        // Best effort: without it the figure is only late.
        _ = hr_syncfs(descriptor)
        #endif
    }
}
