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
        #if canImport(Darwin)
        var figures = statfs()
        _ = try retrying { unsafe fstatfs(descriptor, &figures) }
        self.init(figures)
        #else
        var figures = statvfs()
        _ = try retrying { unsafe fstatvfs(descriptor, &figures) }
        self.init(figures, fileSystemID: try Self.fileSystemID(of: descriptor))
        #endif
    }

    /// Asks the volume of a file by its name, in one system call.
    ///
    /// On Linux ``fileSystemID`` is the C library's form of it: the same for one file system each time,
    /// and not the one that a descriptor gives.
    package init(at path: FilePath) throws(Errno) {
        #if canImport(Darwin)
        var figures = statfs()
        _ = try retrying {
            unsafe path.withPlatformString { unsafe statfs($0, &figures) }
        }
        self.init(figures)
        #else
        var figures = statvfs()
        _ = try retrying {
            unsafe path.withPlatformString { unsafe statvfs($0, &figures) }
        }
        self.init(figures, fileSystemID: UInt64(figures.f_fsid))
        #endif
    }

    #if canImport(Darwin)
    // Not statvfs: there Darwin counts blocks in 32 bits, which is 16 TiB of 4 KiB.
    private init(_ figures: statfs) {
        let unit = UInt64(figures.f_bsize)
        self.init(
            fileSystemID: Self.identifier(figures.f_fsid),
            total: Self.bytes(figures.f_blocks, unit),
            free: Self.bytes(Self.count(figures.f_bfree), unit),
            available: Self.bytes(Self.count(figures.f_bavail), unit),
            inodes: Self.inodes(figures.f_files),
            availableInodes: Self.inodes(figures.f_files).map { _ in Self.count(figures.f_ffree) },
            isReadOnly: figures.f_flags & UInt32(MNT_RDONLY) != 0)
    }

    private static func identifier(_ identifier: fsid_t) -> UInt64 {
        let (low, high) = identifier.val
        return UInt64(UInt32(bitPattern: high)) << 32 | UInt64(UInt32(bitPattern: low))
    }
    #else
    private init(_ figures: statvfs, fileSystemID: UInt64) {
        // POSIX counts in f_frsize; a file system that leaves it 0 means f_bsize.
        let unit = UInt64(figures.f_frsize == 0 ? figures.f_bsize : figures.f_frsize)
        let inodes = Self.inodes(UInt64(figures.f_files))
        self.init(
            fileSystemID: fileSystemID,
            total: Self.bytes(UInt64(figures.f_blocks), unit),
            free: Self.bytes(Self.count(figures.f_bfree), unit),
            available: Self.bytes(Self.count(figures.f_bavail), unit),
            inodes: inodes, availableInodes: inodes.map { _ in Self.count(figures.f_favail) },
            isReadOnly: figures.f_flag & UInt(ST_RDONLY) != 0)
    }
    #endif

    private static func bytes(_ blocks: UInt64, _ unit: UInt64) -> ByteCount {
        let (product, overflow) = blocks.multipliedReportingOverflow(by: unit)
        return ByteCount(overflow ? .max : Int64(clamping: product))
    }

    /// File systems that overcommit give "unavailable" blocks as a negative number.
    private static func count(_ number: some BinaryInteger) -> UInt64 {
        let value = UInt64(truncatingIfNeeded: number)
        return value > UInt64(Int64.max) ? 0 : value
    }

    private static func inodes(_ total: UInt64) -> UInt64? {
        total != 0 && total != .max ? total : nil
    }

    /// The file system's id (`f_fsid`) of an open file.
    package static func fileSystemID(of descriptor: Int32) throws(Errno) -> UInt64 {
        #if canImport(Darwin)
        var status = statfs()
        _ = try retrying { unsafe fstatfs(descriptor, &status) }
        return identifier(status.f_fsid)
        #else
        var identifier: UInt64 = 0
        _ = try retrying { unsafe hr_file_system_id(descriptor, &identifier) }
        return identifier
        #endif
    }
}
