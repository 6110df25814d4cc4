//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// The receipts of the last year, in a log of their own.
///
/// Only an index is kept in memory; receipts are read when they are asked for.
struct ReceiptStore: ~Copyable {
    static let fileName = "receipts.log"
    static let kind: UInt32 = 0x5450_4352  // "RCPT"
    private static let recordType: UInt8 = 1

    /// Receipts older than this are not shown, and dropped when the log is compacted.
    static let keeping = Duration.seconds(365 * 86_400)
    /// The log is compacted when it is longer than this, and is a quarter shorter then.
    let sizeLimit: UInt64

    private var log: CheckedLog?
    private var index = Index()
    /// Receipts that could not be written.
    private var unwritten: [Receipt] = []
    private(set) var notices: [String] = []

    struct Index: LogReplay {
        struct Entry {
            var id: String
            var started: Timestamp
            var offset: UInt64
        }

        var entries: [Entry] = []
        var malformed = 0

        mutating func restart() { self = Index() }

        mutating func record(_ type: UInt8, _ payload: ArraySlice<UInt8>, at offset: UInt64) {
            guard type == ReceiptStore.recordType else { return }
            var reader = ByteReader(payload)
            do {
                let (id, started) = try reader.receiptHead()
                entries.append(Entry(id: id, started: started, offset: offset))
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

    /// - Throws: what writing threw; the receipt is kept in memory then.
    mutating func append(_ receipt: Receipt, now: Timestamp) throws(Errno) {
        guard log != nil else {
            unwritten.append(receipt)
            return
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
        index.entries.append(.init(id: receipt.id, started: receipt.started, offset: offset))
        reportDamage(lengthBefore)
        // Not at every receipt that turns a year old: a month's worth of them at once.
        let oldest = index.entries.first?.started ?? now
        if length > sizeLimit
            || oldest < now.advanced(by: .zero - Self.keeping - .seconds(30 * 86_400))
        {
            compact(now: now)
        }
    }

    private mutating func compact(now: Timestamp) {
        let limit = sizeLimit / 4 * 3
        let oldest = now.advanced(by: .zero - Self.keeping)
        do {
            try log?.compact(&index) { snapshot, index, payload in
                var kept: [[UInt8]] = []
                var size: UInt64 = 0
                for entry in index.entries.reversed() where entry.started >= oldest {
                    // One that cannot be read any more is left out; the update counted it.
                    guard let bytes = try? payload(entry.offset) else { continue }
                    size += UInt64(bytes.count + LogFrame.headerSize)
                    if size > limit { break }
                    kept.append(bytes)
                }
                for bytes in kept.reversed() { snapshot.append(Self.recordType, bytes) }
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
            if let receipt = try receipt(at: entry.offset) { receipts.append(receipt) }
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
            if let receipt = try receipt(at: entry.offset) { receipts.append(receipt) }
        }
        return receipts + unwritten.filter { matches($0.id) }
    }

    /// Whether a receipt with exactly this id has been written.
    mutating func contains(_ id: String) -> Bool {
        // If it cannot be read now, it may be written twice: better than not at all.
        try? log?.update(&index)
        return index.entries.contains { $0.id == id }
    }

    private func receipt(at offset: UInt64) throws(Errno) -> Receipt? {
        guard let payload = try log?.payload(at: offset) else { return nil }
        // Malformed: a later version wrote it, or it was damaged since; its neighbours are shown.
        return try? Receipt(encoded: payload[...])
    }
}
