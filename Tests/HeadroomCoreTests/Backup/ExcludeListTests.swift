//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// R11: what goes into exclude lists. What programs make of them is tested with the programs.
@Suite("R11: exclude lists")
struct ExcludeListTests {
    let fixture: BackupFixture

    init() throws { fixture = try BackupFixture() }

    /// The entries below the home, relative to it.
    private func entries(of place: String = "") throws -> [String] {
        let root = place.isEmpty ? fixture.home : fixture.path(place)
        return try fixture.workspace.excludeList(of: [root]).entries.map {
            String($0.path.string.dropFirst(fixture.home.string.count + 1))
        }
    }

    @Test func aDirectoryThatIsLeftOutIsOneEntry() throws {
        try fixture.file(".cache/pip/a/b")
        try fixture.file("Podcasts/one")
        try fixture.exclude("Podcasts")
        try fixture.file("Documents/letter")
        #expect(try entries() == [".cache", ".local/state/tmp", "Podcasts"])
    }

    @Test func ofADirectoryWithinItIsThatDirectory() throws {
        try fixture.file(".cache/pip/a/b")
        #expect(try entries(of: ".cache/pip") == [".cache/pip"])
    }

    @Test func ofAFileItIsThatFile() throws {
        try fixture.file("Documents/draft")
        try fixture.file("Documents/letter")
        try fixture.exclude("Documents/draft")
        #expect(try entries(of: "Documents/draft") == ["Documents/draft"])
        #expect(try entries(of: "Documents/letter") == [])
    }

    @Test func whatAMarkLiftsIsBackedUpWithinWhatIsNot() throws {
        for name in [".cache/app/keep/me", ".cache/app/other", ".cache/b/x", ".cache/file"] {
            try fixture.file(name)
        }
        try fixture.workspace.marks.update(fixture.path(".cache/app/keep")) {
            $0.isExcludedFromBackup = false
        }
        #expect(
            try entries() == [".cache/app/other", ".cache/b", ".cache/file", ".local/state/tmp"])
    }

    @Test func anEssentialAreaInACacheIsBackedUp() throws {
        try fixture.file(".cache/app/database")
        try fixture.file(".cache/other")
        try fixture.workspace.ledger.register(
            Area(root: fixture.path(".cache/app"), purgeClass: .essential, origin: "test"))
        #expect(try entries() == [".cache/other", ".local/state/tmp"])
    }

    @Test(.enabled(if: Privilege.canMount, "needs root with a mount namespace"))
    func anotherVolumeIsNamedUnlessItsPlaceIsLeftOut() throws {
        try fixture.folder("data")
        // One for each: a cache that is a person's data by another name is no cache.
        func bind(_ source: String, at name: String) throws -> MountedImage {
            try fixture.tree.directory(TreePath(source))
            return try MountedImage.bind(
                fixture.directory.path.appending(source), at: fixture.path(name))
        }
        let data = try bind("one", at: "data")
        let cache = try bind("two", at: ".cache")
        try withExtendedLifetime((data, cache)) {
            let list = try fixture.workspace.excludeList(of: [fixture.home])
            #expect(list.notes.map(\.code) == [.mountPoint])
            #expect(list.notes.first?.text.contains("/data ") == true)
            #expect(list.entries.contains { $0.path == fixture.path(".cache") })
        }
    }

    @Test func entriesThatLieInOthersAreDropped() {
        let place = BackupExclusion.own(.mark)
        let list = ExcludeList(
            ["/a/b/c", "/a/b", "/a/bc", "/z", "/a/b"].map {
                ExcludeList.Entry(path: $0, isDirectory: true, exclusion: place)
            })
        #expect(list.entries.map(\.path) == ["/a/b", "/a/bc", "/z"])
    }

    @Test func patternsAreAnchoredAndSayExactlyOnePath() {
        let list = ExcludeList(
            ["/h/a*b", "/h/$x ", "/h/n\nl"].map {
                ExcludeList.Entry(
                    path: FilePath($0), isDirectory: false, exclusion: .own(.attribute))
            })
        func lines(_ program: BackupProgram, _ base: FilePath? = nil) -> [String] {
            String(decoding: list.written(for: program, base: base).bytes, as: UTF8.self)
                .split(separator: "\n").map(String.init)
        }
        #expect(
            lines(.restic) == ["/h/$$x[ ]", "/h/a\\*b", "/h/n[^\u{1}-\t\u{B}-\u{10FFFF}]l"])
        #expect(
            lines(.borg)
                == [#"re:^h/\x24x\x20(?:/|\Z)"#, "pp:/h/a*b", #"re:^h/n\x0al(?:/|\Z)"#])
        #expect(lines(.tar) == ["/h/$x[ ]", "/h/a\\*b"])
        #expect(list.written(for: .tar).unexpressed.map(\.path) == ["/h/n\nl"])
        #expect(lines(.rsync, "/h").prefix(2) == ["/$x ", "/a\\*b"])
    }
}
