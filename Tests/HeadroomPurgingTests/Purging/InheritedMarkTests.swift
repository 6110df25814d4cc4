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

/// A purge takes of nested marks what its plan took: found by the model of record 0043, which saw plans
/// that no purge carried out.
struct InheritedMarkTests {
    private let fixture: PurgeFixture
    private let marks = MarkStore(calls: NativeCalls.make(), ledger: MemoryMarkLedger())
    private var tree: Tree { fixture.tree }

    init() throws { fixture = try PurgeFixture() }

    private func mark(_ path: TreePath, _ mark: Mark) throws {
        try marks.update(tree.path(path)) { $0 = mark }
    }

    @Test(.tags(.r9a)) func aFileWhosePinIsLiftedGoesFromAPinnedDirectory() throws {
        try tree.file("d/lifted", text: "x")
        try tree.file("d/kept", text: "x")
        try tree.file("d/open/inner", text: "x")
        try mark("d", Mark(isPinned: true))
        try mark("d/lifted", Mark(isPinned: false))
        try mark("d/open", Mark(isPinned: false))
        let receipt = try fixture.purge()
        #expect(receipt.skipped.isEmpty)
        #expect(!tree.exists("d/lifted") && !tree.exists("d/open/inner"))
        #expect(tree.exists("d/kept"))
    }

    @Test(arguments: [PurgeUnit.file, .entry])
    func whatIsLiftedGoesFromAPinnedArea(unit: PurgeUnit) throws {
        try tree.file("lifted/inner", text: "x")
        try tree.file("kept/inner", text: "x")
        try mark("", Mark(isPinned: true))
        try mark("lifted", Mark(isPinned: false))
        try fixture.purge(unit: unit)
        #expect(!tree.exists("lifted/inner"))
        #expect(tree.exists("kept/inner"))
    }

    @Test(arguments: ["", "d", "d/a"] as [TreePath])
    func aPinPutSinceThePlanKeepsWhatIsInIt(place: TreePath) throws {
        try tree.file("d/a", text: "x")
        let receipt = try fixture.purge { try mark(place, Mark(isPinned: true)) }
        #expect(tree.exists("d/a"))
        #expect(receipt.reason("d/a") == (place == "d/a" ? .changed : .pinned))
    }

    @Test func aPinThatIsNotLiftedAnyMoreKeepsIt() throws {
        try tree.file("d/e/a", text: "x")
        try mark("d", Mark(isPinned: true))
        try mark("d/e", Mark(isPinned: false))
        let receipt = try fixture.purge { try marks.clear(tree.path("d/e")) }
        #expect(tree.exists("d/e/a"))
        #expect(receipt.reason("d/e/a") == .pinned)
    }

    @Test(.tags(.r15d)) func aSidecarIsWhatItsDatabaseIs() throws {
        try tree.file("d/b.db", text: "SQLite format 3\0")
        try tree.file("d/b.db-wal", contents: [0x37, 0x7F, 0x06, 0x82])
        try mark("d", Mark(purgeClass: .lastResort, isPinned: true))
        try mark("d/b.db", Mark(purgeClass: .cache, isPinned: false))
        let receipt = try fixture.purge()
        #expect(receipt.perClass.map(\.name) == ["cache"])
        #expect(receipt.removedCount == 1)
        #expect(!tree.exists("d/b.db") && !tree.exists("d/b.db-wal"))
    }

    /// The same marks, and nothing in the files that makes a database of them.
    @Test(.tags(.s1d)) func aFileThatIsCalledLikeASidecarIsWhatItsDirectoryIs() throws {
        for name in ["b", "b-wal", "c", "c-journal"] { try tree.file("d/\(name)", text: "x") }
        try mark("d", Mark(purgeClass: .lastResort))
        try mark("d/b", Mark(purgeClass: .cache, isPinned: false))
        try mark("d/c", Mark(purgeClass: .cache))
        try mark("d/c-journal", Mark(isPinned: true))
        let receipt = try fixture.purge()
        #expect(receipt.perClass.map(\.name) == ["lastResort"])
        #expect(try tree.names(in: "d").map(\.text) == ["c", "c-journal"])
        try mark("d", Mark(purgeClass: .temporary, isPinned: true))
        try mark("d/c", Mark(isPinned: false))
        try marks.clear(tree.path("d/c-journal"))
        try fixture.purge()
        #expect(try tree.names(in: "d").map(\.text) == ["c", "c-journal"])
    }

    @Test func aSidecarThatIsPinnedItselfKeepsItsDatabase() throws {
        try tree.file("b.db", text: "x")
        try tree.file("b.db-wal", text: "x")
        let receipt = try fixture.purge { try mark("b.db-wal", Mark(isPinned: true)) }
        #expect(tree.exists("b.db") && tree.exists("b.db-wal"))
        #expect(receipt.reason("b.db") == .changed)
    }
}
