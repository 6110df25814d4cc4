//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R33, R37: the command trash", .blocks)
struct TrashTests {
    private let home: Home
    private func path(_ name: String) -> String { home.path.appending(name).string }

    init() throws {
        home = try Home()
        try home.tree.file("home/Documents/a.txt", size: .kilobytes(40))
        try home.tree.file("home/Documents/Trip/photo.jpg", size: .kilobytes(80))
    }

    @Test(.tags(.r33a)) func throwsAwayListsAndBringsBack() throws {
        let put = try home.run("trash", path("Documents/a.txt"), path("Documents/Trip"))
        #expect(put.exitCode == 0, "\(put.errors)")
        #expect(put.output.contains("Moved 2 items to the trash: frees 0 now, "))
        #expect(!home.exists("Documents/a.txt"))
        let list = try home.run("trash", "list")
        #expect(list.output.contains("~/Documents/Trip/"))
        #expect(list.output.contains("in 4 weeks"))
        let back = try home.run("trash", "restore", path("Documents/a.txt"))
        #expect(back.exitCode == 0, "\(back.errors)")
        #expect(home.exists("Documents/a.txt"))
        #expect(try home.run("trash", "restore", "Trip").exitCode == 0)
        #expect(home.exists("Documents/Trip/photo.jpg"))
        #expect(try home.run("trash", "list").output == "The trash is empty.\n")
    }

    @Test func aReceiptIsUndoneWhole() throws {
        let put = try home.run(
            "trash", path("Documents/a.txt"), path("Documents/Trip"), "--json")
        #expect(put.json("schema") == "\"headroom.disposal/1\"")
        #expect(put.json("kind") == "\"disposal\"")
        #expect(put.json("freesNowBytes") == "0")
        let id = try #require(put.values("id").first).filter { $0 != "\"" }
        let log = try home.run("log", "--receipt", id)
        #expect(log.output.contains("frees 0 now"))
        let undo = try home.run("trash", "restore", "--receipt", id)
        #expect(undo.exitCode == 0, "\(undo.errors)")
        #expect(undo.output == "Brought back 2 items.\n")
        #expect(home.exists("Documents/a.txt") && home.exists("Documents/Trip/photo.jpg"))
        #expect(try home.run("trash", "restore", "--receipt", id).exitCode == 1)
    }

    @Test func whatStaysInTheTrashIsSaid() throws {
        try home.tree.file("home/Documents/Held/inside", size: .kilobytes(40))
        try home.tree.fifo("home/Documents/Held/pipe")
        let put = try home.run("trash", path("Documents/a.txt"), path("Documents/Held"))
        #expect(put.exitCode == 0, "\(put.errors)")
        let some = try home.run("trash", "empty", "--yes")
        #expect(some.exitCode == 4)
        #expect(some.output.contains("Freed"))
        let words = "Documents/Held is kept in the trash. It is a FIFO"
        #expect(some.errors.contains(words), "\(some.errors)")
        let none = try home.run("trash", "empty", "--yes")
        #expect(none.exitCode == 4)
        #expect(none.output.isEmpty, "\(none.output)")
        #expect(none.errors.contains("is kept in the trash"), "\(none.errors)")
        let json = try home.run("trash", "empty", "--yes", "--json")
        #expect(json.exitCode == 4)
        #expect(json.json("code") == "\"special-file\"")
        // What is of no concern is not spoken of.
        let other = try home.run("trash", path("Documents/Trip"))
        #expect(other.exitCode == 0)
        let chosen = try home.run("trash", "empty", "Trip", "--yes")
        #expect(chosen.exitCode == 0, "\(chosen.errors)")
        #expect(try home.run("trash", "empty", "--older-than", "2d", "--yes").exitCode == 0)
    }

    @Test func whatIsRefusedHasAReasonAndACode() throws {
        let all = try home.run("trash", path("Documents"))
        #expect(all.exitCode == 1)
        #expect(all.output.contains("cannot be thrown away"))
        let some = try home.run("trash", path("Documents"), path("Documents/a.txt"))
        #expect(some.exitCode == 4)
        #expect(try home.run("trash").exitCode == 2)
        #expect(try home.run("trash", "restore").exitCode == 2)
        #expect(try home.run("trash", "restore", "nothing").exitCode == 1)
        #expect(try home.run("trash", path("Documents/a.txt"), "--yes").exitCode == 2)
    }

    @Test(.tags(.r37b)) func emptyingAsksAndFrees() throws {
        #expect(try home.run("trash", path("Documents/a.txt")).exitCode == 0)
        let refused = try home.run("trash", "empty")
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("--yes"))
        let old = try home.run("trash", "empty", "--older-than", "1d", "--yes", "--json")
        #expect(old.json("removedCount") == "0")
        let result = try home.run("trash", "empty", "--yes", "--json")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.json("removedCount") == "1")
        #expect(!home.exists(".local/share/Trash/info/a.txt.trashinfo"))
    }

    @Test(.tags(.r33f)) func permanentlyNeedsAWord() throws {
        let refused = try home.run("trash", path("Documents/a.txt"), "--permanently")
        #expect(refused.exitCode == 1)
        #expect(home.exists("Documents/a.txt"))
        let result = try home.run("trash", path("Documents/a.txt"), "--permanently", "--yes")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("Freed "))
        #expect(try home.run("trash", "list").output == "The trash is empty.\n")
    }

    @Test func theClassIsNamedAndTheNoteAloneMakesNothingOld() throws {
        #expect(try home.run("trash", path("Documents/a.txt")).exitCode == 0)
        let info = TreePath(stringLiteral: "home/.local/share/Trash/info/a.txt.trashinfo")
        try home.tree.file(
            info,
            text:
                "[Trash Info]\nPath=\(path("Documents/a.txt"))\nDeletionDate=2020-01-01T00:00:00\n")
        let trashed = path(".local/share/Trash/files/a.txt")
        let explained = try home.run("explain", trashed, "--json")
        #expect(explained.values("class").contains("\"trash\""), "\(explained.output)")
        // Anybody can write that it was years ago.
        let plan = try home.run("plan", "--all", "--expired", "--through", "last-resort", "--json")
        #expect(!plan.output.contains("a.txt"), "\(plan.output)")
    }

    /// What is written of a deletion is local time, which elsewhere is more than a day ago.
    @Test(.tags(.r33e)) func aTimeZoneMakesNothingOld() throws {
        func run(_ zone: String, _ arguments: String...) throws -> ChildResult {
            try Program.run(
                arguments, environment: home.environment.merging(["TZ": zone]) { $1 })
        }
        #expect(try run("West+11", "trash", path("Documents/a.txt")).exitCode == 0)
        let purge = try run(
            "East-14", "purge", "--all", "--through", "last-resort", "--yes")
        #expect(home.exists(".local/share/Trash/files/a.txt"), "\(purge.output)")
    }
}
