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

/// `headroom dir`
struct DirCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dir",
        abstract: "Directories that look after themselves: kept for so long, and up to so much.",
        discussion: """
            A registered directory is a cache: what has been in it for longer than its retention goes \
            with the next check, and once it has reached its limit, the oldest until half of the \
            limit is left. What is pinned, leased or open stays. Programs register theirs through the \
            library; these are shown as well.
            """,
        subcommands: [
            DirAddCommand.self, DirListCommand.self, DirCheckCommand.self, DirResetCommand.self,
            DirRemoveCommand.self,
        ])
}

/// `headroom dir add`
struct DirAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Register a directory, and make it if it is missing. Deletes nothing.",
        discussion: """
            Registering again changes the rules. In a place where nothing goes otherwise, a home for \
            one, the directory is marked as purgeable and left out of backups.
            """)

    enum Basis: String, ExpressibleByArgument, CaseIterable {
        case created, modified, used
    }

    enum Order: String, ExpressibleByArgument, CaseIterable {
        case oldest
        case unused
    }

    @Argument(help: "The directory.")
    var path: String

    @Option(
        help: ArgumentHelp(
            "How long content is kept, as 14d; without, it does not expire.", valueName: "age"),
        transform: Values.age)
    var retention: Duration?

    @Option(
        help: ArgumentHelp("Trim it when it has reached this size.", valueName: "size"),
        transform: Values.positiveSize)
    var limit: ByteCount?

    @Option(help: ArgumentHelp("What the retention is measured from.", valueName: "time"))
    var by: Basis = .created

    @Option(help: "What goes first when it is trimmed: the oldest, or what is unused longest.")
    var order: Order = .oldest

    @Option(
        help: ArgumentHelp("What it is trimmed to, in percent of its limit.", valueName: "percent"))
    var trim = 50

    @Option(help: "What goes whole: each file, or each entry of the directory.")
    var unit: Unit = .file

    enum Unit: String, ExpressibleByArgument, CaseIterable {
        case file, entry
    }

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (0...100).contains(trim) else {
            throw ValidationError("--trim is a percentage of the limit: 0 to 100.")
        }
    }

    func run() throws {
        let workspace = try Session.open(forWriting: true, minIdle: .none)
        let registration = try workspace.registerDirectory(
            try DirectoryPaths.absolute(path), rules)
        let keeper = DirectoryKeeper(workspace, requester: Session.requester)
        try output.print(
            DirListReport(directories: keeper.measure([registration]).directories, isNew: true))
    }

    private var rules: DirectoryRules {
        let basis: AgeBasis =
            switch by {
            case .created: .created
            case .modified: .modified
            case .used: .used
            }
        return DirectoryRules(
            retention: retention, limit: limit ?? .zero, ageBasis: basis,
            order: order == .oldest ? .oldestCreated : .leastRecentlyUsed, trimPercent: trim,
            unit: unit == .file ? .file : .entry)
    }
}

/// `headroom dir list`
struct DirListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show what is registered, its rules and its size.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        // mutation: r37h-1/1
        let workspace = try Session.open(forWriting: false, minIdle: .none)
        let keeper = DirectoryKeeper(workspace, requester: Session.requester)
        try output.print(
            // mutation: r37h-1/2
            DirListReport(directories: keeper.measure(workspace.registered).directories))
    }
}

/// `headroom dir check`
struct DirCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Remove what has expired, and trim what has reached its limit.",
        discussion: """
            Without a path, all registered directories: for a timer. Exit code 4 if one could not be \
            checked.
            """)

    @Argument(help: "Registered directories.")
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func run() throws {
        Interruption.install()
        let workspace = try Session.open(forWriting: true, heedsConfiguration: true, minIdle: .none)
        let registered = try DirectoryPaths.registered(paths, in: workspace)
        try DirJob(workspace: workspace, output: output).run { $0.check(registered) }
    }
}

/// `headroom dir reset`
struct DirResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Empty registered directories. They stay registered.")

    @Argument(help: "Registered directories.")
    var paths: [String] = []

    @Flag(help: "All of them.")
    var all = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if all != paths.isEmpty {
            throw ValidationError(
                all ? "--all is all of them: name none." : "Name a directory, or say --all.")
        }
    }

    func run() throws {
        Interruption.install()
        let workspace = try Session.open(forWriting: true, heedsConfiguration: true, minIdle: .none)
        let registered = try DirectoryPaths.registered(paths, in: workspace)
        let job = DirJob(workspace: workspace, output: output)
        if !yes { try job.confirm(registered) }
        try job.run { $0.empty(registered) }
    }
}

/// `headroom dir remove`
struct DirRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take a registration back. What is in the directory stays, unless told otherwise."
    )

    @Argument(help: "Registered directories.")
    var paths: [String]

    @Flag(help: "Empty it first.")
    var contents = false

    @Flag(name: .shortAndLong, help: "With --contents: do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if yes, !contents { throw ValidationError("--yes goes with --contents.") }
    }

    func run() throws {
        Interruption.install()
        let workspace = try Session.open(
            forWriting: true, heedsConfiguration: contents, minIdle: .none)
        let registered = try DirectoryPaths.registered(paths, in: workspace)
        let job = DirJob(workspace: workspace, output: output)
        // mutation: r37b-4
        if contents, !yes { try job.confirm(registered) }
        try job.run(removing: true) { keeper in
            contents ? keeper.empty(registered) : keeper.measure(registered)
        }
    }
}

/// Finds registered directories by what a person typed.
private enum DirectoryPaths {
    /// The absolute path of a directory that need not exist, nor the one around it.
    static func absolute(_ text: String) throws(HeadroomError) -> FilePath {
        guard !text.isEmpty else {
            throw HeadroomError(.invalid, "The path is empty. Name a directory.")
        }
        let path = FilePath(text)
        return path.isAbsolute ? path : try Paths.absolute(".").pushing(path)
    }

    static func registered(
        _ paths: [String], in workspace: Workspace
    ) throws(HeadroomError) -> [Registration] {
        guard !paths.isEmpty else { return workspace.registered }
        var found: [Registration] = []
        for text in paths {
            let path = try absolute(text)
            guard let registration = workspace.registration(at: path) else {
                throw HeadroomError(
                    .notFound,
                    "\(path.displayText) is not registered. See headroom dir list, or register it: "
                        + "headroom dir add \(path.shellText)")
            }
            found.append(registration)
        }
        return found
    }
}
