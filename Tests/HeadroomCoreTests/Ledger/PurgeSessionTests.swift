//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

struct PurgeSessionTests {
    private let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory(on: .memory) }

    private static let time = Timestamp(seconds: 1_795_000_000)

    private func open() -> Ledger {
        Ledger.open(directory: temporary.path, now: { Self.time })
    }

    private func receipt(_ id: String = "2026-11-21-7f3a") -> Receipt {
        Receipt(id: id, started: Self.time, requester: "test", target: "free 5 GB")
    }

    private func batch(_ number: Int, items: Int = 3) throws -> PurgeBatch {
        PurgeBatch(
            removed: [.init(name: "cache", bytes: .megabytes(1), count: items)],
            removedItems: (0..<items).map {
                .init(path: FilePath("/cache/\(number)/\($0)"), bytes: ByteCount(7))
            },
            skipped: [
                .init(
                    path: FilePath("/cache/\(number)/kept"), reason: Reason(.inUse, "It is open."))
            ],
            going: [
                .init(
                    directory: "/cache", original: try #require(FileName("unit\(number)")),
                    reserved: try #require(FileName(".headroom-going-7f3a-\(number)")))
            ])
    }

    /// Ends a session as `kill -9` does: its lock goes, and nothing more is written.
    private func crash(_ body: (PurgeSession) throws -> Void) throws {
        let session = open().beginPurge(receipt())
        #expect(session.isJournaled)
        try body(session)
    }

    @Test func aFinishedPurgeIsInTheLedger() throws {
        let ledger = open()
        let session = ledger.beginPurge(receipt())
        session.record(try batch(1))
        var done = receipt()
        done.outcome = .completed
        done.ended = Self.time.advanced(by: .seconds(3))
        #expect(session.finish(done) == done)
        #expect(try open().receipts(last: 10) == [done])
        #expect(open().recoverInterrupted() == [])
    }

    /// A ledger that cannot be made, since something else is where its directory should be.
    private func ledgerWithoutRoom() throws -> Ledger {
        try temporary.tree.file("state/blocked", text: "in the way")
        return Ledger.open(
            directory: temporary.path.appending("state/blocked"), now: { Self.time })
    }

    @Test func aLedgerThatCanBeMadeAfterThePurgeHasItsReceipt() throws {
        let ledger = try ledgerWithoutRoom()
        let session = ledger.beginPurge(receipt())
        #expect(!session.isJournaled)
        try temporary.tree.remove("state/blocked")
        let done = session.finish(receipt())
        #expect(!done.notes.contains { $0.contains("not kept") })
        let later = Ledger.open(directory: ledger.directory, now: { Self.time })
        #expect(try later.receipts(last: 10).map(\.id) == [receipt().id])
    }

    @Test func aReceiptThatIsNotKeptSaysSo() throws {
        let session = try ledgerWithoutRoom().beginPurge(receipt())
        let done = session.finish(receipt())
        #expect(done.notes.contains { $0.hasSuffix("The receipt is not kept.") })
    }

    @Test(.tags(.s7a)) func aCrashedPurgeIsFoundOnce() throws {
        try crash { session in
            session.record(try batch(1))
            session.record(try batch(2))
        }
        let ledger = open()
        let found = try #require(ledger.recoverInterrupted().first)
        #expect(found.id == receipt().id)
        #expect(found.outcome == .crashed)
        #expect(found.ended == nil)
        #expect(found.requester == "test")
        #expect(found.perClass == [.init(name: "cache", bytes: .megabytes(2), count: 6)])
        #expect(found.expected == .megabytes(2))
        #expect(found.removedCount == 6)
        let paths = found.removed.map(\.path.string)
        #expect(
            paths == [
                "/cache/1/0", "/cache/1/1", "/cache/1/2", "/cache/2/0", "/cache/2/1", "/cache/2/2",
            ])
        #expect(found.skippedCount == 2)
        #expect(found.skipped.count == 2)
        #expect(found.notes.contains { $0.contains("/cache/unit2") && $0.contains("going-7f3a-2") })
        #expect(!found.notes.contains { $0.contains("unit1") })
        #expect(try ledger.receipts(last: 1) == [found])
        #expect(open().recoverInterrupted() == [])
    }

    @Test func aCrashedPurgeIsFoundByReadersWithoutChange() throws {
        try crash { session in session.record(try batch(1)) }
        func reader() -> Ledger {
            Ledger.open(directory: temporary.path, readOnly: true, now: { Self.time })
        }
        for _ in 0..<2 {
            let found = reader().findInterrupted()
            #expect(found.map(\.id) == [receipt().id])
            #expect(found.first?.removedCount == 3)
        }
        #expect(open().recoverInterrupted().count == 1)
        #expect(reader().findInterrupted() == [])
    }

    /// Who has written its receipt, the purge itself or whoever found it, was killed before the slot was free.
    @Test(arguments: [Receipt.Outcome.completed, .crashed])
    func whatIsInTheLedgerIsNotFoundInTheJournalAsWell(_ outcome: Receipt.Outcome) throws {
        try crash { session in session.record(try batch(1)) }
        let reader = Ledger.open(directory: temporary.path, readOnly: true, now: { Self.time })
        let found = reader.findInterrupted()
        #expect(try reader.receipts(last: 10, with: found) == found)
        #expect(found.map(\.id) == [receipt().id])
        var written = receipt()
        written.outcome = outcome
        try open().append(written)
        #expect(reader.findInterrupted() == [])
        // Nor if it came there after it was found, however few are asked for.
        for count in [1, 10] {
            #expect(try reader.receipts(last: count, with: found) == [written])
        }
        #expect(open().recoverInterrupted() == [])
        #expect(try open().receipts(last: 10) == [written])
        // The slot is free again: eight purges find one.
        let ledger = open()
        let sessions = (0..<8).map { ledger.beginPurge(receipt("2026-11-21-\($0)")) }
        #expect(sessions.filter { $0.isJournaled }.count == 8)
    }

    @Test(.tags(.s7b)) func aRunningPurgeIsNotTakenForACrashedOne() throws {
        let session = open().beginPurge(receipt())
        session.record(try batch(1))
        #expect(open().recoverInterrupted() == [])
        #expect(
            Ledger.open(directory: temporary.path, readOnly: true, now: { Self.time })
                .findInterrupted() == [])
        _ = session.finish(receipt())
    }

    @Test func eightPurgesAtOnceAreWrittenDown() throws {
        let ledger = open()
        let sessions = (0..<8).map { ledger.beginPurge(receipt("2026-11-21-\($0)")) }
        let journaled = sessions.map(\.isJournaled)
        #expect(journaled == .init(repeating: true, count: 8))
        let ninth = ledger.beginPurge(receipt("2026-11-21-9"))
        #expect(!ninth.isJournaled)
        #expect(ninth.finish(receipt("2026-11-21-9")).notes.count == 1)
        for (number, session) in sessions.enumerated().reversed() {
            session.record(try batch(number))
            _ = session.finish(receipt("2026-11-21-\(number)"))
        }
        #expect(try ledger.receipts(last: 100).count == 9)
        #expect(ledger.beginPurge(receipt()).isJournaled)
    }

    @Test func totalsStayRightWhenTheSlotIsFull() throws {
        try crash { session in
            for number in 0..<3_000 { session.record(try batch(number)) }
            #expect(session.notes == [])
        }
        let found = try #require(open().recoverInterrupted().first)
        #expect(found.perClass == [.init(name: "cache", bytes: .megabytes(3_000), count: 9_000)])
        #expect(found.skippedCount == 3_000)
        #expect(found.removed.first?.path == "/cache/0/0")
        #expect(found.notes.contains { $0.contains("the lists are not") })
    }

    @Test func aLongReceiptFitsIntoAFullSlot() throws {
        // The receipts cannot be written: only the journal has the final one.
        let ledger = open()
        let session = ledger.beginPurge(receipt())
        for number in 0..<3_000 { session.record(try batch(number)) }
        var done = receipt()
        done.outcome = .completed
        done.removedCount = 9_000
        done.removed = (0..<1_000).map {
            .init(path: FilePath("/cache/\($0)"), bytes: ByteCount(1))
        }
        done.requester = String(repeating: "é", count: 20_000)
        #expect(session.finish(done) == done)
        #expect(try open().receipts(last: 1).first == done)
    }

    @Test func aSlotOfAnEarlierPurgeLeavesNothingBehind() throws {
        let session = open().beginPurge(receipt("2026-11-21-a"))
        for number in 0..<100 { session.record(try batch(number)) }
        _ = session.finish(receipt("2026-11-21-a"))
        try crash { _ in }
        let found = try #require(open().recoverInterrupted().first)
        #expect(found.removedCount == 0)
        #expect(found.removed == [])
    }

    @Test(.tags(.s7b)) func aJournalDamagedAnywhereIsNeverFatalAndNeverSilent() throws {
        try crash { session in
            for number in 0..<2 { session.record(try batch(number, items: 1)) }
        }
        let whole = try temporary.tree.contents(of: "journal")
        let used = try #require(whole.lastIndex { $0 != 0 }) + 1
        let directory = try StateDirectory(opening: temporary.path)
        // In debug builds a look at the whole journal takes a tenth of a second.
        for position in stride(from: 0, to: used, by: Privilege.isSoak ? 1 : 23) {
            var bytes = whole
            bytes[position] ^= 0x10
            let file = try RegularFile("journal", in: directory, .writing)
            try file.write(Array(bytes[..<used]), at: 0)
            // What was found before is not found again.
            try? directory.remove("receipts.log")
            let ledger = open()
            let found = ledger.recoverInterrupted()
            // Either the purge is reported, with what is left of its record, or the damage is.
            #expect(found.count == 1 || !ledger.notices.isEmpty, "byte \(position)")
            if let receipt = found.first {
                #expect([1, 2].contains(receipt.removedCount), "byte \(position)")
            }
            #expect(ledger.recoverInterrupted() == [])
        }
    }

    /// A name that others use too, in a directory that somebody has named.
    @Test(.tags(.s7b), arguments: [5, 1 << 20])
    func aFileThatIsNoJournalIsSetAsideWhole(length: Int) throws {
        let diary = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 23) }
        try temporary.tree.file("journal", contents: diary)
        let reader = Ledger.open(directory: temporary.path, readOnly: true, now: { Self.time })
        #expect(reader.findInterrupted() == [])
        #expect(try temporary.tree.contents(of: "journal") == diary)
        let ledger = open()
        let aside = try #require(
            temporary.tree.names().map(\.text).first { $0.hasPrefix("journal.damaged-") })
        #expect(try temporary.tree.contents(of: TreePath(stringLiteral: aside)) == diary)
        #expect(ledger.notices.contains { $0.contains("kept as \(aside)") })
        #expect(ledger.beginPurge(receipt()).isJournaled)
        #expect(open().notices == [])
    }

    /// Where it cannot be set aside there is no journal: whoever looks for purges that died frees no slot of it.
    @Test(.tags(.s7b)) func aFileThatBecameNoJournalIsNotWrittenTo() throws {
        let ledger = open()
        let diary = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        try temporary.tree.file("journal", contents: diary)
        #expect(ledger.recoverInterrupted() == [])
        #expect(ledger.notices.contains { $0.contains("is no purge journal") })
        let session = ledger.beginPurge(receipt())
        #expect(!session.isJournaled)
        #expect(session.finish(receipt()).notes.contains { $0.contains("no journal") })
        #expect(try temporary.tree.contents(of: "journal") == diary)
    }

    @Test func anEmptyFileOfTheNameBecomesTheJournal() throws {
        try temporary.tree.file("journal", text: "")
        let ledger = open()
        #expect(ledger.beginPurge(receipt()).isJournaled)
        #expect(try !temporary.tree.names().contains { $0.text.contains("damaged") })
    }

    @Test func withoutAJournalThePurgeIsKeptInMemory() throws {
        try temporary.tree.file("place", text: "in the way")
        let ledger = Ledger.open(directory: temporary.path.appending("place"))
        let session = ledger.beginPurge(receipt())
        #expect(!session.isJournaled)
        session.record(try batch(1))
        let done = session.finish(receipt())
        #expect(done.notes.contains { $0.contains("no journal") })
        #expect(try ledger.receipts(last: 1).map(\.id) == [receipt().id])
    }
}
