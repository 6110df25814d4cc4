//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// What is put together from the records of one slot of the purge journal.
struct JournalContent {
    private var receipt: Receipt?
    private var final: Receipt?
    private var totals = JournalTotals()
    private var summed = JournalTotals()
    private var going: [PurgeBatch.Rename] = []
    private var malformed = 0

    mutating func take(_ type: UInt8, _ payload: ArraySlice<UInt8>) {
        do {
            switch PurgeJournal.RecordType(rawValue: type) {
            case .start: receipt = try Receipt(encoded: payload)
            case .final: final = try Receipt(encoded: payload)
            case .batch:
                var reader = ByteReader(payload)
                let (batch, skippedCount) = try reader.batch()
                summed.add(batch.removed, skipped: skippedCount)
                summed.gained = batch.gained
                receipt?.removed += batch.removedItems
                receipt?.skipped += batch.skipped
                // Those of the batch before have been dealt with when the next is written.
                going = batch.going
            case .totals:
                var reader = ByteReader(payload)
                let read = try reader.journalTotals()
                if read.sequence >= totals.sequence { totals = read }
                going = []
            case nil: malformed += 1
            }
        } catch {
            malformed += 1
        }
    }

    var content: PurgeJournal.Content {
        if let final { return .final(final) }
        guard var receipt else { return .unreadable }
        // The running totals, where there are any, include all batches.
        let whole = totals.sequence > 0 ? totals : summed
        receipt.outcome = .crashed
        receipt.perClass = whole.perClass
        receipt.removedCount = whole.perClass.reduce(0) { $0 + $1.count }
        receipt.expected = whole.perClass.reduce(.zero) { $0 + $1.bytes }
        receipt.skippedCount = whole.skipped
        receipt.volumeGained = whole.gained
        receipt.notes.append(
            "The process died during this purge; what it removed after its last note is not known.")
        if totals.sequence > 0 {
            receipt.notes.append("The journal was full: the totals are right, the lists are not.")
        }
        for rename in going.prefix(100) {
            let path = FilePath(bytes: rename.directory.bytes + [0x2F] + rename.original.bytes)
            receipt.notes.append(
                "It was about to remove \(path.displayText) under the name "
                    + "\(FilePath(bytes: rename.reserved.bytes).displayText).")
        }
        if malformed > 0 { receipt.notes.append("\(malformed) notes could not be read.") }
        return .running(receipt)
    }
}

/// Sums over a purge.
struct JournalTotals {
    /// Counts how often they were written; 0: never.
    var sequence: UInt64 = 0
    var perClass: [Receipt.Total] = []
    var skipped = 0
    /// What the volumes had gained when they were asked last (safety invariant S9).
    var gained: ByteCount?

    mutating func add(_ removed: [Receipt.Total], skipped count: Int) {
        for total in removed {
            if let index = perClass.firstIndex(where: { $0.name == total.name }) {
                perClass[index].bytes += total.bytes
                perClass[index].count += total.count
            } else {
                perClass.append(total)
            }
        }
        skipped += count
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.integer(sequence)
        writer.integer(Int64(skipped))
        // A class has a short name, and there are few: this stays far below its 2 KiB.
        writer.list(Array(perClass.prefix(16))) { $0.total($1) }
        writer.gained(gained)
        return writer.bytes
    }
}

extension ByteWriter {
    mutating func gained(_ gained: ByteCount?) { integer(gained?.bytes ?? .min) }
}

extension ByteReader {
    mutating func journalTotals() throws(Malformed) -> JournalTotals {
        let sequence: UInt64 = try integer()
        let skipped = Int(clamping: try integer(Int64.self))
        return JournalTotals(
            sequence: sequence, perClass: try totals(), skipped: skipped, gained: try gained())
    }

    /// What ``ByteWriter/gained(_:)`` wrote.
    mutating func gained() throws(Malformed) -> ByteCount? {
        let bytes: Int64 = try integer()
        return bytes == .min ? nil : ByteCount(bytes)
    }
}
