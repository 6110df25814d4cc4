//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ArgumentParser
import HeadroomCommandLine

/// The program `headroom`.
public struct Headroom: ParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "headroom",
        abstract: "Keeps storage within budget: what is there, what may go, and in which order.",
        discussion: """
            Temporary goes first, caches next, what is marked as last resort last, and what is \
            essential never. Only purge, room, clean, tasks, catalogue clean, trash empty, trash \
            put --permanently, dir check, dir reset, dir remove --contents and cache compact \
            delete, serve and sweep by themselves where the configuration says act, and serve in \
            every mode what a person has confirmed in the dashboard or by the API; protect puts \
            encrypted files in place of plain ones; mark, forget, dir add and audit --fix change \
            marks and what backup programs read; trash moves; every other command looks.

            Sizes: 500MB, 2GiB, 10%. Ages: 10d, 36h, 1w.
            Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 target not reached, 4 partly done, \
            130 interrupted.
            """,
        version: Program.version,
        subcommands: [
            StatusCommand.self, ScanCommand.self, PlanCommand.self, PurgeCommand.self,
            ExplainCommand.self, LogCommand.self, SimulateCommand.self, MarkCommand.self,
            ForgetCommand.self, DirCommand.self, AuditCommand.self, CatalogueCommand.self,
            CleanCommand.self, TasksCommand.self, TrashCommand.self, RoomCommand.self,
            LeaseCommand.self, CacheCommand.self, ExternalCommandEntry<ProtectArguments>.self,
            ExternalCommandEntry<UnlockArguments>.self, ExternalCommandEntry<LockArguments>.self,
            DoctorCommand.self, TmpfilesCommand.self, ConfigEntry.self,
            ExternalCommandEntry<ForecastArguments>.self,
            ExternalCommandEntry<ServeArguments>.self, ExternalCommandEntry<SweepArguments>.self,
        ]
    )

    public init() {}

    /// Runs the program and ends the process.
    public static func run(_ arguments: [String]) -> Never {
        // First of all: what this program opens or ignores, the other one would inherit.
        let failure = ExternalCommand(arguments)?.start()
        Program.run(Self.self, arguments, failure: failure)
    }
}
