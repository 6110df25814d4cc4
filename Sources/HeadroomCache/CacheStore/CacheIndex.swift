//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomPlatform

/// The entries of a store and the files that contain them, in memory. It decides, and ``CacheStore`` carries out.
package struct CacheIndex: ~Copyable, Sendable {
    var table = EntryTable()
    let policy: CachePolicy
    var hand = EvictionHand()
    package var model = ReuseModel()
    private(set) var former = FormerEntries()
    private(set) var recent = RecentEvictions()
    /// Entries that may go, by the code of their class.
    var counts = [0, 0, 0]
    private(set) var pinnedCount = 0
    /// Hashes of keys that are pinned or read from: that is a word on the key, whatever stands under it later.
    private(set) var pinnedKeys: Set<UInt64> = []
    /// Entries in the table whose segments are gone.
    private var strayCount = 0
    private var strayHand = 0
    private var lastDropped: UInt32 = 0
    var segments = SegmentList()
    /// Bytes of records that are of use: what the entries would occupy without gaps.
    var liveBytes: Int64 = 0
    /// Bytes on the volume, of segments and of entries' own files.
    package var allocated: Int64 = 0
    var sessions = SessionTable()
    var tags = TagTable()
    /// Which store the log belongs to.
    package var fingerprint: UInt64?
    var lineage = LogLineage()
    /// How its users have it behave; nil: the log does not say.
    package var settings: StoreSettings?
    /// What all sessions have told that they have done.
    package var totals = CacheTotals()
    /// Bytes of files that are there and have not been looked into.
    var unknownBytes: Int64 = 0
    /// Of what was evicted.
    var unmarked: UnmarkedRecords
    /// Where records stand that are to be marked: there was no room for them among those.
    var unmarkedTooMany: Set<UInt64> = []
    let entryLimit: Int?

    init(policy: CachePolicy, entryLimit: Int? = nil) {
        self.policy = policy
        self.entryLimit = entryLimit
        unmarked = UnmarkedRecords(entryLimit: entryLimit)
    }

    var count: Int { table.count - strayCount }

    // MARK: - Segments

    mutating func addSegment(_ number: UInt32, _ segment: SegmentAccount) {
        // Told of once more: what was in it must not come back.
        if number <= lastDropped, strayCount > 0 { sweepStrays(table.placeCount) }
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

    /// Forgets a segment, with all entries that lie in it.
    ///
    /// Their places in the table are given back little by little: numbers of segments are never used
    /// again, so that an entry without its segment is known to be none.
    ///
    /// - Returns: what was still to be had in it.
    /// - Complexity: O(entries in it).
    @discardableResult
    mutating func dropSegment(_ number: UInt32) -> (count: Int, bytes: Int64) {
        guard let segment = segments[number] else { return (0, 0) }
        let gone = segment.liveCount + segment.condemnedCount
        counts[Int(segment.purgeClass.code)] -= segment.liveCount - segment.pinnedCount
        pinnedCount -= segment.pinnedCount
        let bytes = segment.liveBytes + segment.condemnedBytes
        liveBytes -= bytes
        strayCount += gone
        segments[number] = nil
        lastDropped = max(lastDropped, number)
        allocated -= segment.allocated
        sweepStrays(16 * gone)
        return (gone, bytes)
    }

    /// Looks at so many places, and gives back those of entries whose segment is gone.
    private mutating func sweepStrays(_ steps: Int) {
        for _ in 0..<min(steps, table.placeCount) where strayCount > 0 {
            strayHand = strayHand + 1 < table.placeCount ? strayHand + 1 : 0
            let entry = table[strayHand]
            if entry.isLive, isStray(entry) { removeStray(strayHand) }
        }
    }

    private mutating func removeStray(_ place: Int) {
        table.remove(at: place)
        strayCount -= 1
    }

    @inline(__always)
    func isStray(_ entry: StoreEntry) -> Bool {
        !entry.isFile && !segments.contains(entry.segment)
    }

    /// Where the entry of a hash is, if it still has a segment.
    @inline(__always)
    private func find(_ hash: UInt64) -> Int? {
        guard let place = table.find(hash), strayCount == 0 || !isStray(table[place]) else {
            return nil
        }
        return place
    }

    /// Segments of which nothing is to be had any more.
    var deadSegments: [UInt32] {
        segments.numbers.filter { number in
            guard let segment = segments[number] else { return false }
            return segment.isAtRest && segment.liveCount + segment.condemnedCount == 0
        }
    }

    /// Closed segments of a class that occupy less than so much.
    func smallSegments(of purgeClass: PurgeableClass, below bytes: Int64) -> [UInt32] {
        segments.numbers.filter { number in
            guard let segment = segments[number], segment.isAtRest else { return false }
            return segment.purgeClass == purgeClass && segment.allocated < bytes
        }
    }

    /// The closed segment that gives most bytes back for what has to be moved; nil if none has a
    /// quarter to give.
    var mostlyDeadSegment: UInt32? {
        var best: (number: UInt32, share: Double)?
        for number in segments.numbers {
            guard let segment = segments[number], segment.isAtRest else { continue }
            let share = Double(segment.liveBytes) / Double(max(1, segment.allocated))
            if share <= 0.75, share < best?.share ?? 1 { best = (number, share) }
        }
        return best?.number
    }

    // MARK: - Entries

    /// The entry of a hash, which is then the one used last.
    mutating func use(_ hash: UInt64, at now: StoreTick) -> StoreEntry? {
        guard let place = find(hash) else { return nil }
        let entry = table[place]
        // mutation: r20a-1 (2 lines)
        guard entry.expiry > now else { return nil }
        if entry.flags.contains(.isCondemned) { condemn(place, false) }
        table.update(place) {
            $0.lastUse = now
            $0.history = model.use(entry.history)
            $0.flags.insert(.isVisited)
        }
        return entry
    }

    func entry(_ hash: UInt64) -> StoreEntry? { find(hash).map { table[$0] } }

    /// Adds an entry, in place of the one that had its hash.
    ///
    /// - Parameter fileBytes: what its own file occupies, if it has one.
    /// - Returns: the one that it replaces.
    mutating func insert(_ entry: StoreEntry) -> StoreEntry? {
        let old = remove(entry.hash)
        var entry = entry
        if isPinned(entry.hash) { entry.flags.insert(.isPinned) }
        entry.history = begin(entry.hash, old)
        if old == nil { recent.noticePut(entry.hash, bytes: entry.recordSize) }
        if entry.isFile { sessions.noticeFile(entry.place) }
        hand.notice(table.insert(entry), entry)
        note(entry, 1)
        return old
    }

    /// The history of an entry that is put, in place of another or not.
    private mutating func begin(_ hash: UInt64, _ old: StoreEntry?) -> UseHistory {
        if model.coarsen(for: table.count) {
            for place in 0..<table.placeCount where table[place].isLive {
                table.update(place) { $0.history = model.halved($0.history) }
            }
        }
        model.learnIfDue(entries: table.count)
        guard policy == .costAware else { return model.begin(frequency: 0) }
        former.grow(for: table.count)
        return model.begin(frequency: old?.history.frequency ?? former.frequency(hash))
    }

    /// Adds an entry of the log, in place of the one that had its hash.
    mutating func adopt(_ entry: StoreEntry) {
        var entry = entry
        if isPinned(entry.hash) { entry.flags.insert(.isPinned) }
        guard let place = table.insertNew(entry) else {
            _ = insert(entry)
            return
        }
        model.resume(entry.history)
        hand.notice(place, entry)
        note(entry, 1)
    }

    mutating func remove(_ hash: UInt64) -> StoreEntry? {
        guard let place = table.find(hash) else { return nil }
        if isStray(table[place]) {
            removeStray(place)
            return nil
        }
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
    mutating func note(_ entry: StoreEntry, _ sign: Int) {
        let isPinned = entry.flags.contains(.isPinned)
        let isCondemned = entry.flags.contains(.isCondemned)
        if isPinned {
            pinnedCount += sign
        } else if !isCondemned {
            counts[Int(entry.purgeClass.code)] += sign
        }
        let bytes = Int64(sign * entry.recordSize)
        liveBytes += bytes
        if entry.isFile {
            allocated += Int64(sign) * entry.fileAllocated
            return
        }
        segments.update(entry.segment) {
            if isCondemned {
                $0.condemnedBytes += bytes
                $0.condemnedCount += sign
                return
            }
            $0.liveBytes += bytes
            $0.liveCount += sign
            if isPinned { $0.pinnedCount += sign }
        }
    }

    /// Says where the record of an entry has been moved to.
    ///
    /// - Returns: false if the entry has been replaced or removed meanwhile.
    mutating func move(_ hash: UInt64, from old: UInt64, to new: UInt64) -> Bool {
        guard let place = find(hash), table[place].place == old, !table[place].isFile else {
            return false
        }
        var entry = table[place]
        note(entry, -1)
        entry.place = new
        table[place] = entry
        note(entry, 1)
        return true
    }

    private func isPinned(_ hash: UInt64) -> Bool {
        !pinnedKeys.isEmpty && pinnedKeys.contains(hash)
    }

    mutating func setPinned(_ isPinned: Bool, _ hash: UInt64) -> Bool {
        if isPinned { pinnedKeys.insert(hash) } else { pinnedKeys.remove(hash) }
        guard let place = find(hash) else { return false }
        var entry = table[place]
        note(entry, -1)
        entry.flags.remove(.isCondemned)
        if isPinned { entry.flags.insert(.isPinned) } else { entry.flags.remove(.isPinned) }
        table[place] = entry
        note(entry, 1)
        return true
    }

    /// An entry was used by another process, or before the store was opened.
    mutating func touch(_ hash: UInt64, at tick: StoreTick) {
        guard let place = find(hash), table[place].lastUse < tick else { return }
        table.update(place) {
            $0.lastUse = tick
            $0.history = model.use($0.history)
            $0.flags.insert(.isVisited)
        }
    }

    // MARK: - Eviction

    /// Takes out the entry that goes next.
    mutating func evict(at now: StoreTick, through: PurgeableClass = .lastResort) -> StoreEntry? {
        if let place = nextVictim(at: now, through) { return forget(place) }
        // Only what was given up for its bytes may be left.
        for place in 0..<table.placeCount where table[place].isLive {
            let entry = table[place]
            if entry.flags.contains(.isCondemned), !isStray(entry) { condemn(place, false) }
        }
        return nextVictim(at: now, through).map { forget($0) }
    }

    /// Gives up the entry that goes next: one with a file of its own is taken out; one in a segment
    /// stays until the segment is moved together, and for good if it is used before.
    ///
    /// - Returns: nil if none may go.
    mutating func release(
        at now: StoreTick, through: PurgeableClass = .lastResort
    ) -> ReleasedEntry? {
        guard let place = nextVictim(at: now, through) else { return nil }
        let entry = table[place]
        let isRemoved = entry.isFile || entry.expiry <= now
        if isRemoved { forget(place) } else { condemn(place, true) }
        return ReleasedEntry(entry: entry, isRemoved: isRemoved)
    }

    func order(at now: StoreTick) -> EvictionOrder {
        EvictionOrder(policy: policy, now: now, moment: model.now, waits: model.waits)
    }

    private mutating func nextVictim(at now: StoreTick, _ through: PurgeableClass) -> Int? {
        let order = self.order(at: now)
        while true {
            var allowed = counts
            for code in allowed.indices where code > Int(through.code) { allowed[code] = 0 }
            guard let place = hand.next(in: &table, order, counts: allowed) else { return nil }
            let entry = table[place]
            if !isStray(entry) {
                learn(from: entry)
                return place
            }
            removeStray(place)
        }
    }

    /// An entry goes for want of room.
    mutating func learn(from entry: StoreEntry) {
        guard policy == .costAware else { return }
        model.end(entry.history)
        former.remember(entry.hash, model.frequencyAfter(entry.history))
    }

    private mutating func condemn(_ place: Int, _ isCondemned: Bool) {
        var entry = table[place]
        note(entry, -1)
        if isCondemned {
            entry.flags.insert(.isCondemned)
        } else {
            entry.flags.remove(.isCondemned)
        }
        table[place] = entry
        note(entry, 1)
    }

    /// The entry of a record that has to be moved before its segment goes.
    func entryToMove(_ hash: UInt64, from place: UInt64) -> StoreEntry? {
        guard let entry = entry(hash), !entry.isFile, entry.place == place,
            !entry.flags.contains(.isCondemned)
        else { return nil }
        return entry
    }

    mutating func reserve(_ count: Int) {
        // What a log says of itself is no more than a hint: a few bytes must not take gigabytes.
        table.reserve(min(count, 1 << 20))
        // Moments are as long as they were when the entries were written down.
        while model.coarsen(for: count) {}
    }

    /// What was read is another store's: its numbers are of no meaning either.
    mutating func startAnew() {
        removeAll()
        segments = SegmentList()
    }

    mutating func removeAll() {
        table.removeAll()
        segments.removeAll()
        counts = [0, 0, 0]
        pinnedCount = 0
        strayCount = 0
        lastDropped = 0
        hand = EvictionHand()
        model = ReuseModel()
        former = FormerEntries()
        liveBytes = 0
        allocated = 0
        sessions = SessionTable()
        tags = TagTable()
        fingerprint = nil
        lineage = LogLineage()
        settings = nil
        totals = CacheTotals()
        unmarked = UnmarkedRecords(entryLimit: entryLimit)
        unmarkedTooMany = []
    }

    var memory: Int {
        table.memory + former.memory + recent.memory + unmarked.memory + tags.memory
    }

    /// Forgets tags of what is not there any more, once there are many; not before what has them is there.
    mutating func forgetTagsIfDue() {
        guard tags.isDue else { return }
        var known = tags
        tags = TagTable()
        known.keep { entry($0)?.flags.contains(.hasTags) == true }
        tags = known
    }

    /// An entry has gone to make room.
    mutating func noteEviction(_ hash: UInt64) { recent.remember(hash, among: table.count + 1) }

    /// Entries that were looked at to find those that went.
    var stepsToEvict: Int { hand.steps }

    /// Takes over what was learnt of how entries are used.
    mutating func keepLearning(from old: borrowing CacheIndex) {
        model = old.model
        former = old.former
        recent = old.recent
    }

    mutating func keepHistory(_ history: UseHistory, of hash: UInt64) {
        guard let place = find(hash) else { return }
        table.update(place) { $0.history = history }
    }
}

/// An entry that is given up.
struct ReleasedEntry {
    let entry: StoreEntry
    /// It is not in the index any more.
    let isRemoved: Bool

    /// What is free now, or will be.
    var bytes: Int64 { entry.isFile ? entry.fileAllocated : Int64(entry.recordSize) }
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
