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

/// R37: forgetting takes away what is Headroom's, and nothing else.
@Suite("R37: forget")
struct ForgetTests {
    let fixture: BackupFixture
    private static let foreign = "Signature: 8a477f597d28d172789f06886806bc55\n# by ccache\n"

    init() throws {
        fixture = try BackupFixture()
        for name in ["a/one", "a/b/two", "a/b/c/three", "z/four", "a/plain"] {
            try fixture.file(name)
        }
    }

    private var workspace: Workspace { fixture.workspace }

    private func names(_ marks: [Forgotten.ForgottenMark]) -> [String] {
        marks.map { String($0.path.string.dropFirst(fixture.home.string.count + 1)) }.sorted()
    }

    @Test func takesAwayMarksTagsAndRegistrationsBelowAPath() throws {
        try fixture.mark("a/one") { $0.isPinned = true }
        try fixture.mark("a/b/c/three") { $0.purgeClass = .lastResort }
        try fixture.exclude("a/b")
        try fixture.mark("z/four") { $0.isPinned = true }
        try workspace.ledger.register(
            Area(root: fixture.path("a/b/c"), purgeClass: .cache, origin: "test"))
        let forgotten = try workspace.forget(fixture.path("a"))
        #expect(names(forgotten.marks) == ["a/b", "a/b/c/three", "a/one"])
        #expect(forgotten.tags == [fixture.path("a/b/CACHEDIR.TAG")])
        #expect(forgotten.registrations.map(\.root) == [fixture.path("a/b/c")])
        #expect(forgotten.failures == [])
        for name in ["a", "a/b", "a/b/c", "a/one", "a/b/c/three"] {
            #expect(try fixture.carried(name) == nil, "\(name)")
        }
        #expect(try fixture.exclusion("a/b") == .none)
        #expect(workspace.ledger.registrations == [])
        #expect(workspace.ledger.markedFiles.map(\.path) == [fixture.path("z/four")])
        #expect(try fixture.carried("z/four") == "1 pinned")
        #expect(try workspace.forget(fixture.path("a")).isEmpty)
    }

    @Test(.tags(.r37e)) func leavesEverythingOfOthers() throws {
        try fixture.file("a/CACHEDIR.TAG", Self.foreign)
        try fixture.setAttribute("user.xdg.robots.backup", "false", "a/one")
        try fixture.setAttribute("user.other", "x", "a/one")
        try fixture.mark("a/one") { $0.isPinned = true }
        #expect(names(try workspace.forget(fixture.path("a")).marks) == ["a/one"])
        #expect(try fixture.exclusion("a") == .own(.foreignTag))
        #expect(try fixture.attribute("user.xdg.robots.backup", "a/one") == "false")
        #expect(try fixture.attribute("user.other", "a/one") == "x")
    }

    @Test func findsMarksThatTheLedgerDoesNotKnow() throws {
        try fixture.setAttribute("user.headroom", "1 pinned", "a/b/two")
        try fixture.setAttribute("user.headroom", "damaged", "a/one")
        let forgotten = try workspace.forget(fixture.path("a"))
        #expect(names(forgotten.marks) == ["a/b/two", "a/one"])
        #expect(forgotten.marks.map(\.wasDamaged).contains(true))
        #expect(try fixture.carried("a/one") == nil)
    }

    @Test func forgetsWhatIsGoneOrReplaced() throws {
        try fixture.mark("a/one") { $0.isPinned = true }
        try fixture.mark("a/b/two") { $0.purgeClass = .cache }
        try fixture.tree.remove("home/a/one")
        try fixture.replace("a/b/two")
        let forgotten = try workspace.forget(fixture.path("a"))
        #expect(names(forgotten.marks) == ["a/b/two", "a/one"])
        #expect(workspace.ledger.markedFiles == [])
        #expect(workspace.lostMarks() == [])
    }

    @Test func ofAFileOnlyThatFile() throws {
        try fixture.mark("a/one") { $0.isPinned = true }
        try fixture.mark("a/plain") { $0.isPinned = true }
        #expect(names(try workspace.forget(fixture.path("a/one")).marks) == ["a/one"])
        #expect(try fixture.carried("a/plain") == "1 pinned")
    }

    @Test func allIsEverythingOfTheUserWhereverItIs() throws {
        try fixture.tree.directory("elsewhere")
        try fixture.tree.file("elsewhere/film", text: "x")
        let film = fixture.directory.path.appending("elsewhere/film")
        try workspace.mark(film) { $0.purgeClass = .lastResort }
        try fixture.mark("a/one") { $0.isPinned = true }
        try fixture.exclude("z")
        try workspace.ledger.register(
            Area(
                root: fixture.directory.path.appending("elsewhere"), purgeClass: .cache,
                origin: "test"))
        let forgotten = try workspace.forgetAll()
        #expect(forgotten.marks.count == 3)
        #expect(forgotten.tags.count == 1)
        #expect(forgotten.registrations.count == 1)
        #expect(workspace.ledger.markedFiles == [])
        #expect(workspace.ledger.registrations == [])
        #expect(try workspace.forgetAll().isEmpty)
    }

    @Test func theFilesThemselvesStayAsTheyAre() throws {
        try fixture.mark("a/one") { $0.isPinned = true }
        let before = try fixture.tree.status(of: "home/a/one")
        _ = try workspace.forget(fixture.path("a"))
        let after = try fixture.tree.status(of: "home/a/one")
        #expect(before.modified == after.modified && before.identity == after.identity)
        #expect(try fixture.tree.contents(of: "home/a/one") == Array("content".utf8))
    }

    @Test(.enabled(if: User.isRoot, "needs root to act as others"))
    func allOfRootLeavesTheMarksOfOthers() throws {
        try fixture.setAttribute("user.headroom", "1 pinned", "a/one")
        let chown = try ChildProcess.run("chown", ["12345", fixture.path("a/one").string])
        try #require(chown.succeeded)
        #expect(try workspace.forgetAll().marks == [])
        #expect(try fixture.carried("a/one") == "1 pinned")
        // By name, root may.
        #expect(names(try workspace.forget(fixture.path("a")).marks) == ["a/one"])
    }
}
