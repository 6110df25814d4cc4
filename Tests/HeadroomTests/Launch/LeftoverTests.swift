//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R32: leftovers in a container's tmp")
struct LeftoverTests {
    private let base: TemporaryDirectory
    private var tree: Tree { base.tree }

    init() throws {
        base = try TemporaryDirectory(on: .memory)
        try PhoneContainer.app.make(in: base.tree, at: "container")
        // What a phone has left is in the way of what a test leaves.
        _ = try ChildProcess.run("rm", ["-r", base.path.appending("container/tmp").string])
        try base.tree.directory("container/tmp")
    }

    private func storage(after time: Duration) throws -> Storage {
        try Storage(
            container: URL(filePath: base.path.appending("container").string), owner: "Podcaster",
            ledgerDirectory: base.path.appending("ledger"),
            clock: { Timestamp.wallClock().advanced(by: time) })
    }

    private func add(_ path: String) throws {
        try tree.file(TreePath(stringLiteral: "container/tmp/" + path), size: .kilobytes(12))
    }

    private func exists(_ path: String) -> Bool {
        tree.exists(TreePath(stringLiteral: "container/tmp/" + path))
    }

    /// Everything in the container but the named paths in `tmp`.
    private func everything(without gone: [String] = []) throws -> [String] {
        try ChildProcess.run("find", [base.path.appending("container").string, "-printf", "%P\\n"])
            .output.split(separator: "\n").map(String.init).sorted()
            .filter { path in !gone.contains { path == "tmp/" + $0 || path.hasPrefix("tmp/\($0)/") }
            }
    }

    @Test(.tags(.r32a)) func whatIsADayOldGoesAndNothingElse() throws {
        let gone = [
            "CFNetworkDownload_a.tmp", "WKWebFileUpload-1", "WKVideoUpload-2.mov", "NSIRD_App_x",
            "(A Document Being Saved By App 2)", "（App正在存储文稿）",
        ]
        try add("CFNetworkDownload_a.tmp")
        try add("WKWebFileUpload-1/IMG_1.jpg")
        try add("WKVideoUpload-2.mov")
        try add("NSIRD_App_x/file")
        try tree.directory("container/tmp/(A Document Being Saved By App 2)")
        try add("（App正在存储文稿）/page")
        try add("mine/NSIRD_App_y/file")
        try add("mine/CFNetworkDownload_b.tmp")
        try add("mine.txt")
        let kept = try everything(without: gone)
        let receipt = try #require(try storage(after: .seconds(86_400 + 60)).removeLeftovers())
        #expect(receipt.skipped == [])
        #expect(try everything() == kept)
        for path in gone { #expect(!exists(path), "\(path)") }
        #expect(exists("mine/NSIRD_App_y/file"))
    }

    @Test(.tags(.r32a)) func whatIsYoungerStays() throws {
        try add("NSIRD_App_x/file")
        try add("CFNetworkDownload_a.tmp")
        let before = try everything()
        let storage = try storage(after: .seconds(86_400 - 60))
        #expect(try storage.leftovers()?.isEmpty == true)
        #expect(try storage.removeLeftovers() == nil)
        #expect(try everything() == before)
    }

    /// A directory is as old as its newest member.
    @Test func aDirectoryWithSomethingNewInItStays() throws {
        try add("NSIRD_App_x/deep/file")
        let later = Timestamp.wallClock().advanced(by: .seconds(86_400))
        try tree.setTimes(
            of: "container/tmp/NSIRD_App_x/deep/file", accessed: later, modified: later)
        #expect(try storage(after: .seconds(86_400 + 60)).removeLeftovers() == nil)
        #expect(exists("NSIRD_App_x/deep/file"))
    }

    @Test func thePlanSaysWhyAndDeletesNothing() throws {
        try add("NSIRD_App_x/file")
        let before = try everything()
        let plan = try #require(try storage(after: .seconds(90_000)).leftovers())
        #expect(plan.map(\.path.lastComponent?.string).contains("NSIRD_App_x"))
        let entry = try #require(plan.first { $0.path.lastComponent?.string == "NSIRD_App_x" })
        #expect(entry.unit == .directory)
        #expect(entry.reason.code == .olderThan)
        #expect(try everything() == before)
    }

    @Test func whatIsPinnedStays() throws {
        try add("NSIRD_App_x/file")
        let storage = try storage(after: .seconds(90_000))
        try storage.mark(
            URL(filePath: base.path.appending("container/tmp/NSIRD_App_x").string), .pinned)
        _ = try storage.removeLeftovers()
        #expect(exists("NSIRD_App_x/file"))
    }

    // MARK: - Launch closures

    /// Of a container that was copied from somewhere the system is not known: the newest may be live.
    @Test func theNewestClosureOfACopiedContainerStays() throws {
        for (age, name) in ["old", "newest", "older"].enumerated() {
            try add("com.apple.dyld/\(name).closure")
            let minutes = name == "newest" ? 0 : age + 1
            let time = Timestamp.wallClock().advanced(by: .seconds(-60 * minutes))
            try tree.setTimes(
                of: TreePath(stringLiteral: "container/tmp/com.apple.dyld/\(name).closure"),
                accessed: time, modified: time)
        }
        let live = "container/Library/Caches/com.apple.dyld/Podcaster-5D2C.closure" as TreePath
        _ = try storage(after: .zero).removeLeftovers()
        #expect(
            try tree.names(in: "container/tmp/com.apple.dyld").map(\.text) == ["newest.closure"])
        #expect(tree.exists(live))
    }

    @Test(
        .tags(.r32b),
        arguments: [
            (.leaveAlone, ["a.closure", "b.closure"]), (.keepNewest, ["b.closure"]),
            (.removeAll, []),
        ] as [(LaunchClosureRule, [String])])
    func closuresGoByTheRule(rule: LaunchClosureRule, left: [String]) throws {
        let linker = "container/tmp/com.apple.dyld" as TreePath
        try add("com.apple.dyld/a.closure")
        try add("com.apple.dyld/b.closure")
        let past = Timestamp.wallClock().advanced(by: .seconds(-600))
        try tree.setTimes(
            of: "container/tmp/com.apple.dyld/a.closure", accessed: past, modified: past)
        let path = base.path.appending("container")
        let layout = try #require(Layout.appleContainer(at: path))
        let workspace = Workspace(
            ledger: Ledger.open(
                directory: base.path.appending("ledger"), readOnly: false,
                now: { Timestamp.wallClock() }), layouts: [layout], interrupted: [],
            clock: { Timestamp.wallClock() })
        let found = try #require(
            try workspace.leftovers(in: layout, patterns: LeftoverPattern.standard, closures: rule))
        _ = try found.scope.purge(found.plan, requester: "test")
        #expect(try tree.names(in: linker).map(\.text).sorted() == left)
        #expect(tree.exists(linker))
    }

    // MARK: - When

    @Test(.tags(.r25a)) func partOfTheLaunchCheck() async throws {
        try add("NSIRD_App_x/file")
        let report = try await storage(after: .seconds(90_000)).start()
        let leftovers = try #require(report.leftovers)
        #expect(leftovers.removedCount >= 1)
        #expect(!exists("NSIRD_App_x"))
        #expect(leftovers.expected >= .kilobytes(12))
        let others = report.freedByOrphans + report.directories.freed
        let cleaned = report.cleaned?.expected ?? .zero
        #expect(report.freed == leftovers.expected + others + cleaned)
        #expect(try await storage(after: .seconds(90_000)).start().leftovers == nil)
    }

    @Test func aHomeHasNoSuchPlace() throws {
        let fixture = try StorageFixture()
        try fixture.tree.directory("home/tmp")
        try fixture.tree.file("tmp/NSIRD_App_x", size: .kilobytes(4))
        #expect(try fixture.storage(after: .seconds(90_000)).leftovers() == nil)
        #expect(try fixture.storage(after: .seconds(90_000)).removeLeftovers() == nil)
        #expect(fixture.tree.exists("tmp/NSIRD_App_x"))
    }
}
