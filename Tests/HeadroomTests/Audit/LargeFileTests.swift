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

@Suite("R13: large and old files")
struct LargeFileTests {
    private let box: AuditFixture

    init() throws {
        box = try AuditFixture()
    }

    private func names(_ files: [Audit.LargeFile]) -> [String] {
        files.map { "\($0.kind.name) \($0.path.lastComponent?.string ?? "")" }
    }

    @Test(.tags(.r13a)) func theLargestOfEachKindComeFirst() throws {
        for size in 1...4 {
            try box.file("Documents/\(size).pdf", .kilobytes(Int64(size) * 20))
            try box.file("Documents/\(size).mp4", .kilobytes(Int64(size) * 30))
        }
        #expect(
            names(try box.storage.largestFiles(2))
                == ["video 4.mp4", "video 3.mp4", "pdf 4.pdf", "pdf 3.pdf"])
    }

    @Test("The files that a cache store consists of are not listed", .tags(.r13a))
    func leavesOutCacheStores() throws {
        let store = try box.storage.cacheStore(named: "tiles", limit: .megabytes(50))
        for number in 0..<20 { try store.put(Data(count: 300_000), for: "tile \(number)") }
        try box.file("Library/Caches/Podcaster/loose.bin", .kilobytes(8))
        #expect(names(try box.storage.largestFiles()) == ["other loose.bin"])
    }

    @Test(
        "In a home, the directories of its people are audited, and are not the app's to repair",
        .tags(.r13a))
    func auditsTheDirectoriesOfAHome() throws {
        let home = try StorageFixture(on: .disk)
        try home.tree.file(
            "home/.config/user-dirs.dirs", text: "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n")
        for name in ["Documents/thesis.pdf", "Bilder/sea.jpg", "Downloads/film.mp4"] {
            try home.tree.file(TreePath("home/" + name), size: .kilobytes(200))
        }
        try home.tree.file("home/work/other.mp4", size: .kilobytes(200))
        // Opened now that the directories have their names.
        let storage = try home.anotherProcess()
        try storage.save(Data(count: 100_000), as: .essential(.appData), named: "index")
        var options = AuditOptions()
        options.largeEach = .kilobytes(100)
        options.largeInAll = .kilobytes(300)
        let audit = try storage.audit(options)
        #expect(audit.backup.total.allocated >= .kilobytes(700))
        #expect(
            Set(audit.largest.map { $0.path.lastComponent?.string }) == [
                "thesis.pdf", "sea.jpg", "film.mp4", "index",
            ])
        let pictures = home.base.path.appending("home/Bilder/sea.jpg")
        #expect(audit.survey.standing(of: pictures)?.role == .userFiles)
        // Nothing there becomes an app's to purge.
        #expect(try storage.plan(freeing: .gigabytes(1)).isEmpty)
    }

    @Test(.tags(.r13b)) func kindsAreByContentNotByName() throws {
        try box.file("Documents/letter.txt", start: [0, 0, 0, 0x18] + Array("ftypM4V ".utf8))
        try box.file("Documents/film.mp4", start: Array("%PDF-1.7".utf8))
        try box.file("Documents/noname", start: [0xFF, 0xD8, 0xFF, 0xE0])
        let files = try box.storage.largestFiles()
        #expect(Set(names(files)) == ["video letter.txt", "pdf film.mp4", "image noname"])
        let kinds = try box.audit().backup.byKind
        #expect(kinds.mapValues(\.items) == [.video: 1, .pdf: 1, .image: 1])
    }

    /// A birth cannot be set back, so the clock is set forward: of two files that are born now, one is
    /// used a year later, and it is ten days after that.
    @Test(.tags(.r13e)) func onlyWhatIsOldIsListedIfAskedFor() throws {
        try box.file("Documents/old.pdf", .kilobytes(40))
        try box.file("Documents/new.pdf", .kilobytes(8))
        let year = Duration.seconds(365 * 86_400)
        let day = Duration.seconds(86_400)
        let used = Timestamp.wallClock().advanced(by: year)
        try box.directory.tree.setTimes(
            of: "box/Documents/new.pdf", accessed: used, modified: used)
        let later = try box.storage(after: year + day * 10)
        #expect(names(try later.largestFiles(5)) == ["pdf old.pdf", "pdf new.pdf"])
        #expect(
            names(try later.largestFiles(5, unusedFor: day * 9)) == ["pdf old.pdf", "pdf new.pdf"])
        #expect(names(try later.largestFiles(5, unusedFor: day * 11)) == ["pdf old.pdf"])
        #expect(names(try later.largestFiles(5, unusedFor: day * 370)) == ["pdf old.pdf"])
        #expect(names(try later.largestFiles(5, unusedFor: day * 380)) == [])
    }

    @Test(.tags(.r13d)) func aBirthCountsAsUse() throws {
        try box.file("Documents/unpacked.pdf")
        try box.directory.tree.age("box/Documents/unpacked.pdf", by: .seconds(400 * 86_400))
        #expect(names(try box.storage.largestFiles(5, unusedFor: .seconds(86_400))).isEmpty)
        #expect(names(try box.storage.largestFiles(5, unusedFor: .zero)).count == 1)
    }

    @Test(.tags(.r13c)) func readingDoesNotCountAsUse() throws {
        try box.file("Documents/a.pdf", start: Array("%PDF-1.7".utf8))
        let long = Timestamp(seconds: 1_000_000_000)
        try box.directory.tree.setTimes(of: "box/Documents/a.pdf", accessed: long, modified: long)
        let file = try #require(try box.storage.largestFiles().first)
        #expect(file.mediaType == "application/pdf")
        let status = try box.directory.tree.status(of: "box/Documents/a.pdf")
        #expect(status.accessed == long)
    }

    @Test(.tags(.s12a), .timeLimit(.minutes(10)))
    func whatIsNoRegularFileIsNeverOpened() throws {
        try box.directory.tree.fifo("box/Documents/pipe.mp4")
        try box.directory.tree.socket("box/Documents/socket.mp4")
        try box.directory.tree.symbolicLink("box/Documents/link.mp4", to: "/etc/passwd")
        // A name so long has a block of its own: it occupies something, as a file does.
        let far = "/" + String(repeating: "elsewhere/", count: 30)
        try box.directory.tree.symbolicLink("box/Documents/far.mp4", to: far)
        #expect(try box.directory.tree.status(of: "box/Documents/far.mp4").allocatedSize > .zero)
        #expect(try box.storage.largestFiles().isEmpty)
        #expect(try box.audit().unreadableCount == 0)
    }

    @Test(.tags(.r13a)) func whatOccupiesNothingIsNotListed() throws {
        try box.directory.tree.sparseFile("box/Documents/cloud.mov", size: .gigabytes(1))
        #expect(try box.storage.largestFiles().isEmpty)
    }

    @Test func aFileWithSeveralNamesIsThereOnce() throws {
        try box.file("Documents/a.pdf", .kilobytes(40))
        try box.directory.tree.hardLink("box/Documents/b.pdf", to: "box/Documents/a.pdf")
        #expect(try box.storage.largestFiles().count == 1)
        #expect(try box.audit().backup.total.items == 2)
        #expect(try box.audit().backup.total.allocated < .kilobytes(50))
    }

    @Test(.enabled(if: !Privilege.isRoot, "root reads every file"))
    func whatCannotBeReadIsCountedAndJudgedByName() throws {
        try box.file("Documents/a.pdf", .kilobytes(40))
        try box.directory.tree.setPermissions(0, of: "box/Documents/a.pdf")
        let audit = try box.audit()
        #expect(names(audit.largest) == ["pdf a.pdf"])
        #expect(audit.unreadableCount == 1)
    }
}
