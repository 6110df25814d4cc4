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

struct ReceiptTests {
    private let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory(on: .memory) }

    private static let time = Timestamp(seconds: 1_795_000_000)

    private func receipt(_ id: String, started: Timestamp = time) -> Receipt {
        Receipt(id: id, started: started, requester: "test", target: "all")
    }

    private var full: Receipt {
        var receipt = receipt("2026-11-21-7f3a")
        receipt.ended = Self.time.advanced(by: .milliseconds(1_250))
        receipt.outcome = .interrupted
        receipt.expected = ByteCount(9_007_199_254_740_993)
        receipt.volumeGained = ByteCount(-1)
        receipt.differences = ["held open by \"clangd\" 4711"]
        receipt.removedCount = 2
        receipt.skippedCount = 1
        receipt.perClass = [.init(name: "cache", bytes: ByteCount(5), count: 2)]
        receipt.perArea = [.init(name: "/c", bytes: ByteCount(5), count: 2)]
        receipt.perDirectory = [.init(name: "/c/d", bytes: ByteCount(5), count: 2)]
        receipt.removed = [
            .init(path: "/c/d/ä\n", bytes: ByteCount(4)),
            .init(path: FilePath(bytes: Array("/c/d/ ".utf8) + [0xFF]), bytes: ByteCount(1)),
        ]
        receipt.skipped = [.init(path: "/c/e", reason: Reason(.inUse, "It is open."))]
        receipt.notes = ["note"]
        return receipt
    }

    private func open(limit: UInt64 = 50_000_000, at time: Timestamp = time) -> Ledger {
        Ledger.open(
            directory: temporary.path, readOnly: false, receiptLimit: limit, now: { time })
    }

    @Test func comesBackWhole() throws {
        try open().append(full)
        #expect(try open().receipts(last: 5) == [full])
    }

    @Test(.tags(.r22a)) func isALineOfJSON() {
        #expect(
            full.jsonLine() == #"""
                {"id":"2026-11-21-7f3a","kind":"purge","started":"2026-11-18T11:06:40Z",\#
                "ended":"2026-11-18T11:06:41Z","outcome":"interrupted","requester":"test",\#
                "target":"all","expectedBytes":9007199254740993,"volumeGainedBytes":-1,\#
                "differences":["held open by \"clangd\" 4711"],"removedCount":2,\#
                "emptiedDirectories":0,"skippedCount":1,\#
                "perClass":[{"name":"cache","bytes":5,"count":2}],\#
                "perArea":[{"name":"/c","bytes":5,"count":2}],\#
                "perDirectory":[{"name":"/c/d","bytes":5,"count":2}],\#
                "removed":[{"path":"/c/d/ä\n","bytes":4},\#
                {"path":"/c/d/ �","pathBytes":"/c/d/%20%FF","bytes":1}],\#
                "skipped":[{"path":"/c/e","reason":{"code":"in-use","text":"It is open."}}],\#
                "notes":["note"]}
                """#)
    }

    @Test func isFoundByTheBeginningOfItsName() throws {
        let ledger = open()
        for id in ["2026-11-21-7f3a", "2026-11-21-7f4b", "2026-11-22-aaaa"] {
            try ledger.append(receipt(id))
        }
        #expect(try ledger.receipt("7f3")?.id == "2026-11-21-7f3a")
        #expect(try ledger.receipt("2026-11-22")?.id == "2026-11-22-aaaa")
        #expect(try ledger.receipt("zzz") == nil)
        let error = #expect(throws: HeadroomError.self) { try ledger.receipt("7f") }
        #expect(error?.code == .invalid)
        #expect(try ledger.receipts(last: 2).map(\.id) == ["2026-11-21-7f4b", "2026-11-22-aaaa"])
    }

    @Test(.tags(.r22c)) func goesAfterAYear() throws {
        let day = Duration.seconds(86_400)
        for number in 0..<500 {
            let now = Self.time.advanced(by: day * number)
            try open(at: now).append(receipt("id-\(number)", started: now))
        }
        let now = Self.time.advanced(by: day * 499)
        let ids = try open(at: now).receipts(last: 1_000).map(\.id)
        #expect(ids == (134..<500).map { "id-\($0)" })
        // On disk at most a month more.
        let size = try temporary.tree.status(of: "receipts.log").logicalSize
        let one = LogFrame.headerSize + 110
        #expect(size.bytes < Int64(400 * one))
    }

    @Test(.tags(.r22c)) func staysWithinItsBytes() throws {
        let ledger = open(limit: 100_000)
        for number in 0..<200 {
            var receipt = receipt("id-\(number)")
            receipt.notes = [String(repeating: "x", count: 2_000)]
            try ledger.append(receipt)
            #expect(try temporary.tree.status(of: "receipts.log").logicalSize.bytes <= 100_000)
        }
        let kept = try ledger.receipts(last: 1_000)
        #expect(kept.last?.id == "id-199")
        #expect((30..<50).contains(kept.count))
        #expect(kept.map(\.id) == (200 - kept.count..<200).map { "id-\($0)" })
    }

    @Test(.tags(.r22c)) func listsAreBounded() throws {
        var receipt = full
        let path = FilePath("/" + String(repeating: "p", count: 3_000))
        receipt.removed = .init(repeating: .init(path: path, bytes: .zero), count: 1_500)
        receipt.skipped = .init(
            repeating: .init(path: path, reason: Reason(.changed, "x")), count: 4_000)
        receipt.perDirectory = .init(
            repeating: .init(name: "/d", bytes: .zero, count: 1), count: 500)
        let ledger = open()
        try ledger.append(receipt)
        let found = try #require(try ledger.receipts(last: 1).first)
        #expect(found.removed.count == 1_000)
        #expect((1_500..<4_000).contains(found.skipped.count))
        #expect(found.perDirectory.count == 200)
        #expect(found.notes.count == 2)
        #expect(found.removedCount == 2)
    }

    @Test func aDamagedOneIsLeftOutAndReported() throws {
        let ledger = open()
        for number in 0..<3 { try ledger.append(receipt("id-\(number)")) }
        var bytes = try temporary.tree.contents(of: "receipts.log")
        bytes[LogHeader.size + LogFrame.headerSize + 8] ^= 1
        try temporary.tree.file("receipts.log", contents: bytes)
        let next = open()
        #expect(try next.receipts(last: 5).map(\.id) == ["id-1", "id-2"])
        #expect(next.notices.count == 1)
    }
}
