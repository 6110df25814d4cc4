//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// What the index log's records say. Format: `Documentation/Design/0020-cache-store.md`.
enum StoreRecord {
    /// So many entries follow: what to make room for.
    static let count: UInt8 = 1
    /// Entries, 40 bytes each.
    static let entries: UInt8 = 2
    /// Hashes of what is gone and where it was, 16 bytes each.
    static let removed: UInt8 = 3
    static let segment: UInt8 = 4
    static let segmentGone: UInt8 = 5
    /// Hashes and when they were used, 12 bytes each.
    static let uses: UInt8 = 6
    /// A session was opened: from here on it may have written what the log does not tell of.
    static let opened: UInt8 = 8
    /// A session is over, and all that it wrote is in the log.
    static let closed: UInt8 = 9
    /// What a session may write to files of their own without a word.
    static let held: UInt8 = 10
    /// Which store the log belongs to, and what it follows.
    static let identity: UInt8 = 11
    /// Hashes, and from where to where their records were moved, 24 bytes each.
    static let moved: UInt8 = 12
    /// Hashes of tags, and of entries that have them, 16 bytes each pair.
    static let tagged: UInt8 = 13
    /// The last of a session's files that was told of, if that is not there any more.
    static let lastFile: UInt8 = 14
    /// Hashes of what is gone and where its records are, which are not marked; 16 bytes each.
    static let evicted: UInt8 = 15
    /// A part of ``UnmarkedRecords``.
    static let unmarked: UInt8 = 16
    /// How those who use the store have it behave; the last one that was written counts.
    static let settings: UInt8 = 17
    /// What was done with the store since the last such record of the same session; in a snapshot, by all.
    static let totals: UInt8 = 18
    /// 1: a session has met a loss of the log; 0: it has looked into all files since.
    static let doubt: UInt8 = 19
    /// All files that a session is writing, where it has told of later ones.
    static let late: UInt8 = 20

    static func late(_ session: UInt32, _ files: Set<UInt64>) -> LogRecord {
        var writer = ByteWriter()
        writer.integer(session)
        for file in files.sorted() { writer.integer(file) }
        return LogRecord(late, writer.bytes)
    }

    static func totals(_ totals: CacheTotals) -> LogRecord {
        var writer = ByteWriter()
        totals.write(to: &writer)
        return LogRecord(Self.totals, writer.bytes)
    }

    static func settings(_ settings: StoreSettings) -> LogRecord {
        var writer = ByteWriter()
        settings.write(to: &writer)
        return LogRecord(Self.settings, writer.bytes)
    }

    static func identity(_ fingerprint: UInt64, _ lineage: LogLineage) -> LogRecord {
        var writer = ByteWriter()
        writer.integer(fingerprint)
        lineage.write(to: &writer)
        return LogRecord(identity, writer.bytes)
    }

    static func session(_ type: UInt8, _ session: UInt32, _ value: UInt64) -> LogRecord {
        var writer = ByteWriter()
        writer.integer(session)
        writer.integer(value)
        return LogRecord(type, writer.bytes)
    }

    static func segment(_ number: UInt32, _ segment: SegmentAccount) -> LogRecord {
        var writer = ByteWriter()
        writer.integer(number)
        writer.integer(segment.purgeClass.code)
        writer.integer(UInt64(clamping: segment.allocated))
        // What is being written is not in the log yet.
        writer.flag(segment.isOpen || segment.pending > 0)
        writer.integer(segment.owner)
        return LogRecord(Self.segment, writer.bytes)
    }

    static func segmentGone(_ number: UInt32) -> LogRecord {
        var writer = ByteWriter()
        writer.integer(number)
        return LogRecord(segmentGone, writer.bytes)
    }
}

extension CacheIndex: LogReplay {
    package mutating func restart() { removeAll() }

    package mutating func record(_ type: UInt8, _ payload: ArraySlice<UInt8>, at offset: UInt64) {
        if type == StoreRecord.entries { return takeEntries(in: payload) }
        other(type, payload)
    }

    /// Takes a record, and tells of the entries in whose place others come.
    mutating func record(
        _ type: UInt8, _ payload: ArraySlice<UInt8>,
        onReplaced: (borrowing CacheIndex, StoreEntry) -> Void,
        movedFrom: (_ hash: UInt64) -> UInt64? = { _ in nil }
    ) {
        if type == StoreRecord.removed || type == StoreRecord.evicted {
            return forEachRemoval(in: payload) { index, hash, place in
                if type == StoreRecord.evicted { index.noteUnmarked(hash, at: place) }
                guard let old = index.entry(hash) else { return }
                if old.place == place {
                    _ = index.remove(hash)
                } else if movedFrom(hash) == place {
                    // Who removed it did not know yet that it had been moved.
                    _ = index.remove(hash)
                    onReplaced(index, old)
                }
            }
        }
        guard type == StoreRecord.entries else { return other(type, payload) }
        forEachEntry(in: payload) { index, entry in
            let old = index.entry(entry.hash)
            index.take(entry)
            if let old, old.place != entry.place { onReplaced(index, old) }
        }
    }

    private mutating func other(_ type: UInt8, _ payload: ArraySlice<UInt8>) {
        var reader = ByteReader(payload)
        switch type {
        case StoreRecord.count:
            if let count = try? reader.integer(UInt32.self) { reserve(Int(min(count, 1 << 26))) }
        case StoreRecord.removed:
            forEachRemoval(in: payload) { index, hash, place in
                if index.entry(hash)?.place == place { _ = index.remove(hash) }
            }
        case StoreRecord.evicted:
            forEachRemoval(in: payload) { index, hash, place in
                index.noteUnmarked(hash, at: place)
                if index.entry(hash)?.place == place { _ = index.remove(hash) }
            }
        case StoreRecord.unmarked:
            unmarkedTooMany.formUnion(unmarked.add(encoded: payload, among: table.count))
        case StoreRecord.tagged:
            while let tag = try? reader.integer(UInt64.self),
                let hash = try? reader.integer(UInt64.self)
            {
                tags.add(hash, to: tag)
            }
        case StoreRecord.moved:
            while let hash = try? reader.integer(UInt64.self),
                let old = try? reader.integer(UInt64.self),
                let new = try? reader.integer(UInt64.self)
            {
                guard entry(hash)?.place == old, let size = entry(hash)?.recordSize else {
                    continue
                }
                let end = (new & 0xFFFF_FFFF) + UInt64(size)
                guard end <= UInt64(UInt32.max),
                    segments.noticeEnd(UInt32(end), of: UInt32(new >> 32))
                else { continue }
                _ = move(hash, from: old, to: new)
            }
        case StoreRecord.segment:
            guard let number = try? reader.integer(UInt32.self),
                let code = try? reader.integer(UInt8.self),
                let purgeClass = PurgeableClass(code: code),
                let allocated = try? reader.integer(UInt64.self),
                let isOpen = try? reader.flag(), let owner = try? reader.integer(UInt32.self),
                segments.canHold(number)
            else { return }
            let bytes = Int64(clamping: min(allocated, 1 << 40))
            if segments[number] == nil {
                let segment = SegmentAccount(
                    purgeClass: purgeClass, owner: owner, allocated: bytes, isOpen: isOpen)
                addSegment(number, segment)
            } else if !isOpen {
                seal(number, allocated: bytes)
            }
        case StoreRecord.segmentGone:
            if let number = try? reader.integer(UInt32.self) {
                segments.notice(number)
                dropSegment(number)
            }
        case StoreRecord.uses:
            while let hash = try? reader.integer(UInt64.self),
                let tick = try? reader.integer(UInt32.self)
            {
                touch(hash, at: StoreTick(tick))
            }
        case StoreRecord.identity:
            fingerprint = try? reader.integer(UInt64.self)
            lineage = LogLineage(&reader) ?? LogLineage()
        case StoreRecord.totals: totals += CacheTotals(&reader) ?? CacheTotals()
        case StoreRecord.settings: settings = StoreSettings(&reader) ?? settings
        case StoreRecord.late:
            guard let session = try? reader.integer(UInt32.self) else { return }
            var files: Set<UInt64> = []
            while let file = try? reader.integer(UInt64.self) { files.insert(file) }
            sessions.await(files, of: session)
        default: record(ofSession: type, &reader)
        }
    }

    /// The record of an entry that was evicted stands there, and is not marked.
    private mutating func noteUnmarked(_ hash: UInt64, at place: UInt64) {
        guard segments.contains(UInt32(truncatingIfNeeded: place >> 32)) else { return }
        if !addUnmarked(hash, at: place) { unmarkedTooMany.insert(place) }
    }

    /// - Returns: whether there was room for it.
    mutating func addUnmarked(_ hash: UInt64, at place: UInt64) -> Bool {
        let segments = segments
        return unmarked.add(hash, at: place, among: table.count, left: &unmarkedTooMany) {
            !segments.contains($0)
        }
    }

    /// Leaves the record of an entry in use that somebody evicted and did not mark.
    ///
    /// - Returns: whether it is such a one.
    mutating func spare(_ entry: StoreEntry) -> Bool {
        unmarkedTooMany.remove(entry.place) != nil
            || unmarked.contains(entry.hash, at: entry.place)
    }

    private mutating func record(ofSession type: UInt8, _ reader: inout ByteReader) {
        guard let session = try? reader.integer(UInt32.self),
            let value = try? reader.integer(UInt64.self)
        else { return }
        switch type {
        case StoreRecord.opened: sessions.open(session, sequence: value)
        case StoreRecord.closed: sessions.close(session, sequence: value)
        case StoreRecord.held: sessions.hold(Int64(clamping: min(value, 1 << 40)), session)
        case StoreRecord.lastFile: sessions.noticeFile(value)
        case StoreRecord.doubt: sessions.doubt(value != 0, session)
        default: break
        }
    }

    private mutating func forEachRemoval(
        in payload: ArraySlice<UInt8>,
        _ body: (inout CacheIndex, _ hash: UInt64, _ place: UInt64) -> Void
    ) {
        var reader = ByteReader(payload)
        while let hash = try? reader.integer(UInt64.self),
            let place = try? reader.integer(UInt64.self)
        {
            body(&self, hash, place)
        }
    }

    @inline(__always)
    mutating func forEachEntry(
        in payload: ArraySlice<UInt8>, _ body: (inout CacheIndex, StoreEntry) -> Void
    ) {
        StoreEntry.forEach(in: payload) { body(&self, $0) }
    }

    /// Takes an entry of the log, if it can be one.
    mutating func take(_ entry: StoreEntry) {
        var entry = entry
        entry.flags.subtract(.ofThisProcess)
        guard entry.flags.rawValue & StoreEntry.Flags.classMask < 3 else { return }
        if !entry.isFile {
            let end = UInt64(entry.offset) + UInt64(entry.recordSize)
            guard end <= UInt64(UInt32.max),
                segments.noticeEnd(UInt32(end), of: entry.segment)
            else { return }
        } else {
            sessions.noticeFile(entry.place)
        }
        // Evicted by somebody who did not know that another holds it.
        if !entry.isFile, !unmarkedTooMany.isEmpty { unmarkedTooMany.remove(entry.place) }
        if unmarked.contains(entry.hash, at: entry.place) {
            for place in unmarked.take(entry.hash) where place != entry.place {
                noteUnmarked(entry.hash, at: place)
            }
        }
        adopt(entry)
    }
}

extension StoreEntry {
    /// The entries that a record of the log consists of.
    @inline(__always)
    static func forEach(in payload: ArraySlice<UInt8>, _ body: (StoreEntry) -> Void) {
        unsafe payload.withUnsafeBytes { bytes in
            let size = MemoryLayout<StoreEntry>.stride
            for start in stride(from: 0, through: bytes.count - size, by: size) {
                // In bounds: a whole entry follows `start`, and any bytes make one.
                body(unsafe bytes.loadUnaligned(fromByteOffset: start, as: StoreEntry.self))
            }
        }
    }

    static func decoded(_ payload: ArraySlice<UInt8>) -> [StoreEntry] {
        var entries: [StoreEntry] = []
        forEach(in: payload) { entries.append($0) }
        return entries
    }
}
