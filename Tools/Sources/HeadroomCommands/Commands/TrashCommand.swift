//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

struct TrashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "Throw files away, see what was thrown away, bring it back, empty it.",
        usage: """
            headroom trash <path> … [--permanently [--yes]]
            headroom trash list | restore <item> … | empty [<item> …]
            """,
        discussion: """
            The trash is the desktop's: what other programs have thrown away is there too. Moving \
            something there frees nothing until it is emptied. A file that is called list, restore or \
            empty is thrown away as ./list, or with headroom trash put list.
            """,
        subcommands: [
            TrashPutCommand.self, TrashListCommand.self, TrashRestoreCommand.self,
            TrashEmptyCommand.self,
        ],
        defaultSubcommand: TrashPutCommand.self)
}

struct TrashPutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Move files and directories to the trash.",
        discussion: """
            Nothing is copied: each goes to the trash of its own volume, in one step. Places with a \
            role (a home, Documents itself), what is pinned or leased, and the system's directories \
            are refused. Exit codes: 0 done, 1 nothing could go, 4 something stayed.
            """)

    @Argument(help: "What to throw away.")
    var paths: [String]

    @Flag(help: "Delete it for good instead: nothing brings it back.")
    var permanently = false

    @Flag(name: .shortAndLong, help: "With --permanently: do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if paths.isEmpty { throw ValidationError("Name what to throw away.") }
        if yes, !permanently {
            throw ValidationError(
                "--yes goes with --permanently: what only moves is not asked about.")
        }
    }

    func run() throws {
        Interruption.install()
        let job = TrashJob(workspace: try Session.open(forWriting: true), output: output)
        let paths = try paths.map { text throws(HeadroomError) in try Paths.absolute(text) }
        // mutation: r33f-1
        if permanently { return try job.delete(paths, asks: !yes) }
        try output.print(job.put(paths))
    }
}

struct TrashListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show what was thrown away, the newest first.",
        discussion: "Shows the trash of the home and of all mounted volumes.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        let workspace = try Session.open(forWriting: false)
        try output.print(
            TrashListReport(listing: workspace.trash.list(), now: workspace.clock()))
    }
}

struct TrashRestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Bring something back to where it was.",
        usage: """
            headroom trash restore <item> … [--parents]
            headroom trash restore <item> --to <path>
            headroom trash restore --receipt <id>
            """,
        discussion: """
            An item is named by the path that it had, or by its name in the trash; of several with one \
            path the one that was thrown away last comes back. Nothing is ever replaced.
            """)

    @Argument(help: "The path that it had, or its name in the trash.")
    var items: [String] = []

    @Option(help: ArgumentHelp("Everything that one receipt has thrown away.", valueName: "id"))
    var receipt: String?

    @Option(help: ArgumentHelp("Another place for it, name included.", valueName: "path"))
    var to: String?

    @Flag(help: "Make the directories around it that are gone.")
    var parents = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if receipt != nil, !items.isEmpty {
            throw ValidationError("Name items or a receipt, not both.")
        }
        if receipt == nil, items.isEmpty {
            throw ValidationError("Name what is to come back: headroom trash list shows it.")
        }
        if to != nil, items.count != 1 { throw ValidationError("--to takes one item.") }
    }

    func run() throws {
        Interruption.install()
        let job = TrashJob(workspace: try Session.open(forWriting: true), output: output)
        if let receipt {
            return try output.print(job.undo(receipt, creatingParents: parents))
        }
        let target = try to.map { text throws(HeadroomError) in try Paths.absolute(text) }
        try output.print(try job.restore(items, to: target, creatingParents: parents))
    }
}

struct TrashEmptyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty", abstract: "Delete what was thrown away, for good.",
        discussion: """
            Without an item all of it, of all volumes. Each is verified just before it goes, like \
            everything that is purged. Exit codes: 0 done, 4 something stayed, 130 interrupted.
            """)

    @Argument(help: "The path that it had, or its name in the trash.")
    var items: [String] = []

    @Option(
        help: ArgumentHelp("Only what was thrown away so long ago.", valueName: "age"),
        transform: Values.age)
    var olderThan: Duration?

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        Interruption.install()
        let job = TrashJob(workspace: try Session.open(forWriting: true), output: output)
        try job.empty(items, olderThan: olderThan, asks: !yes)
    }
}
