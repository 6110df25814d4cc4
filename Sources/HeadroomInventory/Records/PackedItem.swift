//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// What the inventory keeps in memory of one name that is not a directory: 48 bytes, its name
/// beside it.
///
/// Documented in Documentation/Design/0001-inventory-memory.md.
@usableFromInline
struct PackedItem {
    @usableFromInline let inode: UInt64
    @usableFromInline let logical: Int64
    @usableFromInline let fingerprint: UInt64
    @usableFromInline let parent: UInt32
    // mutation: s13a-1
    /// Blocks of 512 bytes.
    @usableFromInline let blocks: UInt32
    @usableFromInline let modified: UInt32
    @usableFromInline let accessed: UInt32
    @usableFromInline let created: UInt32
    /// From the lowest: where the name starts, type, links, flags.
    @usableFromInline var bits: UInt32

    /// A chunk has 512 KiB of names.
    @inlinable static var nameBits: UInt32 { 19 }
    @inlinable static var typeShift: UInt32 { nameBits }
    @inlinable static var linkShift: UInt32 { typeShift + 3 }
    @inlinable static var flagShift: UInt32 { linkShift + 4 }
    /// In place of the links: they, and the allocated size, are kept apart.
    @inlinable static var exception: UInt32 { 15 }

    init(_ record: ItemRecord, nameOffset: UInt32) {
        inode = record.inode
        logical = record.logical
        fingerprint = record.fingerprint
        parent = record.parent
        modified = record.modified
        accessed = record.accessed
        created = record.created
        let isPlain = !record.isException
        blocks = isPlain ? UInt32(truncatingIfNeeded: record.allocated >> 9) : 0
        bits =
            nameOffset | UInt32(record.type.rawValue) << Self.typeShift
            | (isPlain ? UInt32(record.linkCount) : Self.exception) << Self.linkShift
            | UInt32(record.flags.rawValue) << Self.flagShift
    }

    @inline(__always)
    var nameOffset: UInt32 { bits & (1 << Self.nameBits - 1) }

    @inlinable @inline(__always)
    var isException: Bool { linkCount == Self.exception }

    @inlinable @inline(__always)
    var linkCount: UInt32 { bits >> Self.linkShift & 15 }

    mutating func insert(_ flags: ItemRecord.Flags) {
        bits |= UInt32(flags.rawValue) << Self.flagShift
    }

    /// Everything but what is kept apart.
    @inlinable @inline(__always)
    var record: ItemRecord {
        ItemRecord(
            inode: inode, allocated: Int64(blocks) << 9, logical: logical,
            fingerprint: fingerprint, parent: parent, modified: modified, accessed: accessed,
            created: created, linkCount: UInt16(truncatingIfNeeded: linkCount),
            type: FileType(rawValue: UInt8(truncatingIfNeeded: bits >> Self.typeShift & 7))
                ?? .unknown,
            flags: ItemRecord.Flags(
                rawValue: UInt8(truncatingIfNeeded: bits >> Self.flagShift)))
    }
}

extension ItemRecord {
    /// Whether it does not fit: 2 TiB and more of one file, many links, or a listing's size that is no
    /// number of blocks are rare.
    @inline(__always)
    var isException: Bool {
        UInt64(bitPattern: allocated) >> 41 != 0 || allocated & 511 != 0
            || linkCount >= PackedItem.exception
    }
}

extension Inventory {
    /// What an item costs, beside its name (safety invariant S13).
    package static var bytesPerItem: Int { MemoryLayout<PackedItem>.stride }
}
