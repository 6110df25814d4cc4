//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

extension StoreCore {
    /// Evicts until one more entry is allowed by the count.
    func makeRoomForEntry(_ key: RawSpan) throws(Errno) {
        guard let limit = options.entryLimit else { return }
        let hash = identity.hash(key)
        while state.withLock({ $0.index.count >= limit && $0.index.entry(hash) == nil }) {
            guard evictOne() != nil else { throw .noSpace }
        }
    }

    /// Makes sure that so many bytes more are within the limit; under the maintenance lock.
    ///
    /// One segment beyond that stays free, so that records can be moved together.
    ///
    /// - Throws: `ENOSPC` if nothing more may go.
    func makeRoom(_ bytes: Int64) throws(Errno) {
        let target = options.limit.bytes - bytes - Int64(segmentCapacity)
        while true {
            removeDeadSegments()
            let (allocated, dead) = state.withLock { ($0.index.allocated, $0.index.deadBytes) }
            if allocated <= target { return }
            if dead > options.limit.bytes / 4,
                let number = state.withLock({ $0.index.mostlyDeadSegment })
            {
                try moveRecords(from: number)
                continue
            }
            // Somewhat more than is missing, so that not every put has to.
            var wanted = allocated - target + Int64(segmentCapacity)
            var found = false
            while wanted > 0, let size = evictOne() {
                wanted -= size
                found = true
            }
            if found { continue }
            // Nothing may go any more; perhaps there are gaps to be closed.
            guard let number = state.withLock({ $0.index.mostlyDeadSegment }) else {
                throw .noSpace
            }
            try moveRecords(from: number)
        }
    }

    /// Takes the entry that goes next out of the store.
    ///
    /// - Returns: the bytes of its record; nil if none may go.
    private func evictOne() -> Int64? {
        let now = tick()
        let victim = state.withLock { state -> StoreEntry? in
            guard let victim = state.index.evict(at: now) else { return nil }
            state.pending.addRemoval(victim.hash)
            state.statistics.evictions += 1
            state.statistics.evictedBytes += Int64(victim.length)
            return victim
        }
        discard(victim)
        return victim.map { Int64($0.recordSize) }
    }

    /// Removes the files of segments with nothing in them.
    private func removeDeadSegments() {
        let dead = state.withLock { state in
            let numbers = state.index.deadSegments
            for number in numbers { state.forget(segment: number) }
            return numbers
        }
        // Gone from the index first: a file that is left over costs space and nothing else.
        for number in dead { try? directory.remove(Self.segmentName(number)) }
    }

    /// Moves what a segment has of use to the open one of its class, and removes it.
    func moveRecords(from number: UInt32) throws(Errno) {
        guard let segment = state.withLock({ $0.index.segments[number] }) else { return }
        if let bytes = try? contents(of: number) {
            for record in RecordWalk(bytes, of: number) {
                try move(record, bytes, from: number, segment.purgeClass)
            }
        }
        // Entries whose records could not be read go along: there is nothing behind them.
        state.withLock { $0.forget(segment: number) }
        try? directory.remove(Self.segmentName(number))
    }

    private func move(
        _ record: RecordWalk.Element, _ bytes: [UInt8], from number: UInt32,
        _ purgeClass: PurgeableClass
    ) throws(Errno) {
        let key = record.key
        let hash = unsafe identity.hash(bytes.span.bytes.extracting(key))
        let old = StoreEntry.place(segment: number, offset: UInt32(record.offset))
        guard let entry = state.withLock({ $0.index.entry(hash) }), !entry.isFile,
            entry.place == old
        else { return }
        let place = try reserveForMove(entry.recordSize, purgeClass)
        var header = record.header
        header.container = UInt64(place.segment)
        header.origin = old
        let front = unsafe header.encoded(
            bytes.span.bytes.extracting(key), Array(bytes[record.metadata]),
            at: UInt64(place.offset))
        do throws(Errno) {
            try unsafe place.file.write(
                front.span.bytes, bytes.span.bytes.extracting(record.value),
                at: UInt64(place.offset))
        } catch {
            state.withLock { $0.index.finishWriting(in: place.segment) }
            throw error
        }
        state.withLock { state in
            state.index.finishWriting(in: place.segment)
            let new = StoreEntry.place(segment: place.segment, offset: place.offset)
            guard state.index.move(hash, from: old, to: new),
                let moved = state.index.entry(hash)
            else { return }
            state.pending.add(moved)
            state.statistics.moved += 1
        }
    }

    /// Like a put, but within what is kept free for moving.
    private func reserveForMove(
        _ size: Int, _ purgeClass: PurgeableClass
    ) throws(Errno) -> Reservation {
        if let place = reserveInOpen(size, purgeClass) { return place }
        if let open = state.withLock({ $0.open[Int(purgeClass.code)] }) { seal(open) }
        try makeSegment(purgeClass)
        guard let place = reserveInOpen(size, purgeClass) else { throw .noSpace }
        return place
    }

    private func contents(of number: UInt32) throws(Errno) -> [UInt8] {
        let file = try SharedFile.open(Self.segmentName(number), in: directory)
        return try file.contents()
    }
}

extension StoreCore.State {
    /// Forgets a segment and what is said to lie in it.
    mutating func forget(segment number: UInt32) {
        index.dropSegment(number)
        files[number] = nil
        pending.addSegmentGone(number)
    }
}
