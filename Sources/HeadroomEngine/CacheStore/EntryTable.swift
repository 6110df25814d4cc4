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
    /// One-based places of entries, by hash; 0 is empty. A power of two of them, at most 7/8 taken.
    private var slots = GrowingBuffer<UInt32>(repeating: 0, count: 64)
    private var mask: UInt64 = 63
    /// The first of the free places, which are chained; 0: none.
    private var free: UInt32 = 0
    private(set) var count = 0

    init() {}

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

    /// Where the entry of a hash is.
    func find(_ hash: UInt64) -> Int? {
        var slot = hash & mask
        while true {
            let number = slots[Int(slot)]
            if number == 0 { return nil }
            if entries[Int(number) - 1].hash == hash { return Int(number) - 1 }
            slot = (slot &+ 1) & mask
        }
    }

    /// Adds an entry if its hash is not there.
    ///
    /// - Returns: where it is; nil if it was not added.
    mutating func insertNew(_ entry: StoreEntry) -> Int? {
        if count + 1 > slots.count / 8 * 7 { rehash(slots.count * 2) }
        var slot = entry.hash & mask
        while true {
            let number = slots[Int(slot)]
            if number == 0 { break }
            if entries[Int(number) - 1].hash == entry.hash { return nil }
            slot = (slot &+ 1) & mask
        }
        let place = take(entry)
        slots[Int(slot)] = UInt32(place) + 1
        count += 1
        return place
    }

    /// Makes room for so many entries.
    mutating func reserve(_ wanted: Int) {
        entries.reserve(wanted)
        var size = slots.count
        while wanted > size / 8 * 7 { size *= 2 }
        if size != slots.count { rehash(size) }
    }

    /// Adds an entry whose hash is not there.
    mutating func insert(_ entry: StoreEntry) -> Int {
        if count + 1 > slots.count / 8 * 7 { rehash(slots.count * 2) }
        let place = take(entry)
        link(UInt32(place) + 1, entry.hash)
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

    private mutating func link(_ number: UInt32, _ hash: UInt64) {
        var slot = hash & mask
        while slots[Int(slot)] != 0 { slot = (slot &+ 1) & mask }
        slots[Int(slot)] = number
    }

    /// Takes an entry out; its place is given to another later.
    mutating func remove(at place: Int) {
        let number = UInt32(place) + 1
        var slot = entries[place].hash & mask
        while slots[Int(slot)] != number { slot = (slot &+ 1) & mask }
        // What stood behind it because of it moves up, so that no search ends too early.
        var next = (slot &+ 1) & mask
        while true {
            let other = slots[Int(next)]
            if other == 0 { break }
            let home = entries[Int(other) - 1].hash & mask
            if (next &- home) & mask >= (next &- slot) & mask {
                slots[Int(slot)] = other
                slot = next
            }
            next = (next &+ 1) & mask
        }
        slots[Int(slot)] = 0
        entries.update(place) {
            $0.flags = .none
            $0.history = UseHistory(rawValue: free)
        }
        free = number
        count -= 1
    }

    private mutating func rehash(_ size: Int) {
        slots = GrowingBuffer(repeating: 0, count: size)
        mask = UInt64(size) - 1
        guard count > 0 else { return }
        for place in 0..<entries.count where entries[place].isLive {
            link(UInt32(place) + 1, entries[place].hash)
        }
    }

    /// Calls `body` with every entry, in the order of their hashes' places: who inserts them in this
    /// order into a table of the same size walks it from one end to the other.
    func forEachByHash(_ body: (StoreEntry) -> Void) {
        for slot in 0..<slots.count {
            let number = slots[slot]
            if number != 0 { body(entries[Int(number) - 1]) }
        }
    }

    mutating func removeAll() {
        entries.removeAll()
        slots = GrowingBuffer(repeating: 0, count: 64)
        mask = 63
        free = 0
        count = 0
    }
}
