//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// Records of entries that were evicted, and do not say themselves that they are out of use: eight bytes
/// each, found by the hash of their key.
///
/// One that comes back when the index is lost is the latest value of its key, as long as nothing is put
/// under that or removed: then it is marked first. Design: `Documentation/Design/0023-eviction-marks.md`.
struct UnmarkedRecords: Sendable {
    private var table = Table(bucketCount: 0)
    /// From when there were fewer entries. Of a hash a table knows only what it needs: what is in it cannot be
    /// taken over by a larger one. One at most: what is in the one before that is marked.
    private var smaller: Table?
    /// No table has more buckets.
    private let most: Int

    /// A smaller table is of no use.
    private static let least = 64

    /// - Parameter limit: of entries; three quarters as many records are held.
    init(entryLimit limit: Int?) {
        most = min(1 << 24, Self.bucketCount(forShareOf: limit ?? 0))
    }

    var memory: Int { tables.reduce(0) { $0 + $1.memory } }

    var isEmpty: Bool { table.count == 0 && (smaller?.count ?? 0) == 0 }

    private var tables: [Table] { smaller.map { [$0, table] } ?? [table] }

    /// How many buckets there should be for three quarters as many records as there are entries: of half as many, one
    /// in thirty finds no room then; in half the room it would be one in seven.
    private func bucketCount(for entries: Int) -> Int {
        min(most, max(Self.least, Self.bucketCount(forShareOf: entries)))
    }

    private static func bucketCount(forShareOf entries: Int) -> Int {
        let share = 4 * Table.bucketSize
        return entries / share * 3 + entries % share * 3 / share
    }

    /// - Parameters:
    ///   - entries: how many there are.
    ///   - left: is given the places of others for which there is no room any more.
    ///   - isGone: whether a segment is not there any more, nor what was in it.
    /// - Returns: false if there is no room for it: it has to be marked.
    mutating func add(
        _ hash: UInt64, at place: UInt64, among entries: Int, left: inout Set<UInt64>,
        isGone: (UInt32) -> Bool
    ) -> Bool {
        guard most > 0, let slot = Table.slot(hash, place) else { return false }
        if table.add(slot, hash, isGone) { return true }
        // The limit says nothing of how many there will be.
        let wanted = bucketCount(for: entries)
        guard wanted >= max(1, 2 * table.bucketCount) else { return false }
        left.formUnion(begin(Table(bucketCount: wanted)))
        return table.add(slot, hash, isGone)
    }

    /// - Returns: the places for which there is no room any more.
    private mutating func begin(_ new: Table) -> [UInt64] {
        defer { table = new }
        guard table.count > 0 else { return [] }
        let left = giveUpSmaller()
        smaller = table
        return left
    }

    /// - Returns: what was in it, and is to be marked.
    private mutating func giveUpSmaller() -> [UInt64] {
        defer { smaller = nil }
        return smaller?.places ?? []
    }

    /// Forgets what went with its segment, and gives the memory of the smaller table back when little is left in
    /// it: less than one record for a bucket.
    ///
    /// - Parameters:
    ///   - marking: whether what is left in it may be marked; else it goes only when there is nothing.
    ///   - isGone: whether a segment is not there any more.
    /// - Returns: the places of what was, and is to be marked.
    /// - Complexity: O(slots).
    mutating func release(marking: Bool, isGone: (UInt32) -> Bool) -> [UInt64] {
        table.forget(isGone)
        smaller?.forget(isGone)
        guard let smaller, smaller.count < (marking ? smaller.bucketCount : 1) else { return [] }
        return giveUpSmaller()
    }

    /// Takes out all records that may be of a key: others with the same bits of their hash as well.
    ///
    /// - Returns: where they stand.
    mutating func take(_ hash: UInt64) -> [UInt64] {
        let places = table.take(hash)
        guard let more = smaller?.take(hash) else { return places }
        if smaller?.count == 0 { smaller = nil }
        return places + more
    }

    /// Whether there may be a record of a key.
    func mayHave(_ hash: UInt64) -> Bool {
        table.mayHave(hash) || smaller?.mayHave(hash) == true
    }

    /// Has the processor bring near where records of a key are known.
    func prefetch(_ hash: UInt64) {
        table.prefetch(hash)
        smaller?.prefetch(hash)
    }

    func contains(_ hash: UInt64, at place: UInt64) -> Bool {
        guard let slot = Table.slot(hash, place) else { return false }
        return table.contains(slot, hash) || smaller?.contains(slot, hash) == true
    }

    /// Takes all of them out.
    mutating func takeAll() -> [UInt64] {
        defer {
            table = Table(bucketCount: 0)
            smaller = nil
        }
        return tables.flatMap(\.places)
    }

    // MARK: - In the log

    /// All of them, in pieces with 4,096 slots at most: the number of buckets, the first bucket, the slots.
    func encoded() -> [[UInt8]] { tables.flatMap { $0.encoded() } }

    /// Takes over what another table had.
    ///
    /// - Parameter entries: how many there are.
    /// - Returns: the places for which there is no room.
    mutating func add(encoded payload: ArraySlice<UInt8>, among entries: Int) -> [UInt64] {
        var reader = ByteReader(payload)
        guard let buckets = try? reader.integer(UInt32.self),
            let first = try? reader.integer(UInt32.self)
        else { return [] }
        let slots = Table.slots(decoding: payload.dropFirst(2 * MemoryLayout<UInt32>.size))
        let count = Int(clamping: buckets)
        // Twelve bytes an entry at most: a few bytes of a log must not take gigabytes.
        let room = 2 * bucketCount(for: entries)
        var left: [UInt64] = []
        if table.bucketCount != count, count > 0, count <= min(most, room) {
            left = begin(Table(bucketCount: count))
            if memory > room * Table.bucketMemory { left += giveUpSmaller() }
        }
        guard table.bucketCount == count, first < buckets else {
            return slots.filter { $0 != 0 }.map(Table.place)
        }
        return left + table.add(slots, at: Int(first) * Table.bucketSize)
    }
}

extension UnmarkedRecords {
    /// In buckets of eight: the segment, the offset in it in units of eight bytes (19 bits), and 13 bits of
    /// the hash. 0: nothing.
    fileprivate struct Table {
        private var slots: [UInt64]
        let bucketCount: Int
        private(set) var count = 0

        static let bucketSize = 8
        static let bucketMemory = bucketSize * MemoryLayout<UInt64>.stride
        private static let tagMask: UInt64 = 1 << 13 - 1

        init(bucketCount: Int) {
            self.bucketCount = bucketCount
            slots = [UInt64](repeating: 0, count: bucketCount * Self.bucketSize)
        }

        var memory: Int { bucketCount * Self.bucketMemory }

        var places: [UInt64] { slots.filter { $0 != 0 }.map(Self.place) }

        /// - Returns: false if there is no room.
        mutating func add(_ slot: UInt64, _ hash: UInt64, _ isGone: (UInt32) -> Bool) -> Bool {
            guard bucketCount > 0 else { return false }
            let bucket = bucket(hash)
            if let known = bucket.first(where: { slots[$0] == 0 || slots[$0] == slot }) {
                if slots[known] == 0 { count += 1 }
                slots[known] = slot
                return true
            }
            guard let old = bucket.first(where: { isGone(Self.segment(slots[$0])) }) else {
                return false
            }
            slots[old] = slot
            return true
        }

        mutating func take(_ hash: UInt64) -> [UInt64] {
            guard count > 0 else { return [] }
            var places: [UInt64] = []
            for index in bucket(hash)
            where slots[index] != 0 && slots[index] & Self.tagMask == hash & Self.tagMask {
                places.append(Self.place(slots[index]))
                slots[index] = 0
                count -= 1
            }
            return places
        }

        func mayHave(_ hash: UInt64) -> Bool {
            count > 0
                && bucket(hash).contains {
                    slots[$0] != 0 && slots[$0] & Self.tagMask == hash & Self.tagMask
                }
        }

        func contains(_ slot: UInt64, _ hash: UInt64) -> Bool {
            count > 0 && bucket(hash).contains { slots[$0] == slot }
        }

        func prefetch(_ hash: UInt64) {
            if count > 0 { slots.prefetch(bucket(hash).lowerBound) }
        }

        mutating func forget(_ isGone: (UInt32) -> Bool) {
            if count == 0 { return }
            for index in slots.indices
            where slots[index] != 0 && isGone(Self.segment(slots[index])) {
                slots[index] = 0
                count -= 1
            }
        }

        // MARK: - In the log

        /// Buckets that are empty are left out.
        func encoded() -> [[UInt8]] {
            var pieces: [[UInt8]] = []
            var bucket = 0
            while bucket < bucketCount, count > 0 {
                let first = bucket
                while bucket < min(bucketCount, first + 512), !isEmpty(bucket) { bucket += 1 }
                if bucket == first {
                    bucket += 1
                    continue
                }
                var writer = ByteWriter()
                writer.integer(UInt32(bucketCount))
                writer.integer(UInt32(first))
                for slot in slots[first * Self.bucketSize..<bucket * Self.bucketSize] {
                    writer.integer(slot)
                }
                pieces.append(writer.bytes)
            }
            return pieces
        }

        private func isEmpty(_ bucket: Int) -> Bool {
            let start = bucket * Self.bucketSize
            return (start..<start + Self.bucketSize).allSatisfy { slots[$0] == 0 }
        }

        /// Takes over what stood in buckets of a table of the same size.
        ///
        /// - Returns: the places for which there is no room.
        mutating func add(_ others: [UInt64], at start: Int) -> [UInt64] {
            var left: [UInt64] = []
            for index in others.indices where others[index] != 0 {
                // Where it stood, unless something is there already.
                let here = start + index
                let bucket = here / Self.bucketSize
                let all = bucket * Self.bucketSize..<(bucket + 1) * Self.bucketSize
                if bucket < bucketCount,
                    let free = slots[here] == 0 ? here : all.first(where: { slots[$0] == 0 })
                {
                    slots[free] = others[index]
                    count += 1
                } else {
                    left.append(Self.place(others[index]))
                }
            }
            return left
        }

        /// Slots as ``encoded()`` has them, as far as they are whole.
        static func slots(decoding bytes: ArraySlice<UInt8>) -> [UInt64] {
            let bytes = unsafe bytes.span.bytes
            let size = MemoryLayout<UInt64>.size
            return (0..<bytes.byteCount / size).map { index in
                // In bounds, and any bits make a number.
                UInt64(
                    littleEndian: unsafe bytes.unsafeLoadUnaligned(
                        fromByteOffset: index * size, as: UInt64.self))
            }
        }

        // MARK: - Slots

        private func bucket(_ hash: UInt64) -> Range<Int> {
            let start =
                Int(hash.multipliedFullWidth(by: UInt64(bucketCount)).high) * Self.bucketSize
            return start..<start + Self.bucketSize
        }

        static func slot(_ hash: UInt64, _ place: UInt64) -> UInt64? {
            let offset = place & 0xFFFF_FFFF
            guard offset & 7 == 0, offset >> 3 < 1 << 19, place >> 32 != 0 else { return nil }
            return (place & ~0xFFFF_FFFF) | (offset << 10) | (hash & tagMask)
        }

        private static func segment(_ slot: UInt64) -> UInt32 { UInt32(slot >> 32) }

        static func place(_ slot: UInt64) -> UInt64 {
            (slot & ~0xFFFF_FFFF) | ((slot >> 10) & 0x3F_FFF8)
        }
    }
}
