//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// The preallocated file in which running purges are written down, on a volume without a free byte
/// too (safety invariant S14).
///
/// Eight slots of 128 KiB, one per purge at a time. A slot is locked by the process that uses it;
/// one that is in use and not locked belongs to a purge whose process died. Within a slot stand
/// records as in a ``CheckedLog``, of a generation of the slot's own. Layout:
/// `Documentation/Design/0004-ledger-and-journal.md`.
package enum PurgeJournal {
    package static let fileName = "journal"
    package static let slotCount: UInt64 = 8
    package static let slotSize: UInt64 = 128 << 10
    package static let size = slotCount * slotSize
    /// Where the running totals go, in turn, when the records' room is used up.
    static let totalsSize: UInt64 = 2 << 10
    /// Where a shortened final receipt goes when the records' room is used up.
    static let finalSize: UInt64 = 8 << 10
    /// What is left for records.
    package static let recordsSize = slotSize - finalSize - 2 * totalsSize

    enum RecordType: UInt8 {
        /// The receipt as it was when the purge started.
        case start = 1
        case batch = 2
        /// Sums over all batches.
        case totals = 3
        /// The final receipt: it only remains to be copied to the ledger.
        case final = 4
    }

    /// What a slot holds.
    enum Content {
        case free
        /// Written to, but what it began with cannot be read.
        case unreadable
        case running(Receipt)
        case final(Receipt)
    }

    /// Reads a slot whose lock is held.
    static func content(
        of slot: UInt64, in file: borrowing RegularFile
    ) throws(Errno) -> (Content, generation: UInt32) {
        let start = slot * slotSize
        let head = try file.read(8, at: start)
        guard head.count == 8 else { return (.unreadable, 0) }
        let generation = head[4...].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        // Most slots are free most of the time: no more is read of them.
        if head[..<4].allSatisfy({ $0 == 0 }) { return (.free, generation) }
        let bytes = try file.read(Int(slotSize), at: start)
        guard bytes.count == Int(slotSize) else { return (.unreadable, generation) }
        var found = JournalContent()
        let records = Array(bytes[..<Int(recordsSize)])
        var position = 0
        while position < records.count {
            if case .valid(let type, _, let payload) = LogFrame.check(
                records, at: position, offset: start + UInt64(position), generation: generation)
            {
                found.take(type, records[payload])
                position = payload.upperBound
            } else {
                position = LogFrame.nextMarker(in: records, from: position + 1)
            }
        }
        for place in [recordsSize, recordsSize + totalsSize, recordsSize + 2 * totalsSize] {
            if case .valid(let type, _, let payload) = LogFrame.check(
                bytes, at: Int(place), offset: start + place, generation: generation)
            {
                found.take(type, bytes[payload])
            }
        }
        return (found.content, generation)
    }

    /// Frees a slot: its first marker becomes zeros, its generation stays.
    static func free(_ slot: UInt64, in file: borrowing RegularFile) throws(Errno) {
        try file.write([0, 0, 0, 0], at: slot * slotSize)
    }
}
