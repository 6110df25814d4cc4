//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

extension StoreCore {
    /// Moves what a segment has of use to the open one of its class, and removes it; under the
    /// maintenance lock.
    func moveRecords(from number: UInt32) throws(Errno) {
        guard let segment = state.withLock({ $0.index.segments[number] }) else { return }
        // Of what was given up something may be held by another process.
        let isAsked = segment.condemnedCount > 0 && state.withLock { $0.isShared }
        if segment.liveCount > 0 || isAsked, let file = try? openSegment(number),
            let bytes = try? file.contents()
        {
            for record in RecordWalk(bytes, of: number) where !record.header.isRetired {
                try move(record, bytes, from: number, segment.purgeClass)
            }
        }
        // Told before it is gone: who does not find the record looks there for news.
        try flush()
        // Entries whose records could not be read go along: there is nothing behind them.
        removeSegment(number)
    }

    private func move(
        _ record: RecordWalk.Element, _ bytes: [UInt8], from number: UInt32,
        _ purgeClass: PurgeableClass
    ) throws(Errno) {
        let key = record.key
        let hash = unsafe identity.hash(bytes.span.bytes.extracting(key))
        let old = StoreEntry.place(segment: number, offset: UInt32(record.offset))
        guard let entry = state.withLock({ $0.entryToMove(hash, from: old, session) }) else {
            return
        }
        let place = try reserveForMove(entry.recordSize, purgeClass)
        var header = record.header
        // With the sequence number that it had: what has replaced it meanwhile is newer.
        header.container = UInt64(place.segment)
        let front = header.encoded(
            Array(bytes[key.lowerBound..<record.metadata.upperBound]), at: UInt64(place.offset))
        do throws(Errno) {
            try unsafe place.file.write(
                front.span.bytes, bytes.span.bytes.extracting(record.value),
                at: UInt64(place.offset))
            if options.durability == .full { try place.file.synchronizeData() }
        } catch {
            state.withLock { $0.finishWriting(in: place.segment) }
            throw error
        }
        let isMoved = state.withLock { state in
            let new = StoreEntry.place(segment: place.segment, offset: place.offset)
            let isMoved = state.index.move(hash, from: old, to: new)
            if isMoved {
                state.pending.addMove(hash, from: old, to: new)
                state.statistics.moved += 1
                if options.durability == .batched {
                    state.unsynchronized.segments.insert(place.segment)
                }
            }
            state.finishWriting(in: place.segment)
            return isMoved
        }
        if !isMoved { retire(at: UInt64(place.offset), in: place.file) }
    }

    /// Like a put, but within what is kept free for moving.
    private func reserveForMove(
        _ size: Int, _ purgeClass: PurgeableClass
    ) throws(Errno) -> Reservation {
        if let place = reserveInOpen(size, purgeClass) { return place }
        if let open = state.withLock({ $0.open[Int(purgeClass.code)] }) { seal(open) }
        try makeSegment(purgeClass, isMove: true)
        guard let place = reserveInOpen(size, purgeClass) else { throw .noSpace }
        return place
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

    mutating func noteUnsynchronized(_ entry: StoreEntry) {
        if entry.isFile {
            unsynchronized.files.append(entry.place)
        } else {
            unsynchronized.segments.insert(entry.segment)
        }
    }
}
