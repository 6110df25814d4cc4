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

/// A registration is permission to delete, and in an essential place a mark gives it.
@Suite("R9: a registration that is cut off or fails")
struct FailedRegistrationTests {
    private let directory: TemporaryDirectory
    private let renders: FilePath

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        try directory.tree.file("home/Renders/a", size: .kilobytes(8))
        try directory.tree.file("home/b", size: .kilobytes(8))
        renders = directory.path.appending("home/Renders")
    }

    private static let environment = ["TMPDIR": "/no/such"]

    private var home: FilePath { directory.path.appending("home") }

    private func open(_ state: String = "state") -> Workspace {
        Workspace.open(
            environment: Self.environment, home: home,
            ledgerDirectory: directory.path.appending(state), minIdle: .none,
            clock: { Timestamp.wallClock() })
    }

    /// What the attribute alone says.
    private static func attribute(of path: FilePath) throws -> Mark {
        try MarkStore(calls: NativeCalls.make(), ledger: MemoryMarkLedger()).mark(of: path)
    }

    /// The names of the files that would go if everything did that may.
    private func planned(_ workspace: Workspace) throws -> [String] {
        let scope = workspace.scope()
        guard !scope.roots.isEmpty else { return [] }
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        return plan.compactMap { $0.path.lastComponent?.string }.sorted()
    }

    @Test(.tags(.r9h)) func aLedgerThatCannotBeWrittenLeavesNoPermission() throws {
        try directory.tree.file("in-the-way", text: "no directory")
        let workspace = open("in-the-way")
        #expect(throws: HeadroomError.self) {
            try workspace.registerDirectory(renders, DirectoryRules(retention: .seconds(86_400)))
        }
        #expect(throws: HeadroomError.self) {
            try workspace.mark(home.appending("b")) { $0.purgeClass = .cache }
        }
        #expect(try Self.attribute(of: renders).isEmpty)
        #expect(try Self.attribute(of: home.appending("b")).isEmpty)
        #expect(workspace.registered.isEmpty)
        for other in [workspace, open()] {
            #expect(try planned(other) == [])
            // A mark elsewhere makes the home a place to look at.
            #expect(try other.effectiveMark(of: renders).purgeClass == nil)
        }
    }

    @Test(.tags(.r9h)) func theRegistrationIsWrittenBeforeTheMark() throws {
        let seen = Mutex<[Mark]>([])
        let renders = renders
        let ledger = Ledger.open(
            directory: directory.path.appending("state"), readOnly: false,
            receiptLimit: 50_000_000, now: { Timestamp.wallClock() },
            step: { step in
                guard step == .appended else { return }
                // Unreadable would be no mark of these.
                let mark = (try? Self.attribute(of: renders)) ?? Mark(isPinned: true)
                seen.withLock { $0.append(mark) }
            })
        let workspace = Workspace(
            ledger: ledger, layouts: [Layout.xdg(environment: Self.environment, home: home)],
            interrupted: [], clock: { Timestamp.wallClock() })
        try workspace.registerDirectory(renders, DirectoryRules())
        // The registration, and the mark.
        #expect(seen.withLock { $0 } == [.none, .none])
        #expect(try Self.attribute(of: renders).purgeClass == .cache)
        #expect(try planned(workspace) == ["a"])
    }

    /// As if the process had died before the mark: nothing may go, and the next one to register it ends
    /// what was begun.
    @Test(.tags(.r9h)) func aRegistrationWithoutItsMarkPermitsNothingAndIsEnded() throws {
        try open().registerDirectory(renders, DirectoryRules())
        try open().marks.clear(renders)
        #expect(open().registered.map(\.hasMark) == [true])
        #expect(try planned(open()) == [])
        try open().registerDirectory(renders, DirectoryRules())
        #expect(try planned(open()) == ["a"])
        try open().unregisterDirectory(renders)
        #expect(try Self.attribute(of: renders).isEmpty)
        #expect(try planned(open()) == [])
    }

    // MARK: - Moved away

    @Test(.tags(.r9h)) func aDirectoryThatWasRenamedLosesItsMarkWithItsRegistration() throws {
        try open().registerDirectory(renders, DirectoryRules())
        try directory.tree.rename("home/Renders", to: "home/Other")
        // What is there by now is registered by its place.
        try directory.tree.directory("home/Renders")
        try open().registerDirectory(renders, DirectoryRules())
        let other = home.appending("Other")
        let workspace = open()
        let registration = try #require(workspace.registered.first)
        #expect(workspace.strayMark(of: registration) == .beside(other))
        try workspace.unregisterDirectory(renders)
        #expect(try Self.attribute(of: other).isEmpty)
        #expect(try Self.attribute(of: renders).isEmpty)
        #expect(try planned(open()) == [])
    }

    @Test func aDirectoryThatWasMovedElsewhereIsNotForgotten() throws {
        try open().registerDirectory(renders, DirectoryRules())
        let registration = try #require(open().registered.first)
        #expect(open().strayMark(of: registration) == nil)
        try directory.tree.directory("home/in")
        try directory.tree.rename("home/Renders", to: "home/in/Other")
        #expect(open().strayMark(of: registration) == .unknown)
        try open().unregisterDirectory(renders)
        #expect(open().registered.isEmpty)
        #expect(try Self.attribute(of: home.appending("in/Other")).purgeClass == .cache)
    }
}
