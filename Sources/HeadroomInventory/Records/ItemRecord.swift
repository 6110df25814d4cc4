//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// What the inventory knows of one name that is not a directory.
///
/// A value for reading; in memory it is a `PackedItem`.
public struct ItemRecord: Equatable {
    public var inode: UInt64
    public var allocated: Int64
    public var logical: Int64
    public var fingerprint: UInt64
    /// Index of its directory.
    public var parent: UInt32
    /// Whole seconds since 1970, clamped to 1970…2106: enough to order by; equality goes by the
    /// fingerprint, which has the nanoseconds.
    public var modified: UInt32
    public var accessed: UInt32
    /// Birth time; 0 where the file system keeps none.
    public var created: UInt32
    /// Saturates at 65,535.
    public var linkCount: UInt16
    public var type: FileType
    public var flags: Flags

    @inlinable
    init(
        inode: UInt64, allocated: Int64, logical: Int64, fingerprint: UInt64, parent: UInt32,
        modified: UInt32, accessed: UInt32, created: UInt32, linkCount: UInt16, type: FileType,
        flags: Flags
    ) {
        self.inode = inode
        self.allocated = allocated
        self.logical = logical
        self.fingerprint = fingerprint
        self.parent = parent
        self.modified = modified
        self.accessed = accessed
        self.created = created
        self.linkCount = linkCount
        self.type = type
        self.flags = flags
    }

    public struct Flags: OptionSet, Sendable {
        /// Six bits.
        public let rawValue: UInt8

        @inlinable public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// `-wal`, `-shm` or `-journal` at the end of its name.
        @inlinable public static var looksLikeSidecar: Flags { Flags(rawValue: 1) }
        /// Its device is not its directory's; the inventory keeps it apart.
        static var foreignDevice: Flags { Flags(rawValue: 2) }
        /// It carries a mark of its own; the inventory keeps it apart.
        @inlinable public static var marked: Flags { Flags(rawValue: 4) }
        /// Owned by another user than the one who scanned.
        @inlinable public static var foreignOwner: Flags { Flags(rawValue: 8) }
        @inlinable public static var immutable: Flags { Flags(rawValue: 16) }
        /// A second or later name of a file that has been counted.
        @inlinable public static var countedElsewhere: Flags { Flags(rawValue: 32) }
    }

    /// The latest of modified, created and, if it counts, read.
    @inlinable @inline(__always)
    public func lastUse(countingAccess: Bool) -> UInt32 {
        // mutation: r13d-1
        let written = max(modified, created)
        return countingAccess ? max(written, accessed) : written
    }
}
