//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// System calls and allocations for each file scanned and purged, value put and got, and save: the figures
/// of Documentation/Design/0044-call-budgets.md. A change that makes one larger has to say why there.
@Suite(
    .serialized,
    .enabled(if: TracedCalls.isPossible, "needs strace, the right to use it, and BudgetDriver"))
struct CallBudgetTests {
    private let base: TemporaryDirectory

    init() throws { base = try TemporaryDirectory(on: .memory) }

    /// Compares each budget with what one more thing costs.
    private func check(
        _ first: TracedCalls, _ second: TracedCalls, things: Int, _ budgets: [CallBudget],
        _ location: SourceLocation = #_sourceLocation
    ) {
        let excess = excess(first, second, things: things, budgets)
        #expect(excess.isEmpty, sourceLocation: location)
    }

    /// What costs more than it may.
    private func excess(
        _ first: TracedCalls, _ second: TracedCalls, things: Int, _ budgets: [CallBudget]
    ) -> [String] {
        budgets.compactMap { budget in
            let cost = budget.cost(first, second, things: things)
            return cost <= budget.most
                ? nil : "\(budget.name): \(cost) for each, and \(budget.most) are allowed"
        }
    }

    private func path(_ name: String) -> FilePath { base.path.appending(name) }

    /// - Returns: the path of a tree.
    private func makeTree(_ name: String, directories: Int, files: Int) throws -> FilePath {
        for number in 0..<directories {
            try base.tree.files(files, in: "\(name)/d\(number)", size: ByteCount(10))
        }
        return path(name)
    }

    @Test(.tags(.r14g)) func aFileScanned() throws {
        let few = try TracedCalls.run("scan", makeTree("few", directories: 4, files: 100))
        let many = try TracedCalls.run("scan", makeTree("many", directories: 4, files: 1_100))
        #expect(many.figures["items"] == 4_400)
        check(
            few, many, things: 4_000,
            [
                .status(1), .open(0), .attributes(0), .list(0.003), .all(1.25),
                .allocations(1.5),
            ])
    }

    @Test func aDirectoryScanned() throws {
        let few = try TracedCalls.run("scan", makeTree("few", directories: 10, files: 1))
        let many = try TracedCalls.run("scan", makeTree("many", directories: 510, files: 1))
        check(
            few, many, things: 500,
            [
                // One of the status is its file's. The end of a directory is told by an empty listing.
                .status(2), .open(1), .attributes(1), .list(2), .all(7.5), .allocations(12),
            ])
    }

    @Test func aFilePurged() throws {
        let budgets: [CallBudget] = [
            // One is the scan's.
            .status(2).onFiles, .calls("unlinkat", 1).onFiles, .open(0).onFiles,
            .attributes(1), .allocations(24),
        ]
        var excess: [String] = []
        // Who is slow ends a batch each second, and looks at `/proc` then: one of three counts.
        for _ in 0..<3 {
            // More than the thousand whose paths the receipt has.
            let few = try TracedCalls.run("purge", makeTree("few", directories: 2, files: 600))
            let many = try TracedCalls.run("purge", makeTree("many", directories: 2, files: 1_600))
            #expect(many.figures["removed"] == 3_200)
            #expect(try base.tree.names(in: "many").isEmpty)
            excess = self.excess(few, many, things: 2_000, budgets)
            if excess.isEmpty { break }
        }
        #expect(excess.isEmpty)
    }

    @Test func aSmallValuePut() throws {
        try cost(of: "put", bytes: 1_000, count: 500, [.all(2.25), .allocations(72.5)])
    }

    @Test func aLargeValuePut() throws {
        try cost(of: "put", bytes: 100_000, count: 100, [.all(4.5), .allocations(87.5)])
    }

    @Test func aSmallValueGot() throws {
        for store in ["few", "many"] {
            try TracedCalls.prepare("put", path(store), count: 510, bytes: 1_000)
        }
        try cost(of: "get", bytes: 1_000, count: 500, [.all(1.25), .allocations(2.5)])
    }

    @Test func aLargeValueGot() throws {
        for store in ["few", "many"] {
            try TracedCalls.prepare("put", path(store), count: 110, bytes: 100_000)
        }
        try cost(of: "get", bytes: 100_000, count: 100, [.all(3.5), .allocations(5.5)])
    }

    /// "Every few hundred puts", whether they are told one by one or together, and however large they are.
    @Test(arguments: [("put-shared", 1_000, 1_030, 8), ("put-batched", 100_000, 310, 257)])
    func putsAreSynchronizedInBatches(
        _ work: String, _ bytes: Int, _ count: Int, atLeast wanted: Int
    ) throws {
        let few = try TracedCalls.run(work, path("few"), count: 10, bytes: bytes)
        let many = try TracedCalls.run(work, path("many"), count: count, bytes: bytes)
        let calls = many.count(["fdatasync"]) - few.count(["fdatasync"])
        #expect(calls >= wanted && calls <= 2 * wanted)
    }

    /// Where it stands has to be known when the power is back: its session and its segment in the log, before itself.
    @Test func aDurablePutIsFoundAfterAPowerCut() throws {
        let put = try TracedCalls.run("put-full", path("store"), count: 1, bytes: 1_000)
        #expect(put.count(["fdatasync"]) >= 4)
        let more = try TracedCalls.run("put-full", path("more"), count: 11, bytes: 1_000)
        #expect(more.count(["fdatasync"]) - put.count(["fdatasync"]) == 10)
    }

    /// What has promised the disk is not taken from there before its copy is there.
    @Test func whatACompactionMovesIsOnDisk() throws {
        try TracedCalls.prepare("put", path("store"), count: 9_000, bytes: 1_000)
        try TracedCalls.prepare("thin", path("store"), count: 9_000, bytes: 0)
        let compaction = try TracedCalls.run("compact", path("store"))
        #expect(compaction.figures["moved"].map { $0 > 1_000 } == true)
        // The segment that they went to, the log, and the directory.
        #expect(compaction.count(["fdatasync"]) >= 2)
    }

    /// Nor by somebody else who does not ask for the disk himself; where nobody ever has, nothing waits for it.
    @Test(arguments: ["put", "put-batched"])
    func whatSomebodyElseMovesIsOnDisk(_ work: String) throws {
        try TracedCalls.prepare(work, path("store"), count: 9_000, bytes: 1_000)
        try TracedCalls.prepare("thin", path("store"), count: 9_000, bytes: 0)
        let shrinking = try TracedCalls.run("shrink", path("store"))
        #expect(shrinking.figures["moved"].map { $0 > 0 } == true)
        let calls = shrinking.count(["fdatasync"])
        #expect(work == "put" ? calls == 0 : calls >= 2)
    }

    // A thousand each, because some calls are made every 20 ms. On a busy machine they add a quarter of a call to each
    // save.

    @Test func aSave() throws {
        for home in ["few", "many"] { try base.tree.directory("\(home)/tmp") }
        try cost(of: "save", bytes: 1_000, count: 1_000, [.all(4.5), .allocations(50)])
    }

    @Test func aSaveInADirectory() throws {
        for home in ["few", "many"] { try base.tree.directory("\(home)/tmp") }
        // One more: the mount that it is on.
        try cost(of: "save-below", bytes: 1_000, count: 1_000, [.all(5.5), .allocations(74)])
    }

    @Test func aSaveOverAnother() throws {
        for home in ["few", "many"] {
            try base.tree.directory("\(home)/tmp")
            try TracedCalls.prepare("save", path(home), count: 1_010, bytes: 1_000)
        }
        try cost(of: "save", bytes: 1_000, count: 1_000, [.all(6.5), .allocations(50)])
    }

    @Test func aSaveOverAnotherInADirectory() throws {
        for home in ["few", "many"] {
            try base.tree.directory("\(home)/tmp")
            try TracedCalls.prepare("save-below", path(home), count: 1_010, bytes: 1_000)
        }
        // No more: what is replaced tells the mount with the rest.
        try cost(of: "save-below", bytes: 1_000, count: 1_000, [.all(6.5), .allocations(74)])
    }

    /// As many calls as it takes to save and sync, the directory opened once; over another two to look at that, which
    /// tells the mount as well.
    @Test(arguments: [false, true])
    func aSyncedSaveInADirectory(isOverAnother: Bool) throws {
        for home in ["few", "many"] {
            try base.tree.directory("\(home)/tmp")
            guard isOverAnother else { continue }
            try TracedCalls.prepare("save-below", path(home), count: 1_010, bytes: 1_000)
        }
        try cost(
            of: "save-below-full", bytes: 1_000, count: 1_000,
            [.all(isOverAnother ? 10.75 : 9.75), .open(2.25), .allocations(74)])
    }

    /// What one more costs, after ten.
    private func cost(
        of work: String, bytes: Int, count: Int, _ budgets: [CallBudget],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let few = try TracedCalls.run(work, path("few"), count: 10, bytes: bytes)
        let many = try TracedCalls.run(work, path("many"), count: 10 + count, bytes: bytes)
        if work == "get" { #expect(many.figures["found"] == 10 + count, sourceLocation: location) }
        check(few, many, things: count, budgets, location)
    }
}
#endif
