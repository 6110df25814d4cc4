//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// A slot of the purge journal that this process holds.
struct JournalSlot: ~Copyable {
    private let file: RegularFile
    let number: UInt64
    private let generation: UInt32
    private var position: UInt64 = 0
    private var totals = JournalTotals()
    private var removedCount = 0
    private var skippedCount = 0
    /// The records' room is used up.
    private(set) var isFolded = false

    /// Takes a free slot.
    ///
    /// - Returns: nil if all are taken, by running purges or by what crashed ones left.
    init?(in directory: StateDirectory) throws(Errno) {
        // A descriptor of its own: the lock belongs to it.
        let file = try PurgeJournal.open(in: directory, .writing)
        for number in 0..<PurgeJournal.slotCount {
            guard try Self.lock(number, file) else { continue }
            let (content, generation) = try PurgeJournal.content(of: number, in: file)
            if case .free = content {
                self.init(file, number, generation: generation &+ 1)
                return
            }
            Self.unlock(number, file)
        }
        return nil
    }

    private init(_ file: consuming RegularFile, _ number: UInt64, generation: UInt32) {
        self.file = file
        self.number = number
        self.generation = generation
    }

    // A child that was forked just now has the descriptor too, until it calls exec.
    deinit { Self.unlock(number, file) }

    static func lock(_ slot: UInt64, _ file: borrowing RegularFile) throws(Errno) -> Bool {
        try StateLock.takeRange(
            file.descriptor.rawValue, offset: slot * PurgeJournal.slotSize,
            count: PurgeJournal.slotSize)
    }

    static func isTaken(_ slot: UInt64, _ file: borrowing RegularFile) throws(Errno) -> Bool {
        try StateLock.isRangeTaken(
            file.descriptor.rawValue, offset: slot * PurgeJournal.slotSize,
            count: PurgeJournal.slotSize)
    }

    static func unlock(_ slot: UInt64, _ file: borrowing RegularFile) {
        StateLock.releaseRange(
            file.descriptor.rawValue, offset: slot * PurgeJournal.slotSize,
            count: PurgeJournal.slotSize)
    }

    // MARK: - Writing

    /// Writes what the purge starts with; on disk when it returns.
    mutating func start(_ receipt: Receipt) throws(Errno) {
        _ = try append(.start, receipt.encoded())
        try file.synchronizeData()
    }

    /// Writes a batch; within the preallocated room, so that it needs none of the volume's.
    mutating func record(_ batch: PurgeBatch) throws(Errno) {
        var kept = batch
        kept.removedItems = Array(
            batch.removedItems.prefix(max(0, Receipt.removedPathLimit - removedCount)))
        kept.skipped = Array(
            batch.skipped.prefix(max(0, Receipt.skippedPathLimit - skippedCount)))
        removedCount += kept.removedItems.count
        skippedCount += kept.skipped.count
        totals.add(batch.removed, skipped: batch.skipped.count)
        totals.gained = batch.gained
        if !isFolded {
            for _ in 0..<2 {
                var writer = ByteWriter()
                writer.batch(kept, skippedCount: batch.skipped.count)
                if try append(.batch, writer.bytes) { return }
                // What is about to go matters most, then the sums.
                kept.removedItems = []
                kept.skipped = []
            }
            isFolded = true
        }
        // In turn, so that one that a crash tears leaves the one before.
        totals.sequence += 1
        let place = PurgeJournal.recordsSize + totals.sequence % 2 * PurgeJournal.totalsSize
        try write(.totals, totals.encoded, at: place)
    }

    /// Writes the final receipt, shortened if it must be; on disk when it returns.
    mutating func finish(_ receipt: Receipt) throws(Errno) {
        if try !append(.final, receipt.encoded()) {
            try write(
                .final, receipt.shortened(to: Int(PurgeJournal.finalSize)),
                at: PurgeJournal.recordsSize + 2 * PurgeJournal.totalsSize)
        }
        try file.synchronizeData()
    }

    func free() throws(Errno) { try PurgeJournal.free(number, in: file) }

    /// - Returns: false if there is no room for it.
    private mutating func append(
        _ type: PurgeJournal.RecordType, _ payload: [UInt8]
    ) throws(Errno) -> Bool {
        let size = UInt64(LogFrame.headerSize + payload.count)
        guard position + size <= PurgeJournal.recordsSize else { return false }
        try write(type, payload, at: position)
        position += size
        return true
    }

    private func write(
        _ type: PurgeJournal.RecordType, _ payload: [UInt8], at place: UInt64
    ) throws(Errno) {
        let offset = number * PurgeJournal.slotSize + place
        var bytes: [UInt8] = []
        LogFrame.append(
            type.rawValue, payload, generation: generation, at: offset, to: &bytes)
        try file.write(bytes, at: offset)
    }
}

extension Receipt {
    /// The receipt's encoding without its lists, within a number of bytes for record and all.
    fileprivate func shortened(to size: Int) -> [UInt8] {
        var copy = self
        copy.removed = []
        copy.skipped = []
        copy.perDirectory = []
        copy.notes.insert("The journal was full: the lists of this receipt are lost.", at: 0)
        let room = size - LogFrame.headerSize
        if copy.encoded().count > room { copy.perArea = [] }
        if copy.encoded().count > room { copy.notes = Array(copy.notes.prefix(3)) }
        if copy.encoded().count > room { copy.differences = [] }
        if copy.encoded().count > room {
            copy.requester = String(copy.requester.prefix(256))
            copy.target = String(copy.target.prefix(256))
            copy.notes = Array(copy.notes.prefix(1))
        }
        return copy.encoded()
    }
}
