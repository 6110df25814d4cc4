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

/// `headroom mark`
struct MarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Say what a file or directory is worth, or show what was said.",
        usage: """
            headroom mark <path> … [--purgeable | --last-resort] [--pin | --unpin]
                     [--importance <n>] [--no-backup | --backup]
            headroom mark <path> … --clear
            headroom mark <path> …
            """,
        discussion: """
            A mark on a directory holds for everything below it; the nearest one wins. Homes, / and role \
            directories such as Documents cannot be made purgeable, only what is in them. Without \
            an option the marks are shown.
            """)

    @Argument(help: "Files and directories.")
    var paths: [String]

    @Flag(help: "Purge it when space is short, as a cache. Backups leave it out.")
    var purgeable = false

    @Flag(help: "Purge it only when nothing else is left. Backups leave it out.")
    var lastResort = false

    @Flag(help: "Never purge it, whatever its class, until it is unpinned.")
    var pin = false

    @Flag(help: "Lift a pin, its own or one inherited.")
    var unpin = false

    @Option(
        help: ArgumentHelp("0 to 100; less important goes first.", valueName: "n"),
        transform: Values.importance)
    var importance: UInt8?

    @Flag(help: "Leave it out of backups, and tell backup programs so.")
    var noBackup = false

    @Flag(help: "Include it in backups again, even if its class leaves it out.")
    var backup = false

    @Flag(help: "Remove its mark.")
    var clear = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !paths.isEmpty else { throw ValidationError("Name a file or directory.") }
        guard !(purgeable && lastResort) else {
            throw ValidationError("--purgeable and --last-resort exclude each other.")
        }
        guard !(pin && unpin) else {
            throw ValidationError("--pin and --unpin exclude each other.")
        }
        guard !(noBackup && backup) else {
            throw ValidationError("--no-backup and --backup exclude each other.")
        }
        if clear, changes {
            throw ValidationError("--clear removes the mark: it takes no other option.")
        }
    }

    func run() throws {
        let workspace = try Session.open(forWriting: changes || clear)
        let change: ((inout Mark) -> Void)? = changes ? { mark in apply(&mark) } : nil
        var marked: [MarkReport.Entry] = []
        for path in try paths.map(Paths.absolute) {
            marked.append(
                try MarkReport.Entry(path, in: workspace, clear: clear, change: change))
        }
        try output.print(MarkReport(entries: marked))
    }

    private var changes: Bool {
        purgeable || lastResort || pin || unpin || importance != nil || noBackup || backup
    }

    private func apply(_ mark: inout Mark) {
        if purgeable { mark.purgeClass = .cache }
        if lastResort { mark.purgeClass = .lastResort }
        if pin { mark.isPinned = true }
        if unpin { mark.isPinned = false }
        if let importance { mark.importance = importance }
        if noBackup { mark.isExcludedFromBackup = true }
        if backup { mark.includeInBackup() }
    }
}

extension Values {
    @Sendable static func importance(_ text: String) throws -> UInt8 {
        guard let importance = UInt8(text), importance <= 100 else {
            throw InvalidValue("write a whole number from 0 to 100.")
        }
        return importance
    }
}
