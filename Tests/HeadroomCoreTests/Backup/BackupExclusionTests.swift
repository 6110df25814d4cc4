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

/// R11: backup exclusion, set and read.
@Suite("R11: backup exclusion")
struct BackupExclusionTests {
    let fixture: BackupFixture

    init() throws { fixture = try BackupFixture() }

    // MARK: - Setting

    @Test(.tags(.r11b)) func excludingADirectorySetsEveryDialect() throws {
        try fixture.folder("Podcasts")
        try fixture.exclude("Podcasts")
        #expect(
            try fixture.exclusion("Podcasts") == .own([.mark, .ownTag, .attribute]))
        let tag = try fixture.tree.contents(of: "home/Podcasts/CACHEDIR.TAG")
        #expect(tag.starts(with: Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)))
        #expect(String(decoding: tag, as: UTF8.self).contains("Headroom"))
        #expect(try fixture.attribute("user.xdg.robots.backup", "Podcasts") == "false")
        // Files made in it would inherit the flag, and keep it when they are moved elsewhere.
        #expect(try !fixture.isNoDump("Podcasts"))
    }

    @Test func aFileThatIsMovedOutOfAnExcludedDirectoryIsBackedUp() throws {
        try fixture.folder("Podcasts")
        try fixture.exclude("Podcasts")
        try fixture.file("Podcasts/one")
        try fixture.tree.rename("home/Podcasts/one", to: "home/Documents/one")
        #expect(try fixture.exclusion("Documents/one") == .none)
    }

    @Test func excludingAFileSetsWhatFilesCanHave() throws {
        try fixture.file("Documents/draft")
        try fixture.exclude("Documents/draft")
        #expect(try fixture.exclusion("Documents/draft") == .own([.mark, .attribute, .noDump]))
    }

    @Test(.tags(.r11a)) func includingAgainRemovesAllOfIt() throws {
        try fixture.file("Podcasts/one")
        try fixture.exclude("Podcasts")
        try fixture.workspace.mark(fixture.path("Podcasts")) { $0.isExcludedFromBackup = nil }
        #expect(try fixture.exclusion("Podcasts") == .none)
        #expect(try fixture.tree.names(in: "home/Podcasts").map(\.text) == ["one"])
        #expect(try fixture.attribute("user.xdg.robots.backup", "Podcasts") == nil)
        #expect(try !fixture.isNoDump("Podcasts"))
    }

    @Test func clearingTheMarkRemovesAllOfIt() throws {
        try fixture.file("Podcasts/one")
        try fixture.exclude("Podcasts")
        try fixture.workspace.marks.clear(fixture.path("Podcasts"))
        #expect(try fixture.exclusion("Podcasts") == .none)
        #expect(try fixture.tree.names(in: "home/Podcasts").map(\.text) == ["one"])
    }

    @Test func clearingRemovesOurTagEvenIfTheMarkWasLost() throws {
        try fixture.folder("Podcasts")
        try fixture.exclude("Podcasts")
        try fixture.setAttribute("user.headroom", "damaged", "Podcasts")
        try fixture.workspace.marks.clear(fixture.path("Podcasts"))
        #expect(!fixture.tree.exists("home/Podcasts/CACHEDIR.TAG"))
    }

    @Test(.tags(.r11d)) func aTagOfAnotherProgramIsHonouredAndNeverTouched() throws {
        let content = "Signature: 8a477f597d28d172789f06886806bc55\n# by ccache\n"
        try fixture.file("build/CACHEDIR.TAG", content)
        #expect(try fixture.exclusion("build") == .own(.foreignTag))
        try fixture.exclude("build")
        #expect(
            try fixture.exclusion("build") == .own([.mark, .foreignTag, .attribute]))
        try fixture.workspace.marks.clear(fixture.path("build"))
        #expect(try fixture.exclusion("build") == .own(.foreignTag))
        #expect(
            try fixture.tree.contents(of: "home/build/CACHEDIR.TAG") == Array(content.utf8))
    }

    @Test(arguments: [
        "", "Signature: 8a477f597d28d172789f06886806bc5",
        "signature: 8a477f597d28d172789f06886806bc55",
        " Signature: 8a477f597d28d172789f06886806bc55",
    ])
    func aFileThatOnlyBearsTheNameIsNoTagAndStays(content: String) throws {
        try fixture.file("build/CACHEDIR.TAG", content)
        #expect(try fixture.exclusion("build") == .none)
        try fixture.exclude("build")
        #expect(try fixture.exclusion("build") == .own([.mark, .attribute]))
        try fixture.workspace.marks.clear(fixture.path("build"))
        #expect(
            try fixture.tree.contents(of: "home/build/CACHEDIR.TAG") == Array(content.utf8))
    }

    @Test func aLinkOfTheNameIsNoTag() throws {
        try fixture.file("tag", "Signature: 8a477f597d28d172789f06886806bc55\n")
        try fixture.folder("build")
        try fixture.tree.symbolicLink("home/build/CACHEDIR.TAG", to: "../tag")
        #expect(try fixture.exclusion("build") == .none)
    }

    @Test func anAttributeThatSaysTrueExcludesNothing() throws {
        try fixture.file("Documents/letter")
        try fixture.setAttribute("user.xdg.robots.backup", "true", "Documents/letter")
        #expect(try fixture.exclusion("Documents/letter") == .none)
    }

    @Test(.tags(.r11d), arguments: ["", "Documents", ".cache", ".config", ".local/share"])
    func nothingIsPutOnARoleRoot(place: String) throws {
        try fixture.folder(".config")
        try fixture.folder(".local/share")
        let path = place.isEmpty ? fixture.home : fixture.path(place)
        let error = #expect(throws: HeadroomError.self) {
            try fixture.workspace.mark(path) { $0.isExcludedFromBackup = true }
        }
        #expect(error?.code == .refused)
        #expect(
            try !fixture.workspace.backupExclusionReader().exclusion(of: path).dialects
                .contains(.ownTag))
    }

    // MARK: - Reading

    @Test(.tags(.r11a)) func whatLiesInAnExcludedDirectoryInherits() throws {
        try fixture.file("Podcasts/2026/one")
        try fixture.exclude("Podcasts")
        #expect(
            try fixture.exclusion("Podcasts/2026/one")
                == .inherited(
                    from: fixture.path("Podcasts"), [.mark, .ownTag, .attribute]))
    }

    @Test func theNearestWins() throws {
        try fixture.file("a/b/c/file")
        try fixture.exclude("a")
        try fixture.setAttribute("user.xdg.robots.backup", "false", "a/b")
        #expect(
            try fixture.exclusion("a/b/c/file")
                == .inherited(from: fixture.path("a/b"), .attribute))
        #expect(try fixture.exclusion("a/b") == .own(.attribute))
    }

    @Test(.tags(.r11a)) func whatIsCacheIsExcludedByItsPlace() throws {
        try fixture.file(".cache/pip/wheel")
        guard case .byLocation(let place) = try fixture.exclusion(".cache/pip/wheel") else {
            Issue.record("not by its place: \(try fixture.exclusion(".cache/pip/wheel"))")
            return
        }
        #expect(place.path == fixture.path(".cache"))
        #expect(place.purgeClass == .cache)
        #expect(place.origin == "XDG_CACHE_HOME")
        #expect(try fixture.exclusion("Documents") == .none)
    }

    @Test(
        "A class mark also excludes in every format, unless the mark says otherwise", .tags(.r11a))
    func classMarkExcludes() throws {
        try fixture.file("Podcasts/one")
        let path = fixture.path("Podcasts/one")
        try fixture.workspace.mark(path) { $0.purgeClass = .lastResort }
        #expect(try fixture.exclusion("Podcasts/one") == .own([.attribute, .noDump]))
        #expect(try fixture.attribute("user.xdg.robots.backup", "Podcasts/one") == "false")
        try fixture.workspace.mark(path) { $0.includeInBackup() }
        #expect(try fixture.exclusion("Podcasts/one") == .none)
        try fixture.workspace.mark(path) { $0.isExcludedFromBackup = nil }
        #expect(try fixture.exclusion("Podcasts/one") == .own([.attribute, .noDump]))
        try fixture.workspace.mark(path) { $0.purgeClass = nil }
        #expect(try fixture.exclusion("Podcasts/one") == .none)
        #expect(try fixture.attribute("user.xdg.robots.backup", "Podcasts/one") == nil)
        #expect(try !fixture.isNoDump("Podcasts/one"))
    }

    @Test("A role root that is marked with a class never gets a tag", .tags(.r11d))
    func classMarkOnARoleRoot() throws {
        try fixture.folder(".cache")
        try fixture.workspace.mark(fixture.path(".cache")) { $0.purgeClass = .lastResort }
        #expect(!fixture.tree.exists("home/.cache/CACHEDIR.TAG"))
        #expect(try fixture.attribute("user.xdg.robots.backup", ".cache") == nil)
    }

    @Test(
        "Formats that others had set stay when the mark goes", .tags(.r11d),
        arguments: [false, true])
    func foreignFormatsStay(forgets: Bool) throws {
        try fixture.file("Documents/draft")
        try fixture.setAttribute("user.xdg.robots.backup", "false", "Documents/draft")
        let path = fixture.path("Documents/draft")
        try fixture.workspace.mark(path) { $0.isExcludedFromBackup = true }
        // Marked twice: its exclusion is Headroom's own now.
        try fixture.workspace.mark(path) { $0.purgeClass = .lastResort }
        #expect(try fixture.exclusion("Documents/draft") == .own([.mark, .attribute, .noDump]))
        if forgets {
            _ = try fixture.workspace.forget(path)
        } else {
            try fixture.workspace.marks.clear(path)
        }
        #expect(try fixture.exclusion("Documents/draft") == .own(.attribute))
        #expect(try fixture.attribute("user.headroom.backup", "Documents/draft") == nil)
    }

    @Test func aClassMarkThatGotOntoARoleRootExcludesNothing() throws {
        try fixture.file("Documents/letter")
        try fixture.workspace.marks.update(fixture.path("Documents")) { $0.purgeClass = .cache }
        #expect(try fixture.exclusion("Documents/letter") == .none)
    }

    @Test func aContainersOwnPlacesAreKnown() throws {
        let container = "phone/container"
        for name in ["Documents", "Library/Caches/app", "Library/Application Support", "tmp"] {
            try fixture.folder(container + "/" + name)
        }
        let path = fixture.path(container)
        let reader = fixture.workspace.backupExclusionReader(for: [path])
        for (name, isExcluded) in [
            ("Documents", false), ("Library/Caches/app", true),
            ("Library/Application Support", false), ("tmp", true),
        ] {
            let found = try reader.exclusion(of: path.appending(name))
            #expect(found.isExcluded == isExcluded, "\(name): \(found)")
        }
    }

    @Test(.enabled(if: Privilege.canMount, "needs root with a mount namespace"))
    func aFileSystemWithoutAttributesAndFlagsStillHoldsTheTagAndTheMark() throws {
        let volume = try MountedImage.ramfs()
        try withExtendedLifetime(volume) {
            let fixture = try BackupFixture(on: .at(volume.path))
            try fixture.folder("Podcasts")
            try fixture.file("letter")
            try fixture.exclude("Podcasts")
            try fixture.exclude("letter")
            #expect(try fixture.exclusion("Podcasts") == .own([.mark, .ownTag]))
            #expect(try fixture.exclusion("letter") == .own(.mark))
            try fixture.workspace.marks.clear(fixture.path("Podcasts"))
            #expect(try fixture.exclusion("Podcasts") == .none)
        }
    }
}
