//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// How long a tool's own command may take, if nobody says otherwise.
enum CleanCommandLimit {
    static let standard = Duration.seconds(300)
    static let text = "5 minutes"
}

/// The work of `headroom catalogue clean`.
struct CatalogueCleanJob {
    var workspace: Workspace
    var limit: Duration
    var output: OutputOptions

    /// An entry's own command, and where its cache is here.
    struct Command {
        var entry: CatalogueEntry
        var command: CleaningCommand
        var places: [FilePath]
        var limit: Duration
    }

    /// - Throws: ``HeadroomError`` `notFound` for an id that there is not, or whose cache is not here, and
    ///   if a command cannot be run; before anything is run.
    func commands(for ids: [String]) throws(HeadroomError) -> [Command] {
        let caches = workspace.wellKnownCaches()
        var commands: [Command] = []
        for id in ids where !commands.contains(where: { $0.entry.id == id }) {
            guard let entry = workspace.catalogue.entry(id) else {
                throw HeadroomError(
                    .notFound,
                    "There is no entry \(id) in the catalogue. headroom catalogue --all lists them."
                )
            }
            let places = caches.filter { $0.entry.id == id }.map(\.root)
            guard !places.isEmpty else {
                throw HeadroomError(
                    .notFound, "\(entry.name) is not here: there is nothing to clean.")
            }
            commands.append(
                Command(
                    entry: entry,
                    command: try workspace.cleaningCommand(
                        of: entry, environment: Session.wholeEnvironment), places: places,
                    limit: limit))
        }
        return commands
    }

    /// Runs them in turn; one that fails keeps no other from being run.
    func run(_ commands: [Command]) throws(HeadroomError) -> CatalogueCleanReport {
        var report = CatalogueCleanReport()
        for command in commands {
            guard !Interruption.isRequested else {
                report.isInterrupted = true
                break
            }
            Diagnostics.say("Running \(command.command.text)")
            let done = try workspace.clean(
                command.entry, environment: Session.wholeEnvironment, limit: limit
            ) { Interruption.isRequested }
            report.rows.append(.init(done))
            if done.isCancelled { report.isInterrupted = true }
        }
        return report
    }
}

extension CleaningCommand {
    /// As it could be pasted into a shell, though none is used.
    var text: String {
        ([program.shellText] + arguments.map(\.shellText)).joined(separator: " ")
    }
}
