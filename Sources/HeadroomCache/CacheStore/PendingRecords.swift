//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// An entry that is gone for good: no place is used twice.
struct RemovedEntry: Hashable {
    let hash: UInt64
    let place: UInt64

    init(hash: UInt64, place: UInt64) {
        self.hash = hash
        self.place = place
    }

    init(_ entry: StoreEntry) { self.init(hash: entry.hash, place: entry.place) }

    /// What a record of removals says.
    static func decoded(_ payload: ArraySlice<UInt8>) -> [RemovedEntry] {
        var removed: [RemovedEntry] = []
        var reader = ByteReader(payload)
        while let hash = try? reader.integer(UInt64.self),
            let place = try? reader.integer(UInt64.self)
        {
            removed.append(RemovedEntry(hash: hash, place: place))
        }
        return removed
    }
}

/// Changes of an index that are not in the log yet, in their order.
struct PendingRecords {
    private(set) var records: [LogRecord] = []
    private var entries: [UInt8] = []
    /// Told behind the entries: no place is used twice, so that a removal means none that is put later.
    private var removed = ByteWriter()
    /// The same, of what is not marked.
    private var evicted = ByteWriter()
    /// Uses that wait.
    private(set) var uses = 0
    /// Entries and removals that wait.
    private(set) var count = 0

    var isEmpty: Bool { records.isEmpty && count == 0 }

    mutating func add(_ entry: StoreEntry) {
        Self.append(entry, to: &entries)
        count += 1
        closeIfLong()
    }

    static func append(_ entry: StoreEntry, to bytes: inout [UInt8]) {
        var entry = entry
        entry.flags.subtract(.ofThisProcess)
        // Plain bytes, all of them initialized.
        unsafe withUnsafeBytes(of: entry) { unsafe bytes.append(contentsOf: $0) }
    }

    /// - Parameter entry: what another process has put under its key meanwhile is not meant.
    mutating func addRemoval(_ entry: StoreEntry) { addRemoval(entry.hash, at: entry.place) }

    /// An entry is gone whose record is not marked.
    mutating func addEviction(_ entry: StoreEntry) { addEviction(RemovedEntry(entry)) }

    mutating func addEviction(_ entry: RemovedEntry) {
        evicted.integer(entry.hash)
        evicted.integer(entry.place)
        count += 1
        closeIfLong()
    }

    mutating func addRemoval(_ hash: UInt64, at place: UInt64) {
        removed.integer(hash)
        removed.integer(place)
        count += 1
        closeIfLong()
    }

    /// A record of a log has its limit.
    private mutating func closeIfLong() {
        if max(entries.count, removed.bytes.count, evicted.bytes.count) >= 1 << 20 { close() }
    }

    /// Says when an entry was used.
    mutating func addUse(_ hash: UInt64, at tick: StoreTick) {
        close()
        var writer = ByteWriter()
        writer.integer(hash)
        writer.integer(tick.rawValue)
        extend(StoreRecord.uses, writer.bytes)
        uses += 1
    }

    mutating func addTag(_ tag: UInt64, _ hash: UInt64) {
        close()
        var writer = ByteWriter()
        writer.integer(tag)
        writer.integer(hash)
        extend(StoreRecord.tagged, writer.bytes)
    }

    /// Says that an entry is elsewhere now, unless it has been replaced.
    mutating func addMove(_ hash: UInt64, from old: UInt64, to new: UInt64) {
        close()
        var writer = ByteWriter()
        for word in [hash, old, new] { writer.integer(word) }
        extend(StoreRecord.moved, writer.bytes)
        count += 1
    }

    /// Adds to the last record if it is of the same type.
    private mutating func extend(_ type: UInt8, _ bytes: [UInt8]) {
        if let last = records.last, last.type == type, last.payload.count < 6144 {
            records[records.count - 1].payload += bytes
        } else {
            records.append(LogRecord(type, bytes))
        }
    }

    mutating func add(_ record: LogRecord) {
        close()
        records.append(record)
    }

    mutating func add(_ more: [LogRecord]) {
        close()
        records += more
        count += more.count
    }

    /// Everything, in order; nothing waits then.
    mutating func take() -> [LogRecord] {
        close()
        count = 0
        uses = 0
        defer { records = [] }
        return records
    }

    /// Puts back what could not be written.
    mutating func restore(_ taken: [LogRecord]) {
        close()
        records = taken + records
        count += taken.count
    }

    /// All that waits, to be looked at.
    mutating func all() -> [LogRecord] {
        close()
        return records
    }

    /// Leaves out that there is a segment.
    ///
    /// - Returns: false if that has been told.
    mutating func withdraw(segment number: UInt32) -> Bool {
        let before = all().count
        records.removeAll { record in
            var reader = ByteReader(record.payload[...])
            return record.type == StoreRecord.segment
                && (try? reader.integer(UInt32.self)) == number
        }
        if records.isEmpty { count = 0 }
        return records.count < before
    }

    /// Whether it waits to be said that there is nothing any more at a place.
    mutating func hasRemoval(_ hash: UInt64, at place: UInt64) -> Bool {
        all().contains { record in
            guard record.type == StoreRecord.removed || record.type == StoreRecord.evicted else {
                return false
            }
            return RemovedEntry.decoded(record.payload[...])
                .contains(RemovedEntry(hash: hash, place: place))
        }
    }

    /// The entries that wait to be told.
    mutating func waitingEntries() -> [StoreEntry] {
        all().flatMap { $0.type == StoreRecord.entries ? StoreEntry.decoded($0.payload[...]) : [] }
    }

    /// Leaves out entries that another process has found, told of, and removed since.
    mutating func leaveOut(_ removed: Set<RemovedEntry>) {
        close()
        var left: [LogRecord] = []
        for var record in records {
            if record.type == StoreRecord.entries {
                let entries = StoreEntry.decoded(record.payload[...])
                let staying = entries.filter { !removed.contains(RemovedEntry($0)) }
                if staying.isEmpty { continue }
                if staying.count < entries.count {
                    record.payload = []
                    for entry in staying { Self.append(entry, to: &record.payload) }
                }
            }
            left.append(record)
        }
        records = left
    }

    private mutating func close() {
        if !entries.isEmpty { records.append(LogRecord(StoreRecord.entries, entries)) }
        if !removed.bytes.isEmpty {
            records.append(LogRecord(StoreRecord.removed, removed.take()))
        }
        if !evicted.bytes.isEmpty {
            records.append(LogRecord(StoreRecord.evicted, evicted.take()))
        }
        entries = []
    }
}
