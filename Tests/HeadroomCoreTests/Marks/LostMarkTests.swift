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

/// R9: a lost mark is noticed, and repaired only where that is safe.
@Suite("R9: lost marks")
struct LostMarkTests {
    let fixture: BackupFixture

    init() throws {
        fixture = try BackupFixture()
        try fixture.file("Documents/film")
    }

    private var workspace: Workspace { fixture.workspace }
    private let film = "Documents/film"

    @Test func nothingIsLostThatIsThere() throws {
        try fixture.mark(film) { $0.purgeClass = .lastResort }
        #expect(workspace.lostMarks() == [])
        #expect(workspace.restoreMarks() == [])
    }

    @Test func anAttributeThatWasTakenOffComesBackWhole() throws {
        try fixture.mark(film) {
            $0 = Mark(purgeClass: .lastResort, isPinned: true, importance: 80)
        }
        let before = try fixture.carried(film)
        try fixture.removeAttribute("user.headroom", film)
        #expect(
            workspace.lostMarks() == [
                LostMark(
                    path: fixture.path(film), isDirectory: false, cause: .stripped,
                    restored: Mark(purgeClass: .lastResort, isPinned: true, importance: 80))
            ])
        #expect(workspace.restoreMarks().map(\.failure) == [nil])
        #expect(try fixture.carried(film) == before)
        #expect(workspace.lostMarks() == [])
    }

    @Test(.tags(.r9d)) func aPinComesBackOnAFileThatReplacedThePinnedOne() throws {
        try fixture.mark(film) { $0.isPinned = true }
        try fixture.replace(film)
        #expect(workspace.lostMarks().map(\.cause) == [.replaced])
        workspace.restoreMarks()
        #expect(try fixture.carried(film) == "1 pinned")
        #expect(workspace.lostMarks() == [])
    }

    /// Programs save by putting a new file in the place of the old one.
    @Test(.tags(.r9b), arguments: ["by a rename", "in a directory", "after it was removed"])
    func aPinHoldsForAFileThatReplacedThePinnedOne(_ how: String) throws {
        let name = how == "in a directory" ? ".cache/d/settings" : ".cache/settings"
        // A directory in a cache is purged whole.
        let item = how == "in a directory" ? "d" : "settings"
        try fixture.file(name)
        try fixture.file(".cache/other")
        try fixture.mark(name) { $0.isPinned = true }
        if how == "after it was removed" {
            // Often it gets the same inode.
            try fixture.tree.remove(TreePath("home/" + name))
            try fixture.file(name)
        } else {
            try fixture.replace(name)
        }
        #expect(try fixture.carried(name) == nil)
        func names() throws -> [String?] {
            let scope = workspace.scope()
            return try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
                .map { $0.path.lastComponent?.string }
        }
        #expect(try names().contains("other"))
        #expect(!(try names()).contains(item))
        // And it is shown, as long as it holds.
        #expect(try workspace.effectiveMark(of: fixture.path(name)).isPinned == true)
        if how == "in a directory" {
            try workspace.mark(fixture.path(name)) { $0.isPinned = false }
        } else {
            try workspace.marks.clear(fixture.path(name))
        }
        #expect(try workspace.effectiveMark(of: fixture.path(name)).isPinned != true)
        #expect(try names().contains(item))
    }

    @Test func noBackupComesBackWithWhatProgramsRead() throws {
        try fixture.exclude(film)
        try fixture.replace(film)
        #expect(try fixture.exclusion(film) == .none)
        workspace.restoreMarks()
        #expect(try fixture.exclusion(film) == .own([.mark, .attribute, .noDump]))
    }

    @Test(.tags(.r9d), arguments: [PurgeableClass.cache, .lastResort, .temporary])
    func permissionToDeleteIsOnlyToldOfAFileThatReplacedAnother(
        purgeClass: PurgeableClass
    ) throws {
        try fixture.mark(film) { $0.purgeClass = purgeClass }
        try fixture.replace(film)
        #expect(
            workspace.lostMarks() == [
                LostMark(
                    path: fixture.path(film), isDirectory: false, cause: .replaced,
                    reported: Mark(purgeClass: purgeClass))
            ])
        #expect(workspace.restoreMarks().count == 1)
        #expect(try fixture.carried(film) == nil)
        #expect(try workspace.effectiveMark(of: fixture.path(film)) == .none)
        // Whatever is tried, it is in no plan.
        let scope = workspace.scope()
        let plan = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
        #expect(plan.isEmpty)
    }

    @Test func ofAMarkThatSaysBothOnlyWhatProtectsComesBack() throws {
        try fixture.mark(film) { $0 = Mark(purgeClass: .cache, isPinned: true, importance: 1) }
        try fixture.replace(film)
        workspace.restoreMarks()
        #expect(try fixture.carried(film) == "1 pinned")
        #expect(
            workspace.lostMarks().map(\.reported) == [Mark(purgeClass: .cache, importance: 1)])
    }

    @Test func whatTheNewFileSaysItselfIsNewer() throws {
        try fixture.mark(film) { $0.isPinned = true }
        try fixture.replace(film)
        try fixture.mark(film) { $0.isPinned = false }
        #expect(workspace.lostMarks() == [])
    }

    @Test func aMarkTravelsWithAFileThatIsMoved() throws {
        try fixture.mark(film) { $0.isPinned = true }
        try fixture.tree.rename("home/Documents/film", to: "home/moved")
        #expect(workspace.lostMarks() == [])
        #expect(try fixture.carried("moved") == "1 pinned")
    }

    @Test func aDirectoryInPlaceOfAFileGetsNothing() throws {
        try fixture.mark(film) { $0.isPinned = true }
        try fixture.tree.remove("home/Documents/film")
        try fixture.folder(film)
        #expect(workspace.restoreMarks() == [])
        #expect(try fixture.carried(film) == nil)
    }

    @Test func aLinkInPlaceOfAFileIsNotFollowed() throws {
        try fixture.file("other")
        try fixture.mark(film) { $0.isPinned = true }
        try fixture.tree.remove("home/Documents/film")
        try fixture.tree.symbolicLink("home/Documents/film", to: "../other")
        #expect(workspace.restoreMarks() == [])
        #expect(try fixture.carried("other") == nil)
    }

    @Test func aDamagedMarkStaysAsItIs() throws {
        try fixture.mark(film) { $0.purgeClass = .cache }
        try fixture.setAttribute("user.headroom", "2 something later", film)
        #expect(workspace.restoreMarks() == [])
        #expect(try fixture.carried(film) == "2 something later")
    }

    @Test func aMarkThatWasClearedIsNotLost() throws {
        try fixture.mark(film) { $0.isPinned = true }
        try workspace.marks.clear(fixture.path(film))
        #expect(workspace.lostMarks() == [])
    }

    @Test func onlyThePlacesThatAreAskedFor() throws {
        try fixture.mark(film) { $0.isPinned = true }
        try fixture.removeAttribute("user.headroom", film)
        #expect(workspace.lostMarks(in: [fixture.path("Podcasts")]) == [])
        #expect(workspace.lostMarks(in: [fixture.path("Documents")]).count == 1)
    }

    @Test(.tags(.r12d)) func theAuditTellsAndFixesWhatMayBe() throws {
        try fixture.file("Documents/song")
        try fixture.mark(film) { $0.isPinned = true }
        try fixture.mark("Documents/song") { $0.purgeClass = .cache }
        try fixture.replace(film)
        try fixture.replace("Documents/song")
        let audit = try workspace.audit([fixture.home])
        let lost = audit.findings.filter { $0.code == .lostMark }
        #expect(lost.map(\.path) == [fixture.path(film), fixture.path("Documents/song")])
        #expect(lost.map { $0.fix?.isSafe } == [true, false])
        #expect(workspace.repair(audit).filter { $0.finding.code == .lostMark }.count == 1)
        #expect(try fixture.carried(film) == "1 pinned")
        #expect(try fixture.carried("Documents/song") == nil)
    }

    @Test(.tags(.r9c), .enabled(if: Privilege.canMount, "needs root with a mount namespace"))
    func whereNoAttributesAreKeptTheLedgerHoldsWhatProtects() throws {
        let volume = try MountedImage.ramfs()
        try withExtendedLifetime(volume) {
            let fixture = try BackupFixture(on: .at(volume.path))
            try fixture.file("one")
            try fixture.mark("one") { $0 = Mark(purgeClass: .cache, isPinned: true) }
            // Without birth times nobody knows whether it is still the same file.
            #expect(
                fixture.workspace.lostMarks() == [
                    LostMark(
                        path: fixture.path("one"), isDirectory: false, cause: .uncertain,
                        reported: Mark(purgeClass: .cache))
                ])
            #expect(
                try fixture.workspace.effectiveMark(of: fixture.path("one"))
                    == Mark(isPinned: true))
        }
    }
}
