//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// `headroom config`, as a person calls it.
@Suite(.blocks)
struct ConfigCommandTests {
    let home: Home

    init() throws {
        home = try Home(on: .disk)
        try home.tree.directory("etc/conf.d")
    }

    private var directory: String { home.directory.path.appending("etc").string }

    private func write(_ name: String, _ text: String) throws {
        try home.tree.file(TreePath("etc/" + name), text: text)
        try home.tree.setPermissions(0o644, of: TreePath("etc/" + name))
    }

    @Test func saysThatNothingIsThere() throws {
        let result = try home.run("config", "check", "--directory", directory)
        #expect(result.exitCode == 0)
        #expect(result.output.contains("only observes"))
    }

    @Test func listsEveryErrorAndEndsWithOne() throws {
        try write("headroom.yaml", "mode: akt\n")
        try write("conf.d/a.yaml", "areas:\n  - path: /\n    class: cache\n")
        let result = try home.run("config", "check", "--directory", directory)
        #expect(result.exitCode == 1)
        #expect(result.output.contains("headroom.yaml:1: mode: “akt” is not one of"))
        #expect(result.output.contains("a.yaml:2: areas[0]: / cannot be a cache area"))
        #expect(result.output.contains("2 errors."))
    }

    @Test func givesErrorsAsJSON() throws {
        try write("headroom.yaml", "mode: akt\n")
        let result = try home.run("config", "check", "--directory", directory, "--json")
        #expect(result.exitCode == 1)
        #expect(result.json("valid") == "false")
        #expect(result.json("line") == "1")
        #expect(result.json("key") == "\"mode\"")
        #expect(result.json("severity") == "\"error\"")
    }

    @Test func checksAFileBeforeItIsPutInPlace() throws {
        try write("new.yaml", "mode: act\nareas: [{ path: ~/.cache, class: cache }]\n")
        let good = try home.run("config", "check", directory + "/new.yaml")
        // The whole cache is a role of the home already: it is left out, and the service starts.
        #expect(good.exitCode == 0)
        #expect(good.output.contains("areas[0]"))
        try write("new.yaml", "mode: act\nareas: [{ path: ~/.cache/a, class: cache }]\n")
        #expect(try home.run("config", "check", directory + "/new.yaml").exitCode == 0)
    }

    /// The service would go on without; nothing is made or changed to find that out.
    @Test(.tags(.r29h)) func saysThatTheHistoryIsAnothersFile() throws {
        try home.tree.file("home/diary", text: "my diary")
        try write("headroom.yaml", "history:\n  path: ~/diary\n")
        let before = try home.listing()
        let result = try home.run("config", "check", "--directory", directory)
        #expect(result.exitCode == 0)
        #expect(result.output.contains("headroom.yaml:2: history.path: the service goes on"))
        #expect(result.output.contains("is no history of Headroom's"))
        #expect(try home.listing() == before)
        // One that is not there yet is made by the service.
        try write("headroom.yaml", "history:\n  path: ~/state/h.sqlite\n")
        let good = try home.run("config", "check", "--directory", directory)
        #expect(!good.output.contains("history.path"), "\(good.output)")
        #expect(!home.exists("state"))
    }

    @Test func refusesFilesAndADirectoryAtOnce() throws {
        let result = try home.run("config", "check", "a.yaml", "--directory", directory)
        #expect(result.exitCode == 2)
    }

    @Test func showsEachValueWithItsPlace() throws {
        try write("headroom.yaml", "\nmode: act\n")
        let result = try home.run("config", "show", "--directory", directory)
        #expect(result.exitCode == 0)
        let lines = result.output.split(separator: "\n")
        let mode = try #require(lines.first { $0.hasPrefix("mode ") })
        #expect(mode.contains("act") && mode.hasSuffix("headroom.yaml:2"))
        let grace = try #require(lines.first { $0.hasPrefix("grace ") })
        #expect(grace.contains("24 h") && grace.hasSuffix("default"))
        let changed = try home.run("config", "show", "--changed", "--directory", directory)
        #expect(!changed.output.contains("grace"))
        let json = try home.run("config", "show", "--json", "--directory", directory)
        #expect(json.json("isDefault") == "false")
        #expect(json.json("line") == "2")
    }

    @Test func showsErrorsInPlaceOfABrokenConfiguration() throws {
        try write("headroom.yaml", "mode: akt\n")
        let result = try home.run("config", "show", "--directory", directory)
        #expect(result.exitCode == 1)
        #expect(result.output.contains("“akt”"))
    }
}
