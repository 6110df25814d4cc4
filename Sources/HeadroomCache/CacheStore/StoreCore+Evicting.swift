//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import Synchronization
import SystemPackage

extension StoreCore {
    /// Makes sure that so many bytes more are within the limit; under the maintenance lock.
    ///
    /// One segment beyond that stays free, so that records can be moved together.
    ///
    /// - Parameters:
    ///   - limit: nil: that of the store.
    ///   - purgeClass: what may go at most.
    ///   - isStopped: asked before each step; then there may be less room.
    /// - Throws: ``Errno/storeIsFull`` if nothing more may go.
    func makeRoom(
        _ bytes: Int64, limit: Int64? = nil, through purgeClass: PurgeableClass = .lastResort,
        unless isStopped: () -> Bool = { false }
    ) throws(Errno) {
        // What the volume is to have goes for good.
        let isForVolume = limit != nil
        let limit = limit ?? options.limit.bytes
        var hasAsked = false
        state.withLock { $0.ceiling = $0.occupied }
        defer { state.withLock { $0.ceiling = 0 } }
        while !isStopped() {
            try removeDeadSegments()
            let step = state.withLock {
                $0.index.stepToRoom(
                    for: bytes, occupied: $0.occupied, limit: limit,
                    segment: Int64(segmentCapacity))
            }
            // What is there has to be known before any of it can go: of what went an older value might be found.
            if step != .fits, try lookIntoNext() { continue }
            switch step {
            case .fits: return
            case .move(let number):
                do throws(Errno) {
                    try moveRecords(from: number)
                } catch .storeIsFull {
                    // Nothing is kept free for that: the limit was lower before, or is somebody else's. All that is
                    // left in one segment makes room; the same bytes out of all of them would free nothing.
                    if state.withLock({ $0.index.segments[number]?.purgeClass ?? .lastResort })
                        <= purgeClass,
                        evictAll(of: number)
                    {
                        continue
                    }
                    guard evict(Int64(segmentCapacity), through: purgeClass) > 0 else {
                        throw .storeIsFull
                    }
                }
            case .release(let wanted):
                let given =
                    isForVolume
                    ? evict(wanted, through: purgeClass) : release(wanted, through: purgeClass)
                if given > 0 { continue }
                // Nothing may go any more; perhaps there are gaps to be closed.
                if let number = state.withLock({ $0.index.mostlyDeadSegment }) {
                    try moveRecords(from: number)
                    continue
                }
                // Perhaps others hold what they do not need any more.
                guard !hasAsked else { throw .storeIsFull }
                hasAsked = true
                forgetForeignLeases()
                try catchUp()
            }
        }
    }

    /// Gives up entries of so many bytes, or all that may go: those in segments are still there until
    /// their segment is moved together, and stay if they are used before.
    ///
    /// - Returns: the bytes that are free now, or will be.
    private func release(_ wanted: Int64, through purgeClass: PurgeableClass) -> Int64 {
        // What they had put is older than what others have, and must not come after it is gone.
        _ = try? takeOverFromDead()
        return takeVictims(wanted) { state, now in
            state.release(at: now, through: purgeClass, asking: session)
        }
    }

    /// Evicts entries of so many bytes, or all that may go.
    ///
    /// - Returns: the bytes of their records.
    @discardableResult
    func evict(_ wanted: Int64, through purgeClass: PurgeableClass = .lastResort) -> Int64 {
        // As above.
        _ = try? takeOverFromDead()
        return evictKnown(wanted, through: purgeClass)
    }

    private func evictKnown(
        _ wanted: Int64, through purgeClass: PurgeableClass = .lastResort
    ) -> Int64 {
        takeVictims(wanted) { state, now in
            state.evict(at: now, through: purgeClass, asking: session).map { victim in
                ReleasedEntry(entry: victim, isRemoved: true)
            }
        }
    }

    /// Evicts what is more than the limit of entries allows; under the maintenance lock.
    ///
    /// One after the other: what a lower limit has left may be most of the store, and nobody waits for that but who
    /// puts.
    ///
    /// - Parameter isStopped: asked before each; the rest goes with what is put next.
    func keepEntryLimit(unless isStopped: () -> Bool = { false }) {
        guard let limit = options.entryLimit, state.withLock({ $0.index.count > limit }) else {
            return
        }
        var isTold = (try? takeOverFromDead()) != nil
        while !isStopped(), state.withLock({ $0.index.count > limit }), evictKnown(1) > 0 {
            guard isTold, state.withLock({ $0.pending.count >= Self.batch }) else { continue }
            do throws(Errno) {
                try flush()
                try takeOverFromDead()
            } catch {
                // Waits for the next who tells the log. Trying it with each that goes may take seconds each.
                isTold = false
                state.withLock { $0.statistics.logFailures += 1 }
            }
        }
    }

    private func takeVictims(
        _ wanted: Int64, _ next: (inout State, StoreTick) -> ReleasedEntry?
    ) -> Int64 {
        var freed: Int64 = 0
        while freed < wanted {
            let now = tick()
            guard let victim = state.withLock({ next(&$0, now) }) else { break }
            step?(.evicted)
            if victim.isRemoved { retireReplaced(victim.entry) }
            step?(.victimRetired)
            freed += victim.bytes
        }
        return freed
    }

    /// Removes the files of segments with nothing in them.
    ///
    /// - Returns: the bytes that they had.
    @discardableResult
    func removeDeadSegments() throws(Errno) -> Int64 {
        try listIfDue()
        let (isAny, before) = state.withLock {
            (!$0.index.deadSegments.isEmpty, $0.index.allocated)
        }
        guard isAny else { return 0 }
        try removeSegments { deadSegments }
        return max(0, before - state.withLock { $0.index.allocated })
    }

    /// Segments of which nothing is to be had any more, as far as all is known that may lie in them.
    var deadSegments: [UInt32] {
        state.withLock { $0.unknown.isDue ? [] : $0.index.deadSegments }
    }

    /// Removes segments, with what is left in them.
    ///
    /// Files and log in one step: what another process has moved elsewhere is known here before, or it
    /// finds that there was nothing to be moved any more. Their bytes count until they are gone; a file that
    /// cannot be removed counts for ever.
    ///
    /// - Parameter numbers: which ones; asked when all that others have told is known.
    func removeSegments(_ numbers: () -> [UInt32]) throws(Errno) {
        var gone: [UInt32] = []
        do throws(Errno) {
            try log.withLock { (log) throws(Errno) in
                try append(
                    to: &log,
                    look: { () throws(Errno) in
                        // One of them may have marked what it was moving from there: its copy counts as long as
                        // it is known that the record was there.
                        try lookAtDead()
                        gone = numbers().filter(removeFile(ofSegment:))
                    }
                ) { state in
                    for number in gone { state.forget(segment: number) }
                }
            }
        } catch {
            if gone.isEmpty { throw error }
            // Told with what is told next.
            state.withLock { $0.statistics.logFailures += 1 }
        }
    }

    func removeFile(ofSegment number: UInt32) -> Bool {
        let bytes = invalidate(number)
        do throws(Errno) {
            try directory.remove(StoreNames.segment(number))
            state.withLock { $0.removedBytes += bytes }
        } catch {
            guard error == .noSuchFileOrDirectory else {
                state.withLock { $0.index.segments.update(number) { $0.isStuck = true } }
                return false
            }
        }
        step?(.segmentRemoved)
        return true
    }

    /// Another process may have it open still: it is not to find there what was moved elsewhere and
    /// replaced since, nor to keep its blocks.
    ///
    /// - Returns: the bytes that come free when it is removed.
    private func invalidate(_ number: UInt32) -> Int64 {
        guard let file = try? writableFile(of: number), let status = try? file.status() else {
            return 0
        }
        // Somebody has given it a second name, to keep what is in it: marks do as well.
        guard status.linkCount > 1 else {
            // What has its name may have been put there by anybody.
            if (try? file.bytes(4, at: 0)) == RecordHeader.markerBytes { try? file.truncate(0) }
            return status.allocatedSize.bytes
        }
        guard let bytes = try? file.upTo(Self.longestSegment, at: 0) else { return 0 }
        for record in RecordWalk(bytes, of: number) {
            try? retire(at: UInt64(record.offset), in: file)
        }
        return 0
    }
}

extension StoreCore.State {
    /// Takes the entry that goes next out of the index.
    ///
    /// - Parameters:
    ///   - asking: whether another process holds it, which then keeps it.
    ///   - isFound: it goes for something that was found: while not all is known, its record stays in use.
    mutating func evict(
        at now: StoreTick, through purgeClass: PurgeableClass = .lastResort,
        asking session: StoreSession, for isFound: Bool = false
    ) -> StoreEntry? {
        while let victim = index.evict(at: now, through: purgeClass) {
            if isShared, session.isLockedElsewhere(victim.hash) {
                _ = index.insert(victim)
                keepForOthers(victim.hash)
                continue
            }
            if isFound, !unknown.isEmpty {
                unknown.noteGone(victim.hash, at: sequence)
                // Another process may have found it, and told of it, once more.
                if unknown.evicted.updateValue(victim, forKey: victim.recordPlace) == nil {
                    leaving += victim.fileAllocated
                }
                count(victim: victim)
            } else {
                note(victim: victim)
            }
            return victim
        }
        return nil
    }

    /// Gives up the entry that goes next.
    ///
    /// - Parameter asking: whether another process holds it, which then keeps it.
    fileprivate mutating func release(
        at now: StoreTick, through purgeClass: PurgeableClass, asking session: StoreSession
    ) -> ReleasedEntry? {
        while let victim = index.release(at: now, through: purgeClass) {
            if isShared, session.isLockedElsewhere(victim.entry.hash) {
                if victim.isRemoved { _ = index.insert(victim.entry) }
                keepForOthers(victim.entry.hash)
                continue
            }
            if victim.isRemoved {
                note(victim: victim.entry)
            } else {
                index.noteEviction(victim.entry.hash)
            }
            return victim
        }
        return nil
    }

    /// An entry is held by another process.
    mutating func keepForOthers(_ hash: UInt64) {
        _ = index.setPinned(true, hash)
        leases.elsewhere.insert(hash)
    }

    /// Takes an entry out of the index that goes because of others.
    mutating func take(victim hash: UInt64) -> StoreEntry? {
        guard let victim = index.remove(hash) else { return nil }
        note(victim: victim)
        return victim
    }

    private mutating func note(victim: StoreEntry) {
        unknown.noteGone(victim.hash, at: sequence)
        if staysUnmarked(victim) {
            pending.addEviction(victim)
        } else {
            pending.addRemoval(victim)
            noteLeaving(victim)
        }
        // A table that has begun may have no room for all that was known.
        noteUnmarkedTooMany()
        count(victim: victim)
    }

    private mutating func count(victim: StoreEntry) {
        index.noteEviction(victim.hash)
        statistics.evictions += 1
        statistics.evictedBytes += Int64(victim.recordSize)
    }

    /// Whether a record need not be marked before something is put under its key, or removed: as long as it
    /// is known where it stands, and nobody else has the store open, who would be told by the mark.
    ///
    /// What has tags may be meant by their removal when it is not known any more.
    private mutating func staysUnmarked(_ victim: StoreEntry) -> Bool {
        !isShared && unknown.isEmpty && victim.flags.isDisjoint(with: [.isFile, .hasTags])
            && index.addUnmarked(victim.hash, at: victim.place)
    }

    /// What was evicted under a key has to be marked now: something newer is under it, or nothing is to be.
    ///
    /// - Parameter place: where what is newer stands.
    /// - Returns: what to retire, before the log is told.
    mutating func takeUnmarked(_ hash: UInt64, otherThan place: UInt64 = 0) -> [RecordPlace] {
        let places = index.unmarked.take(hash).filter { $0 != place }
        let records = places.map { RecordPlace(place: $0, isFile: false) }
        for record in records { retiring[record] = hash }
        return records
    }

    /// Records for which there was no room among those that are not marked are, when the log is told.
    mutating func noteUnmarkedTooMany() {
        if index.unmarkedTooMany.isEmpty { return }
        retire(places: Array(index.unmarkedTooMany))
        index.unmarkedTooMany = []
    }

    /// Gives back memory of what was evicted, as far as its segment is gone; or marks it, when the log is told.
    mutating func releaseUnmarked() {
        // Of segments that nobody has looked into yet it may be known by this alone.
        guard unknown.isEmpty else { return }
        let segments = index.segments
        // Whoever has come before the log told that something is gone may have pinned it since, and says it once more
        // when he has read that. Who has just come is in the index, and may be nowhere else yet.
        let isAlone = !isShared && index.sessions.accounts.count <= 1
        let left = index.unmarked.release(marking: isAlone) { !segments.contains($0) }
        retire(places: left)
    }

    /// Marks all that was evicted, when the log is told.
    mutating func retireUnmarked() { retire(places: index.unmarked.takeAll()) }

    /// Marks all that was evicted as far as another index knows, when the log is told.
    ///
    /// But for what is told only then: it is known by that, and somebody else may have pinned it meanwhile, who says it
    /// once more when he has read it.
    mutating func retire(unmarkedOf other: inout CacheIndex) {
        var waiting: Set<UInt64> = []
        for record in pending.all() where record.type == StoreRecord.evicted {
            waiting.formUnion(RemovedEntry.decoded(record.payload[...]).map(\.place))
        }
        retire(places: other.unmarked.takeAll().filter { !waiting.contains($0) })
    }

    private mutating func retire(places: [UInt64]) {
        for place in places where index.segments.contains(UInt32(truncatingIfNeeded: place >> 32)) {
            noteRetiring(RecordPlace(place: place, isFile: false))
        }
    }
}
