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

/// A directory for records may be one in which somebody has files of the names that Headroom uses.
@Suite("R29: what is not ours in the directory of records")
struct ForeignStateTests {
    private let directory: TemporaryDirectory
    private var tree: Tree { directory.tree }

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    private func path(_ name: String) -> TreePath { TreePath(stringLiteral: "state/\(name)") }

    private func names() throws -> [String] { try tree.names(in: "state").map(\.text).sorted() }

    private func open(receiptLimit: UInt64 = 50_000_000) -> Ledger {
        Ledger.open(
            directory: directory.path.appending("state"), readOnly: false,
            receiptLimit: receiptLimit, now: Timestamp.now)
    }

    /// The files of a new ledger.
    private static let own = ["journal", "ledger.log", "receipts.log", "reservations"]

    /// Where the text of a file stands now.
    private func places(of text: String) throws -> [String] {
        try names().filter { try tree.contents(of: path($0)) == Array(text.utf8) }
    }

    @Test(.tags(.s7b), arguments: ["journal.new", "ledger.log.new", "receipts.log.new"])
    func aNameThatIsUsedForAMomentIsLeftToWhoHasIt(name: String) throws {
        try tree.file(path(name), text: "my \(name)\n")
        let ledger = open()
        #expect(ledger.notices == [])
        #expect(try places(of: "my \(name)\n") == [name])
        #expect(try names() == ([name] + Self.own).sorted())
    }

    @Test(.tags(.s7b), arguments: ["journal", "ledger.log", "receipts.log", "registrations.log"])
    func whatHasTheNameOfARecordIsKeptBesideIt(name: String) throws {
        let text = "my \(name), which is longer than the header of a log\n"
        try tree.file(path(name), text: text)
        let ledger = open(receiptLimit: 4_096)
        try ledger.register(
            Area(root: directory.path.appending("x"), purgeClass: .cache, origin: "test"))
        #expect(ledger.notices.contains { $0.contains(".damaged-") }, "\(ledger.notices)")
        let kept = try places(of: text)
        #expect(kept.count == 1 && kept.first?.contains(".damaged-") == true, "\(kept)")
        // Only once, though it is opened and shortened again.
        #expect(open(receiptLimit: 4_096).notices.allSatisfy { !$0.contains(".damaged-") })
        #expect(try places(of: text) == kept)
        #expect(try names().count == 6)
    }

    /// What a process that died has left goes, or it would be there for ever.
    @Test(arguments: [0, 16, 100_000])
    func whatIsBlankIsALeftover(size: Int) throws {
        for name in ["journal.new", "ledger.log.new", "receipts.log.new"] {
            try tree.file(path(name), contents: Array(repeating: 0, count: size))
        }
        #expect(open().notices == [])
        #expect(try names() == Self.own)
    }

    /// Of a compaction that was cut off: whole, or without the header, which is written last.
    @Test(arguments: [false, true])
    func aLogThatWasNotRenamedIsALeftover(hasHeader: Bool) throws {
        let area = Area(root: directory.path.appending("x"), purgeClass: .cache, origin: "test")
        try open().register(area)
        var bytes = try tree.contents(of: path("ledger.log"))
        try #require(bytes.count > 64)
        if !hasHeader { for index in 0..<32 { bytes[index] = 0 } }
        try tree.remove(path("ledger.log"))
        try tree.file(path("ledger.log.new"), contents: bytes)
        _ = open()
        #expect(try !names().contains { $0.hasSuffix(".new") })
    }

    /// Images of volumes begin with a gap, too.
    @Test func whatBeginsWithAShortGapIsNone() throws {
        let image = Array(repeating: UInt8(0), count: 32_769) + Array("CD001".utf8)
        try tree.file(path("ledger.log.new"), contents: image)
        _ = open()
        #expect(try tree.contents(of: path("ledger.log.new")) == image)
    }
}
