//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// What the index log's records say. Format: `Documentation/Design/0020-cache-store.md`.
enum StoreRecord {
    /// So many entries follow: what to make room for.
    static let count: UInt8 = 1
    /// Entries, 40 bytes each.
    static let entries: UInt8 = 2
    /// Hashes of what is gone, 8 bytes each.
    static let removed: UInt8 = 3
    static let segment: UInt8 = 4
    static let segmentGone: UInt8 = 5
    /// Hashes and when they were used, 12 bytes each.
    static let uses: UInt8 = 6
    static let allGone: UInt8 = 7
    /// The store was closed, and nothing was written to segments after what the log says.
    static let closed: UInt8 = 8
    /// It was opened: from here on files may be there that the log does not tell of.
    static let opened: UInt8 = 9
}

extension CacheIndex: LogReplay {
    mutating func restart() {
        removeAll()
        wasClosed = false
    }

    mutating func record(_ type: UInt8, _ payload: ArraySlice<UInt8>, at offset: UInt64) {
        wasClosed = type == StoreRecord.closed
        var reader = ByteReader(payload)
        switch type {
        case StoreRecord.count:
            if let count = try? reader.integer(UInt32.self) { reserve(Int(min(count, 1 << 26))) }
        case StoreRecord.entries:
            unsafe payload.withUnsafeBytes { bytes in
                let size = MemoryLayout<StoreEntry>.stride
                for start in stride(from: 0, through: bytes.count - size, by: size) {
                    // In bounds: a whole entry follows `start`, and any bytes make one.
                    unsafe take(bytes.loadUnaligned(fromByteOffset: start, as: StoreEntry.self))
                }
            }
        case StoreRecord.removed:
            while let hash = try? reader.integer(UInt64.self) { _ = remove(hash) }
        case StoreRecord.segment:
            guard let number = try? reader.integer(UInt32.self),
                let code = try? reader.integer(UInt8.self),
                let purgeClass = PurgeableClass(code: code),
                let allocated = try? reader.integer(UInt64.self),
                let isOpen = try? reader.flag(), segments.canHold(number)
            else { return }
            let bytes = Int64(clamping: min(allocated, 1 << 40))
            if segments[number] == nil {
                addSegment(number, purgeClass, allocated: bytes, isOpen: isOpen)
            } else if !isOpen {
                seal(number, allocated: bytes)
            }
        case StoreRecord.segmentGone:
            if let number = try? reader.integer(UInt32.self) { dropSegment(number) }
        case StoreRecord.uses:
            while let hash = try? reader.integer(UInt64.self),
                let tick = try? reader.integer(UInt32.self)
            {
                touch(hash, at: StoreTick(tick))
            }
        case StoreRecord.allGone: removeAll()
        default: break
        }
    }

    /// Takes an entry of the log, if it can be one.
    private mutating func take(_ entry: StoreEntry) {
        var entry = entry
        entry.flags.subtract([.isPinned, .isVisited])
        guard entry.flags.rawValue & StoreEntry.Flags.classMask < 3 else { return }
        if !entry.isFile {
            let end = UInt64(entry.offset) + UInt64(entry.recordSize)
            guard end <= UInt64(UInt32.max),
                segments.noticeEnd(UInt32(end), of: entry.segment)
            else { return }
        }
        adopt(entry)
    }
}

/// Changes of an index that are not in the log yet, in their order.
struct PendingRecords {
    private(set) var records: [LogRecord] = []
    private var entries: [UInt8] = []
    private var removed: [UInt8] = []
    /// Entries and removals that wait.
    private(set) var count = 0

    var isEmpty: Bool { records.isEmpty && count == 0 }

    mutating func add(_ entry: StoreEntry) {
        if !removed.isEmpty { close() }
        Self.append(entry, to: &entries)
        count += 1
    }

    static func append(_ entry: StoreEntry, to bytes: inout [UInt8]) {
        var entry = entry
        entry.next = 0
        entry.flags.subtract([.isPinned, .isVisited])
        // Plain bytes, all of them initialized.
        unsafe withUnsafeBytes(of: entry) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func addRemoval(_ hash: UInt64) {
        if !entries.isEmpty { close() }
        unsafe withUnsafeBytes(of: hash.littleEndian) { unsafe removed.append(contentsOf: $0) }
        count += 1
    }

    mutating func addSegment(
        _ number: UInt32, _ purgeClass: PurgeableClass, allocated: Int64, isOpen: Bool
    ) {
        close()
        records.append(Self.segment(number, purgeClass, allocated: allocated, isOpen: isOpen))
    }

    static func segment(
        _ number: UInt32, _ purgeClass: PurgeableClass, allocated: Int64, isOpen: Bool
    ) -> LogRecord {
        var writer = ByteWriter()
        writer.integer(number)
        writer.integer(purgeClass.code)
        writer.integer(UInt64(clamping: allocated))
        writer.flag(isOpen)
        return LogRecord(StoreRecord.segment, writer.bytes)
    }

    mutating func addSegmentGone(_ number: UInt32) {
        close()
        var writer = ByteWriter()
        writer.integer(number)
        records.append(LogRecord(StoreRecord.segmentGone, writer.bytes))
    }

    mutating func add(_ type: UInt8) {
        close()
        records.append(LogRecord(type, []))
    }

    /// Everything, in order; nothing waits then.
    mutating func take() -> [LogRecord] {
        close()
        defer { records = [] }
        return records
    }

    private mutating func close() {
        if !entries.isEmpty { records.append(LogRecord(StoreRecord.entries, entries)) }
        if !removed.isEmpty { records.append(LogRecord(StoreRecord.removed, removed)) }
        entries = []
        removed = []
        count = 0
    }
}

extension CacheIndex {
    /// Writes all of it as the first records of a log.
    borrowing func write(to snapshot: inout LogSnapshot) {
        for number in segments.numbers {
            guard let segment = segments[number] else { continue }
            let record = PendingRecords.segment(
                number, segment.purgeClass, allocated: segment.allocated, isOpen: segment.isOpen)
            snapshot.append(record.type, record.payload)
        }
        var writer = ByteWriter()
        writer.integer(UInt32(clamping: count))
        snapshot.append(StoreRecord.count, writer.bytes)
        var chunk: [UInt8] = []
        chunk.reserveCapacity(Self.chunkSize)
        // Nested functions may not change what is borrowed from outside: by the places instead.
        table.forEachByHash { entry in
            PendingRecords.append(entry, to: &chunk)
            if chunk.count >= Self.chunkSize {
                snapshot.append(StoreRecord.entries, chunk)
                chunk.removeAll(keepingCapacity: true)
            }
        }
        if !chunk.isEmpty { snapshot.append(StoreRecord.entries, chunk) }
    }

    /// Of the entries in one record: a damaged one costs no more than these.
    private static var chunkSize: Int { 256 * MemoryLayout<StoreEntry>.stride }
}
