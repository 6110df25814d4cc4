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
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R30: clean-up tasks")
struct CleanUpTaskTests {
    private let fixture: CleanUpTaskFixture
    private var storage: Storage { fixture.storage }
    private typealias Task = CleanUpTaskFixture

    init() throws { fixture = try CleanUpTaskFixture() }

    // MARK: - What goes

    @Test func aFileGoesAndWhatIsBesideItStays() async throws {
        for name in ["old.db", "new.db"] { try fixture.add("Library/Caches/Maps/\(name)") }
        let summary = try await fixture.run(Task.remove("Library/Caches/Maps/old.db"))
        #expect(!fixture.exists("Library/Caches/Maps/old.db"))
        #expect(fixture.exists("Library/Caches/Maps/new.db"))
        #expect(summary.tasks.map(\.outcome) == [.done] && summary.tasks[0].removed == 1)
        #expect(summary.problems.isEmpty && summary.receipts.count == 1)
    }

    @Test func theOnlyFileOfADirectoryGoesWithoutIt() async throws {
        try fixture.add("Library/Caches/Maps/old.db")
        _ = try await fixture.run(Task.remove("Library/Caches/Maps/old.db"))
        #expect(
            fixture.exists("Library/Caches/Maps") && !fixture.exists("Library/Caches/Maps/old.db"))
    }

    @Test(.tags(.r30a)) func aDirectoryIsEmptiedAndKept() async throws {
        for name in ["a", "b/c/d", ".hidden"] { try fixture.add("Library/Caches/Maps/\(name)") }
        try fixture.tree.directory(fixture.path("Library/Caches/Maps/empty"))
        try fixture.add("Library/Caches/Other/x")
        let summary = try await fixture.run(Task.remove("Library/Caches/Maps/"))
        #expect(try fixture.tree.names(in: fixture.path("Library/Caches/Maps")).isEmpty)
        #expect(fixture.exists("Library/Caches/Other/x"))
        #expect(summary.tasks[0].outcome == .done && summary.tasks[0].problems.isEmpty)
    }

    @Test func anEmptiedDirectoryIsKeptAlsoInsideOfOneThatIsScanned() async throws {
        try fixture.add("Library/Caches/Maps/a")
        try fixture.add("Library/Caches/old.1")
        _ = try await fixture.run(
            Task.remove("Library/Caches", ["old.*"]) + Task.remove("Library/Caches/Maps"))
        #expect(try fixture.tree.names(in: fixture.path("Library/Caches")).map(\.text) == ["Maps"])
        #expect(try fixture.tree.names(in: fixture.path("Library/Caches/Maps")).isEmpty)
    }

    @Test(.tags(.r30a)) func entriesAreNamesOfDirectChildrenWithWildcards() async throws {
        for name in [
            "thumb-1.png", "thumb-2.png", "thumb.gif", "deep/thumb-3.png", "a.b.c", "exact",
            "exactly",
        ] { try fixture.add("Library/Caches/Maps/\(name)") }
        let summary = try await fixture.run(
            Task.remove("Library/Caches/Maps", ["thumb-*.png", "*.b.*", "exact"]))
        #expect(
            try fixture.tree.names(in: fixture.path("Library/Caches/Maps")).map(\.text).sorted()
                == ["deep", "exactly", "thumb.gif"])
        #expect(fixture.exists("Library/Caches/Maps/deep/thumb-3.png"))
        #expect(summary.tasks[0].removed == 4)
    }

    @Test func aNameThatIsNotUTF8IsMatchedByAWildcard() async throws {
        let name = try #require(FileName(Array("old-".utf8) + [0xE9, 0xFF]))
        let directory = fixture.path("Library/Caches/Maps")
        try fixture.tree.file(directory / TreePath([name]), size: .kilobytes(4))
        _ = try await fixture.run(Task.remove("Library/Caches/Maps", ["old*"]))
        #expect(try fixture.tree.names(in: directory).isEmpty)
    }

    @Test(.tags(.r30a)) func aMatchedDirectoryGoesWholeOrNotAtAll() async throws {
        for name in ["set-1/a", "set-1/b/c", "set-2/a", "set-2/pinned"] {
            try fixture.add("Library/Caches/Maps/\(name)")
        }
        try storage.mark(fixture.url("Library/Caches/Maps/set-2/pinned"), .pinned)
        let summary = try await fixture.run(Task.remove("Library/Caches/Maps", ["set-*"]))
        #expect(!fixture.exists("Library/Caches/Maps/set-1"))
        #expect(fixture.exists("Library/Caches/Maps/set-2/a"))
        #expect(fixture.exists("Library/Caches/Maps/set-2/pinned"))
        #expect(summary.tasks[0].outcome == .partly && summary.tasks[0].removed == 1)
        let problem = try #require(summary.problems.first)
        #expect(problem.key == "Entries" && problem.message.contains("set-2"))
    }

    @Test func whatIsNotThereIsNothingToDo() async throws {
        let summary = try await fixture.run(
            Task.remove("Library/Caches/Nothing/at/all") + Task.remove("Library/Caches", ["x*"]))
        #expect(summary.tasks.map(\.outcome) == [.nothingToDo, .nothingToDo])
        #expect(summary.problems.isEmpty && summary.receipts.isEmpty && summary.freed == .zero)
    }

    @Test func whatIsInUseStaysAndIsNamed() async throws {
        try fixture.add("Library/Caches/Maps/open.bin", kilobytes: 200)
        try fixture.add("Library/Caches/Maps/free.bin", kilobytes: 200)
        let open = try Descriptor.openFile(
            fixture.tree.path(fixture.path("Library/Caches/Maps/open.bin")))
        let summary = try await fixture.run(Task.remove("Library/Caches/Maps"))
        _ = consume open
        #expect(fixture.exists("Library/Caches/Maps/open.bin"))
        #expect(!fixture.exists("Library/Caches/Maps/free.bin"))
        #expect(summary.problems.map(\.reason.code) == [.inUse])
        #expect(summary.problems[0].message.contains("open.bin"))
    }

    @Test func lastResortStaysUnlessAskedFor() async throws {
        try fixture.add("Library/Caches/Maps/kept")
        try storage.mark(fixture.url("Library/Caches/Maps/kept"), .lastResort)
        let list = try Task.list(Task.remove("Library/Caches/Maps"))
        let first = try await fixture.run(list)
        #expect(fixture.exists("Library/Caches/Maps/kept") && first.tasks[0].outcome == .partly)
        var options = CleanUpTaskOptions()
        options.through = .lastResort
        _ = try await fixture.run(list, options: options)
        #expect(!fixture.exists("Library/Caches/Maps/kept"))
    }

    @Test(.tags(.r30d)) func thePurgeableDirectoriesAreEmptiedToo() async throws {
        _ = try await storage.purgeableDirectory("Tiles", retention: .manual)
        try fixture.add("Library/Caches/Podcaster/Tiles/a/1")
        let summary = try await fixture.run("")
        #expect(!fixture.exists("Library/Caches/Podcaster/Tiles/a"))
        #expect(fixture.exists("Library/Caches/Podcaster/Tiles"))
        #expect(summary.directories.directories.map(\.removed) == [1])
        #expect(storage.purgeableDirectories.count == 1)
    }

    @Test func whatIsDeclaredInAnEssentialPlaceGoes() async throws {
        let tiles = "Library/Application Support/Podcaster/Tiles"
        _ = try await storage.purgeableDirectory(at: fixture.url(tiles))
        for name in ["\(tiles)/a", "Library/Application Support/Podcaster/data.db"] {
            try fixture.add(name)
        }
        let summary = try await fixture.run(
            Task.remove("Library/Application Support/Podcaster", ["Tiles"]))
        #expect(!fixture.exists("\(tiles)/a"))
        #expect(fixture.exists("Library/Application Support/Podcaster/data.db"))
        #expect(summary.problems.isEmpty)
    }

    @Test(.tags(.r30f)) func freedIsWhatTheContainerOccupiesLess() async throws {
        try fixture.add("Library/Caches/Maps/a", kilobytes: 3_000)
        try fixture.add("Documents/letter", kilobytes: 500)
        // What grows meanwhile counts against it: it is less than the sum of what has gone.
        let grown = fixture.url("Documents/grown")
        storage.registerCleanUpAction("Store", "grow") {
            try Data(count: 1_000_000).write(to: grown)
        }
        let summary = try await fixture.run(
            Task.remove("Library/Caches/Maps") + Task.call("Store", ["grow"]))
        #expect(summary.tasks.map(\.outcome) == [.done, .done])
        let before = try #require(summary.before)
        let after = try #require(summary.after)
        #expect(summary.freed == before - after)
        #expect((1.9...2.1).contains(summary.freedMegabytes))
        #expect(after == (try await storage.size(of: fixture.url("")).allocated))
        #expect(summary.volumeGained != nil)
    }

    // MARK: - What is refused

    private static let refusals: [(task: String, key: String, part: String)] = [
        (Task.remove("/etc/passwd"), "Path", "absolute"),
        (Task.remove("../outside/file"), "Path", "leads out"),
        (Task.remove("Library/Caches/../../Documents/letter"), "Path", "leads out"),
        (Task.remove("~/Library/Caches/Maps"), "Path", "not replaced"),
        (Task.remove(""), "Path", "empty"),
        (Task.remove("."), "Path", "no directory"),
        (Task.remove("Library/Caches/link/file"), "Path", "is a link"),
        (Task.remove("Library/Caches/link"), "Path", "is a link"),
        (Task.remove("Library/Caches/link", ["*"]), "Path", "is a link"),
        (Task.remove("Library/Caches/Maps/a/b"), "Path", "no directory"),
        (Task.remove("Library/Caches/Maps/a", ["*"]), "Entries", "is a file"),
        (Task.remove("Library/Caches"), "Path", "Caches"),
        (Task.remove("tmp"), "Path", "tmp"),
        (Task.remove("Documents"), "Path", "Documents"),
        (Task.remove("Library"), "Path", "Library"),
        (Task.remove("Documents/letter"), "Path", "essential"),
        (Task.remove("Documents", ["*"]), "Entries", "essential"),
        (Task.remove("Library", ["Caches"]), "Entries", "Caches"),
        (Task.remove("Library", ["*"]), "Entries", "Application Support"),
        (Task.remove("Library/Preferences", ["*"]), "Path", "Nothing in it"),
        (Task.remove("Library/Preferences/app.plist"), "Path", "Nothing in it"),
        (Task.remove("Library/Application Support/Podcaster"), "Path", "essential"),
        (Task.remove("Library/Caches/Maps", ["../../../Documents/letter"]), "Entries", "is a path"),
        (Task.remove("Library/Caches/Maps", [".."]), "Entries", "no child"),
        (Task.remove("Library/Caches/*"), "Path", "stands for itself"),
        (Task.remove("Library/Caches/Maps", []), "Entries", "empty"),
        (Task.remove("Library/Caches/pipe"), "Path", "neither a file"),
        (Task.call("Thumbnails", ["clear"]), "Class", "no action"),
        (Task.call("Known", ["clear", "unknown"]), "Selectors", "unknown"),
    ]

    @Test(.tags(.r30c), arguments: refusals.indices)
    func aTaskThatIsWrongIsNamedAndLeftAloneAndTheOthersRun(index: Int) async throws {
        let (task, key, part) = Self.refusals[index]
        for name in [
            "Documents/letter", "Library/Preferences/app.plist", "Library/Caches/Maps/a",
            "Library/Application Support/Podcaster/data.db", "Library/Caches/Good/x",
        ] { try fixture.add(name) }
        try fixture.tree.file("outside/file", size: .kilobytes(4))
        try fixture.tree.symbolicLink(fixture.path("Library/Caches/link"), to: "../../../outside")
        try fixture.tree.fifo(fixture.path("Library/Caches/pipe"))
        let called = Mutex(false)
        storage.registerCleanUpAction("Known", "clear") { called.withLock { $0 = true } }
        let list = try Task.list(task + Task.remove("Library/Caches/Good/x"))
        let found = await storage.check(list)
        let problem = try #require(found.first)
        #expect(found.count == 1 && problem.task == 1 && problem.key == key)
        #expect(problem.message.contains(part), "\(problem)")
        let before = try fixture.everything()
        let summary = try await fixture.run(list)
        #expect(summary.problems == found)
        #expect(summary.tasks.map(\.outcome) == [.refused, .done])
        #expect(!called.withLock { $0 })
        let gone = Set(before).subtracting(try fixture.everything())
        #expect(gone == ["container/Library/Caches/Good/x f 8000"])
    }

    @Test func checkingRemovesNothing() throws {
        try fixture.add("Library/Caches/Maps/a")
        let before = try fixture.everything()
        #expect(storage.check(try Task.list(Task.remove("Library/Caches/Maps"))).isEmpty)
        #expect(try fixture.everything() == before)
    }

    @Test func aDirectoryThatSomebodyElseIsPurgingHoldsUpNoOther() async throws {
        for name in ["Maps/a", "Other/b"] { try fixture.add("Library/Caches/\(name)") }
        let list = try Task.list(
            Task.remove("Library/Caches/Maps") + Task.remove("Library/Caches/Other"))
        let path = fixture.tree.path(fixture.path("Library/Caches/Maps"))
        let directory = try Descriptor.openDirectory(path)
        let lock = try AreaLock.acquire(root: directory.rawValue, path: path)
        let summary = try await fixture.run(list)
        _ = consume lock
        #expect(summary.tasks.map(\.outcome) == [.refused, .done])
        #expect(summary.problems.map(\.reason.code) == [.busy])
        #expect(
            fixture.exists("Library/Caches/Maps/a") && !fixture.exists("Library/Caches/Other/b"))
    }
}
