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

/// What an audit proposes to move or rename ends under a name that is free.
@Suite("R4: proposed names")
struct ProposedNameTests {
    private let fixes: FixFixture
    private var box: AuditFixture { fixes.box }

    init() throws {
        fixes = try FixFixture()
    }

    private func exists(_ name: String) -> Bool {
        box.directory.tree.exists(TreePath(stringLiteral: "box/" + name))
    }

    // MARK: - Names of directories

    @Test(
        .tags(.r4d),
        arguments: [
            ("podcaster", [], "Podcaster"), ("日本", [], "Data"), ("2024", [], "Data2024"),
            ("日本", ["Data"], "Data2"), ("日本", ["Data", "Data2"], "Data3"),
            ("my_stuff", ["MyStuff"], "MyStuff2"), ("my_stuff", ["MYSTUFF"], "MyStuff2"),
            ("web_kit", [], "WebKit2"),
        ] as [(String, [String], String)])
    func aNameIsProposedThatIsFree(
        name: String, others: [String], proposed: String
    ) throws {
        for other in others + [name] { try box.file("Library/\(other)/a") }
        let path = box.path("Library/\(name)")
        let findings = try fixes.audit().findings
        let found = try #require(
            findings.first { $0.code == .directoryName && $0.path == path }?.fix)
        #expect(found.action == .rename(path, to: box.path("Library/\(proposed)")))
        try fixes.carryOut(found)
        #expect(exists("Library/\(proposed)/a"))
        #expect(!exists("Library/\(name)"))
        for other in others { #expect(exists("Library/\(other)/a")) }
    }

    @Test func noTwoAreToHaveOneName() throws {
        try box.file("Library/my_stuff/a")
        try box.file("Library/my-stuff/a")
        let names = try fixes.audit().findings.compactMap { finding -> FilePath? in
            guard case .rename(_, let name)? = finding.fix?.action else { return nil }
            return name
        }
        #expect(Set(names) == [box.path("Library/MyStuff"), box.path("Library/MyStuff2")])
    }

    // MARK: - Moves

    @Test func whatHasItsNameAlreadyGetsAnother() throws {
        try box.file("Documents/Thumbnails/a.jpg")
        try box.file("Library/Caches/Thumbnails/b.jpg")
        let found = try fixes.fix(.recreatableInDocuments)
        #expect(
            found.action
                == .rename(
                    box.path("Documents/Thumbnails"), to: box.path("Library/Caches/Thumbnails2")))
        try fixes.carryOut(found)
        #expect(exists("Library/Caches/Thumbnails2/a.jpg"))
        #expect(exists("Library/Caches/Thumbnails/b.jpg"))
    }

    @Test func aFileKeepsItsExtension() throws {
        try box.file("Library/Preferences/settings.json")
        try box.file("Library/Application Support/settings.json")
        let found = try fixes.fix(.handwrittenPreferences)
        try fixes.carryOut(found)
        #expect(exists("Library/Application Support/settings2.json"))
        #expect(!exists("Library/Preferences/settings.json"))
    }

    @Test func aDirectoryThatIsMissingIsMade() throws {
        try box.file("Library/Preferences/settings.json")
        let support = box.path("Library/Application Support")
        #expect(
            try fixes.fix(.handwrittenPreferences).command { "'\($0)'" }
                == "mkdir -p '\(support)' && "
                + "mv -n '\(box.path("Library/Preferences/settings.json"))' '\(support)'/")
    }

    // MARK: - Several directories of an app's own

    @Test(.tags(.r4d)) func theLargestTakesInTheOthers() throws {
        try box.file("Library/Player/a", .kilobytes(40))
        try box.file("Library/Podcaster/a")
        try box.file("Library/Settings/a")
        let found = try fixes.fix(.severalAppDirectories)
        let library = box.path("Library")
        #expect(
            found.command { "'\($0)'" }
                == "mv -n '\(library)/Podcaster' '\(library)/Settings' '\(library)/Player'/")
        try fixes.carryOut(found)
        #expect(exists("Library/Player/Podcaster/a") && exists("Library/Player/Settings/a"))
        #expect(try fixes.audit().findings == [])
    }

    @Test func theOneWithTheAppsNameComesFirst() throws {
        try box.file("Podcaster.app/Podcaster")
        try box.file("Library/Player/a", .kilobytes(40))
        try box.file("Library/Podcaster/a")
        #expect(
            try fixes.fix(.severalAppDirectories).action
                == .move(
                    [box.path("Library/Player")], into: box.path("Library/Podcaster"),
                    makesDirectory: false))
    }

    @Test func wherePlacesAreTakenANewOneIsMade() throws {
        try box.file("Library/Alpha/Beta/a")
        try box.file("Library/Beta/Alpha/a")
        let found = try fixes.fix(.severalAppDirectories)
        #expect(
            found.action
                == .move(
                    [box.path("Library/Alpha"), box.path("Library/Beta")],
                    into: box.path("Library/AppData"), makesDirectory: true))
        try fixes.carryOut(found)
        #expect(exists("Library/AppData/Alpha/Beta/a"))
        #expect(exists("Library/AppData/Beta/Alpha/a"))
        #expect(try fixes.audit().findings == [])
    }

    @Test(arguments: [Mark(purgeClass: .cache), Mark(isExcludedFromBackup: true)])
    func nothingIsMovedToWhereItWouldBePurgedOrNotBackedUp(mark: Mark) throws {
        try box.file("Documents/Big/a", .kilobytes(40))
        try box.file("Documents/Notes/a")
        try fixes.workspace.mark(box.path("Documents/Big")) { $0 = mark }
        #expect(
            try fixes.fix(.severalAppDirectories).action
                == .move(
                    [box.path("Documents/Big")], into: box.path("Documents/Notes"),
                    makesDirectory: false))
    }
}
