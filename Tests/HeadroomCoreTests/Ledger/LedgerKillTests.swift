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

/// A process that is killed costs what it was just writing, and nothing that was acknowledged.
@Suite(
    "R9: kill -9 at each step of the ledger's log",
    .enabled(if: BuiltProgram.path("PurgeDriver") != nil, "needs the program PurgeDriver"))
struct LedgerKillTests {
    private let temporary: TemporaryDirectory
    private let path: FilePath

    init() throws {
        temporary = try TemporaryDirectory(on: .memory)
        path = temporary.path.appending("state")
    }

    private static let files = 8

    /// Writes marks in a process of their own.
    private func run(from first: Int, count: Int, death: String) throws -> ChildResult {
        try ChildProcess.run(
            try #require(BuiltProgram.path("PurgeDriver")),
            ["ledger", path.string, "\(first)", "\(count)", death])
    }

    private func open(readOnly: Bool = false) -> Ledger {
        Ledger.open(directory: path, readOnly: readOnly, now: { Timestamp.wallClock() })
    }

    private func names() throws -> [String] { try temporary.tree.names(in: "state").map(\.text) }

    /// The number of the last mark that is kept of each file.
    private func numbers(in ledger: Ledger) -> [UInt64: Int] {
        var numbers: [UInt64: Int] = [:]
        for marked in ledger.markedFiles {
            numbers[marked.key.inode] = marked.path.components.first.flatMap { Int($0.string) }
        }
        return numbers
    }

    /// - Parameter last: the number of the last mark that was acknowledged; -1 for none.
    private func check(_ ledger: Ledger, upTo last: Int, _ what: String) {
        let numbers = numbers(in: ledger)
        for number in max(0, last - Self.files + 1)..<last + 1 {
            let found = numbers[UInt64(number % Self.files)] ?? -1
            // The one that nobody was told of may be there.
            #expect(found == number || found == last + 1, "\(what): \(number)")
        }
        #expect(numbers.values.allSatisfy { $0 <= last + 1 }, "\(what)")
    }

    /// Only a damaged log is set aside.
    @Test(.tags(.r9f), arguments: LogStep.allCases.filter { $0 != .setAside })
    func whatWasAcknowledgedIsThere(step: LogStep) throws {
        var last = -1
        var kills = 0
        for count in [1, 3] {
            let result = try run(
                from: last + 1, count: 250, death: "\(step.rawValue):\(count)")
            if result.signal == 9 { kills += 1 }
            #expect(result.signal == 9 || result.succeeded, "\(result)")
            last = result.output.split(separator: "\n").compactMap { Int($0) }.last ?? last
            let ledger = open(readOnly: true)
            #expect(ledger.notices == [], "\(step):\(count)")
            check(ledger, upTo: last, "\(step):\(count)")
        }
        #expect(kills > 0, "\(step) was not reached")
        // What it left is of no harm, and goes with the next compaction.
        let result = try run(from: last + 1, count: 150, death: "none")
        #expect(result.succeeded, "\(result)")
        let ledger = open()
        #expect(ledger.notices == [])
        #expect(ledger.rebuiltAt == nil)
        check(ledger, upTo: last + 150, "\(step)")
        #expect(try !names().contains("ledger.log.new"))
    }

    @Test(
        .tags(.r9f),
        arguments: [
            LogStep.snapshotMade, .snapshotWritten, .setAside, .renamed, .nameSynchronized,
        ])
    func aDamagedOneIsSetAsideOrStillThere(step: LogStep) throws {
        let last = 3 * Self.files - 1
        #expect(try run(from: 0, count: last + 1, death: "none").succeeded)
        // The first of its file, of which there are later ones: nothing is lost with it.
        var bytes = try temporary.tree.contents(of: "state/ledger.log")
        bytes[LogHeader.size + LogFrame.headerSize + 2] ^= 4
        try temporary.tree.file("state/ledger.log", contents: bytes)
        let result = try run(from: 0, count: 0, death: "\(step.rawValue):1")
        #expect(result.signal == 9, "\(result)")
        let ledger = open()
        #expect(ledger.isPersistent)
        // Loudly: what was protected by it alone is left alone.
        #expect(ledger.rebuiltAt != nil)
        check(ledger, upTo: last, "\(step)")
        let kept = try names().filter { $0.hasPrefix("ledger.damaged-") }
        #expect(!kept.isEmpty)
        for name in kept {
            #expect(try temporary.tree.contents(of: TreePath("state/\(name)")) == bytes)
        }
        #expect(try !names().contains("ledger.log.new"))
        let next = open()
        #expect(next.notices == [])
        #expect(next.rebuiltAt != nil)
        check(next, upTo: last, "\(step), the next")
    }
}
