//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A command that does a piece of work on a directory.
struct Contestant {
    let name: String
    /// What it is and how it is called, for the notes below the table.
    let command: [String]
    /// Whether it lists or keeps every file, rather than add up: compared with its like.
    var keepsFiles = false
    /// Whether it prints the figures itself, of a part of what it does.
    var measuresItself = false
    /// A text on the screen and the keys that are then typed, for a program that needs a terminal.
    var terminal: (until: String, keys: String)?

    /// The command with `{}` replaced by a directory.
    func command(on directory: String) -> [String] {
        command.map { argument in
            var text = ""
            var rest = argument[...]
            while let start = rest.firstRange(of: "{}") {
                text += rest[..<start.lowerBound] + directory
                rest = rest[start.upperBound...]
            }
            return text + rest
        }
    }

    var isInstalled: Bool {
        let program = command[0]
        return program.contains("/")
            ? unsafe access(program, X_OK) == 0 : Privilege.has(program: program)
    }

    /// The command as people type it.
    var text: String { command.joined(separator: " ") }
}

/// The programs that are measured.
struct Contestants {
    let options: Options
    let floor: String

    var scanFloor: Contestant { Contestant(name: "C floor", command: [floor, "scan", "{}"]) }
    var purgeFloor: Contestant {
        Contestant(name: "bare unlinkat", command: [floor, "purge", "{}"])
    }

    /// Those that only add up.
    var totals: [Contestant] {
        [
            Contestant(
                name: "headroom totals", command: [options.headroom, "scan", "--totals", "{}"]),
            Contestant(name: "du", command: ["du", "-s", "{}"]),
            Contestant(name: "diskuse", command: [diskuse, "scan", "{}"]),
        ]
    }

    /// Those that list every file: kept as a tree, or, with ncdu's `-o`, written out.
    var inventories: [Contestant] {
        [
            Contestant(
                name: "headroom inventory", command: [options.headroom, "scan", "{}"],
                keepsFiles: true),
            Contestant(
                name: "gdu", command: ["gdu", "-n", "-p", "-c", "-i", "/none", "{}"],
                keepsFiles: true),
            Contestant(
                name: "ncdu -o", command: ["ncdu", "-0", "-o", "/dev/null", "{}"],
                keepsFiles: true),
        ]
    }

    /// ncdu as people use it, with the tree in memory, left as soon as it is shown.
    var interactive: Contestant {
        Contestant(
            name: "ncdu", command: ["ncdu", "-2", "{}"],
            terminal: (until: "Total disk usage", keys: "q"))
    }

    /// The library's inventory alone, made by this program.
    var library: Contestant {
        Contestant(
            name: "Inventory (library)",
            command: [CommandLine.arguments[0], "inventory", "--tree", "{}"])
    }

    func purges(configuration: String, ledger: String) -> [Contestant] {
        [
            Contestant(
                name: "headroom's purge alone",
                command: [
                    CommandLine.arguments[0], "carry-out", "--tree", "{}", "--ledger", ledger,
                ], measuresItself: true),
            Contestant(
                name: "headroom",
                command: [
                    options.headroom, "purge", "{}", "--as", "temporary", "--all", "--min-idle",
                    "0s", "--yes",
                ]),
            Contestant(name: "rm -rf", command: ["rm", "-rf", "{}"]),
            Contestant(name: "find -delete", command: ["find", "{}", "-mindepth", "1", "-delete"]),
            Contestant(
                name: "tmpreaper",
                command: ["tmpreaper", "--mtime", "--mtime-dir", "--runtime=0", "10d", "{}"]),
            Contestant(
                name: "systemd-tmpfiles",
                command: ["systemd-tmpfiles", "--clean", "--prefix={}", configuration]),
        ]
    }

    /// The ones to run of a list, and the names of those that are not installed.
    func select(_ all: [Contestant]) -> (present: [Contestant], missing: [Contestant]) {
        let extra = options.others.map { Contestant(name: $0.name, command: $0.command) }
        let wanted = (all + extra).filter { options.only.isEmpty || options.only.contains($0.name) }
        return (wanted.filter(\.isInstalled), wanted.filter { !$0.isInstalled })
    }

    /// From PyPI: where `Scripts/bootstrap bench` puts it, or in `PATH`.
    ///
    /// A version manager's shim starts a shell first, which would count against it.
    private var diskuse: String {
        if unsafe access(".venv/bin/diskuse", X_OK) == 0 { return ".venv/bin/diskuse" }
        guard
            let found = try? ChildProcess.run("sh", ["-c", "command -v diskuse"]),
            found.output.contains("/shims/"),
            let real = try? ChildProcess.run("pyenv", ["which", "diskuse"]), real.succeeded
        else { return "diskuse" }
        return String(real.output.prefix { $0 != "\n" })
    }
}
