//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

extension CacheIndex {
    /// The first records of the next log: everything but the entries.
    borrowing func head(_ lineage: LogLineage) -> [LogRecord] {
        var records: [LogRecord] = []
        if let fingerprint { records.append(StoreRecord.identity(fingerprint, lineage)) }
        if let settings { records.append(StoreRecord.settings(settings)) }
        records.append(StoreRecord.totals(totals))
        for (session, account) in sessions.accounts.sorted(by: { $0.key < $1.key }) {
            records.append(
                StoreRecord.session(StoreRecord.opened, session, sessions.sequence))
            records.append(
                StoreRecord.session(
                    StoreRecord.held, session, UInt64(clamping: account.held)))
            records.append(
                StoreRecord.session(StoreRecord.lastFile, session, account.lastFile))
            if !account.late.isEmpty { records.append(StoreRecord.late(session, account.late)) }
            if account.isInDoubt {
                records.append(StoreRecord.session(StoreRecord.doubt, session, 1))
            }
        }
        if sessions.accounts[sessions.last] == nil {
            // Its number is not given again.
            records.append(
                StoreRecord.session(StoreRecord.opened, sessions.last, sessions.sequence))
            records.append(
                StoreRecord.session(StoreRecord.closed, sessions.last, sessions.sequence))
        }
        for number in segments.numbers {
            guard let segment = segments[number] else { continue }
            records.append(StoreRecord.segment(number, segment))
        }
        // Nor is that of a segment: whoever has the old file open would take it for the new one.
        let last = segments.next - 1
        if last > 0, segments[last] == nil { records.append(StoreRecord.segmentGone(last)) }
        for (tag, hashes) in tags.hashes {
            var writer = ByteWriter()
            for hash in hashes where entry(hash)?.flags.contains(.hasTags) == true {
                writer.integer(tag)
                writer.integer(hash)
                if writer.bytes.count >= 1 << 16 {
                    records.append(LogRecord(StoreRecord.tagged, writer.bytes))
                    writer = ByteWriter()
                }
            }
            if !writer.bytes.isEmpty {
                records.append(LogRecord(StoreRecord.tagged, writer.bytes))
            }
        }
        return records
    }

    /// Some of the entries as they are written down, in the order in which they are read fastest.
    ///
    /// Who writes them bit by bit while others go on has to write down what changed meanwhile as well.
    ///
    /// - Parameters:
    ///   - first: the hash to begin with.
    ///   - count: how many slots of the table to look at.
    /// - Returns: the hash to go on with; nil at the end.
    borrowing func encode(
        from first: UInt64, slots count: Int, to bytes: inout [UInt8]
    ) -> UInt64? {
        table.entries(from: first, slots: count) { entry in
            if !isStray(entry) { PendingRecords.append(entry, to: &bytes) }
        }
    }

    /// Takes over what only this process knows of entries that it has known before.
    ///
    /// - Complexity: O(entries).
    mutating func keep(from old: borrowing CacheIndex, _ session: UInt32) {
        keepLearning(from: old)
        for place in 0..<old.table.placeCount where old.table[place].isLive {
            let known = old.table[place]
            guard let new = entry(known.hash), new.place == known.place else { continue }
            touch(known.hash, at: known.lastUse)
            keepHistory(known.history, of: known.hash)
        }
        // Wherever others have moved what stands under them.
        for hash in old.pinnedKeys { _ = setPinned(true, hash) }
        for number in old.segments.numbers {
            guard let segment = old.segments[number], segment.owner == session else { continue }
            segments.update(number) {
                $0.end = max($0.end, segment.end)
                $0.pending = segment.pending
            }
            // The log is told when the last record is written that it waits for: until then it says open.
            if !segment.isOpen { seal(number, allocated: segment.allocated) }
        }
        segments.notice(old.segments.next - 1)
        unknownBytes = old.unknownBytes
    }
}
