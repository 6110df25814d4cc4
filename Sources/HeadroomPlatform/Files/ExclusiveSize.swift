//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

/// What of a file is in no other one: of a reflink or clone, what its removal frees.
package enum ExclusiveSize {
    /// Asks about an open regular file. It takes much longer than a status, so only when somebody wants to
    /// know.
    ///
    /// On Linux what it occupies without the extents that the file system says are shared (ioctl_fiemap(2),
    /// `FIEMAP_EXTENT_SHARED`), on Darwin `ATTR_CMNEXT_PRIVATESIZE` of getattrlist(2). An extent that
    /// two places of one file share counts as shared.
    ///
    /// - Parameter allocated: what the file occupies.
    /// - Throws: `ENOTSUP` where the file system does not tell.
    /// - Complexity: O(extents).
    package static func of(_ descriptor: Int32, allocated: ByteCount) throws(Errno) -> ByteCount {
        #if canImport(Darwin)
        var size: Int64 = 0
        _ = try retrying { unsafe hr_private_size(descriptor, &size) }
        return min(ByteCount(size), allocated)
        #else
        do throws(Errno) {
            let shared = try sharedBytes(of: descriptor)
            return max(.zero, allocated - ByteCount(Int64(clamping: shared)))
        } catch .notSupported where cannotShare(descriptor) {
            return allocated
        } catch .inappropriateIOCTLForDevice where cannotShare(descriptor) {
            return allocated
        } catch .inappropriateIOCTLForDevice {
            throw .notSupported
        }
        #endif
    }

    #if os(Linux)
    private static func sharedBytes(of descriptor: Int32) throws(Errno) -> UInt64 {
        var map = hr_extent_map()
        var start: UInt64 = 0
        var shared: UInt64 = 0
        while true {
            _ = try retrying { unsafe hr_map_extents(descriptor, start, &map) }
            let count = min(map.mapped, UInt32(HR_EXTENT_COUNT))
            guard count > 0 else { return shared }
            for index in 0..<count {
                let extent = unsafe hr_extent(&map, index)
                if extent.fe_flags & UInt32(HR_EXTENT_SHARED) != 0 {
                    shared &+= extent.fe_length
                }
                if extent.fe_flags & UInt32(HR_EXTENT_LAST) != 0 { return shared }
                let (end, overflows) = extent.fe_logical.addingReportingOverflow(extent.fe_length)
                // A file that changes meanwhile, or a file system that goes round in circles.
                guard !overflows, end > start else { return shared }
                start = end
            }
        }
    }

    /// Whether the file system has no way to share extents. Those that could and do not tell (nfs, fuse,
    /// zfs) are not here.
    private static func cannotShare(_ descriptor: Int32) -> Bool {
        var magic: UInt64 = 0
        guard (try? retrying { unsafe hr_file_system_magic(descriptor, &magic) }) != nil else {
            return false
        }
        // linux/magic.h: tmpfs, ramfs, vfat, exfat, isofs, squashfs, hugetlbfs.
        return [
            0x0102_1994, 0x8584_58f6, 0x4d44, 0x2011_bab0, 0x9660, 0x7371_7368, 0x9584_58f6,
        ].contains(magic)
    }
    #endif
}
