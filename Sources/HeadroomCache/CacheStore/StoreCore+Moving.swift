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
    /// Copies that are entered in one step: nearly always all of a segment.
    private static let moveBatch = 1024

    /// A record that was copied, and of which nothing is known yet.
    private struct Copy {
        let hash: UInt64
        let old: UInt64
        let place: Reservation

        var new: UInt64 { StoreEntry.place(segment: place.segment, offset: place.offset) }
        var record: RecordPlace { RecordPlace(place: new, isFile: false) }
        var oldRecord: RecordPlace { RecordPlace(place: old, isFile: false) }
    }

    /// Moves what a segment has of use to the open one of its class, and removes it; under the
    /// maintenance lock.
    func moveRecords(from number: UInt32, isAgain: Bool = false) throws(Errno) {
        try listIfDue()
        let (known, losses) = state.withLock { ($0.index.segments[number], $0.unknown.losses) }
        guard let segment = known, segment.isAtRest else { return }
        // Of what was given up something may be held by another process.
        let isAsked = segment.condemnedCount > 0 && state.withLock { $0.isShared }
        var end = Int(segment.end)
        /// Where there was a record that could be copied.
        var places: Set<UInt64>?
        if segment.liveCount > 0 || isAsked {
            let name = StoreNames.segment(number)
            let found = try contents(of: name)
            if found == nil, directory.contains(name) {
                // What cannot be read goes on counting.
                return state.withLock { $0.index.segments.update(number) { $0.isStuck = true } }
            }
            let bytes = found ?? []
            end = max(end, bytes.count)
            places = []
            var copies: [Copy] = []
            do throws(Errno) {
                for record in RecordWalk(bytes, of: number) where !record.header.isRetired {
                    places?.insert(
                        StoreEntry.place(segment: number, offset: UInt32(record.offset)))
                    if let copy = try copy(record, bytes, from: number, segment.purgeClass) {
                        copies.append(copy)
                    }
                    if copies.count == Self.moveBatch { try enter(&copies, losses, isLast: false) }
                }
            } catch {
                // What has been copied need not be copied again.
                try? enter(&copies, losses, isLast: false)
                throw error
            }
            try enter(&copies, losses, isLast: true)
        }
        if isDurable { try flush(synchronizing: true) }
        step?(.moveTold)
        // Entries whose records could not be read go along, pinned or not: there is nothing behind them.
        var isPinned = false
        defer { state.withLock { $0.going = nil } }
        try removeSegments {
            state.withLock { state in
                // Where the log was lost somebody may have gone on writing to it, behind what was read.
                let isRead = state.index.segments[number].map { Int($0.end) <= end } ?? true
                // What was given up, and was not copied, may have been pinned since.
                isPinned = state.index.isAnyPinned(in: number, at: places)
                guard isRead, !isPinned, state.unknown.losses == losses else { return [] }
                state.going = number
                return [number]
            }
        }
        if isPinned, !isAgain { try moveRecords(from: number, isAgain: true) }
    }

    /// Moves small segments together, so that programs that are started for each job and put little do not
    /// leave a file each; under the maintenance lock, with a segment of the class open.
    ///
    /// - Complexity: O(segments); moves at most four times what a segment holds, once in sixteen times.
    func gatherSmallSegments(of purgeClass: PurgeableClass) {
        // What cannot be done now is done by the next.
        _ = try? removeDeadSegments()
        // The list is as long as the numbers are apart.
        if let old = state.withLock({ $0.index.segments.firstFarBehind }) {
            _ = try? moveRecords(from: old)
        }
        let small = state.withLock { state in
            state.index.smallSegments(of: purgeClass, below: Int64(segmentCapacity) / 16)
        }
        guard small.count >= 16 else { return }
        for number in small.prefix(64) {
            guard (try? moveRecords(from: number)) != nil else { return }
        }
    }

    /// Whether anybody who uses the store wants values to be on disk.
    private var isDurable: Bool {
        options.durability != .none || state.withLock { $0.index.settings?.isDurable == true }
    }

    /// Copies a record that the index knows.
    private func copy(
        _ record: RecordWalk.Element, _ bytes: [UInt8], from number: UInt32,
        _ purgeClass: PurgeableClass
    ) throws(Errno) -> Copy? {
        let key = record.key
        let hash = unsafe identity.hash(bytes.span.bytes.extracting(key))
        let old = StoreEntry.place(segment: number, offset: UInt32(record.offset))
        guard let entry = state.withLock({ $0.entryToMove(hash, from: old, session) }) else {
            return nil
        }
        let place = try reserveForMove(entry.recordSize, purgeClass)
        state.withLock { $0.noteMove(to: place, entry.recordSize) }
        var header = record.header
        // With the sequence number that it had: what has replaced it meanwhile is newer.
        header.container = UInt64(place.segment)
        header.isCopy = true
        let front = header.encoded(
            Array(bytes[key.lowerBound..<record.metadata.upperBound]), at: UInt64(place.offset))
        do throws(Errno) {
            try unsafe place.file.write(
                front.span.bytes, bytes.span.bytes.extracting(record.value),
                at: UInt64(place.offset))
        } catch {
            state.withLock { $0.finishWriting(in: place.segment) }
            throw error
        }
        step?(.recordCopied)
        return Copy(hash: hash, old: old, place: place)
    }

    /// Puts copies into index and log in one step: what another process removes or replaces is either known
    /// here before, or it knows where the copy is.
    ///
    /// - Parameters:
    ///   - losses: had been there when the segment was read. Where the log was lost since, what is to be
    ///     had is found anew, be it there or here.
    ///   - isLast: nothing is left in the segment then, and it goes, with its originals as they are; else they are
    ///     marked.
    private func enter(
        _ copies: inout [Copy], _ losses: Int, isLast: Bool
    ) throws(Errno) {
        if copies.isEmpty { return }
        let entered = copies
        copies = []
        var isDone = false
        var useless: Set<UInt64> = []
        do throws(Errno) {
            // The originals are marked with this.
            if isDurable, state.withLock({ $0.isShared || !isLast }) {
                let files = entered.map { ($0.place.segment, $0.place.file) }
                for file in Dictionary(files, uniquingKeysWith: { first, _ in first }).values {
                    try file.synchronizeData()
                }
            }
            try log.withLock { (log) throws(Errno) in
                try append(
                    to: &log,
                    look: { () throws(Errno) in
                        guard state.withLock({ $0.unknown.losses != losses }) else { return }
                        for copy in entered where try isStillThere(copy) {
                            useless.insert(copy.new)
                        }
                    }
                ) { state in
                    isDone = true
                    guard state.unknown.losses == losses else {
                        for copy in entered {
                            if useless.contains(copy.new) {
                                state.retiring[copy.record] = copy.hash
                            }
                            state.finishWriting(in: copy.place.segment)
                        }
                        if useless.count == entered.count { return }
                        // It may be all that is left of what was moved: its segment is looked into.
                        for copy in entered { state.seal(copy.place.segment) }
                        return state.noteLoss()
                    }
                    for copy in entered {
                        if !state.enter(copy.hash, copy.old, copy.new) {
                            state.retiring[copy.record] = copy.hash
                        } else if state.isShared || !isLast {
                            // Who has not read the log yet would go on finding it here, whatever is put
                            // under its key meanwhile; and so would who has none, if the segment stays.
                            state.retiring[copy.oldRecord] = copy.hash
                        }
                    }
                    guard options.durability != .none || state.index.settings?.isDurable == true
                    else { return }
                    for copy in entered { state.unsynchronized.segments.insert(copy.place.segment) }
                }
                state.withLock { $0.moves = [:] }
            }
        } catch {
            if isDone {
                // Until the log knows where they are others may remove the segment in which it says that they are.
                state.withLock { state in
                    for copy in entered {
                        guard let entry = state.index.entry(copy.hash), entry.place == copy.new
                        else { continue }
                        state.pending.add(entry)
                    }
                }
            } else {
                state.withLock { state in
                    for copy in entered { state.finishWriting(in: copy.place.segment) }
                }
                for copy in entered { retire(copy.record) }
            }
            throw error
        }
        step?(.recordMoved)
    }

    /// Whether a record that was copied is still in use where it was, and known there.
    private func isStillThere(_ copy: Copy) throws(Errno) -> Bool {
        guard let known = state.withLock({ $0.index.entry(copy.hash) }), !known.isFile,
            known.place == copy.old, let header = try header(of: known)
        else { return false }
        return !header.isRetired
    }

    /// Like a put, but within what is kept free for moving.
    private func reserveForMove(
        _ size: Int, _ purgeClass: PurgeableClass
    ) throws(Errno) -> Reservation {
        // Whoever closes the store seals what is open, at any moment.
        // It may have been packed when the limit was larger, and segments were longer.
        let capacity = max(segmentCapacity, size)
        while true {
            if let place = reserveInOpen(size, purgeClass, capacity: capacity) { return place }
            if let open = state.withLock({ $0.open[Int(purgeClass.code)] }) { seal(open) }
            try makeSegment(purgeClass, isMove: true, capacity: capacity)
        }
    }
}

extension CacheIndex {
    /// Whether something is pinned in a segment.
    ///
    /// - Parameter places: those that count; nil: all.
    fileprivate func isAnyPinned(in number: UInt32, at places: Set<UInt64>?) -> Bool {
        guard (segments[number]?.pinnedCount ?? 0) > 0 else { return false }
        guard let places else { return true }
        return entries(of: number).contains { hash in
            guard let entry = entry(hash) else { return false }
            return entry.flags.contains(.isPinned) && places.contains(entry.place)
        }
    }
}

extension StoreCore.State {
    /// The entry of a record that has to be moved before its segment goes.
    fileprivate mutating func entryToMove(
        _ hash: UInt64, from place: UInt64, _ session: StoreSession
    ) -> StoreEntry? {
        if let entry = index.entryToMove(hash, from: place) { return entry }
        guard isShared, let entry = index.entry(hash), entry.place == place, !entry.isFile,
            session.isLockedElsewhere(hash)
        else { return nil }
        keepForOthers(hash)
        return index.entryToMove(hash, from: place)
    }

    /// What a copy occupies beside what stood before it.
    fileprivate mutating func noteMove(to place: StoreCore.Reservation, _ size: Int) {
        let (start, end) = (Int64(place.offset), Int64(place.offset) + Int64(size))
        movedBytes += ((end + 4095) & ~4095) - ((start + 4095) & ~4095)
    }

    /// Says where a record is now.
    ///
    /// - Returns: false if it is of no use any more.
    fileprivate mutating func enter(_ hash: UInt64, _ old: UInt64, _ new: UInt64) -> Bool {
        defer { finishWriting(in: UInt32(truncatingIfNeeded: new >> 32)) }
        guard index.move(hash, from: old, to: new) else {
            // Another process that was in doubt may have found it there.
            return index.entry(hash)?.place == new
        }
        pending.addMove(hash, from: old, to: new)
        moves[hash] = old
        statistics.moved += 1
        return true
    }

    mutating func noteUnsynchronized(_ entry: StoreEntry) {
        unsynchronized.puts += 1
        if entry.isFile {
            unsynchronized.files.append(entry.place)
        } else {
            unsynchronized.segments.insert(entry.segment)
        }
    }
}
