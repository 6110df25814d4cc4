//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// Plans of which one area is held by another purge or a lease.
struct BusyAreaTests {
    private let directory: TemporaryDirectory
    private var tree: Tree { directory.tree }

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        try tree.directory("home")
        for name in ["a", "b"] { try tree.file(TreePath("\(name)/file"), size: .kilobytes(8)) }
    }

    private func workspace() -> Workspace {
        Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"),
            ledgerDirectory: directory.path.appending("state"),
            // Recent use keeps nothing.
            clock: { Timestamp.now().advanced(by: .seconds(40 * 86_400)) }
        ).declaring(
            ["a", "b"].map {
                Area(root: directory.path.appending($0), purgeClass: .cache, origin: "test")
            })
    }

    private func scopeAndPlan() throws -> (Scope, Plan) {
        let scope = workspace().scope()
        return (scope, try scope.plan(try scope.scan(), targets: [.all]))
    }

    /// What another process holds on an area.
    private func hold(_ name: String) throws -> Lease {
        try Lease.acquire(directory.path.appending(name))
    }

    @Test("Keeps an area that is leased, with the reason, and purges the others")
    func keepsBusyArea() throws {
        let (scope, plan) = try scopeAndPlan()
        let lease = try hold("a")
        let receipt = try scope.purge(plan, requester: "test")
        #expect(tree.exists("a/file"))
        #expect(!tree.exists("b/file"))
        #expect(receipt.removedCount > 0)
        let kept = receipt.skipped.filter { $0.path.lies(in: directory.path.appending("a")) }
        #expect(!kept.isEmpty && kept.allSatisfy { $0.reason.code == .busy })
        #expect(kept.first?.reason.text.contains("leased") == true)
        lease.release()
    }

    @Test("Fails if all areas of the plan are leased")
    func failsIfAllAreBusy() throws {
        let (scope, plan) = try scopeAndPlan()
        let first = try hold("a")
        let second = try hold("b")
        let error = #expect(throws: HeadroomError.self) {
            try scope.purge(plan, requester: "test")
        }
        #expect(error?.code == .busy)
        #expect(tree.exists("a/file") && tree.exists("b/file"))
        first.release()
        second.release()
    }

    @Test("Purges nothing if one area is leased and the caller plans again then")
    func failsIfAsked() throws {
        let (scope, plan) = try scopeAndPlan()
        let lease = try hold("a")
        let error = #expect(throws: HeadroomError.self) {
            try scope.purge(plan, requester: "test", unusableArea: .failsIfBusy)
        }
        #expect(error?.code == .busy)
        #expect(tree.exists("b/file"))
        lease.release()
    }

    @Test("Keeps an area whose directory was replaced after the plan, and purges the others")
    func keepsReplacedArea() throws {
        let (scope, plan) = try scopeAndPlan()
        try tree.rename("a", to: "former")
        try tree.file("a/file", size: .kilobytes(8))
        let receipt = try scope.purge(plan, requester: "test")
        #expect(tree.exists("a/file") && tree.exists("former/file"))
        #expect(!tree.exists("b/file"))
        #expect(receipt.skippedCount > 0)
    }
}
