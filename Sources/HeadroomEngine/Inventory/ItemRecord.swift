//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What the inventory keeps of one name that is not a directory: 56 bytes, its name beside it.
///
/// Documented in Documentation/Design/0001-inventory-memory.md.
struct ItemRecord {
    var inode: UInt64
    var allocated: Int64
    var logical: Int64
    var fingerprint: UInt64
    /// Index of its directory.
    var parent: UInt32
    /// Where its name starts in the chunk's name bytes.
    var nameOffset: UInt32
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

/// Up to 16,384 items and their names, in memory that is touched only as far as it is filled.
@safe final class ItemChunk: @unchecked Sendable {
    // Sendable: written by one scanning thread, immutable afterwards.
    static let shift: UInt32 = 14
    static let capacity = 1 << Int(shift)
    static let nameCapacity = 512 * 1024

    let items: UnsafeMutablePointer<ItemRecord>
    private let names: UnsafeMutablePointer<CChar>
    private(set) var count = 0
    private(set) var nameBytes = 0

    init() {
        unsafe items = .allocate(capacity: Self.capacity)
        unsafe names = .allocate(capacity: Self.nameCapacity)
    }

    deinit {
        unsafe items.deallocate()
        unsafe names.deallocate()
    }

    @inline(__always)
    func hasRoom(for name: EntryName) -> Bool {
        count < Self.capacity && nameBytes &+ name.count < Self.nameCapacity
    }

    /// Adds an item; there is room for it. Its `nameOffset` is set here.
    @inline(__always)
    func append(_ record: ItemRecord, name: EntryName) {
        // In bounds: `hasRoom` was asked. The name's NUL goes along.
        unsafe (names + nameBytes).update(from: name.base, count: name.count)
        unsafe names[nameBytes &+ name.count] = 0
        unsafe (items + count).initialize(to: record)
        unsafe items[count].nameOffset = UInt32(truncatingIfNeeded: nameBytes)
        nameBytes &+= name.count &+ 1
        count &+= 1
    }

    /// The name of an item, valid as long as the chunk.
    @inline(__always)
    func name(at index: Int) -> EntryName {
        let base = unsafe names + Int(items[index].nameOffset)
        return unsafe EntryName(base, count: strlen(base))
    }
}
