//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

/// A record that was found in a file, and the entry that it makes.
struct FoundRecord {
    let header: RecordHeader
    let entry: StoreEntry
    /// Hashes of its tags.
    let tags: [UInt64]

    init(
        _ header: RecordHeader, _ entry: StoreEntry, metadata: ArraySlice<UInt8>,
        _ identity: StoreIdentity
    ) {
        self.header = header
        self.entry = entry
        let names = header.hasTags ? EncodedTags.decoded(metadata)?.tags ?? [] : []
        tags = names.map { identity.hash(tag: $0) }
    }
}

extension StoreCore {
    /// Brings the index up to date with what is on disk and the log does not tell.
    func recover() throws(Errno) {
        // The limit holds from the first moment on, for what is not known by name as well.
        if wasLost { try listFiles() }
        let hasRecovered = try recoverDead()
        takeFromLiving()
        try flush()
        guard hasRecovered || !state.withLock({ $0.unknown.isEmpty }) else { return }
        sweeper.start { [self] isStopped in sweep(isStopped, listing: hasRecovered) }
    }

    /// Takes over what processes left behind that were killed.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    func recoverDead() throws(Errno) -> Bool {
        let others = state.withLock { $0.index.sessions.accounts }.filter { other in
            other.key != session.number && !session.isAlive(other.key)
                && other.value.heir.map { $0 == session.number || !session.isAlive($0) } ?? true
        }
        if others.isEmpty { return false }
        var inherited: [UInt32] = []
        try log.withLock { (log) throws(Errno) in
            try append(to: &log) { state in
                for (number, account) in others
                // Not, if another process was first.
                where state.index.sessions.accounts[number]?.heir == account.heir
                    && state.index.sessions.accounts[number] != nil
                {
                    state.index.sessions.inherit(number, state.session)
                    state.pending.add(
                        StoreRecord.session(
                            StoreRecord.inherited, number, UInt64(state.session)))
                    inherited.append(number)
                }
            }
        }
        for number in inherited { recover(number) }
        try flush()
        return !inherited.isEmpty
    }

    private func recover(_ dead: UInt32) {
        let segments = openSegments { $0 == dead }
        var found = newFiles(of: dead, isAlive: false)
        for number in segments { found += recordsAtEnd(of: number) }
        take(found, telling: true)
        for number in segments { seal(number) }
        state.withLock { state in
            let record = StoreRecord.session(StoreRecord.closed, dead, state.sequence)
            state.index.record(record.type, record.payload[...], at: 0)
            state.pending.add(record)
            state.isShared = state.index.sessions.accounts.count > 1
        }
    }

    /// Takes in what processes that are at work have not told the log; they will.
    private func takeFromLiving() {
        let number = session.number
        var found: [FoundRecord] = []
        for segment in openSegments({ $0 != number }) { found += recordsAtEnd(of: segment) }
        let others = state.withLock { Array($0.index.sessions.accounts.keys) }
        for other in others where other != number { found += newFiles(of: other, isAlive: true) }
        take(found, telling: false)
    }

    private func openSegments(_ isWanted: (_ owner: UInt32) -> Bool) -> [UInt32] {
        state.withLock { state in
            let segments = state.index.segments
            return segments.numbers.filter { number in
                segments[number].map { $0.isOpen && isWanted($0.owner) } ?? false
            }
        }
    }

    /// What stands in a segment behind what the log knows of.
    private func recordsAtEnd(of number: UInt32) -> [FoundRecord] {
        let end = state.withLock { $0.index.segments[number]?.end ?? 0 }
        guard let file = try? SharedFile.open(Self.segmentName(number), in: directory),
            let bytes = try? file.contents(from: UInt64(end))
        else { return [] }
        state.withLock {
            $0.index.noticeEnd(UInt32(clamping: Int(end) + bytes.count), of: number)
        }
        return records(in: bytes, of: number, from: Int(end))
    }

    /// The records of a segment that are whole and in use.
    func records(in bytes: [UInt8], of number: UInt32, from base: Int = 0) -> [FoundRecord] {
        var found: [FoundRecord] = []
        for record in RecordWalk(bytes, of: number, from: base) where !record.header.isRetired {
            let span = unsafe bytes.span.bytes
            guard RecordHeader.sum(span.extracting(record.value)) == record.header.valueSum
            else { continue }
            let entry = StoreEntry(
                record.header, hash: identity.hash(span.extracting(record.key)),
                place: StoreEntry.place(segment: number, offset: UInt32(record.offset)), identity)
            found.append(
                FoundRecord(record.header, entry, metadata: bytes[record.metadata], identity))
        }
        return found
    }

    /// Values of their own that the log does not know of: their numbers follow those it knows.
    private func newFiles(of session: UInt32, isAlive: Bool) -> [FoundRecord] {
        var found: [FoundRecord] = []
        let first = UInt64(session) << 32
        var number = state.withLock { $0.index.lastFile(of: session) } ?? first
        var missing = 0
        while missing < Self.batch {
            number += 1
            if let record = readFile(number) {
                found.append(record)
            } else if directory.contains(Self.fileName(number)) {
                // It was being written.
                if !isAlive { try? directory.remove(Self.fileName(number)) }
            } else {
                missing += 1
                continue
            }
            missing = 0
        }
        return found
    }

    // MARK: - Taking in

    /// Takes records in, each unless something newer is known of its key.
    ///
    /// - Parameter telling: the log does not know of them, nor will another process tell it.
    func take(_ found: [FoundRecord], telling: Bool) {
        // The latest last, wherever it stands.
        for record in found.sorted(by: { $0.header.sequence < $1.header.sequence }) {
            take(record, telling: telling)
        }
    }

    private func take(_ found: FoundRecord, telling: Bool) {
        let entry = found.entry
        let known = state.withLock { state in
            // What is put here from now on is later.
            state.sequence = max(state.sequence, found.header.sequence)
            return state.index.entry(entry.hash)
        }
        if let known, known.place != entry.place,
            let sequence = sequence(of: known), sequence >= found.header.sequence
        {
            if telling { retire(entry) }
            return
        }
        let (old, isTaken) = state.withLock { state -> (StoreEntry?, Bool) in
            // Put or removed in this moment.
            guard state.index.entry(entry.hash)?.place == known?.place,
                state.unknown.gone[entry.hash].map({ $0 < found.header.sequence }) ?? true
            else { return (nil, false) }
            if known?.place == entry.place { return (nil, true) }
            if telling { state.pending.add(entry) }
            for tag in found.tags {
                state.index.tags.add(entry.hash, to: tag)
                if telling { state.pending.addTag(tag, entry.hash) }
            }
            return (state.index.insert(entry), true)
        }
        if telling { retire(isTaken ? old : entry) }
    }

    /// The number that says which of two records with one key is newer; nil if it cannot be read.
    func sequence(of entry: StoreEntry) -> UInt64? {
        if entry.isFile { return readFile(entry.place)?.header.sequence }
        guard let file = try? openSegment(entry.segment),
            let bytes = try? file.bytes(RecordHeader.size, at: UInt64(entry.offset)),
            let header = unsafe RecordHeader(bytes.span.bytes), !header.isRetired,
            header.container == UInt64(entry.segment)
        else { return nil }
        return header.sequence
    }

    /// Reads what a value's own file says of it.
    func readFile(_ number: UInt64) -> FoundRecord? {
        guard let file = try? SharedFile.open(Self.fileName(number), in: directory),
            let size = try? UInt64(clamping: file.status().logicalSize.bytes)
        else { return nil }
        // The header is near the end; how near depends on the key.
        let tailSize = UInt64(RecordHeader.size + RecordHeader.overheadLimit + 8)
        let start = (size - min(size, tailSize)) & ~7
        guard let bytes = try? file.contents(from: start) else { return nil }
        let span = unsafe bytes.span.bytes
        for offset in stride(from: 0, through: bytes.count - RecordHeader.size, by: 1) {
            guard
                let header = RecordHeader(
                    span.extracting(offset..<offset + RecordHeader.size)),
                header.container == number,
                UInt64(header.valueCount) == start + UInt64(offset)
            else { continue }
            let key = offset + RecordHeader.size
            guard key + header.overhead <= bytes.count,
                RecordHeader.isValid(
                    span.extracting(offset..<key),
                    span.extracting(key..<key + header.overhead), at: UInt64(header.valueCount))
            else { continue }
            let hash = identity.hash(span.extracting(key..<key + Int(header.keyCount)))
            var entry = StoreEntry(header, hash: hash, place: number, identity)
            entry.flags.insert(.isFile)
            let metadata = bytes[key + Int(header.keyCount)..<key + header.overhead]
            return FoundRecord(header, entry, metadata: metadata, identity)
        }
        return nil
    }
}

extension CacheIndex {
    /// The highest number of a session's files that is in use.
    ///
    /// - Complexity: O(places).
    func lastFile(of session: UInt32) -> UInt64? {
        var last: UInt64?
        for place in 0..<table.placeCount {
            let entry = table[place]
            if entry.isLive, entry.isFile, entry.place >> 32 == session {
                last = max(last ?? 0, entry.place)
            }
        }
        return last
    }
}

extension StoreEntry {
    init(_ header: RecordHeader, hash: UInt64, place: UInt64, _ identity: StoreIdentity) {
        // Times are told in the time of the store that wrote them.
        let ahead = Int64(bitPattern: header.epoch) &- identity.epoch.nanoseconds
        self.init(
            hash: hash, place: place, length: header.valueCount,
            now: header.created.shifted(by: ahead), expiry: header.expiry.shifted(by: ahead),
            purgeClass: header.purgeClass, importance: header.importance,
            overhead: UInt8((header.overhead + 7) / 8),
            flags: header.entryFlags)
        cost = .microseconds(Int64(header.cost))
    }
}

extension StoreTick {
    /// - Parameter nanoseconds: how much later its time began.
    fileprivate func shifted(by nanoseconds: Int64) -> StoreTick {
        if self == .never || nanoseconds == 0 { return self }
        let ticks = Int64(rawValue) &+ nanoseconds / (1_000_000_000 / Self.perSecond)
        return StoreTick(UInt32(clamping: min(max(0, ticks), Int64(UInt32.max) - 1)))
    }
}
