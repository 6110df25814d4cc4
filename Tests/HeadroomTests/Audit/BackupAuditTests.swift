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

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R12: backup audit")
struct BackupAuditTests {
    private let box: AuditFixture

    init() throws {
        box = try AuditFixture()
    }

    private let tiles = "Library/Application Support/Podcaster/MapTiles"

    // MARK: - What can be had again

    @Test(.tags(.r12b)) func whatCanBeHadAgainIsReportedOnceWithItsFix() throws {
        try box.file("\(tiles)/1/a.png", .kilobytes(80))
        try box.file("\(tiles)/2/b.png", .kilobytes(80))
        let found = try #require(try box.audit().findings.first)
        #expect(try box.audit().findings.count == 1)
        #expect(found.code == .recreatableInBackup)
        #expect(found.path == box.path(tiles))
        #expect(found.items == 2)
        #expect(found.bytes >= .kilobytes(160))
        #expect(found.text == "Map tiles can be had again, and should not be backed up.")
        #expect(found.fix?.isSafe == true)
        #expect(
            found.fix?.command { "'\($0)'" } == "headroom mark '\(box.path(tiles))' --no-backup")
    }

    @Test(.tags(.r12b)) func databasesDocumentsAndReceiptsNeverCanBeHadAgain() throws {
        try box.file(
            "\(tiles)/index.sqlite", .kilobytes(80), start: Array("SQLite format 3\0".utf8))
        for name in ["letter.pdf", "letter.docx", "Essay.pages", "purchase.receipt"] {
            try box.file("\(tiles)/\(name)", .kilobytes(80))
        }
        // By content, whatever it is called.
        try box.file("\(tiles)/tile.png", .kilobytes(80), start: Array("SQLite format 3\0".utf8))
        #expect(try box.findings([.recreatableInBackup]) == [])
        #expect(try box.audit().backup.recreatable == .zero)
        try box.file("\(tiles)/real.png", .kilobytes(120), start: [0x89, 0x50, 0x4E, 0x47])
        let found = try #require(try box.audit().findings.first { $0.code == .recreatableInBackup })
        #expect(found.items == 1)
        #expect(found.fix?.isSafe == false, "what is beside it is not to be left out")
    }

    @Test func whatCameFromTheNetworkIsKnownByItsAttribute() throws {
        let name = "Library/Application Support/Podcaster/episode.mp3"
        try box.file(name, .kilobytes(200), start: Array("ID3".utf8))
        #expect(try box.findings([.recreatableInBackup]) == [])
        try box.set("user.xdg.origin.url", "https://me:secret@cdn.example.com/e?token=1", of: name)
        let found = try #require(try box.audit().findings.first { $0.code == .recreatableInBackup })
        #expect(found.path == box.path(name))
        #expect(found.text == "It was downloaded from cdn.example.com, and is backed up.")
        #expect(found.fix?.isSafe == true)
    }

    @Test func whatSomebodyDownloadedToDocumentsIsLeftToThem() throws {
        try box.file("Documents/song.mp3", .kilobytes(200), start: Array("ID3".utf8))
        try box.set("user.xdg.origin.url", "https://example.com/song", of: "Documents/song.mp3")
        let found = try #require(try box.audit().findings.first { $0.code == .recreatableInBackup })
        #expect(found.fix?.isSafe == false)
    }

    @Test("A marked class leaves a directory out of backups, and nothing is left to find")
    func marksAreToldToBackups() throws {
        let name = "Library/Application Support/Podcaster/Old"
        try box.file("\(name)/Waveforms.cache", .kilobytes(200))
        var rules = box
        rules.options.rules = try RuleBook(parsing: "waves  data  Old/  Waveforms")
        #expect(
            try rules.findings([.recreatableInBackup]) == ["recreatable-in-backup \(name)"])
        try box.storage.mark(box.url(name), .purgeable)
        #expect(try rules.findings([.recreatableInBackup]) == [])
    }

    @Test func ownRulesAreTaken() throws {
        try box.file("Library/Application Support/Podcaster/Waveforms/a", .kilobytes(200))
        #expect(try box.findings([.recreatableInBackup]) == [])
        var box = box
        box.options.rules = try RuleBook(parsing: "waves  data  Wave*/  Waveforms")
        #expect(
            try box.findings([.recreatableInBackup])
                == ["recreatable-in-backup Library/Application Support/Podcaster/Waveforms"])
    }

    @Test func smallThingsAreReportedTogether() throws {
        for index in 0..<20 {
            try box.file(
                "Library/Application Support/Podcaster/Media/a\(index)/e.mp3", .kilobytes(20),
                start: Array("ID3".utf8))
            try box.set(
                "user.xdg.origin.url", "https://example.com",
                of: "Library/Application Support/Podcaster/Media/a\(index)/e.mp3")
        }
        let found = try #require(try box.audit().findings.first)
        #expect(found.code == .smallRecreatableInBackup)
        #expect(found.items == 20)
        var box = box
        box.options.largeInAll = .megabytes(1)
        #expect(try box.audit().findings.isEmpty)
    }

    @Test func largeFilesAreNotedIfTheyComeToMuch() throws {
        try box.file(
            "Documents/film.mov", .kilobytes(250), start: [0, 0, 0, 20] + Array("ftypqt  ".utf8))
        #expect(try box.findings([.largeInBackup]) == [])
        try box.file("Documents/film2.mov", .kilobytes(250))
        #expect(
            try box.findings([.largeInBackup])
                == ["large-in-backup Documents/film.mov", "large-in-backup Documents/film2.mov"])
        #expect(try box.audit().findings.allSatisfy { $0.severity == .note })
    }

    // MARK: - Fixing

    @Test(.tags(.r12e)) func fixingLeavesOutWhatIsSafeAndNothingElse() throws {
        try box.file("\(tiles)/a.png", .kilobytes(200))
        try box.file("Documents/Thumbnails/a.jpg", .kilobytes(200))
        try box.file("Documents/film.mov", .kilobytes(400))
        let before = try box.audit()
        let done = box.storage.repair(before)
        #expect(done.map(\.finding.path) == [box.path(tiles)])
        #expect(done.allSatisfy { $0.failure == nil })
        let after = try box.audit()
        #expect(after.survey.standing(of: box.path("\(tiles)/a.png"))?.backup == .inherited)
        #expect(!after.findings.contains { $0.path == box.path(tiles) })
        #expect(box.storage.repair(after).isEmpty)
        #expect(box.directory.tree.exists("box/Documents/Thumbnails/a.jpg"))
        let saved = before.backup.total.allocated - after.backup.total.allocated
        #expect(saved >= .kilobytes(200) && saved < .kilobytes(220))
    }

    // MARK: - What a person made

    @Test(.tags(.r12c)) func whatAPersonMadeAndNoBackupHoldsIsAWarning() throws {
        try box.file("Documents/Novel/chapter.txt", .kilobytes(8))
        try box.file("Documents/Novel/old/chapter.txt", .kilobytes(8))
        try box.file("Documents/diary.txt", .kilobytes(8))
        try box.storage.mark(box.url("Documents/Novel"), .noBackup)
        try box.storage.mark(box.url("Documents/diary.txt"), .noBackup)
        #expect(
            try box.findings()
                == [
                    "user-content-excluded Documents/Novel",
                    "user-content-excluded Documents/diary.txt",
                ])
        let audit = try box.audit()
        #expect(audit.findings.allSatisfy { $0.severity == .warning && $0.fix?.isSafe == false })
        #expect(box.storage.repair(audit).isEmpty)
    }

    @Test func aWordOfAnotherProgramCountsToo() throws {
        try box.file("Documents/diary.txt", .kilobytes(8))
        try box.set("user.xdg.robots.backup", "false", of: "Documents/diary.txt")
        #expect(try box.findings() == ["user-content-excluded Documents/diary.txt"])
        #expect(try box.audit().backup.total.items == 0)
    }

    @Test func whatAnotherProgramTaggedCanBeHadAgain() throws {
        try box.file("Documents/Project/target/a.o", .kilobytes(200))
        try box.directory.tree.file(
            "box/Documents/Project/target/CACHEDIR.TAG",
            text: "Signature: 8a477f597d28d172789f06886806bc55\n# cargo\n")
        #expect(try box.findings() == [])
        let found = try box.audit().survey.standing(of: box.path("Documents/Project/target/a.o"))
        #expect(found?.backup == .inherited)
        #expect(found?.isRecreatable == true)
    }

    // MARK: - Elsewhere

    @Test(.tags(.r12a)) func elsewhereAllIsBackedUpThatNobodyExcluded() throws {
        let home = try StorageFixture(on: .disk)
        try home.tree.file("home/.cache/pip/wheel", size: .kilobytes(200))
        try home.tree.file("home/.cache/small", size: .kilobytes(4))
        try home.tree.file("home/work/node_modules/x/index.js", size: .kilobytes(200))
        try home.tree.file("home/Documents/letter", size: .kilobytes(4))
        let workspace = Workspace.open(
            environment: ["TMPDIR": "/no/such"], home: home.base.path.appending("home"),
            ledgerDirectory: home.base.path.appending("ledger"), minIdle: .none,
            clock: Timestamp.now)
        let audit = try workspace.audit(options: box.options)
        #expect(audit.backup.total.items == 4)
        #expect(
            audit.findings.map { "\($0.code) \($0.path)" }.sorted() == [
                "recreatable-in-backup \(home.base.path)/home/.cache/pip",
                "recreatable-in-backup \(home.base.path)/home/work/node_modules",
            ])
        let done = workspace.repair(audit)
        #expect(done.count == 2)
        #expect(done.allSatisfy { $0.failure == nil })
        #expect(try workspace.audit(options: box.options).backup.total.items == 2)
    }

    @Test func whatTheLibraryDownloadsAndMarksIsNoFinding() throws {
        let fixture = try StorageFixture(on: .disk)
        let data = Data.pattern(200_000)
        _ = try fixture.storage.save(data, as: .lastResort, named: "episode.mp3")
        _ = try fixture.storage.save(data, as: .essential(.appData), named: "library.bin")
        let audit = try fixture.storage.audit(box.options)
        #expect(audit.findings.map(\.code) == [])
        #expect(audit.backup.total.items == 1)
    }
}
