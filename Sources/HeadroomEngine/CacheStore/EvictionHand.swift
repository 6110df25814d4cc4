//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Finds the entry that goes next, at a cost that does not depend on how many there are.
///
/// Classes go strictly one after the other. Of a class with few entries the order is exact; of a large
/// one those go first whose score is among the worst twentieth, which is estimated from a sample.
struct EvictionHand {
    /// Up to here the order of a class is worked out exactly.
    static let exactLimit = 4096
    private static let sampleSize = 1024
    /// A round takes one in so many of the entries of its class.
    private static let share = 20

    private var queue: [Candidate] = []
    private var place = 0
    private var threshold: UInt64 = .max
    private var left = 0
    private var randomState: UInt64 = 0x9E37_79B9_7F4A_7C15

    private struct Candidate {
        let key: UInt64
        let place: UInt32
        let hash: UInt64
        let lastUse: StoreTick
    }

    /// The place of the entry that goes next; nil if none may.
    ///
    /// - Parameter counts: how many entries of each class may go, by their codes.
    /// - Complexity: O(1) on average; a sweep over all places now and then.
    mutating func next(
        in table: inout EntryTable, _ order: EvictionOrder, counts: [Int]
    ) -> Int? {
        guard let code = counts.firstIndex(where: { $0 > 0 }) else { return nil }
        if counts[code] <= Self.exactLimit {
            return nextExactly(in: &table, order, code, counts[code])
        }
        var sweeps = 0
        while sweeps < 3 {
            if left == 0 || EvictionOrder.rank(ofKey: threshold) != code {
                begin(table, order, code, counts[code])
            }
            var looked = 0
            while looked < table.placeCount {
                looked += 1
                place = place + 1 < table.placeCount ? place + 1 : 0
                if take(place, in: &table, order, from: threshold, code) {
                    left -= 1
                    return place
                }
            }
            // So few are left above it that a new one is due.
            left = 0
            sweeps += 1
        }
        return nextExactly(in: &table, order, code, counts[code])
    }

    /// Whether an entry goes; one that was used since it was passed last gets another round.
    @inline(__always)
    private func take(
        _ place: Int, in table: inout EntryTable, _ order: EvictionOrder, from threshold: UInt64,
        _ code: Int
    ) -> Bool {
        let entry = table[place]
        guard entry.flags.contains(.isLive), Int(entry.purgeClass.code) == code,
            !entry.flags.contains(.isPinned)
        else { return false }
        guard order.key(entry) >= threshold else { return false }
        if order.policy == .sieve, entry.flags.contains(.isVisited), entry.expiry > order.now {
            table.update(place) { $0.flags.remove(.isVisited) }
            return false
        }
        return true
    }

    private mutating func begin(
        _ table: borrowing EntryTable, _ order: EvictionOrder, _ code: Int, _ count: Int
    ) {
        var keys: [UInt64] = []
        var tries = 0
        while keys.count < Self.sampleSize, tries < 16 * Self.sampleSize {
            tries += 1
            let entry = table[Int(random() % UInt64(table.placeCount))]
            if entry.flags.contains(.isLive), Int(entry.purgeClass.code) == code {
                keys.append(order.key(entry))
            }
        }
        keys.sort(by: >)
        threshold = keys.isEmpty ? 0 : keys[min(keys.count - 1, keys.count / Self.share)]
        // Rank and threshold must be of the same class, also for an empty sample.
        if EvictionOrder.rank(ofKey: threshold) != code { threshold = UInt64(2 - code) << 33 }
        left = max(1, count / Self.share)
    }

    private mutating func nextExactly(
        in table: inout EntryTable, _ order: EvictionOrder, _ code: Int, _ count: Int
    ) -> Int? {
        for _ in 0..<3 {
            while let candidate = queue.popLast() {
                let place = Int(candidate.place)
                guard EvictionOrder.rank(ofKey: candidate.key) == code,
                    place < table.placeCount, table[place].hash == candidate.hash,
                    table[place].lastUse == candidate.lastUse,
                    take(place, in: &table, order, from: 0, code)
                else { continue }
                return place
            }
            fill(table, order, code, count)
        }
        return nil
    }

    private mutating func fill(
        _ table: borrowing EntryTable, _ order: EvictionOrder, _ code: Int, _ count: Int
    ) {
        queue.removeAll(keepingCapacity: true)
        for place in 0..<table.placeCount {
            let entry = table[place]
            guard entry.flags.contains(.isLive), Int(entry.purgeClass.code) == code,
                !entry.flags.contains(.isPinned)
            else { continue }
            queue.append(
                Candidate(
                    key: order.key(entry), place: UInt32(place), hash: entry.hash,
                    lastUse: entry.lastUse))
        }
        // The worst stands last. What comes to be worse meanwhile waits for the next filling.
        queue.sort { ($0.key, $1.hash) < ($1.key, $0.hash) }
        queue.removeFirst(queue.count - max(min(64, queue.count), queue.count / 8))
    }

    private mutating func random() -> UInt64 {
        // xorshift64*: it need not be more than even.
        randomState ^= randomState >> 12
        randomState ^= randomState << 25
        randomState ^= randomState >> 27
        return randomState &* 0x2545_F491_4F6C_DD1D
    }
}
