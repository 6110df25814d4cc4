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

/// `headroom tasks`
struct TasksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tasks",
        abstract: "Carry out the clean-up tasks of an app (PurgeableCache.plist) in its container.",
        usage: """
            headroom tasks <file> --container <directory> [--dry-run] [--yes]
            headroom tasks check <file> --container <directory>
            """,
        discussion: """
            A task names a path relative to the container: a file goes, a directory is emptied, and with \
            Entries the children of those names go whole. The purgeable directories in the container are \
            emptied too. Tasks that are wrong, lead elsewhere or name what is essential are reported and \
            left alone; the others are carried out. Tasks with Class are the app's own to call.
            """,
        subcommands: [TasksRunCommand.self, TasksCheckCommand.self],
        defaultSubcommand: TasksRunCommand.self)
}

/// Which tasks, and where.
struct TasksOptions: ParsableArguments {
    @Argument(help: "The list of tasks: a property list in XML or the binary form.")
    var file: String

    @Option(help: ArgumentHelp("The container of the app.", valueName: "directory"))
    var container: String

    @Option(help: "What the container is, where that cannot be seen: group (an app group).")
    var layout: LayoutChoice?

    func runner(
        forWriting: Bool, through: PurgeableClass = .cache,
        _ progress: CleanUpTaskProgress = CleanUpTaskProgress()
    ) throws -> CleanUpTaskRunner {
        let list = try CleanUpTaskList(contentsOf: try Paths.absolute(file))
        return try CleanUpTaskRunner(
            list,
            in: try Session.open(forWriting: forWriting, heedsConfiguration: true, minIdle: .none),
            containerAt: try Paths.absolute(container), isGroup: layout == .group, through: through,
            requester: Session.requester, progress: progress)
    }
}

/// `headroom tasks run`
struct TasksRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Remove what the tasks name, and empty the purgeable directories.",
        discussion: """
            Exit codes: 0 done, 1 failed, 4 a task was wrong or something stayed, 130 interrupted.
            """)

    @OptionGroup var tasks: TasksOptions

    @Flag(name: .shortAndLong, help: "Only show what would go.")
    var dryRun = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Flag(help: "Also remove what is marked, or lies in an area, as last resort.")
    var lastResort = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        Interruption.install()
        let progress = CleanUpTaskProgress()
        let runner = try tasks.runner(
            forWriting: !dryRun, through: lastResort ? .lastResort : .cache, progress)
        let job = TasksJob(runner: runner, progress: progress, output: output)
        if dryRun { return try output.print(try job.preview()) }
        // mutation: r37b-3
        if !yes { try job.confirm() }
        try output.print(job.run())
    }
}

/// `headroom tasks check`
struct TasksCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is wrong with the tasks. Deletes nothing.",
        discussion: "Exit codes: 0 nothing is wrong, 1 the file cannot be read, 4 a task is wrong.")

    @OptionGroup var tasks: TasksOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let runner = try tasks.runner(forWriting: false)
        try output.print(TasksCheckReport(summary: runner.summary, list: runner.list))
    }
}
