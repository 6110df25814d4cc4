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

@Suite("R33: trash")
struct TrashTests {
    @Test(.tags(.s1c, .r33b), .enabled(if: Privilege.has(program: "python3"), "needs python3"))
    func whatComesBackIsWhatItWas() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/Trip/photo.jpg", size: .kilobytes(70))
        try fixture.tree.file("home/Documents/Trip/notes/day 1%.txt", text: "sun")
        try fixture.tree.symbolicLink("home/Documents/Trip/link", to: "photo.jpg")
        try fixture.tree.directory("home/Documents/Trip/empty")
        try fixture.tree.setPermissions(0o640, of: "home/Documents/Trip/photo.jpg")
        try fixture.tree.setPermissions(0o750, of: "home/Documents/Trip/notes")
        try fixture.workspace().marks.update(fixture.path("Documents/Trip/photo.jpg")) {
            $0.importance = 80
        }
        try fixture.tree.age("home/Documents/Trip", by: .seconds(90 * 86_400))
        let before = try fixture.state(of: "Documents/Trip")
        let receipt = fixture.put("Documents/Trip")
        #expect(receipt.skipped == [])
        #expect(!fixture.exists("Documents/Trip"))
        let back = try fixture.workspace().undo(receipt.id, requester: "test")
        #expect(back.removed.map(\.path) == [fixture.path("Documents/Trip")])
        #expect(try fixture.state(of: "Documents/Trip") == before)
        #expect(try fixture.tree.names(in: fixture.trash / "info").isEmpty)
    }

    @Test(.tags(.r33a)) func movingFreesNothingAndTheReceiptSaysSo() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", size: .kilobytes(100))
        let workspace = fixture.workspace()
        let selection = workspace.select(userFiles: [fixture.path("Documents/a")])
        #expect(selection.freesWhenEmptied >= .kilobytes(100))
        let receipt = workspace.dispose(of: selection, requester: "test")
        #expect(receipt.kind == .disposal)
        #expect(receipt.expected == .zero)
        #expect(receipt.perClass.map(\.name) == ["trash"])
        let kept = try fixture.workspace(after: .seconds(1)).ledger.receipt(receipt.id)
        #expect(kept == receipt)
    }

    @Test func countsLinksInsideAndOutsideOfWhatWasChosen() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", size: .kilobytes(100))
        try fixture.tree.hardLink("home/Documents/b", to: "home/Documents/a")
        let workspace = fixture.workspace()
        let one = workspace.select(userFiles: [fixture.path("Documents/a")])
        #expect(one.freesWhenEmptied == .zero)
        let both = workspace.select(
            userFiles: [fixture.path("Documents/a"), fixture.path("Documents/b")])
        #expect(both.freesWhenEmptied >= .kilobytes(100))
        #expect(both.freesWhenEmptied < .kilobytes(200))
    }

    /// The receipt says afterwards what was said before: a link elsewhere keeps its bytes.
    @Test(arguments: [["a", "c"], ["a", "b", "c"], ["c", "b"], ["all"]])
    func theReceiptCountsLinksLikeThePreview(names: [String]) throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", size: .kilobytes(100))
        try fixture.tree.hardLink("home/Documents/b", to: "home/Documents/a")
        try fixture.tree.file("home/Documents/c", size: .kilobytes(12))
        try fixture.tree.file("home/Documents/all/d", size: .kilobytes(40))
        try fixture.tree.hardLink("home/Documents/all/e", to: "home/Documents/all/d")
        let workspace = fixture.workspace()
        let selection = workspace.select(userFiles: names.map { fixture.path("Documents/\($0)") })
        let receipt = workspace.dispose(of: selection, requester: "test")
        #expect(receipt.removedCount == names.count)
        #expect(receipt.perClass.map(\.bytes) == [selection.freesWhenEmptied])
        let least: ByteCount = .kilobytes(names.count == 3 ? 112 : names == ["all"] ? 40 : 12)
        #expect((least..<least + .kilobytes(20)).contains(selection.freesWhenEmptied))
    }

    @Test func namesThatAreTakenGetANumber() throws {
        let fixture = try TrashFixture()
        for text in ["first", "second", "third"] {
            try fixture.tree.file("home/Documents/note.txt", text: text)
            #expect(fixture.put("Documents/note.txt").removedCount == 1)
        }
        let names = try fixture.tree.names(in: fixture.trash / "files").map(\.text).sorted()
        #expect(names == ["note.2.txt", "note.3.txt", "note.txt"])
        let items = fixture.workspace().trash.list().items
        #expect(Set(items.map(\.originalPath)) == [fixture.path("Documents/note.txt")])
    }

    @Test(
        arguments: [
            [0xFF, 0xFE, 0x20], Array("new\nline".utf8), Array("100% käse #1".utf8),
            Array(repeating: 0x78, count: 255),
            Array("é".utf8) + Array(repeating: 0x79, count: 253),
            Array(String(repeating: "ü", count: 127).utf8), Array(repeating: 0xE9, count: 255),
            Array(("x" + String(repeating: "🗑", count: 62)).utf8) + Array(".txt".utf8),
        ] as [[UInt8]])
    func namesOfAnyBytes(bytes: [UInt8]) throws {
        let fixture = try TrashFixture()
        let name = try #require(FileName(bytes))
        let place = TreePath("home/Documents") / TreePath([name])
        try fixture.tree.file(place, text: "content")
        let workspace = fixture.workspace()
        let path = fixture.tree.path(place)
        let receipt = workspace.dispose(
            of: workspace.select(userFiles: [path]), requester: "test")
        #expect(receipt.removedCount == 1, "\(receipt.skipped)")
        // As much of it as goes, and of its text whole characters.
        let kept = try #require(fixture.tree.names(in: fixture.trash / "files").first).bytes
        #expect(kept.count >= min(bytes.count, 242))
        #expect(!Self.isText(bytes) || Self.isText(Array(kept)))
        let item = try #require(workspace.trash.list().items.first)
        #expect(item.originalPath == path)
        try workspace.trash.restore(item)
        #expect(try fixture.tree.contents(of: place) == Array("content".utf8))
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    @Test(.tags(.r33b)) func nothingIsEverReplaced() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", text: "old")
        fixture.put("Documents/a")
        try fixture.tree.file("home/Documents/a", text: "new")
        let trash = fixture.workspace().trash
        let item = try #require(trash.list().items.first)
        let error = #expect(throws: HeadroomError.self) { try trash.restore(item) }
        #expect(error?.code == .refused)
        #expect(try fixture.tree.contents(of: "home/Documents/a") == Array("new".utf8))
        let other = fixture.path("Documents/b")
        #expect(try trash.restore(item, to: other) == other)
        #expect(try fixture.tree.contents(of: "home/Documents/b") == Array("old".utf8))
    }

    @Test func directoriesAroundAreMadeOnlyIfAskedFor() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/Trip/a", text: "a")
        fixture.put("Documents/Trip/a")
        try fixture.tree.remove("home/Documents/Trip")
        let trash = fixture.workspace().trash
        let item = try #require(trash.list().items.first)
        let error = #expect(throws: HeadroomError.self) { try trash.restore(item) }
        #expect(error?.code == .notFound)
        #expect(!fixture.exists("Documents/Trip"))
        try trash.restore(item, creatingParents: true)
        #expect(fixture.exists("Documents/Trip/a"))
    }

    @Test func undoBringsDirectoriesBackBeforeWhatWasInThem() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/Trip/a", text: "a")
        try fixture.tree.file("home/Documents/Trip/b", text: "b")
        let workspace = fixture.workspace()
        let inner = workspace.select(userFiles: [fixture.path("Documents/Trip/a")])
        let first = workspace.dispose(of: inner, requester: "test")
        fixture.put("Documents/Trip")
        let missing = try workspace.undo(first.id, requester: "test")
        #expect(missing.removedCount == 0)
        #expect(missing.skippedCount == 1)
        // Both by one receipt: the one that went last comes first.
        let error = #expect(throws: HeadroomError.self) {
            try workspace.undo("2026-01-01-00000000", requester: "test")
        }
        #expect(error?.code == .notFound)
    }

    @Test func anItemThatWasExchangedIsLeftAlone() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", text: "mine")
        let workspace = fixture.workspace()
        let selection = workspace.select(userFiles: [fixture.path("Documents/a")])
        try fixture.tree.rename("home/Documents/a", to: "home/Documents/b")
        try fixture.tree.file("home/Documents/a", text: "another")
        let receipt = workspace.dispose(of: selection, requester: "test")
        #expect(receipt.removedCount == 0)
        #expect(receipt.skipped.map(\.reason.code) == [.refused])
        #expect(fixture.exists("Documents/a"))
    }

    @Test func readsWhatOtherProgramsWrite() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file(fixture.trash / "files/x", text: "x")
        try fixture.tree.file(fixture.trash / "files/y", text: "y")
        try fixture.tree.file(fixture.trash / "files/up", text: "z")
        try fixture.tree.file(
            fixture.trash / "info/x.trashinfo",
            text: "# by hand\r\n[Trash Info]\r\nPath = /tmp/some%20where/x\r\nPath=/second\r\n"
                + "DeletionDate=2026-01-31T10:20:30\r\nSize=4\r\n[Other]\r\nPath=/third\r\n")
        try fixture.tree.file(
            fixture.trash / "info/up.trashinfo", text: "[Trash Info]\nPath=/a/../../etc/x\n")
        let listing = fixture.workspace().trash.list()
        let items = Dictionary(uniqueKeysWithValues: listing.items.map { ($0.name.text, $0) })
        #expect(items["x"]?.originalPath == "/tmp/some where/x")
        #expect(items["x"]?.isDateKnown == true)
        #expect(items["y"]?.originalPath == nil)
        #expect(items["up"]?.originalPath == nil)
        let orphan = try #require(items["y"])
        #expect(throws: HeadroomError.self) { try fixture.workspace().trash.restore(orphan) }
    }

    @Test func notesAboutNothingGoWhenTheyAreOld() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", text: "a")
        fixture.put("Documents/a")
        try fixture.tree.file(
            fixture.trash / "info/gone.trashinfo", text: "[Trash Info]\nPath=/x\n")
        try fixture.tree.file(fixture.trash / "info/README", text: "not ours")
        #expect(fixture.workspace().removeOrphanedTrashNotes() == 0)
        #expect(fixture.workspace(after: .seconds(7200)).removeOrphanedTrashNotes() == 1)
        let names = try fixture.tree.names(in: fixture.trash / "info").map(\.text).sorted()
        #expect(names == ["README", "a.trashinfo"])
    }
}
