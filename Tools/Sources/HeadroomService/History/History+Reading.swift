//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
public import HeadroomEngine
public import HeadroomPlatform
import SystemPackage

extension History {
    /// The volumes of which there are samples, by their mount points.
    public func volumes() throws(HeadroomError) -> [HistoryVolume] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT mountPoint, type FROM volume ORDER BY mountPoint")
                .map { HistoryVolume(mountPoint: FilePath(historyBytes: $0[0]), type: $0[1]) }
        }
    }

    /// The samples of a volume by time, as ``Forecast`` takes them; none if it is not known.
    ///
    /// - Parameter since: leaves out what is older.
    public func samples(
        of volume: HistoryVolume, since: Timestamp? = nil
    ) throws(HeadroomError) -> [ForecastSample] {
        try read { db in
            guard let id = try Self.knownID(of: volume, db) else { return [] }
            return try Self.samples(of: id, since: since, db)
        }
    }

    /// The areas and modules of which there are samples.
    public func subjects() throws(HeadroomError) -> [UsageSubject] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT kind, name FROM subject ORDER BY kind, name")
                .compactMap { UsageSubject(kind: $0[0], historyBytes: $0[1]) }
        }
    }

    /// What an area or a module occupied, by time.
    public func usages(
        of subject: UsageSubject, since: Timestamp? = nil
    ) throws(HeadroomError) -> [UsageSample] {
        try read { db in
            guard let id = try Self.knownID(of: subject, db) else { return [] }
            return try Self.usages(of: id, since: since, db)
        }
    }

    /// Receipts by time, the latest first.
    public func receipts(
        since: Timestamp? = nil, limit: Int = History.eventLimit
    ) throws(HeadroomError) -> [ReceiptSummary] {
        try read { db in
            var freed: [String: [String: ByteCount]] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT receipt, class, bytes FROM freed") {
                freed[row[0], default: [:]][row[1]] = ByteCount(row[2])
            }
            return try Row.fetchAll(
                db, sql: "SELECT * FROM receipt WHERE time >= ? ORDER BY time DESC LIMIT ?",
                arguments: [since?.seconds ?? .min, limit]
            ).map { row in
                ReceiptSummary(
                    id: row["id"], time: Timestamp(seconds: row["time"]), trigger: row["trigger"],
                    volume: row["volume"], expected: ByteCount(row["expected"]),
                    gained: ByteCount(row["gained"]), removedItems: row["removedItems"],
                    skippedItems: row["skippedItems"], freedByClass: freed[row["id"]] ?? [:])
            }
        }
    }

    /// Events by time, the latest first.
    ///
    /// - Parameter kind: nil: of all kinds.
    public func events(
        of kind: HistoryEvent.Kind? = nil, since: Timestamp? = nil,
        limit: Int = History.eventLimit
    ) throws(HeadroomError) -> [HistoryEvent] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM event WHERE time >= ? AND (? IS NULL OR kind = ?)
                    ORDER BY time DESC, id DESC LIMIT ?
                    """,
                arguments: [since?.seconds ?? .min, kind?.rawValue, kind?.rawValue, limit]
            ).compactMap { row in
                // A kind that a later version had is left out.
                guard let kind = HistoryEvent.Kind(rawValue: row["kind"]) else { return nil }
                let level: UInt8? = row["level"]
                let volume: Data? = row["volume"]
                return HistoryEvent(
                    time: Timestamp(seconds: row["time"]), kind: kind,
                    volume: volume.map { FilePath(historyBytes: $0) },
                    level: level.flatMap(PressureLevel.init(rawValue:)),
                    // Who reads only may come before the form of now: without these columns.
                    subject: row["subject"], text: row["text"])
            }
        }
    }

    // MARK: - Rows

    static func samples(
        of id: Int64, since: Timestamp?, _ db: Database
    ) throws -> [ForecastSample] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT time, available, total, availableInodes, inodes FROM sample
                WHERE volume = ? AND time >= ? ORDER BY time
                """, arguments: [id, since?.seconds ?? .min])
        var samples: [ForecastSample] = []
        while let row = try rows.next() {
            let availableInodes: Int64? = row[3]
            let inodes: Int64? = row[4]
            samples.append(
                ForecastSample(
                    time: Timestamp(seconds: row[0]), available: ByteCount(row[1]),
                    total: ByteCount(row[2]),
                    availableInodes: availableInodes.map(UInt64.init(clamping:)),
                    inodes: inodes.map(UInt64.init(clamping:))))
        }
        return samples
    }

    static func usages(of id: Int64, since: Timestamp?, _ db: Database) throws -> [UsageSample] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT * FROM usage WHERE subject = ? AND time >= ? ORDER BY time
                """, arguments: [id, since?.seconds ?? .min])
        var samples: [UsageSample] = []
        while let row = try rows.next() {
            // Who reads only may come before the form of now: without this column.
            let purgeable: Int64? = row["purgeable"]
            samples.append(
                UsageSample(
                    time: Timestamp(seconds: row["time"]), bytes: ByteCount(row["bytes"]),
                    items: row["items"], purgeable: purgeable.map { ByteCount($0) }))
        }
        return samples
    }
}
