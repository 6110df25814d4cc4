//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// The commands of the program, by its own list of them, and an example of each.
struct AllCommands {
    /// What a command may do to files.
    enum Effect {
        case looks
        /// What is named may change, and something may come; all else is as it was.
        case changes([String])
        case deletes
    }

    struct Example {
        var arguments: [String]
        var effect: Effect
        /// Whether it prints something of its own.
        var reports = true
    }

    // MARK: - The program's list

    struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?

        struct Argument: Decodable {
            var names: [Name]?
        }

        struct Name: Decodable {
            var name: String
        }

        var takesJSON: Bool {
            arguments?.contains { $0.names?.contains { $0.name == "json" } == true } == true
        }
    }

    private struct Dump: Decodable {
        var command: Command
    }

    /// Those that do something, as one would type them: `trash put`.
    static func list() throws -> [(name: String, command: Command)] {
        let result = try Program.run(["--experimental-dump-help"])
        let root = try JSONDecoder().decode(Dump.self, from: Data(result.standardOutput)).command
        func leaves(_ command: Command, _ path: [String]) -> [(String, Command)] {
            let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
            return below.isEmpty
                ? [(path.joined(separator: " "), command)]
                : below.flatMap { leaves($0, path + [$0.commandName]) }
        }
        return leaves(root, [])
    }

    // MARK: - A place to try them

    let home: Home
    private let words: String
    private let file: String
    private var base: FilePath { home.directory.path }

    /// A home with something of everything, and much that may go.
    ///
    /// - Parameter command: what is to be tried alone; nil: any. Making keys takes seconds, so only those
    ///   have some that need them.
    init(for command: String? = nil) throws {
        home = try Home(on: .disk)
        let tree = home.tree
        words = home.directory.path.appending("words").string
        file = home.path.appending("Documents/letter").string
        try tree.file("words", text: "correct horse\n")
        for name in ["letter", "other", "thrown", "Podcasts/a"] {
            try tree.file("home/Documents" / TreePath(name), text: "Dear \(name)")
        }
        for name in ["a", "pip/wheels/a.whl", "gone", "Renders/a"] {
            try home.cache(name, age: .seconds(40 * 86_400))
        }
        try tree.file("home/tmp/x", size: .kilobytes(40))
        for name in ["Documents", "Library/Caches/Maps", "tmp"] {
            try tree.file("home/App" / TreePath(name) / "a", size: .kilobytes(40))
        }
        try tree.file(
            "home/tasks.plist",
            text: "<plist version=\"1.0\"><array><dict><key>Path</key>"
                + "<string>Library/Caches/Maps</string></dict></array></plist>")
        try tree.file(
            "rules/a.conf", text: "d \(home.directory.path.appending("work")) - - - m:10d\n")
        try tree.file("work/old", size: .kilobytes(4))
        try tree.age("work/old", by: .seconds(20 * 86_400))
        try tree.file(
            "config/headroom.yaml",
            text: "areas:\n  - path: \(home.path.appending(".cache"))\n    class: cache\n")
        let store = try CacheStore(
            at: URL(filePath: home.directory.path.appending("store").string),
            CacheOptions(limit: .megabytes(32)))
        for number in 0..<50 { try store.put(Data(repeating: 7, count: 1_000), for: "\(number)") }
        try store.close()
        // A receipt, something in the trash, and a directory with rules.
        let needsKeys = command.map { ["protect", "unlock", "lock"].contains($0) } ?? true
        let keys = ["protect", "--new-keys", "--passphrase-file", words]
        for arguments in [
            ["purge", "--free", "1KB", "--yes"],
            ["trash", "put", home.path.appending("Documents/thrown").string],
            ["dir", "add", home.path.appending(".cache/Renders").string, "--retention", "3d"],
        ] + (needsKeys ? [keys] : []) {
            let result = try home.run(arguments)
            try #require(result.exitCode == 0, "\(arguments): \(result)")
        }
    }

    private func path(_ name: String) -> String { home.path.appending(name).string }

    /// Whether there is still something that may go.
    func hasWhatMayGo() throws -> Bool {
        try home.run("plan", "--all", "--json").json("count").flatMap { Int($0) } ?? 0 > 0
    }

    var examples: [String: Example] {
        let config = base.appending("config").string
        let store = base.appending("store").string
        let tasks = [path("tasks.plist"), "--container", path("App")]
        let secret = ["--passphrase-file", words]
        func looks(_ arguments: String...) -> Example {
            Example(arguments: arguments, effect: .looks)
        }
        func deletes(_ arguments: String...) -> Example {
            Example(arguments: arguments, effect: .deletes)
        }
        func changes(_ names: [String], _ arguments: [String]) -> Example {
            Example(arguments: arguments, effect: .changes(names))
        }
        return [
            "status": looks(), "scan": looks(home.path.string), "plan": looks("--all"),
            "explain": looks(path("Documents/other")), "log": looks(),
            "simulate": looks("--if-available", "1%"), "audit": looks(path("App")),
            "doctor": looks(), "tmpfiles": looks(base.appending("rules").string),
            "forecast": looks(home.path.string),
            "catalogue show": looks("pip"), "dir list": looks(), "trash list": looks(),
            "tasks check": Example(arguments: tasks, effect: .looks),
            "cache inspect": looks(store), "cache verify": looks(store),
            "config check": looks("--directory", config),
            "config show": looks("--directory", config),
            "lease": Example(
                arguments: [path("Documents/other"), "--", "true"], effect: .looks,
                reports: false),

            "mark": changes(["home/Documents/other"], [path("Documents/other"), "--pin"]),
            "forget": changes([], [path("Documents/Podcasts")]),
            "dir add": changes([], [path(".cache/New"), "--retention", "3d"]),
            "trash put": changes(["home/Documents/other"], [path("Documents/other")]),
            "trash restore": changes([], [path("Documents/thrown")]),
            "protect": changes(["home/Documents/letter"], [file, "--class", "complete"] + secret),
            "unlock": changes([], ["--for", "10min"] + secret), "lock": changes([], []),

            "purge": deletes("--all", "--yes"), "room": deletes("1MB"),
            "clean": deletes("--section", "caches", "--yes"),
            "catalogue clean": deletes("pip", "--preview"),
            "tasks run": Example(arguments: tasks + ["--yes"], effect: .deletes),
            "dir check": deletes(), "dir reset": deletes("--all", "--yes"),
            "dir remove": deletes(path(".cache/Renders"), "--contents", "--yes"),
            "trash empty": deletes("--yes"), "cache compact": deletes(store),
            "sweep": deletes("--directory", config),
            // Runs until it is stopped, and says what it does in its log.
            "serve": Example(arguments: [], effect: .deletes, reports: false),
        ]
    }

    // MARK: - Looking at it

    /// Everything there is, by its bytes and all that a change of it would show in.
    func state() throws -> [String: String] {
        try lines(
            ChildProcess.run(
                "find", [base.string, "-printf", "%P\\t%y %i %n %m %U %s %T@ %C@ %l\\n"]
            ).output
        ).merging(contents()) { $0 + " " + $1 }
    }

    /// The bytes of each file.
    func contents() throws -> [String: String] {
        let script = "cd \"$1\" && find . -type f -print0 | xargs -0 sha256sum"
        let output = try ChildProcess.run("sh", ["-c", script, "sh", base.string]).output
        var contents: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            contents[String(words[1].drop { $0 == " " || $0 == "." || $0 == "/" })] =
                String(words[0])
        }
        return contents
    }

    private func lines(_ output: String) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: output.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "\t", maxSplits: 1)
                return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
            })
    }
}
