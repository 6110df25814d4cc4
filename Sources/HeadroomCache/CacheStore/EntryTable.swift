//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The entries of a store, found by their hash: an array of them, and a table of places in it.
///
/// 40 bytes an entry, up to an eighth of them spare, and between 4.6 and 9.2 for the table.
struct EntryTable: ~Copyable, Sendable {
    private var entries = GrowingBuffer<StoreEntry>()
    /// One-based places of entries, by hash, and above them how far from the slot where its search begins an
    /// entry stands: what has to be known of a neighbour is known without a look at it, in memory that is
    /// elsewhere. 0 is empty. A power of two of them, at most 7/8 taken.
    private var slots = GrowingBuffer<UInt32>(zeros: 64)
    /// The bits of a slot that are the place: there are fewer entries than slots.
    private var mask = 63
    /// What is left of a hash is the slot where its search begins: the order of hashes is that of slots.
    private var shift: UInt64 = 58
    /// The first of the free places, which are chained; 0: none.
    private var free: UInt32 = 0
    private(set) var count = 0
    /// As long as entries come in the order of their hashes: the last of these, and the slot behind it;
    /// else the slot is none.
    private var lastHash: UInt64 = 0
    private var nextSlot = 0

    init() {}

    /// Where the search for a hash begins.
    @inline(__always)
    private func home(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> shift) }

    // MARK: - Slots

    /// How many bits of a slot are the place.
    @inline(__always)
    private var placeBits: UInt32 { UInt32(truncatingIfNeeded: 64 &- shift) }

    /// What a slot says of an entry that stands so far from where its search begins. What does not fit in is
    /// the largest number that does.
    @inline(__always)
    private func item(_ number: UInt32, _ distance: Int) -> UInt32 {
        number | code(distance) &<< placeBits
    }

    @inline(__always)
    private func code(_ distance: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: min(distance, Int(UInt32.max &>> placeBits)))
    }

    /// The place of the entry that a slot leads to.
    @inline(__always)
    private func place(_ item: UInt32) -> Int { (Int(item) & mask) &- 1 }

    /// How far from where its search begins the entry of a slot stands.
    @inline(__always)
    private func distance(_ item: UInt32, at slot: Int) -> Int {
        let code = item &>> placeBits
        guard code == UInt32.max &>> placeBits else { return Int(code) }
        return (slot &- home(entries[place(item)].hash)) & mask
    }

    /// How many places there are, free ones included.
    var placeCount: Int { entries.count }

    /// Bytes of memory in use.
    var memory: Int { entries.count * MemoryLayout<StoreEntry>.stride + slots.count * 4 }

    /// The entry at a place; it may be free.
    subscript(_ place: Int) -> StoreEntry {
        @inline(__always) get { entries[place] }
        @inline(__always) set { entries[place] = newValue }
    }

    @inline(__always)
    mutating func update(_ place: Int, _ body: (inout StoreEntry) -> Void) {
        entries.update(place, body)
    }

    /// Has the processor bring near where a search for a hash begins.
    func prefetch(_ hash: UInt64) { slots.prefetch(home(hash)) }

    /// Where the entry of a hash is.
    func find(_ hash: UInt64) -> Int? {
        var slot = home(hash)
        var distance = 0
        while true {
            let item = slots[slot]
            if item == 0 { return nil }
            if item &>> placeBits == code(distance), entries[place(item)].hash == hash {
                return place(item)
            }
            slot = (slot &+ 1) & mask
            distance &+= 1
        }
    }

    /// Adds an entry if its hash is not there.
    ///
    /// - Returns: where it is; nil if it was not added.
    mutating func insertNew(_ entry: StoreEntry) -> Int? {
        if count + 1 > slots.count / 8 * 7 { rehash(slots.count * 2) }
        guard let slot = emptySlot(for: entry.hash) else { return nil }
        nextSlot = .max
        let place = take(entry)
        fill(slot, place, entry.hash)
        count += 1
        return place
    }

    @inline(__always)
    private mutating func fill(_ slot: Int, _ place: Int, _ hash: UInt64) {
        slots[slot] = item(
            UInt32(truncatingIfNeeded: place &+ 1), (slot &- home(hash)) & mask)
    }

    /// Whether an entry that is added comes behind all others.
    var hasNoGaps: Bool { free == 0 }

    /// Adds the entries in some bytes behind all others, without a copy of each in between.
    ///
    /// - Parameters:
    ///   - cleared: flags that they are not to have.
    ///   - isWanted: called for each before, with its place.
    /// - Returns: those that are not added since their hashes are there.
    @inline(__always)
    mutating func append(
        _ bytes: RawSpan, without cleared: StoreEntry.Flags,
        where isWanted: (StoreEntry, Int) -> Bool
    ) -> [StoreEntry] {
        var known: [StoreEntry] = []
        var place = entries.count
        // Before they are there: what is there gets its slots anew.
        reserveSlots(count + bytes.byteCount / MemoryLayout<StoreEntry>.stride)
        entries.append(copying: bytes)
        while place < entries.count {
            if !entries[place].flags.isDisjoint(with: cleared) {
                entries.update(place) { $0.flags.subtract(cleared) }
            }
            if !isWanted(entries[place], place) {
                release(place)
            } else if let slot = slotBehind(entries[place].hash)
                ?? emptySlot(for: entries[place].hash)
            {
                fill(slot, place, entries[place].hash)
                count &+= 1
            } else {
                known.append(entries[place])
                release(place)
            }
            place &+= 1
        }
        return known
    }

    /// Where the number of an entry is to stand; nil if its hash is there.
    @inline(__always)
    private func emptySlot(for hash: UInt64) -> Int? {
        var slot = home(hash)
        var distance = 0
        while true {
            let item = slots[slot]
            if item == 0 { return slot }
            if item &>> placeBits == code(distance), entries[place(item)].hash == hash {
                return nil
            }
            slot = (slot &+ 1) & mask
            distance &+= 1
        }
    }

    /// The same, of an entry whose hash is larger than all others: between where a search for it begins
    /// and what was put last there is no gap, and nothing behind that.
    @inline(__always)
    private mutating func slotBehind(_ hash: UInt64) -> Int? {
        let slot = max(home(hash), nextSlot)
        guard hash > lastHash, slot < mask else {
            nextSlot = .max
            return nil
        }
        lastHash = hash
        nextSlot = slot &+ 1
        return slot
    }

    /// Makes room for so many entries.
    mutating func reserve(_ wanted: Int) {
        entries.reserve(wanted)
        reserveSlots(wanted)
    }

    private mutating func reserveSlots(_ wanted: Int) {
        var size = slots.count
        while wanted > size / 8 * 7 { size *= 2 }
        if size != slots.count { rehash(size) }
    }

    /// Adds an entry whose hash is not there.
    mutating func insert(_ entry: StoreEntry) -> Int {
        if count + 1 > slots.count / 8 * 7 { rehash(slots.count * 2) }
        let place = take(entry)
        link(place, entry.hash)
        count += 1
        return place
    }

    /// Gives an entry a place.
    @inline(__always)
    private mutating func take(_ entry: StoreEntry) -> Int {
        guard free != 0 else {
            entries.append(entry)
            return entries.count - 1
        }
        let place = Int(free) - 1
        // A free place has the next one where an entry has its history.
        free = entries[place].history.rawValue
        entries[place] = entry
        return place
    }

    private mutating func link(_ place: Int, _ hash: UInt64) {
        nextSlot = .max
        var slot = home(hash)
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        fill(slot, place, hash)
    }

    /// Takes an entry out; its place is given to another later.
    mutating func remove(at place: Int) {
        let number = place &+ 1
        var slot = home(entries[place].hash)
        while Int(slots[slot]) & mask != number { slot = (slot &+ 1) & mask }
        nextSlot = .max
        // What stood behind it because of it moves up, so that no search ends too early.
        var next = (slot &+ 1) & mask
        while true {
            let other = slots[next]
            if other == 0 { break }
            let distance = self.distance(other, at: next)
            let gap = (next &- slot) & mask
            if distance >= gap {
                slots[slot] = item(other & UInt32(truncatingIfNeeded: mask), distance &- gap)
                slot = next
            }
            next = (next &+ 1) & mask
        }
        slots[slot] = 0
        release(place)
        count -= 1
    }

    /// Makes a place free to which nothing leads.
    private mutating func release(_ place: Int) {
        entries.update(place) {
            $0.flags = .none
            $0.history = UseHistory(rawValue: free)
        }
        free = UInt32(place) + 1
    }

    private mutating func rehash(_ size: Int) {
        precondition(size <= 1 << 31, "too many entries for one store")
        slots = GrowingBuffer(zeros: size)
        mask = size - 1
        shift = UInt64(64 - size.trailingZeroBitCount)
        guard count > 0 else { return }
        for place in 0..<entries.count where entries[place].isLive {
            link(place, entries[place].hash)
        }
    }

    /// Some of the entries, in the order of their hashes: who adds them in this order to a table of any size
    /// goes through it once from end to end.
    ///
    /// Entries may come and go between two calls: what was there all the while is in one of them.
    ///
    /// - Parameters:
    ///   - first: no hash that is less.
    ///   - count: how many slots to look at, or somewhat more.
    /// - Returns: from which hash to go on; nil: there are no more.
    func entries(
        from first: UInt64, slots count: Int, _ body: (StoreEntry) -> Void
    ) -> UInt64? {
        // Searches for them begin in these slots; they stand there, or behind without a gap.
        let homes = home(first)..<min(home(first) + count, mask + 1)
        var found: [StoreEntry] = []
        var slot = homes.lowerBound
        while true {
            let item = slots[slot & mask]
            if item == 0 {
                if slot >= homes.upperBound { break }
            } else if homes.contains(slot &- distance(item, at: slot & mask)) {
                // Behind the end of the table those from there that stand at its beginning.
                let entry = entries[place(item)]
                if entry.hash >= first { Self.add(entry, to: &found) }
            }
            slot &+= 1
        }
        found.forEach(body)
        return homes.upperBound > mask ? nil : UInt64(homes.upperBound) << shift
    }

    /// Nearly all of them come in order.
    private static func add(_ entry: StoreEntry, to run: inout [StoreEntry]) {
        var index = run.count
        while index > 0, run[index - 1].hash > entry.hash { index -= 1 }
        run.insert(entry, at: index)
    }

    mutating func removeAll() {
        entries.removeAll()
        slots = GrowingBuffer(zeros: 64)
        mask = 63
        shift = 58
        free = 0
        count = 0
        lastHash = 0
        nextSlot = 0
    }
}
