//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R19: the command dir", .blocks)
struct DirTests {
    private let home: Home
    private var renders: String { home.path.appending("Renders").string }

    init() throws {
        home = try Home(on: .disk)
        for name in ["a", "b", "c"] {
            try home.tree.file(
                "home/Renders/\(name)" as TreePath, contents: [UInt8](repeating: 7, count: 40_000))
        }
    }

    private func add(_ arguments: String...) throws {
        let result = try home.run(["dir", "add", renders] + arguments)
        #expect(result.exitCode == 0, "\(result.errors)")
    }

    @Test func addsListsAndRemoves() throws {
        #expect(try home.run("dir", "list").output.hasPrefix("No directory is registered."))
        try add("--retention", "14d", "--limit", "500MB")
        let list = try home.run("dir", "list")
        for words in ["~/Renders", "500 MB", "2 weeks", "a person"] {
            #expect(list.output.contains(words), "\(words): \(list.output)")
        }
        #expect(try home.run("explain", renders + "/a").output.contains("cache"))
        let removed = try home.run("dir", "remove", renders)
        #expect(removed.exitCode == 0 && removed.output.contains("taken out"))
        #expect(try home.run("dir", "list").output.hasPrefix("No directory is registered."))
        #expect(home.exists("Renders/a"))
        #expect(try home.run("explain", renders + "/a").output.contains("essential"))
    }

    /// Marks travel with what is moved.
    @Test func removingSaysWhatBecameOfADirectoryThatWasMovedAway() throws {
        try add("--limit", "1GB")
        try home.tree.rename("home/Renders", to: "home/Other")
        let removed = try home.run("dir", "remove", renders)
        #expect(removed.exitCode == 0)
        #expect(removed.errors.contains("~/Other by now: its mark was taken off"))
        let other = home.path.appending("Other").string
        #expect(try home.run("explain", other + "/a").output.contains("essential"))
        try home.tree.rename("home/Other", to: "home/Renders")
        try add("--limit", "1GB")
        try home.tree.directory("home/in")
        try home.tree.rename("home/Renders", to: "home/in/Other")
        let moved = try home.run("dir", "remove", renders)
        #expect(moved.errors.contains("still marked as purgeable"))
        #expect(moved.errors.contains("headroom mark --clear PATH"))
    }

    @Test func theTagForBackupsIsNoItem() throws {
        try add()
        #expect(home.exists("Renders/CACHEDIR.TAG"))
        #expect(try home.run("dir", "list", "--json").values("items") == ["3"])
    }

    @Test(.tags(.r19c)) func checkTrimsAtTheLimit() throws {
        try add("--limit", "120kB")
        let result = try home.run("dir", "check")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.contains("2 items removed"), "\(result.output)")
        #expect(try home.run("dir", "check").output.contains("nothing to do"))
        let json = try home.run("dir", "list", "--json")
        #expect(json.json("schema") == "\"headroom.dir.list/1\"")
        #expect(json.values("limitBytes") == ["120000"])
    }

    @Test(.tags(.r37b)) func resetAsksAndEmpties() throws {
        try add()
        let refused = try home.run("dir", "reset", renders)
        #expect(refused.exitCode == 1 && refused.errors.contains("--yes"))
        #expect(home.exists("Renders/a"))
        let result = try home.run("dir", "reset", "--all", "--yes")
        #expect(result.exitCode == 0 && result.output.contains("3 items removed"))
        #expect(home.exists("Renders") && !home.exists("Renders/a"))
        #expect(try home.run("dir", "list").output.contains("~/Renders"))
    }

    @Test(.tags(.r37b)) func removeWithContentsAsksAndEmptiesFirst() throws {
        try add()
        let refused = try home.run("dir", "remove", renders, "--contents")
        #expect(refused.exitCode == 1 && refused.errors.contains("--yes"))
        #expect(home.exists("Renders/a"))
        #expect(try home.run("dir", "list").output.contains("~/Renders"))
        let result = try home.run("dir", "remove", renders, "--contents", "--yes")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(home.exists("Renders") && !home.exists("Renders/a"))
        #expect(try home.run("dir", "list").output.hasPrefix("No directory is registered."))
    }

    @Test(arguments: ["/", "/etc", "/usr", "/home", ""])
    func placesThatMayNeverGoAreRefused(path: String) throws {
        let result = try home.run("dir", "add", path)
        #expect(result.exitCode == 1)
        #expect(try home.run("dir", "list").output.hasPrefix("No directory is registered."))
    }

    @Test(arguments: [
        ["reset"], ["reset", "--all", "x"], ["add"], ["add", "x", "--retention", "soon"],
        ["add", "x", "--trim", "101"], ["remove"], ["remove", "x", "--yes"],
    ])
    func wrongArguments(arguments: [String]) throws {
        #expect(try home.run(["dir"] + arguments).exitCode == 2)
    }

    @Test func whatIsNotRegisteredIsNotTouched() throws {
        for command in [["check"], ["reset"], ["remove"]] {
            let result = try home.run(["dir"] + command + [renders])
            #expect(result.exitCode == 1 && result.errors.contains("is not registered"))
        }
        #expect(home.exists("Renders/a"))
    }
}
