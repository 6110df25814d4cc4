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

/// What is pinned among the files of a store, and what somebody else has put there.
@Suite("R20: files of a store that are not the store's to remove")
struct StorePinTests {
    private let fixture: StoreSourceTests.Fixture
    private let workspace: Workspace
    private var store: FilePath { fixture.root.appending("store") }

    init() throws {
        fixture = try StoreSourceTests.Fixture(on: .disk)
        workspace = Workspace.open(
            environment: [:], home: fixture.base.path.appending("home"),
            ledgerDirectory: fixture.base.path.appending("state"), minIdle: .none,
            clock: Timestamp.now)
        try fixture.fill(0..<400)
    }

    private func names(_ suffix: String) throws -> [String] {
        try fixture.tree.names(in: "store").map(\.text).filter { $0.hasSuffix(suffix) }.sorted()
    }

    private func plan(_ targets: [Target] = [.all]) throws -> (Scope, Plan) {
        let scope = try workspace.scope(paths: [fixture.root], as: .cache)
        return (scope, try scope.plan(try scope.scan(), targets: targets, through: .lastResort))
    }

    @Test(.tags(.r20f)) func aPinnedFileKeepsTheStore() throws {
        #expect(try plan().1.map(\.unit) == [.cacheValues])
        let file = store.appending(try #require(try names(".segment").last))
        try workspace.mark(file) { $0.isPinned = true }
        let (_, plan) = try plan()
        #expect(plan.isEmpty)
        #expect(plan.kept.byReason[.pinned] != nil)
    }

    @Test(.tags(.r20f)) func aFileThatIsPinnedSinceThePlanKeepsTheStore() throws {
        let (scope, plan) = try plan()
        let before = try names(".segment")
        try workspace.mark(store.appending(try #require(before.first))) { $0.isPinned = true }
        let receipt = try scope.purge(plan, requester: "test")
        #expect(receipt.removedCount == 0)
        #expect(receipt.skipped.map(\.reason.code) == [.pinned])
        #expect(try names(".segment") == before)
        #expect(try fixture.left(0..<400).count == 400)
    }

    @Test(.tags(.r20f), arguments: ["store", "file", "around"])
    func whatIsPinnedIsNotCompacted(_ what: String) throws {
        let open = try fixture.open()
        for name in 0..<300 { _ = try open.remove("\(name)") }
        open.end()
        let before = try names("")
        let file = try #require(try names(".segment").first)
        let path = what == "store" ? store : what == "file" ? store.appending(file) : fixture.root
        try workspace.mark(path) { $0.isPinned = true }
        let error = #expect(throws: HeadroomError.self) {
            try workspace.compactCacheStore(at: store)
        }
        #expect(error?.code == .refused)
        #expect(try names("") == before)
        try workspace.mark(path) { $0.isPinned = nil }
        let outcome = try workspace.compactCacheStore(at: store)
        #expect(outcome.after < outcome.before)
        #expect(try fixture.left(0..<400) == Array(300..<400))
    }

    /// What has the name of a segment may be another name of something that matters.
    @Test(.tags(.r20k), arguments: [0, 4_096])
    func whatAnotherHasPutThereIsNotWrittenTo(gap: Int) throws {
        var before: [String: [UInt8]] = [:]
        for (number, name) in try names(".segment").enumerated() {
            let place = TreePath(stringLiteral: "store/\(name)")
            let size = try fixture.tree.contents(of: place).count
            let mine = StoreFixture.value(size + number)
            before["mine-\(number)"] = Array(repeating: 0, count: gap) + mine
            let path = TreePath(stringLiteral: "mine-\(number)")
            try fixture.base.tree.file(path, contents: before["mine-\(number)"] ?? [])
            try fixture.tree.remove(place)
            let linked = try ChildProcess.run(
                "ln",
                [
                    fixture.base.path.appending("mine-\(number)").string,
                    store.appending(name).string,
                ])
            try #require(linked.succeeded, "\(linked)")
        }
        try #require(before.count > 1)
        let (scope, plan) = try plan([.free(.mebibytes(2))])
        _ = try scope.purge(plan, requester: "test")
        let open = try fixture.open()
        for name in 0..<400 { try open.put(StoreFixture.value(12_000), "\(name)") }
        open.end()
        for (name, contents) in before {
            let path = TreePath(stringLiteral: name)
            #expect(try fixture.base.tree.contents(of: path) == contents, "\(name)")
        }
    }
}
