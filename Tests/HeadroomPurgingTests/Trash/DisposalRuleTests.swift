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

@Suite("S1, S11: what a person may throw away")
struct DisposalRuleTests {
    private func refusal(_ path: FilePath, _ fixture: TrashFixture) -> Reason? {
        let selection = fixture.workspace().select(userFiles: [path])
        #expect(selection.isEmpty, "\(path)")
        #expect(selection.freesWhenEmptied == .zero)
        return selection.refused.first?.reason
    }

    @Test(.tags(.s1c)) func placesWithARoleAreRefused() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", text: "a")
        fixture.put("Documents/a")
        for name in [
            "", "Documents", ".cache", ".local", ".local/share/Trash", ".local/share/Trash/files/a",
            "Documents/..", "nothing",
        ] {
            #expect(
                refusal(name.isEmpty ? fixture.home : fixture.path(name), fixture) != nil, "\(name)"
            )
        }
        for path in ["/", "/usr", "/usr/bin/env", "/etc/hosts", "/proc/self", "relative"] {
            #expect(refusal(FilePath(path), fixture) != nil, "\(path)")
        }
        #expect(refusal(fixture.directory.path.appending("state"), fixture) != nil)
        #expect(refusal(fixture.directory.path, fixture) != nil)
    }

    @Test("Rejects trash directories, their parts, and the directories around them", .tags(.s1c))
    func trashDirectoriesStay() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", text: "a")
        fixture.put("Documents/a")
        try fixture.tree.directory("home/.local/share/Trash/expunged/1")
        try fixture.tree.file("home/.local/share/Trash/directorysizes", text: "")
        try fixture.tree.file("home/other/.local/share/Trash/info/b.trashinfo", text: "b")
        try fixture.tree.directory("home/disk/.Trash-4242/files")
        try fixture.tree.directory("home/disk/.Trash-4242/info")
        for name in [
            ".local", ".local/share", ".local/share/Trash", ".local/share/Trash/files",
            ".local/share/Trash/info", ".local/share/Trash/info/a.trashinfo",
            ".local/share/Trash/expunged", ".local/share/Trash/expunged/1",
            ".local/share/Trash/directorysizes", "other/.local/share/Trash",
            "other/.local/share/Trash/info", "disk/.Trash-4242", "disk/.Trash-4242/info",
        ] {
            #expect(refusal(fixture.path(name), fixture)?.code == .refused, "\(name)")
        }
        // A directory that is only called so is the user's.
        try fixture.tree.file("home/Documents/Trash/info", text: "not a directory")
        #expect(
            fixture.workspace().select(userFiles: [fixture.path("Documents/Trash")]).files.count
                == 1)
    }

    @Test(
        "Rejects a trash directory that lacks a part, and the links that lead to one", .tags(.s1c))
    func incompleteTrashStays() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/place/Trash/info/a.trashinfo", text: "a")
        try fixture.tree.directory("home/.local")
        try fixture.tree.symbolicLink("home/.local/share", to: "../place")
        for name in [".local/share", "place", "place/Trash", "place/Trash/info"] {
            #expect(refusal(fixture.path(name), fixture)?.code == .refused, "\(name)")
        }
    }

    @Test func whatIsPinnedStaysAndKeepsWhatIsAround() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/dir/sub/kept", text: "a")
        let workspace = fixture.workspace()
        try workspace.mark(fixture.path("Documents/dir/sub/kept")) { $0.isPinned = true }
        for name in ["Documents/dir", "Documents/dir/sub", "Documents/dir/sub/kept"] {
            #expect(refusal(fixture.path(name), fixture)?.code == .pinned, "\(name)")
        }
        try workspace.mark(fixture.path("Documents/dir/sub/kept")) { $0.isPinned = nil }
        try workspace.mark(fixture.path("Documents/dir")) { $0.isPinned = true }
        #expect(refusal(fixture.path("Documents/dir/sub/kept"), fixture)?.code == .pinned)
    }

    @Test func aPinThatCameSinceKeepsIt() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", text: "a")
        let workspace = fixture.workspace()
        let selection = workspace.select(userFiles: [fixture.path("Documents/a")])
        try workspace.mark(fixture.path("Documents/a")) { $0.isPinned = true }
        let receipt = workspace.dispose(of: selection, requester: "test")
        #expect(receipt.removedCount == 0)
        #expect(fixture.exists("Documents/a"))
    }

    /// What was shown is what goes: a letter that was written since is in no list that a person has seen.
    @Test(.tags(.s1c), arguments: ["grows", "changes", "loses", "touches"])
    func whatHasChangedSinceItWasChosenStays(_ how: String) throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/dir/sub/a", text: "a")
        try fixture.tree.file("home/Documents/dir/b", text: "b")
        try fixture.tree.file("home/Documents/lone", text: "lone")
        let workspace = fixture.workspace()
        let selection = workspace.select(
            userFiles: ["Documents/dir", "Documents/lone"].map(fixture.path))
        switch how {
        case "grows": try fixture.tree.file("home/Documents/dir/sub/letter", text: "new")
        case "changes": try fixture.tree.file("home/Documents/dir/sub/a", text: "longer")
        case "loses": try fixture.tree.remove("home/Documents/dir/sub/a")
        default: try fixture.tree.age("home/Documents/dir/b", by: .seconds(60))
        }
        let receipt = workspace.dispose(of: selection, requester: "test")
        #expect(receipt.removed.map(\.path) == [fixture.path("Documents/lone")])
        #expect(receipt.skipped.first?.reason.code == .refused)
        #expect(fixture.exists("Documents/dir/b"))
        let again = workspace.select(userFiles: [fixture.path("Documents/dir")])
        #expect(workspace.dispose(of: again, requester: "test").removedCount == 1)
    }

    @Test func aFileThatWasWrittenSinceStays() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/a", text: "a")
        let workspace = fixture.workspace()
        let selection = workspace.select(userFiles: [fixture.path("Documents/a")])
        try fixture.tree.file("home/Documents/a", text: "worth something")
        #expect(workspace.dispose(of: selection, requester: "test").removedCount == 0)
        #expect(fixture.exists("Documents/a"))
    }

    @Test func whatIsLeasedStays() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/dir/leased", text: "a")
        try fixture.tree.file("home/Documents/dir/free", text: "a")
        let lease = try Lease.acquire(fixture.path("Documents/dir/leased"))
        #expect(refusal(fixture.path("Documents/dir"), fixture)?.code == .leased)
        #expect(refusal(fixture.path("Documents/dir/leased"), fixture)?.code == .leased)
        let workspace = fixture.workspace()
        #expect(
            workspace.select(userFiles: [fixture.path("Documents/dir/free")]).files.count == 1)
        lease.release()
        #expect(workspace.select(userFiles: [fixture.path("Documents/dir")]).files.count == 1)
    }

    @Test func linksAreMovedAndNotFollowed() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/real/a", text: "a")
        try fixture.tree.symbolicLink("home/Documents/link", to: "real")
        #expect(fixture.put("Documents/link").removedCount == 1)
        #expect(fixture.exists("Documents/real/a"))
        #expect(
            try fixture.tree.status(of: fixture.trash / "files/link").type == .symbolicLink)
    }

    @Test func whatIsNamedTwiceGoesOnce() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/dir/a", size: .kilobytes(10))
        let selection = fixture.workspace().select(
            userFiles: ["Documents/dir/a", "Documents/dir", "Documents/dir"].map(fixture.path))
        #expect(selection.files.map(\.path) == [fixture.path("Documents/dir")])
        #expect(selection.refused == [])
    }

    @Test(.enabled(if: User.isRoot, "needs root"))
    func volumesMountedInsideKeepIt() throws {
        let fixture = try TrashFixture()
        try fixture.tree.directory("home/Documents/dir/mount")
        let source = try TemporaryDirectory(on: .disk)
        let mount = try MountedImage.bind(
            source.path, at: fixture.path("Documents/dir/mount"))
        #expect(refusal(fixture.path("Documents/dir"), fixture)?.code == .mountPoint)
        #expect(refusal(fixture.path("Documents/dir/mount"), fixture) != nil)
        withExtendedLifetime(mount) {}
    }
}
