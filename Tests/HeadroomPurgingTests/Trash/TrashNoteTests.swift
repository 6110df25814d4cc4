//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

@Suite("R33: what is written about an item goes with it, and nothing else")
struct TrashNoteTests {
    private let fixture: TrashFixture
    private static let later = Duration.seconds(31 * 86_400)

    init() throws { fixture = try TrashFixture() }

    /// Purges what has expired.
    private func purge(
        _ calls: HookedCalls = HookedCalls(), _ progress: PurgeProgress = PurgeProgress()
    ) throws -> Receipt {
        let scope = fixture.workspace(after: Self.later).scope()
        let plan = try scope.plan(try scope.scan(), targets: [.expired])
        var options = PurgeOptions(requester: "test", areas: scope.areas) {
            Timestamp.now().advanced(by: Self.later)
        }
        options.calls = calls
        return try Purger.purge(plan, options: options, progress: progress)
    }

    private func notes() throws -> [String] {
        try fixture.tree.names(in: fixture.trash / "info").map(\.text)
    }

    /// Its name is nobody's any more when it has been half emptied: it cannot be restored.
    @Test func ofAnItemThatWasHalfEmptiedWhenItWasStoppedToo() throws {
        try fixture.tree.files(100, in: "home/Documents/dir", size: .kilobytes(1))
        fixture.put("Documents/dir")
        #expect(try notes() == ["dir.trashinfo"])
        let progress = PurgeProgress()
        let removed = Atomic<Int>(0)
        var calls = HookedCalls()
        calls.didRemove = { _ in
            if removed.add(1, ordering: .relaxed).newValue == 50 { progress.cancel() }
        }
        let receipt = try purge(calls, progress)
        #expect(receipt.skipped.map(\.reason.code) == [.interruptedPurge])
        #expect(try notes() == [])
    }

    /// As soon as the item has gone its name is free, and somebody else throws something away.
    @Test func aNoteThatWasReplacedMeanwhileStays() throws {
        try fixture.tree.file("home/Documents/a", size: .kilobytes(10))
        fixture.put("Documents/a")
        let tree = fixture.tree
        let note = fixture.trash / "info/a.trashinfo"
        var calls = HookedCalls()
        calls.didRemove = { name in
            guard name.text == "a" else { return }
            // Another file, and not the same one written anew.
            try? tree.file("home/new", text: "theirs")
            _ = try? ChildProcess.run("mv", [tree.path("home/new").string, tree.path(note).string])
        }
        #expect(try purge(calls).removedCount == 1)
        #expect(try tree.contents(of: note) == Array("theirs".utf8))
    }

    @Test func whatOnlyBearsTheNameOfANoteStays() throws {
        try fixture.tree.file("home/Documents/a", size: .kilobytes(10))
        fixture.put("Documents/a")
        let note = fixture.trash / "info/a.trashinfo"
        let scope = fixture.workspace(after: Self.later).scope()
        let plan = try scope.plan(try scope.scan(), targets: [.expired])
        try fixture.tree.file("home/elsewhere", text: "kept")
        _ = try ChildProcess.run(
            "ln", ["-sf", fixture.path("elsewhere").string, fixture.tree.path(note).string])
        let receipt = try scope.purge(plan, requester: "test")
        #expect(receipt.removedCount == 1)
        #expect(try notes() == ["a.trashinfo"])
        #expect(try fixture.tree.contents(of: "home/elsewhere") == Array("kept".utf8))
    }

    /// A directory that is called like one of a trash, beside another that is, too.
    @Test func besideADirectoryThatIsNoTrashThereAreNoNotes() throws {
        let directory = try TemporaryDirectory()
        try directory.tree.file("place/files/a", size: .kilobytes(10))
        try directory.tree.file("place/info/a.trashinfo", text: "mine")
        let area = Area(
            root: directory.path.appending("place/files"), purgeClass: .cache, origin: "test")
        let inventory = try Scanner.scan(
            [ScanRoot(path: area.root)], areas: [area], options: ScanOptions(now: .now()))
        let plan = Planner.plan(inventory, PlanRequest(targets: [.all], now: .now()))
        let options = PurgeOptions(requester: "test", areas: [area]) { .now() }
        #expect(try Purger.purge(plan, options: options).removedCount == 1)
        #expect(directory.tree.exists("place/info/a.trashinfo"))
    }
}
