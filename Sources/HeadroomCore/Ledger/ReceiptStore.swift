//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// The receipts of the last year, in a log of their own.
///
/// A purge that is tried again and again must not fill the disk with receipts. Purges that delete nothing
/// and end the same way share one receipt for a day. Receipts are written in full until those of the last
/// 24 hours are ``dailyDetail`` long; from then on only their first skipped items are listed, and after
/// three times that length only their first deleted items. The file never gets longer than ``sizeLimit``
/// and one receipt.
///
/// Only an index is kept in memory; receipts are read when they are asked for.
struct ReceiptStore: ~Copyable {
    static let fileName = "receipts.log"
    static let kind: UInt32 = 0x5450_4352  // "RCPT"
    private static let recordType: UInt8 = 1
    /// How often a receipt was repeated: its id, the count, the time of the latest. The last record of an
    /// id counts.
    private static let repeatsType: UInt8 = 2
    /// How long the receipts of 24 hours may be before their lists are shortened.
    static let dailyDetail: UInt64 = 4_000_000
    /// How often at most the count of a receipt is written that is repeated often.
    private static let repeatsInterval = Duration.seconds(60)

    // mutation: r22c-3
    /// Receipts older than this are not shown, and dropped when the log is compacted.
    static let keeping = Duration.seconds(365 * 86_400)
    /// The log is compacted when it is longer than this, and is a quarter shorter then.
    let sizeLimit: UInt64

    private var log: CheckedLog?
    private var index = Index()
    /// Receipts that could not be written.
    private var unwritten: [Receipt] = []
    private(set) var notices: [String] = []
    /// The receipt that was written last, as long as later ones may share it.
    private var latest: Latest?

    private struct Latest {
        let receipt: Receipt
        var repeats: ReceiptRepeats?
        var written: Timestamp
    }

    struct Index: LogReplay {
        struct Entry {
            var id: String
            var started: Timestamp
            var offset: UInt64
            var size: Int
        }

        var entries: [Entry] = []
        var repeats: [String: ReceiptRepeats] = [:]
        var malformed = 0

        mutating func restart() { self = Index() }

        mutating func record(_ type: UInt8, _ payload: ArraySlice<UInt8>, at offset: UInt64) {
            var reader = ByteReader(payload)
            do {
                switch type {
                case ReceiptStore.recordType:
                    let (id, started) = try reader.receiptHead()
                    entries.append(
                        Entry(id: id, started: started, offset: offset, size: payload.count))
                case ReceiptStore.repeatsType:
                    let id = try reader.text()
                    let count = try reader.integer(Int64.self)
                    repeats[id] = ReceiptRepeats(count: count, latest: try reader.time())
                default: break  // A later version's.
                }
            } catch {
                malformed += 1
            }
        }
    }

    init(_ log: consuming CheckedLog?, sizeLimit: UInt64) {
        self.log = log
        self.sizeLimit = sizeLimit
    }

    /// Whether what is appended outlives the process.
    var isPersistent: Bool { log != nil }

    /// - Returns: the receipt as it was written, which may be an earlier one that stands for it.
    /// - Throws: the error of writing; the receipt is kept in memory then.
    @discardableResult
    mutating func append(_ receipt: Receipt, now: Timestamp) throws(Errno) -> Receipt {
        guard log != nil else {
            unwritten.append(receipt)
            return receipt
        }
        if let earlier = try repeated(by: receipt) { return earlier }
        var receipt = receipt
        let recent = recentSize(at: now)
        // mutation: r22c-2
        if recent > Self.dailyDetail {
            receipt.shorten(includingRemoved: recent > 3 * Self.dailyDetail)
        }
        let record = LogRecord(Self.recordType, receipt.encoded())
        let lengthBefore = log?.end ?? 0
        do {
            try log?.append([record], synchronizing: true, &index)
        } catch {
            unwritten.append(receipt)
            throw error
        }
        let length = log?.end ?? 0
        let offset = length - UInt64(LogFrame.headerSize + record.payload.count)
        index.entries.append(
            .init(
                id: receipt.id, started: receipt.started, offset: offset,
                size: record.payload.count))
        latest = Latest(receipt: receipt, written: receipt.started)
        reportDamage(lengthBefore)
        // Not at every receipt that turns a year old: a month's worth of them at once.
        let oldest = index.entries.first?.started ?? now
        if length > sizeLimit
            || oldest < now.advanced(by: .zero - Self.keeping - .seconds(30 * 86_400))
        {
            compact(now: now)
        }
        return receipt
    }

    /// Counts a purge that ended as the one of the last receipt did.
    ///
    /// - Returns: that receipt; nil if this one needs its own.
    private mutating func repeated(by receipt: Receipt) throws(Errno) -> Receipt? {
        guard var latest, latest.receipt.stands(for: receipt) else { return nil }
        try log?.update(&index)
        // Another process has written a receipt since.
        guard index.entries.last?.id == latest.receipt.id else { return nil }
        let repeats = ReceiptRepeats(
            count: (latest.repeats?.count ?? 0) + 1, latest: receipt.started)
        latest.repeats = repeats
        let passed = receipt.started.duration(since: latest.written)
        if repeats.count <= 2 || passed >= Self.repeatsInterval {
            do throws(Errno) {
                try log?.append(
                    [Self.record(repeats, of: latest.receipt.id)], synchronizing: true, &index)
                latest.written = receipt.started
            } catch {
                // On a full disk: the next repetition writes the number.
            }
        }
        index.repeats[latest.receipt.id] = repeats
        self.latest = latest
        return latest.receipt.adding(repeats)
    }

    private static func record(_ repeats: ReceiptRepeats, of id: String) -> LogRecord {
        var writer = ByteWriter()
        writer.text(id)
        writer.integer(repeats.count)
        writer.integer(repeats.latest.nanoseconds)
        return LogRecord(repeatsType, writer.bytes)
    }

    /// How long the receipts of the last 24 hours are.
    private func recentSize(at now: Timestamp) -> UInt64 {
        let start = now.advanced(by: .zero - .seconds(86_400))
        var size: UInt64 = 0
        for entry in index.entries.reversed() {
            guard entry.started >= start else { break }
            size += UInt64(entry.size)
        }
        return size
    }

    private mutating func compact(now: Timestamp) {
        let limit = sizeLimit / 4 * 3
        let oldest = now.advanced(by: .zero - Self.keeping)
        do {
            try log?.compact(&index) { snapshot, index, payload in
                var kept: [(id: String, bytes: [UInt8])] = []
                var size: UInt64 = 0
                for entry in index.entries.reversed() where entry.started >= oldest {
                    // One that cannot be read any more is left out; the update counted it.
                    guard let bytes = try? payload(entry.offset) else { continue }
                    size += UInt64(bytes.count + LogFrame.headerSize)
                    if size > limit { break }
                    kept.append((entry.id, bytes))
                }
                for (id, bytes) in kept.reversed() {
                    snapshot.append(Self.recordType, bytes)
                    guard let repeats = index.repeats[id] else { continue }
                    snapshot.append(Self.repeatsType, Self.record(repeats, of: id).payload)
                }
            }
            // The offsets are those of the old file.
            try log?.replay(&index)
        } catch {
            notices.append("The receipts could not be shortened: \(error).")
        }
    }

    /// The receipts that are not too old, the newest last.
    private mutating func entries(now: Timestamp) throws(Errno) -> ArraySlice<Index.Entry> {
        let before = log?.end ?? 0
        try log?.update(&index)
        reportDamage(before)
        let oldest = now.advanced(by: .zero - Self.keeping)
        return index.entries.filter { $0.started >= oldest }[...]
    }

    private mutating func reportDamage(_ before: UInt64) {
        guard let damage = log?.wholeDamage, log?.end != before else { return }
        let places = damage.places + index.malformed
        guard places > 0 || damage.headerIsDamaged else { return }
        let notice =
            "Receipts are damaged in \(places) places of \(Self.fileName) and were left out."
        if !notices.contains(notice) { notices.append(notice) }
    }

    /// The newest receipts, in the order in which they were written.
    mutating func last(_ count: Int, now: Timestamp) throws(Errno) -> [Receipt] {
        let entries = try entries(now: now).suffix(max(0, count - unwritten.count))
        var receipts: [Receipt] = []
        for entry in entries {
            if let receipt = try receipt(of: entry) { receipts.append(receipt) }
        }
        return receipts + unwritten.suffix(count)
    }

    /// The receipts whose id, or whose id without the day, begins with some text.
    mutating func matching(_ prefix: String, now: Timestamp) throws(Errno) -> [Receipt] {
        func matches(_ id: String) -> Bool {
            id.hasPrefix(prefix) || id.dropFirst(11).hasPrefix(prefix)
        }
        var receipts: [Receipt] = []
        for entry in try entries(now: now) where matches(entry.id) {
            if let receipt = try receipt(of: entry) { receipts.append(receipt) }
        }
        return receipts + unwritten.filter { matches($0.id) }
    }

    /// Whether a receipt with exactly this id has been written.
    mutating func contains(_ id: String) -> Bool {
        // If it cannot be read now, it may be written twice: better than not at all.
        try? log?.update(&index)
        return index.entries.contains { $0.id == id }
    }

    private func receipt(of entry: Index.Entry) throws(Errno) -> Receipt? {
        guard let payload = try log?.payload(at: entry.offset) else { return nil }
        // Malformed: a later version wrote it, or it was damaged since; its neighbours are shown.
        let receipt = try? Receipt(encoded: payload[...])
        return receipt?.adding(index.repeats[entry.id])
    }
}
