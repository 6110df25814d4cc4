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
import SystemPackage
import Testing

@Suite("R4: conventions of Apple's layouts")
struct ConventionTests {
    private let box: AuditFixture

    init() throws {
        box = try AuditFixture()
    }

    @Test(
        .tags(.r4a),
        arguments: [
            ("Library/my_stuff/a", ["directory-name Library/my_stuff"]),
            ("Library/Caches/podcaster/a", ["directory-name Library/Caches/podcaster"]),
            ("Documents/My Files/a", ["directory-name Documents/My Files"]),
            (
                "Library/Application Support/player/a",
                ["directory-name Library/Application Support/player"]
            ),
            ("Library/Podcaster/a", []), ("Library/com.example.app/a", []),
            ("Library/com.apple.thing/a", []), ("Library/WebKit/a", []),
            ("Library/Saved Application State/a", []), ("Library/Caches/com.example.app/a", []),
        ] as [(String, [String])])
    func directoriesOfAnAppAreNamedInPascalCase(file: String, expected: [String]) throws {
        try box.file(file)
        #expect(try box.findings() == expected)
    }

    @Test func aNameIsProposed() throws {
        try box.file("Library/my_own-stuff/a")
        let fix = try #require(try box.audit().findings.first?.fix)
        #expect(
            fix.command { "\($0)" }
                == "mv -n \(box.path("Library/my_own-stuff")) \(box.path("Library/MyOwnStuff"))")
        #expect(!fix.isSafe)
    }

    @Test(.tags(.r4a), arguments: ["Library", "Library/Caches", "Documents"])
    func oneDirectoryOfTheAppsOwnIsEnough(parent: String) throws {
        try box.file("\(parent)/Podcaster/a")
        try box.file("\(parent)/com.example.app/a")
        #expect(try box.findings() == [])
        try box.file("\(parent)/Player/a")
        #expect(try box.findings() == ["several-app-directories \(parent)"])
    }

    @Test(
        .tags(.r4b),
        arguments: [
            ("com.example.podcaster.plist", false), (".GlobalPreferences.plist", false),
            ("group.com.example.plist", false), ("com.example.plist.aB3xYz", false),
            ("ByHost/com.example.plist", false), ("settings.json", true), ("settings.plist", true),
            ("Themes/dark", true),
        ])
    func nothingIsWrittenByHandInPreferences(name: String, isFound: Bool) throws {
        try box.file("Library/Preferences/\(name)")
        let first = name.split(separator: "/")[0]
        #expect(
            try box.findings()
                == (isFound ? ["handwritten-preferences Library/Preferences/\(first)"] : []))
    }

    @Test(
        .tags(.r4b),
        arguments: [
            ("Invoice.pdf", nil), ("Song.band/projectData", nil), ("index.sqlite", "index.sqlite"),
            (".state", ".state"), ("Extracted/a.txt", "Extracted"),
        ] as [(String, String?)])
    func nothingIsCreatedInInbox(name: String, found: String?) throws {
        try box.file("Documents/Inbox/\(name)")
        #expect(
            try box.findings() == (found.map { ["created-in-inbox Documents/Inbox/\($0)"] } ?? []))
    }

    @Test(.tags(.r4c)) func whatCanBeHadAgainBelongsInCaches() throws {
        try box.file("Documents/Thumbnails/a.jpg")
        let found = try #require(try box.audit().findings.first)
        #expect(found.code == .recreatableInDocuments)
        #expect(
            found.fix?.command { "\($0)" }
                == "mv -n \(box.path("Documents/Thumbnails")) \(box.path("Library/Caches"))/")
        #expect(found.fix?.isSafe == false)
    }

    @Test(.tags(.r4d)) func theProposedMoveWorks() throws {
        try box.file("Documents/Thumbnails/a.jpg")
        let fix = try #require(try box.audit().findings.first?.fix)
        let result = try ChildProcess.run("sh", ["-c", fix.command { "'\($0)'" }])
        #expect(result.exitCode == 0)
        #expect(box.directory.tree.exists("box/Library/Caches/Thumbnails/a.jpg"))
        #expect(try box.findings() == [])
    }

    @Test(.tags(.r4c))
    func unexcludedDataOfApplicationSupportThatCanBeHadAgainIsReportedHoweverSmall() throws {
        try box.file("Library/Application Support/Podcaster/SearchIndex/segment")
        #expect(
            try box.findings()
                == ["recreatable-in-backup Library/Application Support/Podcaster/SearchIndex"])
        try box.storage.mark(
            box.url("Library/Application Support/Podcaster/SearchIndex"), .noBackup)
        #expect(try box.findings() == [])
    }

    @Test(.tags(.r4c)) func cachesAtTheRootOfAGroupsContainerAreMisplaced() throws {
        let group = PhoneContainer.group(metadata: true)
        let tree = box.directory.tree
        try group.make(in: tree, at: "group")
        try tree.file("group/image_cache/1.jpg", size: .kilobytes(4))
        try tree.file("group/Library/Caches/ImageCache/1.jpg", size: .kilobytes(4))
        let root = box.directory.path.appending("group")
        let workspace = Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: box.directory.path.appending("home"),
            ledgerDirectory: box.directory.path.appending("ledger"), minIdle: .none,
            clock: Timestamp.now)
        let codes = try workspace.audit([root], options: box.options).findings
            .filter { $0.code == .cacheAtGroupRoot }.map(\.path)
        #expect(Set(codes) == [root.appending("image_cache"), root.appending("Episodes")])
    }

    @Test(.tags(.r4d)) func elsewhereTheConventionsDoNotHold() throws {
        let home = try StorageFixture(on: .memory)
        for name in ["my_stuff", "other stuff", "third"] {
            try home.tree.file(TreePath(stringLiteral: "home/Documents/\(name)/a"), text: "x")
        }
        let workspace = Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: home.base.path.appending("home"),
            ledgerDirectory: home.base.path.appending("ledger"), minIdle: .none,
            clock: Timestamp.now)
        #expect(try workspace.audit().findings.isEmpty)
    }
}
