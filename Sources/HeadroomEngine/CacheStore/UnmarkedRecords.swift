//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Records of entries that were evicted, and do not say themselves that they are out of use: eight bytes
/// each, found by the hash of their key.
///
/// One that comes back when the index is lost is the latest value of its key, as long as nothing is put
/// under that or removed: then it is marked first. Design: `Documentation/Design/0023-eviction-marks.md`.
struct UnmarkedRecords: Sendable {
    /// In buckets of eight: the segment, the offset in it in units of eight bytes (19 bits), and 13 bits of
    /// the hash. 0: nothing.
    private var slots: [UInt64] = []
    private let bucketCount: Int
    private(set) var count = 0

    private static let bucketSize = 8
    private static let tagMask: UInt64 = 1 << 13 - 1

    /// - Parameter limit: of entries; half as many records are held.
    init(entryLimit limit: Int?) {
        bucketCount = min(1 << 24, (limit ?? 0) / (2 * Self.bucketSize))
    }

    var memory: Int { slots.count * MemoryLayout<UInt64>.stride }

    /// - Parameter isGone: whether a segment is not there any more, nor what was in it.
    /// - Returns: false if there is no room for it: it has to be marked.
    mutating func add(_ hash: UInt64, at place: UInt64, isGone: (UInt32) -> Bool) -> Bool {
        guard bucketCount > 0, let slot = Self.slot(hash, place) else { return false }
        if slots.isEmpty {
            slots = [UInt64](repeating: 0, count: bucketCount * Self.bucketSize)
        }
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

    /// Takes out all records that may be of a key: others with the same bits of their hash as well.
    ///
    /// - Returns: where they stand.
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

    /// Whether there may be a record of a key.
    func mayHave(_ hash: UInt64) -> Bool {
        count > 0
            && bucket(hash).contains {
                slots[$0] != 0 && slots[$0] & Self.tagMask == hash & Self.tagMask
            }
    }

    func contains(_ hash: UInt64, at place: UInt64) -> Bool {
        guard count > 0, let slot = Self.slot(hash, place) else { return false }
        return bucket(hash).contains { slots[$0] == slot }
    }

    /// Takes all of them out.
    mutating func takeAll() -> [UInt64] {
        defer {
            slots = []
            count = 0
        }
        return slots.filter { $0 != 0 }.map(Self.place)
    }

    // MARK: - In the log

    /// All of them, in pieces with 4,096 slots at most: the number of buckets, the first bucket, the slots.
    func encoded() -> [[UInt8]] {
        guard count > 0 else { return [] }
        return stride(from: 0, to: slots.count, by: 4096).map { start in
            var writer = ByteWriter()
            writer.integer(UInt32(bucketCount))
            writer.integer(UInt32(start / Self.bucketSize))
            for slot in slots[start..<min(start + 4096, slots.count)] { writer.integer(slot) }
            return writer.bytes
        }
    }

    /// Takes over what another table had.
    ///
    /// - Returns: the places for which there is no room.
    mutating func add(encoded payload: ArraySlice<UInt8>) -> [UInt64] {
        var reader = ByteReader(payload)
        guard let buckets = try? reader.integer(UInt32.self),
            let first = try? reader.integer(UInt32.self)
        else { return [] }
        var others: [UInt64] = []
        var index = Int(first) * Self.bucketSize
        while let slot = try? reader.integer(UInt64.self) {
            defer { index += 1 }
            if slot == 0 { continue }
            guard Int(buckets) == bucketCount, index < bucketCount * Self.bucketSize else {
                others.append(Self.place(slot))
                continue
            }
            if slots.isEmpty {
                slots = [UInt64](repeating: 0, count: bucketCount * Self.bucketSize)
            }
            let start = index / Self.bucketSize * Self.bucketSize
            guard let free = (start..<start + Self.bucketSize).first(where: { slots[$0] == 0 })
            else {
                others.append(Self.place(slot))
                continue
            }
            slots[free] = slot
            count += 1
        }
        return others
    }

    // MARK: - Slots

    private func bucket(_ hash: UInt64) -> Range<Int> {
        let start = Int(hash.multipliedFullWidth(by: UInt64(bucketCount)).high) * Self.bucketSize
        return start..<start + Self.bucketSize
    }

    private static func slot(_ hash: UInt64, _ place: UInt64) -> UInt64? {
        let offset = place & 0xFFFF_FFFF
        guard offset & 7 == 0, offset >> 3 < 1 << 19, place >> 32 != 0 else { return nil }
        return (place & ~0xFFFF_FFFF) | (offset << 10) | (hash & tagMask)
    }

    private static func segment(_ slot: UInt64) -> UInt32 { UInt32(slot >> 32) }

    private static func place(_ slot: UInt64) -> UInt64 {
        (slot & ~0xFFFF_FFFF) | ((slot >> 10) & 0x3F_FFF8)
    }
}
