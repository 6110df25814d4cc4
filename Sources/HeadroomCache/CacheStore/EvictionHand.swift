//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Finds the entry that goes next, at a cost that does not depend on how many there are.
///
/// Classes go strictly one after the other. Of a class with few entries the order is exact; of a large
/// one those go first that are among the worst twentieth of its bytes, by a threshold from a sample.
struct EvictionHand {
    /// Up to here the order of a class is worked out exactly.
    static let exactLimit = 4096
    private static let sampleSize = 1024
    /// A round takes one in so many of the bytes of its class, and of its entries at most.
    private static let share = 20
    /// And of its entries at least: nobody is to be looked for too long.
    private static let leastShare = 100

    private var queue: [Candidate] = []
    private var place = 0
    private var threshold: UInt64 = .max
    private var left = 0
    /// Places that the round has still to look at.
    private var unseen = 0
    private var randomState: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// SIEVE's, for each class.
    private var sieveHands = [StoreTick](repeating: StoreTick(0), count: 3)
    /// When the latest entry of each class was created.
    private var latest = [StoreTick](repeating: StoreTick(0), count: 3)
    /// Where the entries of each class are, as long as they are few: nobody has to look through all
    /// others for them.
    private var rosters = [Roster](repeating: Roster(), count: 3)
    /// Entries that were looked at, over all.
    private(set) var steps = 0

    private struct Candidate {
        let key: UInt64
        let place: UInt32
        let hash: UInt64
        let history: UseHistory
        let created: StoreTick
    }

    /// Places of one class; some of them may have been given to others meanwhile.
    private struct Roster {
        var places: [UInt32] = []
        /// No entry of the class is anywhere else.
        var isComplete = true

        mutating func add(_ place: UInt32) {
            guard isComplete else { return }
            places.append(place)
            if places.count > 4 * EvictionHand.exactLimit { self = Roster(isComplete: false) }
        }
    }

    /// An entry has been given a place.
    @inline(__always)
    mutating func notice(_ place: Int, _ entry: StoreEntry) {
        let code = entry.classCode
        if rosters[code].isComplete { rosters[code].add(UInt32(place)) }
        if latest[code] < entry.created { latest[code] = entry.created }
    }

    /// The place of the entry that goes next; nil if none may.
    ///
    /// - Parameter counts: how many entries of each class may go, by their codes.
    /// - Complexity: O(1) on average; a sweep over all places now and then.
    mutating func next(
        in table: inout EntryTable, _ order: EvictionOrder, counts: [Int]
    ) -> Int? {
        guard let code = counts.firstIndex(where: { $0 > 0 }) else { return nil }
        var order = order
        order.hand = sieveHands[code]
        if counts[code] <= Self.exactLimit {
            return nextExactly(in: &table, &order, code, counts[code])
        }
        // SIEVE may have to pass all that was used once before it finds something.
        for _ in 0..<(order.policy == .sieve ? 2 * Self.leastShare : 3) {
            if left == 0 || EvictionOrder.rank(ofKey: threshold) != code {
                begin(table, &order, code, counts[code])
            }
            while unseen > 0 {
                unseen -= 1
                steps += 1
                place = place + 1 < table.placeCount ? place + 1 : 0
                if take(place, in: &table, order, from: threshold, code) {
                    // SIEVE's hand goes on when all that it covers was seen.
                    if order.policy != .sieve { left -= 1 }
                    return place
                }
            }
            // So few are left above it that a new one is due.
            left = 0
        }
        return nextExactly(in: &table, &order, code, counts[code])
    }

    /// Goes on until it stands before the entry that goes next, if that is near.
    ///
    /// What it passes is looked at no more in this round, as if all of it had gone by a moment later.
    ///
    /// - Returns: the hash of that entry, as things are now.
    mutating func approach(
        in table: borrowing EntryTable, _ order: EvictionOrder, counts: [Int]
    ) -> UInt64? {
        // SIEVE's hand changes what it passes.
        guard order.policy != .sieve, let code = counts.firstIndex(where: { $0 > 0 }),
            counts[code] > Self.exactLimit, left > 0, EvictionOrder.rank(ofKey: threshold) == code
        else { return nil }
        for _ in 0..<min(unseen, 2 * Self.share) {
            let next = place + 1 < table.placeCount ? place + 1 : 0
            let entry = table[next]
            if isDue(entry, order, from: threshold, code) { return entry.hash }
            place = next
            unseen -= 1
            steps += 1
        }
        return nil
    }

    @inline(__always)
    private func isDue(
        _ entry: StoreEntry, _ order: EvictionOrder, from threshold: UInt64, _ code: Int
    ) -> Bool {
        entry.isLive(code) && entry.flags.isDisjoint(with: [.isPinned, .isCondemned])
            && order.key(entry) >= threshold
    }

    /// Whether an entry goes; one that was used since it was passed last gets another round.
    @inline(__always)
    private func take(
        _ place: Int, in table: inout EntryTable, _ order: EvictionOrder, from threshold: UInt64,
        _ code: Int
    ) -> Bool {
        let entry = table[place]
        guard isDue(entry, order, from: threshold, code) else { return false }
        if order.policy == .sieve, entry.flags.contains(.isVisited), entry.expiry > order.now {
            table.update(place) { $0.flags.remove(.isVisited) }
            return false
        }
        return true
    }

    private mutating func begin(
        _ table: borrowing EntryTable, _ order: inout EvictionOrder, _ code: Int, _ count: Int
    ) {
        // Where the last round ended.
        if order.policy == .sieve, unseen == 0, EvictionOrder.rank(ofKey: threshold) == code {
            advance(to: threshold, &order, code)
        }
        var sample: [(key: UInt64, created: StoreTick, bytes: Int)] = []
        var bytes = 0
        for _ in 0..<16 * Self.sampleSize where sample.count < Self.sampleSize {
            steps += 1
            let entry = table[Int(random() % UInt64(table.placeCount))]
            if entry.isLive(code), entry.flags.isDisjoint(with: [.isPinned, .isCondemned]) {
                sample.append((order.key(entry), entry.created, entry.recordSize))
                bytes += entry.recordSize
            }
        }
        sample.sort { $0.key > $1.key }
        // Large ones that are to go first must not wait for many small ones.
        var end = 0
        var sum = 0
        while end < sample.count / Self.share,
            sum < bytes / Self.share || end < sample.count / Self.leastShare,
            order.policy != .sieve
                || EvictionOrder.isAhead(sample[end].key)
                    == EvictionOrder.isAhead(sample[0].key)
        {
            sum += sample[end].bytes
            end += 1
        }
        if order.policy == .sieve { end = max(0, end - 1) }
        threshold = sample.isEmpty ? 0 : sample[min(sample.count - 1, end)].key
        // Rank and threshold must be of the same class, also for an empty sample.
        if EvictionOrder.rank(ofKey: threshold) != code {
            threshold = EvictionOrder.lastKey(ofRank: code)
        }
        left = max(1, count * max(1, end) / max(1, sample.count))
        unseen = table.placeCount
    }

    /// Lets SIEVE's hand pass what has a key.
    private mutating func advance(
        to key: UInt64, _ order: inout EvictionOrder, _ code: Int
    ) {
        let score = key & (1 << 59 - 1)
        // What has expired stands before all others, and moves nothing.
        guard key & 1 << 59 == 0, score > 0 else { return }
        let created = (EvictionOrder.isAhead(key) ? 2 << 32 : 1 << 32) - score
        // Behind the latest the oldest comes again, and not what will be put then.
        sieveHands[code] =
            created >= latest[code].rawValue
            ? StoreTick(0) : StoreTick(UInt32(clamping: created + 1))
        order.hand = sieveHands[code]
    }

    private mutating func nextExactly(
        in table: inout EntryTable, _ order: inout EvictionOrder, _ code: Int, _ count: Int
    ) -> Int? {
        // SIEVE passes each entry twice at most: nine fillings or so pass all of them once.
        for _ in 0..<(order.policy == .sieve ? 40 : 3) {
            while let candidate = queue.popLast() {
                let place = Int(candidate.place)
                steps += 1
                guard EvictionOrder.rank(ofKey: candidate.key) == code,
                    place < table.placeCount, table[place].hash == candidate.hash
                else { continue }
                switch order.policy {
                case .sieve, .oldestCreated:
                    // Put anew since it was lined up: it stands where the one before did.
                    if table[place].created != candidate.created { continue }
                case .leastRecentlyUsed, .costAware:
                    // Used since it was lined up.
                    if table[place].history != candidate.history { continue }
                }
                if order.policy == .sieve { advance(to: candidate.key, &order, code) }
                if take(place, in: &table, order, from: 0, code) { return place }
            }
            fill(table, order, code, count)
        }
        return nil
    }

    private mutating func fill(
        _ table: borrowing EntryTable, _ order: EvictionOrder, _ code: Int, _ count: Int
    ) {
        queue.removeAll(keepingCapacity: true)
        var members: [UInt32] = []
        if rosters[code].isComplete {
            steps += rosters[code].places.count
            var last: UInt32?
            for place in rosters[code].places.sorted() where place != last {
                last = place
                if table[Int(place)].isLive(code) { members.append(place) }
            }
        } else {
            steps += table.placeCount
            for place in 0..<table.placeCount where table[place].isLive(code) {
                members.append(UInt32(place))
            }
        }
        rosters[code].places = members
        rosters[code].isComplete = true
        for place in members {
            let entry = table[Int(place)]
            guard entry.flags.isDisjoint(with: [.isPinned, .isCondemned]) else { continue }
            queue.append(
                Candidate(
                    key: order.key(entry), place: place, hash: entry.hash,
                    history: entry.history, created: entry.created))
        }
        // The worst stands last. What comes to be worse meanwhile waits for the next filling.
        queue.sort { ($0.key, $1.hash) < ($1.key, $0.hash) }
        queue.removeFirst(queue.count - max(min(64, queue.count), queue.count / 8))
        guard order.policy == .sieve, let first = queue.last, EvictionOrder.isAhead(first.key)
        else { return }
        // What is put meanwhile comes before what the hand finds when it begins again.
        queue.removeAll { !EvictionOrder.isAhead($0.key) }
    }

    private mutating func random() -> UInt64 {
        // xorshift64*: it need not be more than even.
        randomState ^= randomState >> 12
        randomState ^= randomState << 25
        randomState ^= randomState >> 27
        return randomState &* 0x2545_F491_4F6C_DD1D
    }
}
