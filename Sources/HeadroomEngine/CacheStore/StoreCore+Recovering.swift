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
        if wasLost { try listFiles(isDamaged: true) }
        try recoverDead()
        try takeFromLiving()
        try flush()
        // A log that was cut off between two records, or is an older one, looks like any other.
        startSweeping()
    }

    func startSweeping() {
        sweeper.start { [self] isStopped in sweep(isStopped) }
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
        step?(.inherited)
        // What they left counts from now on, whether it is found below or not.
        if !inherited.isEmpty { try listFiles() }
        for number in inherited { try recover(number) }
        try flush()
        step?(.leftoversTold)
        return !inherited.isEmpty
    }

    private func recover(_ dead: UInt32) throws(Errno) {
        let segments = openSegments { $0 == dead }
        var found = try filesLeft(by: dead)
        for number in segments { found += try recordsOfOpen(number, ofDead: true) }
        try take(found, telling: true)
        step?(.leftoversTaken)
        for number in segments { seal(number) }
        state.withLock { state in
            let record = StoreRecord.session(StoreRecord.closed, dead, state.sequence)
            state.index.record(record.type, record.payload[...], at: 0)
            state.pending.add(record)
            state.isShared = state.index.sessions.accounts.count > 1
        }
    }

    /// Takes in what processes that are at work have not told the log; they will.
    private func takeFromLiving() throws(Errno) {
        let number = session.number
        var found: [FoundRecord] = []
        for segment in openSegments({ $0 != number }) {
            found += try recordsOfOpen(segment, ofDead: false)
        }
        let others = state.withLock { Array($0.index.sessions.accounts.keys) }
        for other in others where other != number {
            found += try newFiles(of: other)
        }
        try take(found, telling: false)
    }

    private func openSegments(_ isWanted: (_ owner: UInt32) -> Bool) -> [UInt32] {
        state.withLock { state in
            let segments = state.index.segments
            return segments.numbers.filter { number in
                segments[number].map { $0.isOpen && isWanted($0.owner) } ?? false
            }
        }
    }

    /// What stands in a segment that was written to.
    ///
    /// All of it: of two threads the one that wrote further behind may have been told first.
    private func recordsOfOpen(
        _ number: UInt32, ofDead isDead: Bool
    ) throws(Errno) -> [FoundRecord] {
        guard let bytes = try contents(of: Self.segmentName(number)) else { return [] }
        state.withLock { $0.index.noticeEnd(UInt32(clamping: bytes.count), of: number) }
        return records(in: bytes, of: number).filter { found in
            guard found.header.isCopy else { return true }
            let place = state.withLock { $0.index.entry(found.entry.hash)?.place }
            if isDead, place != found.entry.place { retire(found.entry) }
            return place == found.entry.place
        }
    }

    /// All that is in a file; nil if it cannot be read, and will not be later.
    func contents(of name: String) throws(Errno) -> [UInt8]? {
        do throws(Errno) {
            return try SharedFile.open(name, in: directory).contents()
        } catch {
            guard error.isPassing else { return nil }
            throw error
        }
    }

    /// The records of a segment that are whole and in use.
    func records(in bytes: [UInt8], of number: UInt32) -> [FoundRecord] {
        var found: [FoundRecord] = []
        for record in RecordWalk(bytes, of: number) where !record.header.isRetired {
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

    /// Values of their own that were found in the directory.
    private func filesLeft(by dead: UInt32) throws(Errno) -> [FoundRecord] {
        var found: [FoundRecord] = []
        let numbers = state.withLock { $0.unknown.files.keys.filter { UInt32($0 >> 32) == dead } }
        for number in numbers {
            if let record = try readFile(number) {
                found.append(record)
            } else {
                // It was being written.
                try? directory.remove(Self.fileName(number))
            }
        }
        return found
    }

    /// Values of their own that the log does not know of: their numbers follow those it knows.
    private func newFiles(of session: UInt32) throws(Errno) -> [FoundRecord] {
        var found: [FoundRecord] = []
        let first = UInt64(session) << 32
        var number = state.withLock { $0.index.lastFile(of: session) } ?? first
        var missing = 0
        while missing < Self.batch {
            number += 1
            if let record = try readFile(number) {
                found.append(record)
            } else if !directory.contains(Self.fileName(number)) {
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
    func take(_ found: [FoundRecord], telling: Bool) throws(Errno) {
        // The latest last, wherever it stands.
        for record in found.sorted(by: { $0.header.sequence < $1.header.sequence }) {
            try take(record, telling: telling)
        }
    }

    private func take(_ found: FoundRecord, telling: Bool) throws(Errno) {
        let entry = found.entry
        let known = state.withLock { state in
            // What is put here from now on is later.
            state.sequence = max(state.sequence, found.header.sequence)
            return state.index.entry(entry.hash)
        }
        if let known, known.place != entry.place,
            let sequence = try sequence(of: known), sequence >= found.header.sequence
        {
            if telling { retire(entry) }
            return
        }
        let (old, isTaken) = state.withLock { state -> (StoreEntry?, Bool) in
            // Put or removed in this moment.
            guard state.index.entry(entry.hash)?.place == known?.place,
                state.unknown.gone[entry.hash].map({ $0 < found.header.sequence }) ?? true
            else { return (nil, false) }
            if known?.place == entry.place {
                // Known by looking, not by the log; who was to tell it is dead.
                if telling, state.untold.remove(entry.place) != nil { state.pending.add(entry) }
                return (nil, true)
            }
            if telling { state.pending.add(entry) } else { state.untold.insert(entry.place) }
            for tag in found.tags {
                state.index.tags.add(entry.hash, to: tag)
                if telling { state.pending.addTag(tag, entry.hash) }
            }
            return (state.index.insert(entry), true)
        }
        if telling { retire(isTaken ? old : entry) }
    }

    /// The number that says which of two records with one key is newer; nil if it cannot be read.
    func sequence(of entry: StoreEntry) throws(Errno) -> UInt64? {
        if entry.isFile { return try readFile(entry.place)?.header.sequence }
        do throws(Errno) {
            let bytes = try openSegment(entry.segment)
                .bytes(RecordHeader.size, at: UInt64(entry.offset))
            guard let header = unsafe RecordHeader(bytes.span.bytes), !header.isRetired,
                header.container == UInt64(entry.segment)
            else { return nil }
            return header.sequence
        } catch {
            guard error.isPassing else { return nil }
            throw error
        }
    }

    /// Reads what a value's own file says of it.
    func readFile(_ number: UInt64) throws(Errno) -> FoundRecord? {
        let bytes: [UInt8]
        let start: UInt64
        do throws(Errno) {
            let file = try SharedFile.open(Self.fileName(number), in: directory)
            let size = try UInt64(clamping: file.status().logicalSize.bytes)
            // The header is near the end; how near depends on the key.
            let tailSize = UInt64(RecordHeader.size + RecordHeader.overheadLimit + 8)
            start = (size - min(size, tailSize)) & ~7
            bytes = try file.contents(from: start)
        } catch {
            guard error.isPassing else { return nil }
            throw error
        }
        let span = unsafe bytes.span.bytes
        guard bytes.count >= RecordHeader.size else { return nil }
        for offset in 0...bytes.count - RecordHeader.size {
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
