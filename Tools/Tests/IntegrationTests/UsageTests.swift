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

@Suite(.blocks)
struct UsageTests {
    @Test func helpGoesToStandardOutput() throws {
        let result = try Program.run(["--help"])
        #expect(result.exitCode == 0)
        #expect(result.output.contains("USAGE"))
        #expect(result.errors.isEmpty)
    }

    @Test func versionIsOneLine() throws {
        let result = try Program.run(["--version"])
        #expect(result.exitCode == 0)
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test(.tags(.r37c), arguments: ["--nonsense", "nonsense"])
    func wrongArgumentsExitWithTwo(argument: String) throws {
        let result = try Program.run([argument])
        #expect(result.exitCode == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("nonsense"))
    }

    // MARK: - Places that may not be purged

    /// What is typed, and what the answer must speak of: what is wrong, and what to do.
    static let places: [(path: String, words: [String])] = [
        ("/no/such/place", ["/no/such/place", "No such file", "Check the path"]),
        ("HOME/.cache/no-such", ["no-such", "No such file", "Check the path"]),
        ("", ["empty", "Name a"]),
        ("/", ["the root of the file tree", "Name the directory"]),
        ("HOME", ["home directory", "Name a directory"]),
        ("HOME/..", ["cannot be", "Name"]),
        ("/etc", ["part of the system", "Name a directory"]),
        ("/usr/lib", ["part of the system", "Name a directory"]),
        ("HOME/Documents", ["XDG_DOCUMENTS_DIR", "Name a directory"]),
        ("HOME/Documents/work", ["essential", "headroom mark --purgeable"]),
        ("HOME/Documents/thesis", ["not a directory", "Name the directory"]),
        ("HOME/link", ["link"]),
    ]

    /// Also where nobody can be asked: it would be said in vain that there is --yes.
    @Test(.tags(.s11a), arguments: places.indices, [["plan"], ["purge"], ["purge", "--yes"]])
    func placesThatMayNotBePurgedAreExplained(index: Int, command: [String]) throws {
        let (path, words) = Self.places[index]
        let home = try Home()
        try home.cache("a")
        try home.tree.file("home/Documents/work/a", text: "mine")
        try home.tree.file("home/Documents/thesis", text: "mine")
        try home.tree.symbolicLink("home/link", to: "Documents/work")
        let named =
            path.hasPrefix("HOME") ? home.path.string + path.dropFirst("HOME".count) : path
        let before = try home.listing()
        let result = try home.run(
            [command[0], named, "--as", "cache", "--all"] + command.dropFirst())
        #expect(result.exitCode == 1)
        #expect(result.output.isEmpty)
        for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
        #expect(try home.listing() == before)
    }

    // MARK: - Values

    @Test(
        arguments: [
            (["--free", "lots"], "500MB"), (["--free", ""], "500MB"),
            (["--free", "0"], "more than 0"),
            (["--free", "5 parsecs"], "500MB"), (["--until", "120%"], "from 0 to 100"),
            (["--until", "soon"], "normal"), (["--older-than", "10"], "10d"),
            (["--inodes", "-"], "whole number"), (["--to-limit", "big"], "500MB"),
            (["--all", "--through", "essential"], "Essential never goes"),
            (["--all", "--age-by", "modified"], "--older-than"), ([], "--free SIZE"),
        ] as [([String], String)])
    func nonsenseIsAnsweredWithWhatToWrite(arguments: [String], word: String) throws {
        let home = try Home()
        try home.cache("a")
        let before = try home.listing()
        let result = try home.run(["purge", "--yes"] + arguments)
        #expect(result.exitCode == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(word), "\(result.errors)")
        #expect(try home.listing() == before)
    }

    @Test(.tags(.s1a)) func essentialIsNoClassToPurgeAs() throws {
        let home = try Home()
        let result = try home.run("plan", home.path.string, "--as", "essential", "--all")
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("Essential never goes"))
    }

    @Test(arguments: ["status", "scan", "explain", "mark"])
    func aPathThatIsNotThereIsNamed(command: String) throws {
        let home = try Home()
        let result = try home.run(command, "/no/such/place")
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("/no/such/place"))
        #expect(result.errors.contains("Check the path"))
    }

    // MARK: - Permission

    @Test(.enabled(if: Privilege.isRoot, "only root can become another user"))
    func withoutPermissionItSaysWhoMay() throws {
        let home = try Home()
        try home.tree.file("data/a", size: .kilobytes(40))
        try home.tree.file("closed/sub/a", size: .kilobytes(40))
        for path in ["", "data"] as [TreePath] {
            try home.tree.setPermissions(0o755, of: path)
        }
        try home.tree.setPermissions(0o700, of: "closed")
        for name in ["data", "closed/sub"] {
            let result = try ChildProcess.run(
                "setpriv",
                [
                    "--reuid", "65534", "--regid", "65534", "--clear-groups", Program.path,
                    "purge", home.directory.path.appending(name).string, "--as", "cache", "--all",
                    "--yes",
                ], environment: home.environment)
            #expect(result.exitCode == 1)
            let words = name == "data" ? ["another user", "root"] : ["Permission denied"]
            for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
            #expect(home.tree.exists(TreePath("\(name)/a")))
        }
    }
}
