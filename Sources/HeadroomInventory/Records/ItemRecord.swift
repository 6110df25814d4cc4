//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// What the inventory knows of one name that is not a directory.
///
/// A value for reading; in memory it is a ``PackedItem``.
package struct ItemRecord: Equatable {
    package var inode: UInt64
    package var allocated: Int64
    package var logical: Int64
    package var fingerprint: UInt64
    /// Index of its directory.
    package var parent: UInt32
    /// Whole seconds since 1970, clamped to 1970…2106: enough to order by; equality goes by the
    /// fingerprint, which has the nanoseconds.
    package var modified: UInt32
    package var accessed: UInt32
    /// Birth time; 0 where the file system keeps none.
    package var created: UInt32
    /// Saturates at 65,535.
    package var linkCount: UInt16
    package var type: FileType
    package var flags: Flags

    package struct Flags: OptionSet {
        /// Six bits.
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// `-wal`, `-shm` or `-journal` at the end of its name.
        package static let looksLikeSidecar = Flags(rawValue: 1)
        /// Its device is not its directory's; the inventory keeps it apart.
        static let foreignDevice = Flags(rawValue: 2)
        /// It carries a mark of its own; the inventory keeps it apart.
        package static let marked = Flags(rawValue: 4)
        /// Owned by another user than the one who scanned.
        package static let foreignOwner = Flags(rawValue: 8)
        package static let immutable = Flags(rawValue: 16)
        /// A second or later name of a file that has been counted.
        package static let countedElsewhere = Flags(rawValue: 32)
    }

    /// The latest of modified, created and, if it counts, read.
    @inlinable @inline(__always)
    package func lastUse(countingAccess: Bool) -> UInt32 {
        // mutation: r13d-1
        let written = max(modified, created)
        return countingAccess ? max(written, accessed) : written
    }
}
