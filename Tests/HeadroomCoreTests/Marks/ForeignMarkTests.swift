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

#if os(Linux)
import Glibc

private typealias SystemCalls = LinuxCalls

/// Marks of other users in a purge by root.
@Suite(.enabled(if: Privilege.isRoot, "needs root, and files of other users"))
struct ForeignMarkTests {
    private static let attacker: UInt32 = 12_345
    private static let victim: UInt32 = 12_346
    private let directory: TemporaryDirectory
    private var tree: Tree { directory.tree }
    /// Sets marks as another user would: in the attribute, and not in root's ledger.
    private let others = MarkStore(calls: SystemCalls(), ledger: MemoryMarkLedger())

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        for name in ["home/Documents", "jobs/proj"] as [TreePath] { try tree.directory(name) }
    }

    private func workspace(_ areas: [Area]) -> Workspace {
        Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"),
            // Recent use keeps nothing.
            clock: { Timestamp.now().advanced(by: .seconds(40 * 86_400)) }
        ).declaring(areas)
    }

    private func area(_ name: String, _ purgeClass: PurgeClass) -> Area {
        Area(root: directory.path.appending(name), purgeClass: purgeClass, origin: "test")
    }

    private func file(_ path: TreePath, owner: UInt32) throws {
        try tree.file(path, size: .kilobytes(8))
        try give(path, to: owner)
    }

    private func give(_ path: TreePath, to owner: UInt32) throws {
        unsafe #expect(chown(tree.path(path).string, owner, owner) == 0)
    }

    private func plan(_ workspace: Workspace, _ scope: Scope? = nil) throws -> Plan {
        let scope = scope ?? workspace.scope()
        return try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
    }

    private func names(_ plan: Plan) -> [String] {
        plan.filter { $0.unit == .file }.compactMap { $0.path.lastComponent?.string }.sorted()
    }

    @Test(
        "A mark on a directory that anybody can write to does not override a declaration",
        .tags(.s11b))
    func essentialDeclarationHolds() throws {
        try file("jobs/log", owner: 0)
        try tree.directory("jobs/proj/team")
        try file("jobs/proj/team/private/thesis", owner: Self.victim)
        try give("jobs/proj/team/private", to: Self.victim)
        try tree.setPermissions(0o700, of: "jobs/proj/team/private")
        try tree.setPermissions(0o777, of: "jobs/proj/team")
        try others.update(tree.path("jobs/proj/team")) { $0.purgeClass = .cache }
        let workspace = workspace([area("jobs", .cache), area("jobs/proj", .essential)])
        let plan = try plan(workspace)
        #expect(names(plan) == ["log"])
        _ = try workspace.scope().purge(plan, requester: "test")
        #expect(tree.exists("jobs/proj/team/private/thesis"))
        let thesis = tree.path("jobs/proj/team/private/thesis")
        #expect(try workspace.effectiveMark(of: thesis).purgeClass == nil)
        // Backups do not leave it out either.
        let exclusion = try workspace.backupExclusionReader(for: [thesis]).exclusion(of: thesis)
        #expect(!exclusion.isExcluded)
    }

    @Test(
        "A user's own mark does not override a declaration either", .tags(.s1a),
        arguments: [0o755, 0o777, 0o1777] as [UInt16])
    func ownMarkDoesNotOverrideDeclaration(permissions: UInt16) throws {
        try file("jobs/proj/mine/a", owner: Self.attacker)
        try give("jobs/proj/mine", to: Self.attacker)
        try tree.setPermissions(permissions, of: "jobs/proj/mine")
        try others.update(tree.path("jobs/proj/mine")) { $0.purgeClass = .temporary }
        try others.update(tree.path("jobs/proj/mine/a")) { $0.purgeClass = .temporary }
        let workspace = workspace([area("jobs", .cache), area("jobs/proj", .essential)])
        #expect(names(try plan(workspace)) == [])
    }

    @Test("Root's marks count in declared areas, also for other users' files")
    func rootsMarksCount() throws {
        try file("jobs/proj/old/a", owner: Self.victim)
        try give("jobs/proj/old", to: Self.victim)
        let workspace = workspace([area("jobs", .cache), area("jobs/proj", .essential)])
        try workspace.mark(tree.path("jobs/proj/old")) { $0.purgeClass = .lastResort }
        #expect(names(try plan(workspace)) == ["a"])
        _ = try workspace.scope().purge(try plan(workspace), requester: "test")
        #expect(!tree.exists("jobs/proj/old/a"))
    }

    @Test("A user's mark permits to purge that user's files alone", .tags(.s1a))
    func grantsOwnFilesAlone() throws {
        let marked: TreePath = "jobs/marked"
        try file(marked / "mine", owner: Self.attacker)
        try file(marked / "theirs", owner: Self.victim)
        try file(marked / "shared", owner: Self.attacker)
        try file(marked / "their/file", owner: Self.victim)
        try file(marked / "my/file2", owner: Self.attacker)
        try file(marked / "open/file3", owner: Self.attacker)
        for name in ["", "my", "open"] { try give(marked / TreePath(name), to: Self.attacker) }
        try give(marked / "their", to: Self.victim)
        try tree.setPermissions(0o666, of: marked / "shared")
        try tree.setPermissions(0o777, of: marked / "open")
        try others.update(tree.path(marked)) { $0.purgeClass = .cache }
        let workspace = workspace([area("jobs", .lastResort)])
        let plan = try plan(workspace)
        var classes: [String: PlannedClass] = [:]
        for item in plan where item.unit == .file {
            classes[item.path.lastComponent?.string ?? ""] = item.purgeClass
        }
        #expect(
            classes == [
                "mine": .cache, "file2": .cache, "theirs": .lastResort, "shared": .lastResort,
                "file": .lastResort, "file3": .lastResort,
            ])
        let receipt = try workspace.scope().purge(plan, requester: "test")
        #expect(receipt.skipped == [])
    }

    @Test("A mark that protects more than the area counts, no matter which user set it")
    func protectiveMarksCount() throws {
        try file("jobs/later/a", owner: Self.victim)
        try file("jobs/pinned/b", owner: Self.victim)
        try file("jobs/plain/c", owner: Self.victim)
        for name in ["jobs/later", "jobs/pinned"] as [TreePath] {
            try give(name, to: Self.attacker)
            try tree.setPermissions(0o777, of: name)
        }
        try others.update(tree.path("jobs/later")) { $0.purgeClass = .lastResort }
        try others.update(tree.path("jobs/pinned")) { $0.isPinned = true }
        let workspace = workspace([area("jobs", .temporary)])
        let scope = workspace.scope()
        let inventory = try scope.scan()
        #expect(names(try scope.plan(inventory, targets: [.all], through: .cache)) == ["c"])
        #expect(
            names(try scope.plan(inventory, targets: [.all], through: .lastResort)) == ["a", "c"])
    }

    @Test("A mark of another user lifts no pin", .tags(.r9b))
    func liftsNoPin() throws {
        try file("jobs/pinned/inner/a", owner: Self.attacker)
        try give("jobs/pinned/inner", to: Self.attacker)
        let workspace = workspace([area("jobs", .cache)])
        try workspace.mark(tree.path("jobs/pinned")) { $0.isPinned = true }
        try others.update(tree.path("jobs/pinned/inner")) { $0.isPinned = false }
        try others.update(tree.path("jobs/pinned/inner/a")) { $0.isPinned = false }
        #expect(names(try plan(workspace)) == [])
        #expect(
            try workspace.effectiveMark(of: tree.path("jobs/pinned/inner/a")).isPinned == true)
    }

    @Test("A file's mark counts if its owner alone can write to it", .tags(.s11b))
    func fileMarks() throws {
        for (name, permissions) in [("mine", 0o644), ("shared", 0o664)] as [(TreePath, UInt16)] {
            try file("jobs" / name, owner: Self.attacker)
            try tree.setPermissions(permissions, of: "jobs" / name)
            try others.update(tree.path("jobs" / name)) { $0.purgeClass = .cache }
        }
        let workspace = workspace([area("jobs", .lastResort)])
        let scope = workspace.scope()
        let inventory = try scope.scan()
        #expect(names(try scope.plan(inventory, targets: [.all], through: .cache)) == ["mine"])
    }

    @Test("A live inventory judges marks as a scan does")
    func liveInventoryAgrees() throws {
        try file("jobs/marked/mine", owner: Self.attacker)
        try give("jobs/marked", to: Self.attacker)
        let live = try LiveInventory(
            roots: [ScanRoot(path: tree.path("jobs"))], areas: [area("jobs", .lastResort)]
        ) {
            var options = ScanOptions(now: .now())
            options.markSource = LedgerMarkSource(calls: SystemCalls(), recorded: [])
            return options
        }
        defer { live.close() }
        func check() throws -> [String] {
            let inventory = try live.inventory()
            var options = ScanOptions(now: .now())
            options.key = inventory.key
            options.markSource = LedgerMarkSource(calls: SystemCalls(), recorded: [])
            let fresh = try Scanner.scan(
                inventory.roots.map { ScanRoot(path: $0.path) }, areas: inventory.areas,
                options: options)
            #expect(inventory.lines() == fresh.lines())
            let now = Timestamp.now().advanced(by: .seconds(40 * 86_400))
            return names(
                Planner.plan(
                    inventory, PlanRequest(targets: [.all], through: .cache, now: now)))
        }
        #expect(try check() == [])
        try others.update(tree.path("jobs/marked")) { $0.purgeClass = .cache }
        #expect(try check() == ["mine"])
        try file("jobs/marked/theirs", owner: Self.victim)
        #expect(try check() == ["mine"])
        try file("jobs/marked/below/mine2", owner: Self.attacker)
        try give("jobs/marked/below", to: Self.attacker)
        #expect(try check() == ["mine", "mine2"])
        try give("jobs/marked", to: Self.victim)
        #expect(try check() == ["theirs"])
        try tree.setPermissions(0o777, of: "jobs/marked")
        #expect(try check() == [])
    }
}
#endif
