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

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("S1: a name alone makes no database")
struct DatabaseContentsTests {
    private let fixture: PurgeFixture
    private let marks = MarkStore(calls: NativeCalls.make(), ledger: MemoryMarkLedger())
    private var tree: Tree { fixture.tree }

    init() throws { fixture = try PurgeFixture() }

    /// Two files that lie beside each other, by what they begin with.
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let main: [UInt8]
        let suffix: String
        let sidecar: [UInt8]
    }

    private static func pair(
        _ description: String, _ main: [UInt8], _ suffix: String, _ sidecar: [UInt8]
    ) -> Pair {
        Pair(testDescription: description, main: main, suffix: suffix, sidecar: sidecar)
    }

    private static let header = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 496)
    private static let text = Array("the only copy of my travel journal".utf8)
    /// As an encrypted database begins.
    private static let salt: [UInt8] = (0..<96).map { UInt8($0) &* 37 ^ 0x5A }
    private static let hot: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 1]
    private static let log: [UInt8] = [0x37, 0x7F, 0x06, 0x82, 0x00, 0x2D, 0xE2, 0x18]
    private static let otherLog: [UInt8] = [0x37, 0x7F, 0x06, 0x83, 0x00, 0x2D, 0xE2, 0x18]
    private static let index: [UInt8] = [0x18, 0xE2, 0x2D, 0x00, 0, 0, 0, 0]
    private static let zeros = [UInt8](repeating: 0, count: 512)

    static let databases = [
        pair("an empty journal", header, "-journal", []),
        pair("a journal that was wiped", header, "-journal", zeros),
        pair("a hot journal", header, "-journal", hot),
        pair("an empty log", header, "-wal", []),
        pair("a log", header, "-wal", log),
        pair("a log in the other order", header, "-wal", otherLog),
        pair("an index of a log", header, "-shm", index),
        pair("an encrypted database with a log", salt, "-wal", log),
        pair("an encrypted database with a hot journal", salt, "-journal", hot),
        pair("a new database with a hot journal", [], "-journal", hot),
    ]

    static let others = [
        pair("a text beside a text", text, "-journal", text),
        pair("a text called a log", text, "-wal", text),
        pair("a text called an index", text, "-shm", text),
        pair("a text beside a database", header, "-journal", text),
        pair("a text called a log beside a database", header, "-wal", text),
        pair("a text called an index beside a database", header, "-shm", text),
        pair("an index alone", text, "-shm", index),
        pair("a header cut short", Array(header.prefix(15)), "-journal", []),
        pair("two empty files", [], "-journal", []),
        pair("an encrypted database with an empty log", salt, "-wal", []),
        pair("the signature of a log in a journal", salt, "-journal", log),
    ]

    private func make(_ pair: Pair, _ purgeClass: PurgeableClass = .cache) throws {
        try tree.file("trip", contents: pair.main)
        try tree.file("trip\(pair.suffix)", contents: pair.sidecar)
        try marks.update(tree.path("trip")) { $0.purgeClass = purgeClass }
    }

    @Test(.tags(.s6e), arguments: databases)
    func aDatabaseGoesFromAnEssentialPlaceAndTheReceiptNamesEachOfItsFiles(pair: Pair) throws {
        try make(pair)
        let receipt = try fixture.purge(.essential)
        #expect(try tree.names().isEmpty)
        #expect(receipt.removedCount == 1)
        let names = receipt.removed.map { $0.path.lastComponent?.string }
        #expect(names == ["trip", "trip\(pair.suffix)"])
        #expect(receipt.removed.map(\.bytes).reduce(.zero, +) == receipt.expected)
    }

    @Test(.tags(.s1d), arguments: others, [PurgeableClass.cache, .lastResort])
    func whatIsNoDatabaseStaysWhole(pair: Pair, purgeClass: PurgeableClass) throws {
        try make(pair, purgeClass)
        let plan = try fixture.plan(.essential)
        #expect(plan.isEmpty)
        #expect(plan.kept.byReason[.essential]?.count == 2)
        let receipt = try fixture.purge(.essential)
        #expect(receipt.removedCount == 0)
        #expect(try tree.contents(of: "trip") == pair.main)
        #expect(try tree.contents(of: "trip\(pair.suffix)") == pair.sidecar)
    }

    @Test(.tags(.s1d), arguments: others)
    func aPurgeReadsForItself(pair: Pair) throws {
        try make(pair)
        var options = ScanOptions(now: PurgeFixture.now)
        options.markSource = LedgerMarkSource(calls: NativeCalls.make(), recorded: [])
        let inventory = try Scanner.scan(
            [ScanRoot(path: fixture.root)], areas: [fixture.area(.essential)], options: options)
        let main = try #require(inventory.item(at: tree.path("trip"))?.number)
        // A plan that takes the name's word.
        let plan = Planner.plan(
            inventory.with(databases: [main]),
            PlanRequest(targets: [.all], through: .lastResort, now: PurgeFixture.now))
        #expect(plan.count == 1)
        let receipt = try Purger.purge(plan, options: fixture.options(.essential))
        #expect(receipt.reason("trip") == .changed)
        #expect(try tree.names().count == 2)
    }

    /// Whether they are one does not matter then.
    @Test func whereEachMayGoByItselfBothGo() throws {
        try tree.file("trip", text: "a film")
        try tree.file("trip-journal", text: "a log")
        try marks.update(tree.path("trip")) { $0.purgeClass = .cache }
        try marks.update(tree.path("trip-journal")) { $0.purgeClass = .cache }
        #expect(try fixture.plan(.essential).map(\.unit) == [.fileSet])
        try fixture.purge(.essential)
        #expect(try tree.names().isEmpty)
    }

    @Test(.tags(.s1d)) func aLookAtWhatAFileBeginsWithIsNoUse() throws {
        let pair = try #require(Self.databases.first { $0.sidecar == Self.log })
        try make(pair)
        let before = Timestamp(seconds: 1_000_000)
        for name in ["trip", "trip-wal"] {
            try tree.setTimes(of: TreePath(name), accessed: before, modified: Timestamp.wallClock())
        }
        #expect(try fixture.plan(.essential).count == 1)
        #expect(try tree.status(of: "trip").accessed == before)
        #expect(try tree.status(of: "trip-wal").accessed == before)
    }

    @Test(.tags(.s1d), .enabled(if: Privilege.has(program: "python3"), "needs python3"))
    func whatSomebodyHasALeaseOnIsNotRead() throws {
        let pair = try #require(Self.databases.first { $0.sidecar == Self.hot })
        try make(pair)
        #expect(try fixture.plan(.essential).count == 1)
        let holder = try Holder.python(
            """
            f=os.open('\(tree.path("trip"))',os.O_RDWR)
            fcntl.fcntl(f,fcntl.F_SETLEASE,fcntl.F_WRLCK)
            """)
        #expect(try fixture.plan(.essential).isEmpty)
        holder.send(SIGTERM)
        // Ended by our signal, not by the one that breaks its lease.
        #expect(try holder.wait().signal == SIGTERM)
    }
}
