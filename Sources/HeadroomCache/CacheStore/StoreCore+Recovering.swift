//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
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
        state.withLock { $0.noteUnmarkedTooMany() }
        if wasLost { state.withLock { $0.noteLoss() } }
        try takeOverFromDead()
        try listIfDue()
        try takeFromLiving()
        try flush()
        // A log that was cut off between two records, or is an older one, looks like any other.
        startSweeping()
    }

    func startSweeping() {
        sweeper.start { [self] isStopped in sweep(isStopped) }
    }

    /// All that is in a segment; nil if it cannot be read, and will not be later.
    ///
    /// What follows behind the longest that there are no store has written, however long the file is.
    func contents(of name: String) throws(Errno) -> [UInt8]? {
        do throws(Errno) {
            return try openFile(name).upTo(Self.longestSegment, at: 0)
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

    /// Where the whole records of a segment stand that are out of use.
    func retiredRecords(in bytes: [UInt8], of number: UInt32) -> [RemovedEntry] {
        RecordWalk(bytes, of: number).filter(\.header.isRetired).map { record in
            let hash = unsafe identity.hash(bytes.span.bytes.extracting(record.key))
            let offset = UInt32(record.offset)
            return RemovedEntry(
                hash: hash, place: StoreEntry.place(segment: number, offset: offset))
        }
    }

    // MARK: - Taking in

    /// Takes records in that are found, each unless something newer is known of its key.
    ///
    /// They are looked for while nobody can write to the log: what was removed or replaced before has
    /// been taken out of use by then, and what is later will be told.
    ///
    /// The log is told of them in the same step, and what they replace is taken out of use: whoever puts or
    /// removes something here later takes out of use what is known here, which has to be all that others know.
    ///
    /// - Parameter isLiving: who wrote them is at work, and will tell as well.
    func take(
        ofLiving isLiving: Bool, _ find: () throws(Errno) -> [FoundRecord]
    ) throws(Errno) {
        try log.withLock { (log) throws(Errno) in
            try append(
                to: &log,
                look: { () throws(Errno) in try take(find(), ofLiving: isLiving) })
        }
    }

    /// The same, of what was found under the log's lock.
    func take(_ found: [FoundRecord], ofLiving isLiving: Bool) throws(Errno) {
        // The latest last, wherever it stands.
        for record in found.sorted(by: { $0.header.sequence < $1.header.sequence }) {
            try take(record, ofLiving: isLiving)
        }
    }

    private func take(_ found: FoundRecord, ofLiving isLiving: Bool) throws(Errno) {
        let entry = found.entry
        let isEvicted = state.withLock { state in
            state.index.unmarked.contains(entry.hash, at: entry.place)
                || state.retiring[entry.recordPlace] != nil
        }
        if isEvicted { return }
        let known = state.withLock { state in
            // What is put here from now on is later.
            state.sequence = max(state.sequence, found.header.sequence)
            return state.index.entry(entry.hash)
        }
        if let known, known.place != entry.place {
            switch try order(of: found.header.sequence, and: known) {
            case .isLater: break
            // Of two that are put at once the living say themselves which is the last.
            case .isSuperseded:
                if !isLiving { retire(entry) }
                return
            // Both stay as they are, for whoever looks another time.
            case .isUnclear: return
            }
        }
        let now = tick()
        var useless: [RecordPlace] = []
        var victims: [StoreEntry] = []
        state.withLock { state in
            let current = state.index.entry(entry.hash)
            if current?.recordPlace == entry.recordPlace {
                // What was broken may have been what the log said of its tags.
                for tag in found.tags
                where state.index.tags.hashes[tag]?.contains(entry.hash) != true {
                    state.index.tags.add(entry.hash, to: tag)
                    state.pending.addTag(tag, entry.hash)
                }
                return
            }
            // Put or removed in this moment.
            guard current?.place == known?.place,
                state.unknown.gone[entry.hash].map({ $0 < found.header.sequence }) ?? true
            else {
                if !isLiving, state.unknown.evicted[entry.recordPlace] == nil {
                    useless = [entry.recordPlace]
                }
                return
            }
            state.add(entry, found.tags)
            if let old = state.index.insert(entry) { useless.append(old.recordPlace) }
            // Who put it may have been killed before they were marked.
            useless += state.takeUnmarked(entry.hash)
            guard let limit = options.entryLimit else { return }
            while state.index.count > limit,
                let victim = state.evict(at: now, asking: session, for: true)
            {
                if state.isRetiring(victim) { victims.append(victim) }
            }
        }
        for record in useless { retire(record) }
        for victim in victims { retireReplaced(victim) }
    }

    private enum Order { case isLater, isSuperseded, isUnclear }

    /// Whether what is known is newer than what was found, in use or not; or as new, and in use: else it is what was
    /// moved.
    private func order(
        of sequence: UInt64, and known: StoreEntry
    ) throws(Errno) -> Order {
        if known.isFile {
            if let other = try self.sequence(of: known) {
                return other >= sequence ? .isSuperseded : .isLater
            }
            return isUnreadable(StoreNames.value(known.place)) ? .isUnclear : .isLater
        }
        do throws(Errno) {
            guard let header = try readHeader(of: known) else { return .isLater }
            let isSuperseded =
                header.sequence > sequence || header.sequence == sequence && !header.isRetired
            return isSuperseded ? .isSuperseded : .isLater
        } catch {
            if error.isPassing { throw error }
            return .isUnclear
        }
    }

    /// The number that says which of two records with one key is newer; nil if it cannot be read.
    func sequence(of entry: StoreEntry) throws(Errno) -> UInt64? {
        if entry.isFile { return try readFile(entry.place)?.header.sequence }
        guard let header = try header(of: entry), !header.isRetired else { return nil }
        return header.sequence
    }

    /// What a packed record says of itself, in use or not; nil if it cannot be read.
    func header(of entry: StoreEntry) throws(Errno) -> RecordHeader? {
        do throws(Errno) {
            return try readHeader(of: entry)
        } catch {
            guard error.isPassing else { return nil }
            throw error
        }
    }

    /// The same; nil if there is none.
    func readHeader(of entry: StoreEntry) throws(Errno) -> RecordHeader? {
        do throws(Errno) {
            let bytes = try openSegment(entry.segment)
                .bytes(RecordHeader.size, at: UInt64(entry.offset))
            guard let header = unsafe RecordHeader(bytes.span.bytes),
                header.container == UInt64(entry.segment)
            else { return nil }
            return header
        } catch {
            guard error.isNoSuchFile else { throw error }
            return nil
        }
    }

    /// The last bytes of a file, in which its header stands: how near to the end depends on the key.
    func end(of file: SharedFile) throws(Errno) -> (bytes: [UInt8], start: UInt64) {
        let size = try UInt64(clamping: file.status().logicalSize.bytes)
        let start = (size - min(size, RecordHeader.tailSize)) & ~7
        return (try file.contents(from: start), start)
    }

    /// Reads what a value's own file says of it.
    func readFile(_ number: UInt64) throws(Errno) -> FoundRecord? {
        let bytes: [UInt8]
        let start: UInt64
        do throws(Errno) {
            (bytes, start) = try end(of: openFile(StoreNames.value(number)))
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
            // It could not be removed.
            if header.isRetired { return nil }
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
