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

/// What statvfs(3) and statfs(2) say about a volume.
public struct VolumeFigures: Hashable, Sendable {
    /// The file system's own id (`f_fsid`), which outlives a reboot where the device number does
    /// not. Some file systems give 0, and some the device number after all.
    public var fileSystemID: UInt64
    public var total: ByteCount
    /// Free for root (`f_bfree × f_frsize`).
    public var free: ByteCount
    /// Free for everybody (`f_bavail × f_frsize`), without regard to quotas.
    public var available: ByteCount
    /// Nil where the file system reports no total: it makes inodes as needed (btrfs).
    public var inodes: UInt64?
    /// Inodes free for everybody; nil where ``inodes`` is.
    public var availableInodes: UInt64?
    public var isReadOnly: Bool

    public init(
        fileSystemID: UInt64, total: ByteCount, free: ByteCount, available: ByteCount,
        inodes: UInt64?, availableInodes: UInt64?, isReadOnly: Bool
    ) {
        self.fileSystemID = fileSystemID
        self.total = total
        self.free = free
        self.available = available
        self.inodes = inodes
        self.availableInodes = availableInodes
        self.isReadOnly = isReadOnly
    }
}

extension VolumeFigures {
    /// Asks the volume of an open file. Blocks for as long as the file system does not answer.
    package init(of descriptor: Int32) throws(Errno) {
        var figures = statvfs()
        _ = try retrying { unsafe fstatvfs(descriptor, &figures) }
        self.init(figures, fileSystemID: try Self.fileSystemID(of: descriptor))
    }

    /// Asks the volume of a file by its name, in one system call.
    ///
    /// On Linux ``fileSystemID`` is the C library's form of it: the same for one file system each time,
    /// and not the one that a descriptor gives.
    package init(at path: FilePath) throws(Errno) {
        var figures = statvfs()
        _ = try retrying {
            unsafe path.withPlatformString { unsafe statvfs($0, &figures) }
        }
        self.init(figures, fileSystemID: UInt64(figures.f_fsid))
    }

    private init(_ figures: statvfs, fileSystemID: UInt64) {
        // POSIX counts in f_frsize; a file system that leaves it 0 means f_bsize.
        let unit = UInt64(figures.f_frsize == 0 ? figures.f_bsize : figures.f_frsize)
        func bytes(_ blocks: UInt64) -> ByteCount {
            let (product, overflow) = blocks.multipliedReportingOverflow(by: unit)
            return ByteCount(overflow ? .max : Int64(clamping: product))
        }
        // File systems that overcommit give "unavailable" blocks as a negative number.
        func blocks(_ count: some BinaryInteger) -> UInt64 {
            let value = UInt64(truncatingIfNeeded: count)
            return value > UInt64(Int64.max) ? 0 : value
        }
        let inodes = UInt64(figures.f_files)
        let hasInodes = inodes != 0 && inodes != .max
        self.init(
            fileSystemID: fileSystemID,
            total: bytes(UInt64(figures.f_blocks)), free: bytes(blocks(figures.f_bfree)),
            available: bytes(blocks(figures.f_bavail)),
            inodes: hasInodes ? inodes : nil,
            availableInodes: hasInodes ? blocks(figures.f_favail) : nil,
            isReadOnly: figures.f_flag & UInt(ST_RDONLY) != 0)
    }

    /// The file system's id (`f_fsid`) of an open file.
    package static func fileSystemID(of descriptor: Int32) throws(Errno) -> UInt64 {
        #if canImport(Darwin)
        var status = statfs()
        _ = try retrying { unsafe fstatfs(descriptor, &status) }
        let (low, high) = status.f_fsid.val
        return UInt64(UInt32(bitPattern: high)) << 32 | UInt64(UInt32(bitPattern: low))
        #else
        var identifier: UInt64 = 0
        _ = try retrying { unsafe hr_file_system_id(descriptor, &identifier) }
        return identifier
        #endif
    }
}
