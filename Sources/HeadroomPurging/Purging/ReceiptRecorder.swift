//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

/// Builds the receipt while a purge runs.
struct ReceiptRecorder {
    private(set) var receipt: Receipt
    private let plan: Plan
    private let progress: PurgeProgress
    private let report: (@Sendable (PurgeEvent) -> Void)?
    private let reportsRemoved: Bool
    private let tally: (@Sendable (Candidate, ByteCount) -> Void)?
    private(set) var classTotals: [PlannedClass: Receipt.Total] = [:]
    var told = Told()
    private var areaTotals: [UInt16: (bytes: Int64, count: Int)] = [:]
    private var directoryTotals: [UInt32: (bytes: Int64, count: Int)] = [:]
    /// What has gone of one class, area and directory in a row, not yet in the totals: looking three
    /// tables up for each file would cost as much as a system call.
    private var row: Row?
    /// What the progress has not been told.
    private var unshown: (count: Int, bytes: Int64) = (0, 0)
    private static let showLength = 32

    private struct Row {
        let purgeClass: PlannedClass
        let area: UInt16
        let directory: UInt32
        var bytes: Int64 = 0
        var count = 0
    }

    init(
        _ receipt: Receipt, plan: Plan, progress: PurgeProgress,
        report: (@Sendable (PurgeEvent) -> Void)?, reportsRemoved: Bool = true,
        tally: (@Sendable (Candidate, ByteCount) -> Void)? = nil
    ) {
        self.tally = tally
        self.reportsRemoved = reportsRemoved && report != nil
        self.receipt = receipt
        self.plan = plan
        self.progress = progress
        self.report = report
    }

    /// Notes that an item has gone. Its path is made only if somebody sees it.
    mutating func addRemoved(
        _ candidate: Candidate, bytes: Int64, in directory: UInt32, path: () -> FilePath
    ) {
        count(candidate, bytes, in: directory)
        list(bytes, path)
    }

    /// The same of a database, which is one item: each file that has gone is listed.
    mutating func addRemoved(
        _ candidate: Candidate, _ members: [(item: UInt32, bytes: Int64)], in directory: UInt32
    ) {
        count(candidate, members.reduce(0) { $0 &+ $1.bytes }, in: directory)
        let inventory = plan.inventory
        // mutation: s6e-1
        for member in members { list(member.bytes) { inventory.path(ofItem: member.item) } }
    }

    private mutating func count(_ candidate: Candidate, _ bytes: Int64, in directory: UInt32) {
        let items = candidate.kind == .emptyDirectory ? 0 : 1
        receipt.removedCount += items
        receipt.emptiedCount += 1 - items
        receipt.expected += ByteCount(bytes)
        // Of a directory that goes whole each member was told of.
        if candidate.kind != .directory {
            progress.meter?.noteItem(bytes, isDirectory: candidate.kind == .emptyDirectory)
        }
        unshown.count += items
        unshown.bytes &+= bytes
        if unshown.count >= Self.showLength { show() }
        let purgeClass = candidate.plannedClass
        if row?.directory != directory || row?.area != candidate.area
            || row?.purgeClass != purgeClass
        {
            closeRow()
            row = Row(purgeClass: purgeClass, area: candidate.area, directory: directory)
        }
        row?.bytes &+= bytes
        row?.count += items
        tally?(candidate, ByteCount(bytes))
    }

    private mutating func list(_ bytes: Int64, _ path: () -> FilePath) {
        let isListed = receipt.removed.count < Receipt.removedPathLimit
        // mutation: r22d-1
        guard isListed || reportsRemoved else { return }
        let path = path()
        if isListed { receipt.removed.append(Receipt.Removed(path: path, bytes: ByteCount(bytes))) }
        if reportsRemoved { report?(.removed(path, ByteCount(bytes))) }
    }

    /// Tells the progress, which all threads write to: not for each file, or they wait for one
    /// another.
    private mutating func show() {
        progress.addRemoved(unshown.count, bytes: unshown.bytes)
        unshown = (0, 0)
    }

    /// Takes what has gone in a row into the totals.
    mutating func closeRow() {
        show()
        guard let row else { return }
        self.row = nil
        let name = row.purgeClass.name
        classTotals[row.purgeClass, default: Receipt.Total(name: name, bytes: .zero, count: 0)]
            .add(row.bytes, count: row.count)
        areaTotals[row.area, default: (0, 0)].bytes &+= row.bytes
        areaTotals[row.area, default: (0, 0)].count += row.count
        directoryTotals[row.directory, default: (0, 0)].bytes &+= row.bytes
        directoryTotals[row.directory, default: (0, 0)].count += row.count
    }

    /// Notes that a unit could not go whole although something of it had gone.
    mutating func addPartlyRemoved(
        _ path: FilePath, members: Int, bytes: Int64, because reason: Reason
    ) {
        receipt.expected += ByteCount(bytes)
        progress.addBytes(bytes)
        addNote(
            "\(members) members of \(path.displayText) (\(ByteCount(bytes))) had gone when "
                + (reason.code == .interrupted
                    ? "the purge was stopped." : "something new was found in it."))
    }

    mutating func addSkipped(_ path: FilePath, _ reason: Reason) {
        receipt.skippedCount += 1
        progress.addSkipped()
        if receipt.skipped.count < Receipt.skippedPathLimit {
            receipt.skipped.append(Receipt.Skipped(path: path, reason: reason))
        }
        report?(.skipped(path, reason))
    }

    /// Takes over what another recorder has, and empties it. Progress, reports and the journal were
    /// told then.
    mutating func absorb(_ other: inout ReceiptRecorder) {
        closeRow()
        other.closeRow()
        receipt.removedCount += other.receipt.removedCount
        receipt.emptiedCount += other.receipt.emptiedCount
        receipt.skippedCount += other.receipt.skippedCount
        receipt.expected += other.receipt.expected
        let room = Receipt.removedPathLimit - receipt.removed.count
        receipt.removed += other.receipt.removed.prefix(room)
        let space = Receipt.skippedPathLimit - receipt.skipped.count
        receipt.skipped += other.receipt.skipped.prefix(space)
        for note in other.receipt.notes { addNote(note) }
        classTotals.merge(other.classTotals) { old, new in
            Receipt.Total(
                name: old.name, bytes: old.bytes + new.bytes, count: old.count + new.count)
        }
        // mutation: r22a-2
        areaTotals.merge(other.areaTotals) { ($0.bytes &+ $1.bytes, $0.count + $1.count) }
        directoryTotals.merge(other.directoryTotals) {
            ($0.bytes &+ $1.bytes, $0.count + $1.count)
        }
        noteTold()
        other.told = Told()
        other.receipt = other.receipt.blank
        other.classTotals = [:]
        other.areaTotals = [:]
        other.directoryTotals = [:]
    }

    mutating func addNote(_ note: String) {
        if !receipt.notes.contains(note) { receipt.notes.append(note) }
    }

    /// Notes how many processes do not let us see what they have open.
    mutating func noteUnseen(processes: Int) {
        guard processes > 0 else { return }
        let which = processes == 1 ? "1 process does" : "\(processes) processes do"
        addNote(
            "\(which) not let this user see what they have open: small files that only they use "
                + "may be among what went.")
    }

    mutating func addDifference(_ sentence: String) { receipt.differences.append(sentence) }

    /// The receipt with its totals, as of now.
    mutating func current() -> Receipt {
        closeRow()
        var receipt = receipt
        let inventory = plan.inventory
        receipt.perClass = PlannedClass.allCases.compactMap { classTotals[$0] }
        receipt.perArea = areaTotals.sorted { $0.key < $1.key }.map { area, total in
            Receipt.Total(
                name: inventory.areas[Int(area)].root.displayText, bytes: ByteCount(total.bytes),
                count: total.count)
        }
        receipt.perDirectory = directoryTotals.sorted { left, right in
            (right.value.bytes, left.key) < (left.value.bytes, right.key)
        }
        .prefix(Receipt.directoryLimit).map { directory, total in
            Receipt.Total(
                name: inventory.path(ofDirectory: directory).displayText,
                bytes: ByteCount(total.bytes), count: total.count)
        }
        return receipt
    }

    mutating func finish(
        at end: Timestamp, outcome: Receipt.Outcome, gained: ByteCount?
    ) -> Receipt {
        receipt.ended = end
        receipt.outcome = outcome
        receipt.volumeGained = gained
        return current()
    }
}

extension Receipt {
    /// The receipt as it was when it was begun.
    var blank: Receipt { Receipt(id: id, started: started, requester: requester, target: target) }
}

extension Receipt.Total {
    mutating func add(_ freed: Int64, count: Int) {
        bytes += ByteCount(freed)
        self.count += count
    }
}
