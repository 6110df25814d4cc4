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

/// Trash directories on volumes; each test mounts one.
@Suite("R33: trash of volumes", .enabled(if: User.isRoot, "needs root to mount"))
struct VolumeTrashTests {
    private let image: MountedImage
    private let fixture: TrashFixture

    init() throws {
        image = try MountedImage.tmpfs(size: .mebibytes(8))
        fixture = try TrashFixture(volumes: [image.path])
        try image.tree.file("photos/a", text: "content")
    }

    private var user: UInt32 { User.effective }

    private func put() throws -> TrashItem? {
        let workspace = fixture.workspace()
        let receipt = workspace.dispose(
            of: workspace.select(userFiles: [image.path.appending("photos/a")]),
            requester: "test")
        #expect(receipt.skipped == [])
        return workspace.trash.list().items.first
    }

    @Test(.tags(.r33d)) func eachVolumeHasItsOwn() throws {
        let item = try #require(try put())
        #expect(item.directory.path == image.path.appending(".Trash-\(user)"))
        #expect(item.originalPath == image.path.appending("photos/a"))
        let own = TreePath(stringLiteral: ".Trash-\(user)")
        let info = try image.tree.contents(of: own / "info/a.trashinfo")
        #expect(String(decoding: info, as: UTF8.self).contains("\nPath=photos/a\n"))
        #expect(try image.tree.status(of: own).permissions == 0o700)
        try fixture.workspace().trash.restore(item)
        #expect(image.tree.exists("photos/a"))
    }

    @Test(.tags(.r33d)) func theSharedOneCountsOnlyWithTheStickyBit() throws {
        try image.tree.directory(".Trash")
        try image.tree.setPermissions(0o777, of: ".Trash")
        let item = try #require(try put())
        #expect(item.directory.path == image.path.appending(".Trash-\(user)"))
        try fixture.workspace().trash.restore(item)
        try image.tree.setPermissions(0o1777, of: ".Trash")
        let shared = try #require(try put())
        #expect(shared.directory.path == image.path.appending(".Trash/\(user)"))
    }

    @Test(
        "Rejects trash directories of volumes, also those of other users, by all their paths",
        .tags(.s1c))
    func volumeTrashStays() throws {
        _ = try put()
        for name in [".Trash-4711/files", ".Trash/4711/info"] as [TreePath] {
            try image.tree.directory(name)
        }
        let other = fixture.path("mounted")
        try fixture.tree.directory("home/mounted")
        let mount = try MountedImage.bind(image.path, at: other)
        defer { extendLifetime(mount) }
        let workspace = fixture.workspace()
        for root in [image.path, other] {
            for name in [
                ".Trash-\(user)", ".Trash-\(user)/info", ".Trash-\(user)/files", ".Trash-4711",
                ".Trash-4711/files", ".Trash", ".Trash/4711", ".Trash/4711/info",
            ] {
                let selection = workspace.select(userFiles: [root.appending(name)])
                #expect(selection.isEmpty, "\(root) \(name)")
            }
        }
    }

    @Test func aLinkIsNoTrash() throws {
        try image.tree.directory("elsewhere")
        try image.tree.symbolicLink(".Trash", to: "elsewhere")
        try image.tree.symbolicLink(TreePath(stringLiteral: ".Trash-\(user)"), to: "elsewhere")
        let workspace = fixture.workspace()
        let receipt = workspace.dispose(
            of: workspace.select(userFiles: [image.path.appending("photos/a")]),
            requester: "test")
        #expect(receipt.removedCount == 0)
        #expect(image.tree.exists("photos/a"))
        #expect(try image.tree.names(in: "elsewhere").isEmpty)
        #expect(workspace.trash.list().items.isEmpty)
    }

    /// What has no note about where it was would not come back: it stays, and no half of a note does.
    @Test(arguments: [true, false])
    func onAFullVolumeItStaysWhereItIs(hasTrash: Bool) throws {
        if hasTrash { try fixture.workspace().trash.restore(try #require(try put())) }
        let filler = image.path.appending("filler").string
        _ = try ChildProcess.run("sh", ["-c", "cat /dev/zero >\(filler) 2>/dev/null"])
        let workspace = fixture.workspace()
        let receipt = workspace.dispose(
            of: workspace.select(userFiles: [image.path.appending("photos/a")]),
            requester: "test")
        #expect(receipt.removedCount == 0 && receipt.skippedCount == 1)
        let text = try #require(receipt.skipped.first).reason.text
        #expect(text.contains("no room for the note"), "\(text)")
        #expect(try image.tree.contents(of: "photos/a") == Array("content".utf8))
        let notes = TreePath(stringLiteral: ".Trash-\(user)/info")
        #expect(try !image.tree.exists(notes) || image.tree.names(in: notes).isEmpty)
        _ = try ChildProcess.run("rm", [filler])
        #expect(try put() != nil)
        #expect(!image.tree.exists("photos/a"))
    }

    @Test(.tags(.r33d)) func nothingIsCopiedToAnotherVolume() throws {
        try image.tree.directory(".Trash")
        let item = try #require(try put())
        let trash = fixture.workspace().trash
        let error = #expect(throws: HeadroomError.self) {
            try trash.restore(item, to: fixture.path("Documents/a"))
        }
        #expect(error?.cause == .improperLink)
        #expect(trash.list().items.count == 1)
    }

    @Test(
        "Lists the Trash of a read-only volume, restores nothing from it, and plans nothing in it",
        .tags(.r45b, .r46d))
    func listsReadOnlyTrash() throws {
        let item = try #require(try put())
        #expect(!item.directory.isReadOnly)
        try image.remount("ro")
        let workspace = fixture.workspace()
        let listed = try #require(workspace.trash.list().items.first)
        #expect(listed.directory.isReadOnly)
        #expect(listed.originalPath == item.originalPath)
        // Also an item that was listed before the volume was remounted.
        for known in [item, listed] {
            let error = #expect(throws: HeadroomError.self) { try workspace.trash.restore(known) }
            #expect(error?.code == .readOnly)
            #expect(error?.message.contains("\(image.path) is mounted read-only") == true)
        }
        let (plan, scope) = try workspace.planEmptyingTrash()
        #expect(plan.isEmpty)
        #expect(scope.notes.map(\.code) == [.readOnly])
        #expect(workspace.scope().notes.isEmpty)
        let undone = try workspace.undo(try #require(item.receipt), requester: "test")
        #expect(undone.skipped.map(\.reason.code) == [.readOnly])
        try image.remount("rw")
        try workspace.trash.restore(listed)
        #expect(image.tree.exists("photos/a"))
    }

    @Test(
        "Refuses to move a file to the Trash of a read-only volume", .tags(.r46d),
        arguments: [true, false])
    func putsNothingOnReadOnlyVolume(hasTrash: Bool) throws {
        if hasTrash { try fixture.workspace().trash.restore(try #require(try put())) }
        try image.remount("ro")
        let workspace = fixture.workspace()
        let receipt = workspace.dispose(
            of: workspace.select(userFiles: [image.path.appending("photos/a")]), requester: "test")
        #expect(receipt.skipped.map(\.reason.code) == [.readOnly])
        #expect(receipt.skipped.first?.reason.text.contains("mounted read-only") == true)
    }

    @Test(
        "Counts what deleting trash frees: nothing for a file with a hard link elsewhere",
        .tags(.r45d))
    func countsFreedBytesOfTrash() throws {
        try image.tree.file("photos/linked", size: .kilobytes(40))
        try image.tree.file("photos/d/inside", size: .kilobytes(40))
        try image.tree.file("photos/d/linked", size: .kilobytes(40))
        try image.tree.hardLink("kept", to: "photos/linked")
        try image.tree.hardLink("kept2", to: "photos/d/linked")
        let workspace = fixture.workspace()
        let receipt = workspace.dispose(
            of: workspace.select(
                userFiles: ["linked", "d"].map { image.path.appending("photos/\($0)") }),
            requester: "test")
        #expect(receipt.removedCount == 2)
        let listing = workspace.trash.list()
        let file = try #require(listing.items.first { $0.name.text == "linked" })
        let directory = try #require(listing.items.first { $0.name.text == "d" })
        #expect(try #require(file.allocated) >= .kilobytes(40) && file.freed == .zero)
        #expect(try #require(directory.allocated) >= .kilobytes(80))
        #expect(try #require(directory.freed) >= .kilobytes(40))
        #expect(try #require(directory.freed) < .kilobytes(60))
        #expect(listing.freed == directory.freed)
    }

    @Test func expiresThereToo() throws {
        _ = try put()
        let scope = fixture.workspace(after: .seconds(31 * 86_400)).scope()
        let plan = try scope.plan(try scope.scan(), targets: [.expired])
        #expect(plan.map(\.purgeClass) == [.trash])
        #expect(try scope.purge(plan, requester: "test").removedCount == 1)
    }

    @Test func aFullVolumeLeavesEverythingWhereItWas() throws {
        let full = try MountedImage.tmpfs(size: .mebibytes(1), inodes: 8)
        try full.tree.file("a", text: "content")
        while (try? full.tree.file(
            TreePath(stringLiteral: "f\(try full.tree.names().count)"), text: "")) != nil
        {}
        let fixture = try TrashFixture(volumes: [full.path])
        let workspace = fixture.workspace()
        let receipt = workspace.dispose(
            of: workspace.select(userFiles: [full.path.appending("a")]), requester: "test")
        #expect(receipt.removedCount == 0)
        #expect(try full.tree.contents(of: "a") == Array("content".utf8))
    }
}
