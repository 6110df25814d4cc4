//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// A purge that is killed at any of its steps leaves nothing half gone under its own name, and the
/// next one finishes it.
@Suite(.enabled(if: PurgeDriverProgram.path != nil, "needs the program PurgeDriver"))
struct CrashTests {
    let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws { fixture = try PurgeFixture() }

    private func kill(at step: PurgeStep, count: Int = 1, unit: PurgeUnit) throws -> ChildResult {
        try ChildProcess.run(
            try #require(PurgeDriverProgram.path),
            [
                fixture.root.string, unit == .entry ? "entry" : "file",
                "\(step.rawValue):\(count)", fixture.base.path.appending("book").string,
            ])
    }

    private func fill() throws {
        for unit in ["one", "two"] {
            try tree.files(10, in: "\(unit)/sub")
            try tree.files(10, in: "\(unit)/other/deep")
        }
        for index in 0..<4 { try tree.file("single\(index)", text: "x") }
        for sidecar in ["", "-wal", "-shm"] { try tree.file("d.db\(sidecar)", text: "x") }
    }

    /// What may be seen after a crash: units whole or not at all, no database without sidecars that
    /// it needs.
    private func check() throws {
        for unit in ["one", "two"] where tree.exists("\(unit)") {
            #expect(try tree.names(in: "\(unit)/sub").count == 10)
            #expect(try tree.names(in: "\(unit)/other/deep").count == 10)
        }
        if tree.exists("d.db") {
            #expect(tree.exists("d.db-wal"))
            #expect(tree.exists("d.db-shm"))
        }
    }

    @Test(.tags(.s6d, .s7c), arguments: PurgeStep.allCases, [1, 2])
    func killedInAnAreaOfUnits(step: PurgeStep, count: Int) throws {
        try fill()
        let result = try kill(at: step, count: count, unit: .entry)
        #expect(result.signal == 9 || result.succeeded, "\(result.output)")
        try check()
        try finish(unit: .entry)
    }

    @Test(arguments: PurgeStep.allCases)
    func killedInAnAreaOfFiles(step: PurgeStep) throws {
        try tree.files(10, in: "a/b")
        for sidecar in ["", "-wal", "-shm"] { try tree.file("d.db\(sidecar)", text: "x") }
        let result = try kill(at: step, unit: .file)
        #expect(result.signal == 9 || result.succeeded, "\(result.output)")
        try check()
        try finish(unit: .file)
    }

    /// The next scan shows no leftover as an item, the next plan names it, the next purge ends it.
    private func finish(unit: PurgeUnit) throws {
        let plan = try fixture.plan(unit: unit)
        let leftovers = try tree.names().filter { $0.text.hasPrefix(ReservedName.prefix) }
        #expect(plan.count { $0.unit == .leftover } == leftovers.count)
        for entry in plan where entry.unit == .leftover {
            #expect(entry.reason.code == .interruptedPurge)
        }
        #expect(
            plan.allSatisfy {
                $0.unit == .leftover || !$0.path.string.contains(ReservedName.prefix)
            })
        let receipt = try Purger.purge(plan, options: fixture.options(unit: unit))
        #expect(receipt.skipped == [], "\(receipt.skipped)")
        #expect(try tree.names() == [])
        #expect(try fixture.canariesAreUntouched())
    }

    @Test(.tags(.s6d)) func aStepOfEachKindIsReallyReached() throws {
        let steps: [PurgeStep] = [
            .started, .willUnlink, .unlinked, .willRemoveMain, .mainRemoved, .sidecarRemoved,
            .willRenameUnit, .unitRenamed, .unitHalfEmptied, .unitEmptied, .unitRemoved, .finished,
        ]
        for step in steps {
            try fill()
            #expect(try kill(at: step, unit: .entry).signal == 9, "\(step)")
        }
    }

    @Test func leftoversGoWithAnyTargetThatMaySpendTheirClass() throws {
        try tree.file(".headroom-going-2026-11-21-abc-1/sub/a", size: ByteCount(10_000))
        try tree.file("keep", text: "x")
        let old: [Target] = [.olderThan(.seconds(1_000_000), by: .used)]
        let plan = try fixture.plan(.cache, targets: old)
        #expect(plan.map(\.unit) == [.leftover])
        #expect(try fixture.plan(.essential, targets: old).isEmpty)
        let receipt = try Purger.purge(plan, options: fixture.options(.cache))
        #expect(receipt.removedCount == 1)
        #expect(try tree.names().map(\.text) == ["keep"])
    }

    @Test func aLeftoverInUseStays() throws {
        try tree.file(".headroom-going-x-1/a", text: "x")
        try tree.file("b", text: "x")
        let holder = try Holder.shell(
            "exec 9<\(fixture.root)/.headroom-going-x-1/a; echo ready; exec sleep 1000")
        let receipt = try fixture.purge()
        #expect(receipt.reason(".headroom-going-x-1") == .inUse)
        #expect(try tree.names().count == 1)
        withExtendedLifetime(holder) {}
    }

    @Test(.enabled(if: Privilege.isRoot, "needs root to make files of others"))
    func aDirectoryOfOthersWithAReservedNameInASharedOneIsNoLeftover() throws {
        try tree.file(".headroom-going-x-1/a", text: "x")
        let result = try ChildProcess.run(
            "sh",
            [
                "-c",
                "chown -R 12345 \(fixture.root)/.headroom-going-x-1; chmod 1777 \(fixture.root)",
            ])
        #expect(result.succeeded)
        try fixture.purge()
        #expect(tree.exists(".headroom-going-x-1/a"))
    }
}
#endif
