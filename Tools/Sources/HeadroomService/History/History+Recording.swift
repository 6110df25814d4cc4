//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
public import HeadroomConfiguration
public import HeadroomEngine
public import HeadroomPlatform
import SystemPackage

extension History {
    /// Records what volumes had available. Of one second, the last counts.
    public func record(
        _ samples: [(volume: HistoryVolume, sample: ForecastSample)]
    ) throws(HeadroomError) {
        guard !samples.isEmpty else { return }
        try write { db in
            for (volume, sample) in samples {
                let id = try Self.id(of: volume, db)
                try db.execute(
                    sql: "INSERT OR REPLACE INTO sample VALUES (?, ?, ?, ?, ?, ?)",
                    arguments: [
                        id, sample.time.seconds, sample.available.bytes, sample.total.bytes,
                        sample.availableInodes.map(Int64.init(clamping:)),
                        sample.inodes.map(Int64.init(clamping:)),
                    ])
            }
        }
    }

    /// Records what areas and modules occupied.
    public func record(
        _ usages: [(subject: UsageSubject, sample: UsageSample)]
    ) throws(HeadroomError) {
        guard !usages.isEmpty else { return }
        try write { db in
            for (subject, sample) in usages {
                let id = try Self.id(of: subject, db)
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO usage (subject, time, bytes, items, purgeable)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        id, sample.time.seconds, sample.bytes.bytes, sample.items,
                        sample.purgeable?.bytes,
                    ])
            }
        }
    }

    /// Records a receipt; again under the same id, it is replaced.
    public func record(_ receipt: ReceiptSummary) throws(HeadroomError) {
        try write { db in
            try db.execute(sql: "DELETE FROM receipt WHERE id = ?", arguments: [receipt.id])
            try db.execute(
                sql: "INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    receipt.id, receipt.time.seconds, receipt.trigger, receipt.volume,
                    receipt.expected.bytes, receipt.gained.bytes, receipt.removedItems,
                    receipt.skippedItems,
                ])
            for (name, bytes) in receipt.freedByClass {
                try db.execute(
                    sql: "INSERT INTO freed VALUES (?, ?, ?)",
                    arguments: [receipt.id, name, bytes.bytes])
            }
        }
    }

    /// Records an event.
    public func record(_ event: HistoryEvent) throws(HeadroomError) {
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO event (time, kind, volume, level, text, subject)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    event.time.seconds, event.kind.rawValue, event.volume?.historyBytes,
                    event.level.map { Int64($0.rawValue) }, event.text, event.subject,
                ])
        }
    }

    // MARK: - Thinning

    /// The most events and receipts that are kept, whatever their age.
    public static let eventLimit = 20_000

    /// Drops what is too old to be kept so closely, and what is older than the retention. To be called
    /// now and then, once an hour say: it reads all samples.
    ///
    /// - Complexity: a few milliseconds for each volume, area and module.
    public func thin(
        now: Timestamp, retention: Duration = HistoryConfiguration.longestRetention
    ) throws(HeadroomError) {
        let oldest = now.advanced(by: .zero - retention).seconds
        try write { db in
            for id in try Int64.fetchAll(db, sql: "SELECT id FROM volume") {
                try Self.thinSamples(of: id, now, oldest, db)
            }
            for id in try Int64.fetchAll(db, sql: "SELECT id FROM subject") {
                try Self.thinUsages(of: id, now, oldest, db)
            }
            for table in ["event", "receipt"] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE time < ?", arguments: [oldest])
                // The newest of them by time; ties are cut together.
                try db.execute(
                    sql: """
                        DELETE FROM \(table) WHERE time < (
                            SELECT time FROM \(table) ORDER BY time DESC LIMIT 1 OFFSET ?)
                        """, arguments: [Self.eventLimit - 1])
            }
            // What nothing is known of any more.
            try db.execute(
                sql: "DELETE FROM volume WHERE id NOT IN (SELECT DISTINCT volume FROM sample)")
            try db.execute(
                sql: "DELETE FROM subject WHERE id NOT IN (SELECT DISTINCT subject FROM usage)")
        }
        do {
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA incremental_vacuum")
                try db.checkpoint(.passive)
            }
        } catch {
            throw Self.translated(error, "compact", path)
        }
    }

    private static func thinSamples(
        of id: Int64, _ now: Timestamp, _ oldest: Int64, _ db: Database
    ) throws {
        let samples = try samples(of: id, since: nil, db)
        let kept = Dictionary(
            SampleThinning.thinned(samples, now: now).filter { $0.time.seconds >= oldest }
                .map { ($0.time, $0) }, uniquingKeysWith: { $1 })
        let delete = try db.cachedStatement(
            sql: "DELETE FROM sample WHERE volume = ? AND time = ?")
        for sample in samples {
            guard let merged = kept[sample.time] else {
                try delete.execute(arguments: [id, sample.time.seconds])
                continue
            }
            // The bytes are its own; the inodes may be those of another that it stands for.
            guard merged != sample else { continue }
            try db.execute(
                sql: """
                    UPDATE sample SET availableInodes = ?, inodes = ? WHERE volume = ? AND time = ?
                    """,
                arguments: [
                    merged.availableInodes.map(Int64.init(clamping:)),
                    merged.inodes.map(Int64.init(clamping:)), id, sample.time.seconds,
                ])
        }
    }

    private static func thinUsages(
        of id: Int64, _ now: Timestamp, _ oldest: Int64, _ db: Database
    ) throws {
        let samples = try usages(of: id, since: nil, db)
        let kept = Set(
            UsageSample.thinned(samples, now: now).map(\.time.seconds).filter { $0 >= oldest })
        let delete = try db.cachedStatement(
            sql: "DELETE FROM usage WHERE subject = ? AND time = ?")
        for sample in samples where !kept.contains(sample.time.seconds) {
            try delete.execute(arguments: [id, sample.time.seconds])
        }
    }

    // MARK: - Numbers of things

    static func id(of volume: HistoryVolume, _ db: Database) throws -> Int64 {
        if let id = try knownID(of: volume, db) { return id }
        try db.execute(
            sql: "INSERT INTO volume (mountPoint, type) VALUES (?, ?)",
            arguments: [volume.mountPoint.historyBytes, volume.type])
        return db.lastInsertedRowID
    }

    static func knownID(of volume: HistoryVolume, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT id FROM volume WHERE mountPoint = ? AND type = ?",
            arguments: [volume.mountPoint.historyBytes, volume.type])
    }

    static func id(of subject: UsageSubject, _ db: Database) throws -> Int64 {
        if let id = try knownID(of: subject, db) { return id }
        try db.execute(
            sql: "INSERT INTO subject (kind, name) VALUES (?, ?)",
            arguments: [subject.kind, subject.historyBytes])
        return db.lastInsertedRowID
    }

    static func knownID(of subject: UsageSubject, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT id FROM subject WHERE kind = ? AND name = ?",
            arguments: [subject.kind, subject.historyBytes])
    }
}
