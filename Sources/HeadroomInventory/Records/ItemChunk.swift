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

/// Up to 16,384 items and their names, in memory that is touched only as far as it is filled.
@usableFromInline
@safe final class ItemChunk: @unchecked Sendable {  // One thread fills it; then it never changes.
    @inlinable static var shift: UInt32 { 14 }
    @inlinable static var capacity: Int { 1 << Int(shift) }
    static let nameCapacity = 1 << Int(PackedItem.nameBits)

    @usableFromInline let items: UnsafeMutablePointer<PackedItem>
    private let names: UnsafeMutablePointer<CChar>
    private(set) var count = 0
    private var nameBytes = 0
    /// What did not fit into packed items, in the order of their indices.
    private var exceptions: [Exception] = []

    /// The sizes and links of an item that are too large, or too odd, to be packed.
    struct Exception {
        var index: UInt32
        var linkCount: UInt16
        var allocated: Int64
    }

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

    /// Adds an item; there is room for it.
    @inline(__always)
    func append(_ record: ItemRecord, name: EntryName) {
        // In bounds: `hasRoom` was asked. The name's NUL goes along.
        unsafe (names + nameBytes).update(from: name.base, count: name.count)
        unsafe names[nameBytes &+ name.count] = 0
        let packed = PackedItem(record, nameOffset: UInt32(truncatingIfNeeded: nameBytes))
        if packed.isException { addException(record) }
        unsafe (items + count).initialize(to: packed)
        nameBytes &+= name.count &+ 1
        count &+= 1
    }

    private func addException(_ record: ItemRecord) {
        exceptions.append(
            Exception(
                index: UInt32(count), linkCount: record.linkCount, allocated: record.allocated))
    }

    /// Sets a flag of an item, before the inventory is finished.
    func set(_ flag: ItemRecord.Flags, at index: Int) {
        // In bounds: callers stay below the count.
        unsafe items[index].insert(flag)
    }

    @inlinable @inline(__always)
    func record(at index: Int) -> ItemRecord {
        // In bounds: callers stay below the count.
        let packed = unsafe items[index]
        var record = packed.record
        if packed.isException { restore(&record, at: index) }
        return record
    }

    @usableFromInline @inline(never)
    func restore(_ record: inout ItemRecord, at index: Int) {
        var low = 0
        var high = exceptions.count
        while low < high {
            let middle = (low + high) / 2
            if exceptions[middle].index < UInt32(index) { low = middle + 1 } else { high = middle }
        }
        record.allocated = exceptions[low].allocated
        record.linkCount = exceptions[low].linkCount
    }

    @inlinable @inline(__always)
    func inode(at index: Int) -> UInt64 {
        // In bounds: callers stay below the count.
        unsafe items[index].inode
    }

    /// The name of an item, valid as long as the chunk.
    @inline(__always)
    func name(at index: Int) -> EntryName {
        let base = unsafe names + Int(items[index].nameOffset)
        return unsafe EntryName(base, count: strlen(base))
    }
}
