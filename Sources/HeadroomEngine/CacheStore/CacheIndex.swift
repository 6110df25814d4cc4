//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The entries of a store and the files they lie in, with what each occupies: all of it in memory.
///
/// Knows nothing of disks: it decides, and ``CacheStore`` carries out.
struct CacheIndex: ~Copyable, Sendable {
    private(set) var table = EntryTable()
    let policy: CachePolicy
    private var hand = EvictionHand()
    /// Entries that may go, by the code of their class.
    private(set) var counts = [0, 0, 0]
    private(set) var pinnedCount = 0
    var segments = SegmentList()
    /// Bytes of records that are of use: what the entries would occupy without gaps.
    private(set) var liveBytes: Int64 = 0
    /// Bytes on the volume, of segments and of entries' own files.
    private(set) var allocated: Int64 = 0
    var sessions = SessionTable()
    var tags = TagTable()
    /// Which store the log belongs to.
    var fingerprint: UInt64?
    /// Bytes of files that are there and have not been looked into.
    var unknownBytes: Int64 = 0

    init(policy: CachePolicy) {
        self.policy = policy
    }

    var count: Int { table.count }

    // MARK: - Segments

    mutating func addSegment(_ number: UInt32, _ segment: SegmentAccount) {
        segments[number] = segment
        allocated += segment.allocated
    }

    /// Reserves the bytes of a record.
    ///
    /// - Returns: where it will stand; nil if the segment has no room for it.
    mutating func reserve(_ size: Int, in number: UInt32, capacity: Int) -> UInt32? {
        var offset: UInt32?
        segments.update(number) { segment in
            guard segment.isOpen, Int(segment.end) + size <= capacity else { return }
            offset = segment.end
            segment.end += UInt32(size)
            segment.pending += 1
        }
        return offset
    }

    /// - Returns: whether that was the last that a closed segment waited for.
    mutating func finishWriting(in number: UInt32) -> Bool {
        var isDone = false
        segments.update(number) { segment in
            segment.pending -= 1
            isDone = !segment.isOpen && segment.pending == 0
        }
        return isDone
    }

    /// No more is written to a segment: it counts with what it has.
    ///
    /// - Returns: whether nothing is being written to it any more.
    @discardableResult
    mutating func seal(_ number: UInt32, allocated bytes: Int64) -> Bool {
        guard let segment = segments[number] else { return false }
        allocated += bytes - segment.allocated
        segments.update(number) {
            $0.allocated = bytes
            $0.isOpen = false
        }
        return segment.pending == 0
    }

    mutating func setOwner(_ owner: UInt32, of number: UInt32) {
        segments.update(number) { $0.owner = owner }
    }

    mutating func noticeEnd(_ end: UInt32, of number: UInt32) {
        _ = segments.noticeEnd(end, of: number)
    }

    /// Forgets a segment, with all entries that are said to lie in it.
    ///
    /// - Complexity: O(places) if it has entries, else O(1).
    mutating func dropSegment(_ number: UInt32) {
        guard let segment = segments[number] else { return }
        if segment.liveCount > 0 {
            for place in 0..<table.placeCount
            where table[place].flags.contains(.isLive) && table[place].segment == number {
                forget(place)
            }
        }
        segments[number] = nil
        allocated -= segment.allocated
    }

    /// Segments of which nothing is of use any more.
    var deadSegments: [UInt32] {
        segments.numbers.filter { number in
            guard let segment = segments[number] else { return false }
            return !segment.isOpen && segment.liveCount == 0 && segment.pending == 0
        }
    }

    /// The closed segment that gives most bytes back for what has to be moved; nil if none has a
    /// quarter to give.
    var mostlyDeadSegment: UInt32? {
        var best: (number: UInt32, share: Double)?
        for number in segments.numbers {
            guard let segment = segments[number], !segment.isOpen, segment.pending == 0 else {
                continue
            }
            let share = Double(segment.liveBytes) / Double(max(1, segment.allocated))
            if share <= 0.75, share < best?.share ?? 1 { best = (number, share) }
        }
        return best?.number
    }

    // MARK: - Entries

    /// The entry of a hash, which is then the one used last.
    mutating func use(_ hash: UInt64, at now: StoreTick) -> StoreEntry? {
        guard let place = table.find(hash) else { return nil }
        let entry = table[place]
        guard entry.expiry > now else { return nil }
        table.update(place) {
            $0.lastUse = now
            $0.flags.insert(.isVisited)
        }
        return entry
    }

    func entry(_ hash: UInt64) -> StoreEntry? { table.find(hash).map { table[$0] } }

    /// Adds an entry, in place of the one that had its hash.
    ///
    /// - Parameter fileBytes: what its own file occupies, if it has one.
    /// - Returns: the one that it replaces.
    mutating func insert(_ entry: StoreEntry) -> StoreEntry? {
        let old = remove(entry.hash)
        var entry = entry
        // A pin is a word on the key.
        if old?.flags.contains(.isPinned) == true { entry.flags.insert(.isPinned) }
        _ = table.insert(entry)
        note(entry, 1)
        return old
    }

    /// Adds an entry of the log, in place of the one that had its hash.
    mutating func adopt(_ entry: StoreEntry) {
        guard table.insertNew(entry) else {
            _ = insert(entry)
            return
        }
        note(entry, 1)
    }

    mutating func remove(_ hash: UInt64) -> StoreEntry? {
        guard let place = table.find(hash) else { return nil }
        return forget(place)
    }

    @discardableResult
    private mutating func forget(_ place: Int) -> StoreEntry {
        let entry = table[place]
        table.remove(at: place)
        note(entry, -1)
        return entry
    }

    /// Counts an entry in, or out.
    private mutating func note(_ entry: StoreEntry, _ sign: Int) {
        if entry.flags.contains(.isPinned) {
            pinnedCount += sign
        } else {
            counts[Int(entry.purgeClass.code)] += sign
        }
        let bytes = Int64(sign * entry.recordSize)
        liveBytes += bytes
        if entry.isFile {
            allocated += Int64(sign) * entry.fileAllocated
        } else {
            segments.update(entry.segment) {
                $0.liveBytes += bytes
                $0.liveCount += sign
            }
        }
    }

    /// Says where the record of an entry has been moved to.
    ///
    /// - Returns: false if the entry has been replaced or removed meanwhile.
    mutating func move(_ hash: UInt64, from old: UInt64, to new: UInt64) -> Bool {
        guard let place = table.find(hash), table[place].place == old, !table[place].isFile else {
            return false
        }
        var entry = table[place]
        note(entry, -1)
        entry.place = new
        table[place] = entry
        note(entry, 1)
        return true
    }

    mutating func setPinned(_ isPinned: Bool, _ hash: UInt64) -> Bool {
        guard let place = table.find(hash) else { return false }
        var entry = table[place]
        note(entry, -1)
        if isPinned { entry.flags.insert(.isPinned) } else { entry.flags.remove(.isPinned) }
        table[place] = entry
        note(entry, 1)
        return true
    }

    mutating func touch(_ hash: UInt64, at tick: StoreTick) {
        guard let place = table.find(hash) else { return }
        table.update(place) { $0.lastUse = max($0.lastUse, tick) }
    }

    /// Bytes of closed segments that are of no use any more.
    var deadBytes: Int64 {
        segments.numbers.reduce(0) { sum, number in
            guard let segment = segments[number], !segment.isOpen else { return sum }
            return sum + segment.allocated - segment.liveBytes
        }
    }

    // MARK: - Eviction

    /// Takes out the entry that goes next.
    mutating func evict(at now: StoreTick, through: PurgeableClass = .lastResort) -> StoreEntry? {
        var allowed = counts
        for code in allowed.indices where code > Int(through.code) { allowed[code] = 0 }
        guard
            let place = hand.next(
                in: &table, EvictionOrder(policy: policy, now: now), counts: allowed)
        else { return nil }
        return forget(place)
    }

    mutating func reserve(_ count: Int) { table.reserve(count) }

    mutating func removeAll() {
        table.removeAll()
        segments.removeAll()
        counts = [0, 0, 0]
        pinnedCount = 0
        liveBytes = 0
        allocated = 0
        sessions = SessionTable()
        tags = TagTable()
        fingerprint = nil
    }

    var memory: Int { table.memory }
}

extension StoreEntry {
    /// Where a record stands in a segment.
    static func place(segment: UInt32, offset: UInt32) -> UInt64 {
        UInt64(segment) << 32 | UInt64(offset)
    }

    var segment: UInt32 { isFile ? 0 : UInt32(truncatingIfNeeded: place >> 32) }
    var offset: UInt32 { isFile ? 0 : UInt32(truncatingIfNeeded: place) }

    /// What a file of its own occupies, in whole blocks of 4 KiB.
    var fileAllocated: Int64 {
        isFile ? Int64((recordSize + 4095) & ~4095) : 0
    }
}
