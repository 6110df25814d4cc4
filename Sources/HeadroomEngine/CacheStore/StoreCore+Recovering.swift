//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

extension StoreCore {
    /// Finds what a process that was cut off had written and not yet told the log.
    func recover() throws(Errno) {
        let (wasClosed, open) = state.withLock { state in
            state.sequence = UInt64(clamping: clock().nanoseconds)
            let index = state.index.segments
            return (state.index.wasClosed, index.numbers.filter { index[$0]?.isOpen == true })
        }
        defer { state.withLock { $0.pending.add(StoreRecord.opened) } }
        guard !wasClosed else { return }
        var found: [(header: RecordHeader, entry: StoreEntry)] = []
        for number in open {
            found += recordsAtEnd(of: number)
            seal(number)
        }
        found += newFiles()
        // The latest last, wherever it stands.
        for record in found.sorted(by: { $0.header.sequence < $1.header.sequence }) {
            take(record.header, record.entry)
        }
    }

    /// What stands in a segment behind what the log knows of.
    private func recordsAtEnd(of number: UInt32) -> [(header: RecordHeader, entry: StoreEntry)] {
        let end = state.withLock { $0.index.segments[number]?.end ?? 0 }
        guard let file = try? SharedFile.open(Self.segmentName(number), in: directory),
            let bytes = try? file.contents(from: UInt64(end))
        else { return [] }
        var found: [(RecordHeader, StoreEntry)] = []
        for record in RecordWalk(bytes, of: number, from: Int(end)) {
            let span = unsafe bytes.span.bytes
            guard RecordHeader.sum(span.extracting(record.value)) == record.header.valueSum
            else { continue }
            let entry = StoreEntry(
                record.header, hash: identity.hash(span.extracting(record.key)),
                place: StoreEntry.place(segment: number, offset: UInt32(record.offset)))
            found.append((record.header, entry))
            let recordEnd = UInt32(record.offset + record.header.recordSize)
            state.withLock { $0.index.noticeEnd(recordEnd, of: number) }
        }
        return found
    }

    /// Values of their own that the log does not know of: their numbers follow those it knows.
    private func newFiles() -> [(header: RecordHeader, entry: StoreEntry)] {
        var found: [(RecordHeader, StoreEntry)] = []
        var number = state.withLock { $0.index.nextFile }
        var missing = 0
        while missing < Self.batch {
            if let record = readFile(number) {
                found.append(record)
                state.withLock { $0.index.notice(file: number) }
            } else if directory.contains(Self.fileName(number)) {
                // It was being written.
                try? directory.remove(Self.fileName(number))
            } else {
                missing += 1
                number += 1
                continue
            }
            missing = 0
            number += 1
        }
        return found
    }

    /// Reads what a value's own file says of it.
    func readFile(_ number: UInt64) -> (header: RecordHeader, entry: StoreEntry)? {
        guard let file = try? SharedFile.open(Self.fileName(number), in: directory),
            let size = try? UInt64(clamping: file.status().logicalSize.bytes)
        else { return nil }
        // The header is near the end; how near depends on the key.
        let tailSize = UInt64(RecordHeader.size + RecordHeader.overheadLimit + 8)
        let start = (size - min(size, tailSize)) & ~7
        guard let bytes = try? file.contents(from: start) else { return nil }
        let span = unsafe bytes.span.bytes
        for offset in stride(from: 0, through: bytes.count - RecordHeader.size, by: 1) {
            guard
                let header = RecordHeader(
                    span.extracting(offset..<offset + RecordHeader.size)),
                header.container == number,
                UInt64(header.valueCount) == start + UInt64(offset)
            else { continue }
            let key = offset + RecordHeader.size
            guard key + header.overhead <= bytes.count,
                RecordHeader.isValid(
                    span.extracting(offset..<key),
                    span.extracting(key..<key + header.overhead), at: UInt64(header.valueCount))
            else { continue }
            let hash = identity.hash(span.extracting(key..<key + Int(header.keyCount)))
            var entry = StoreEntry(header, hash: hash, place: number)
            entry.flags.insert(.isFile)
            return (header, entry)
        }
        return nil
    }

    /// Takes a record in that was found, if nothing newer is known of its key.
    func take(_ header: RecordHeader, _ entry: StoreEntry) {
        let old = state.withLock { state -> StoreEntry? in
            let known = state.index.entry(entry.hash)
            if header.origin != 0 {
                // Moved: it stands for what was there, and for nothing else.
                guard let known, !known.isFile, known.place == header.origin else { return nil }
            }
            if header.kind == .removed {
                state.pending.addRemoval(entry.hash)
                return state.index.remove(entry.hash)
            }
            state.pending.add(entry)
            return state.index.insert(entry)
        }
        discard(old)
    }
}

extension StoreEntry {
    init(_ header: RecordHeader, hash: UInt64, place: UInt64) {
        self.init(
            hash: hash, place: place, length: header.valueCount, now: header.created,
            expiry: header.expiry, purgeClass: header.purgeClass, importance: header.importance,
            overhead: UInt8((header.overhead + 7) / 8),
            flags: header.kind == .negative ? .isNegative : [])
        cost = .microseconds(Int64(header.cost))
    }
}
