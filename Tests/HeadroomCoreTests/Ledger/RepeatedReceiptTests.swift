//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// How much the ledger grows by purges that are tried again and again.
struct RepeatedReceiptTests {
    private static let start = Timestamp(seconds: 1_800_000_000)
    private let directory: TemporaryDirectory
    private let clock = Wall()

    private final class Wall: Sendable {
        private let passed = Mutex<Duration>(.zero)

        var now: Timestamp {
            RepeatedReceiptTests.start.advanced(by: passed.withLock { $0 })
        }
        func advance(by duration: Duration) { passed.withLock { $0 += duration } }
    }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
    }

    private func open() -> Ledger {
        let clock = clock
        return Ledger.open(directory: directory.path, now: { clock.now })
    }

    private func receipt(_ number: Int, skipping count: Int, named name: String = "f") -> Receipt {
        var receipt = Receipt(
            id: "2027-01-15-\(number)", started: clock.now, requester: "serve: critical",
            target: "free \(number) bytes")
        receipt.ended = clock.now
        receipt.outcome = .completed
        receipt.skippedCount = count
        receipt.skipped = (0..<count).map {
            Receipt.Skipped(
                path: FilePath("/data/cache/\(name)\($0)"),
                reason: Reason(.inUse, "Process \(number) holds it locked."))
        }
        return receipt
    }

    private var size: Int64 {
        get throws {
            let names = try directory.tree.names()
            return try names.reduce(0) { sum, name in
                sum + (try directory.tree.status(of: TreePath([name])).logicalSize.bytes)
            }
        }
    }

    @Test(
        "Purges that delete nothing and end the same way share a receipt with their number",
        .tags(.r22c))
    func mergesEqualReceipts() throws {
        let ledger = open()
        let first = ledger.beginPurge(receipt(0, skipping: 300)).finish(receipt(0, skipping: 300))
        #expect(first.id == "2027-01-15-0")
        let before = try size
        for number in 1...5_000 {
            clock.advance(by: .seconds(10))
            let receipt = receipt(number, skipping: 300)
            let written = ledger.beginPurge(receipt).finish(receipt)
            #expect(written.id == "2027-01-15-0")
        }
        let grown = try size - before
        #expect(grown < 100_000, "\(grown) bytes by 5,000 purges")
        // Another process reads them from the disk.
        let read = try open().receipts(last: 10)
        #expect(read.map(\.id) == ["2027-01-15-0"])
        let note = try #require(read.first?.notes.last)
        #expect(note.hasSuffix("ended the same way."))
        let count = try #require(Int(note.prefix { $0.isNumber }))
        #expect(count > 4_990 && count <= 5_000)
        #expect(try ledger.receipt("2027-01-15-0")?.notes.last?.hasPrefix("5000 more") == true)
    }

    @Test("A purge that ends in another way, or on another day, has a receipt of its own")
    func otherReceiptsAreKept() throws {
        let ledger = open()
        try ledger.append(receipt(1, skipping: 3))
        try ledger.append(receipt(2, skipping: 4))
        try ledger.append(receipt(3, skipping: 4, named: "g"))
        var deleting = receipt(4, skipping: 4, named: "g")
        deleting.removedCount = 1
        deleting.expected = .kilobytes(4)
        try ledger.append(deleting)
        deleting.id = "2027-01-15-5"
        try ledger.append(deleting)
        try ledger.append(receipt(6, skipping: 4, named: "g"))
        clock.advance(by: .seconds(2 * 86_400))
        try ledger.append(receipt(7, skipping: 4, named: "g"))
        #expect(
            try ledger.receipts(last: 20).map(\.id) == (1...7).map { "2027-01-15-\($0)" })
    }

    @Test("Receipts that all differ are shortened once those of a day are long", .tags(.r22c))
    func boundsADay() throws {
        let ledger = open()
        for number in 0..<2_000 {
            clock.advance(by: .seconds(40))
            try ledger.append(receipt(number, skipping: 300, named: "\(number)-"))
        }
        let size = try size
        #expect(size < 9_000_000, "\(size) bytes")
        let last = try #require(try ledger.receipts(last: 1).first)
        #expect(last.skippedCount == 300)
        #expect(last.skipped.count == 20)
        #expect(last.notes.contains { $0.contains("280 more lines were left out") })
        // A new day has a new budget.
        clock.advance(by: .seconds(86_400))
        try ledger.append(receipt(3_000, skipping: 300, named: "next"))
        #expect(try ledger.receipts(last: 1).first?.skipped.count == 300)
    }

    @Test("The number of repetitions outlives the compaction of the receipts", .tags(.r22c))
    func compactionKeepsTheNumber() throws {
        let clock = clock
        let ledger = Ledger.open(
            directory: directory.path, readOnly: false, receiptLimit: 60_000,
            now: { clock.now })
        for number in 0..<10 {
            try ledger.append(receipt(number, skipping: 60, named: "\(number)-"))
        }
        for number in 10..<14 {
            clock.advance(by: .seconds(100))
            try ledger.append(receipt(number, skipping: 2))
        }
        var isCompacted = false
        for number in 14..<40 where !isCompacted {
            let before = try size
            try ledger.append(receipt(number, skipping: 60, named: "\(number)-"))
            isCompacted = try size < before
        }
        #expect(isCompacted)
        let merged = try #require(try open().receipt("2027-01-15-10"))
        #expect(merged.notes.last?.hasPrefix("3 more purges until") == true)
    }
}
