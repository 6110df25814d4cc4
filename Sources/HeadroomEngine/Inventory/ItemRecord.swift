//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// What the inventory knows of one name that is not a directory.
///
/// A value for reading; in memory it is a ``PackedItem``.
struct ItemRecord: Equatable {
    var inode: UInt64
    var allocated: Int64
    var logical: Int64
    var fingerprint: UInt64
    /// Index of its directory.
    var parent: UInt32
    /// Whole seconds since 1970, clamped to 1970…2106: enough to order by; equality goes by the
    /// fingerprint, which has the nanoseconds.
    var modified: UInt32
    var accessed: UInt32
    /// Birth time; 0 where the file system keeps none.
    var created: UInt32
    /// Saturates at 65,535.
    var linkCount: UInt16
    var type: FileType
    var flags: Flags

    struct Flags: OptionSet {
        /// Six bits.
        let rawValue: UInt8

        /// `-wal`, `-shm` or `-journal` at the end of its name.
        static let looksLikeSidecar = Flags(rawValue: 1)
        /// Its device is not its directory's; the inventory keeps it apart.
        static let foreignDevice = Flags(rawValue: 2)
        /// It carries a mark of its own; the inventory keeps it apart.
        static let marked = Flags(rawValue: 4)
        /// Owned by another user than the one who scanned.
        static let foreignOwner = Flags(rawValue: 8)
        static let immutable = Flags(rawValue: 16)
        /// A second or later name of a file that has been counted.
        static let countedElsewhere = Flags(rawValue: 32)
    }

    /// The latest of modified, created and, if it counts, read.
    @inline(__always)
    func lastUse(countingAccess: Bool) -> UInt32 {
        // mutation: r13d-1
        let written = max(modified, created)
        return countingAccess ? max(written, accessed) : written
    }
}

extension UInt32 {
    /// The whole seconds of a time, clamped.
    @inline(__always)
    init(clampedSeconds time: Timestamp) {
        self = UInt32(clamping: time.nanoseconds / 1_000_000_000)
    }
}
