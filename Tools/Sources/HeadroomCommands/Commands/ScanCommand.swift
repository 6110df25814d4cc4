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

/// `headroom scan`
struct ScanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Show what takes how much room below a directory.",
        usage: """
            headroom scan [<path> …] [--by <group>] [--top <n>] [--depth <n>]
                     [--totals] [--cross-mounts] [--export ncdu <file>]
            headroom scan [<path> …] --since <time|file> [--top <n>] [--depth <n>]
                     [--cross-mounts] [--export ncdu <file>]
            headroom scan --import ncdu <file> [--by <group>] [--top <n>]
                     [--depth <n>]
            """,
        discussion: """
            Sizes are what files occupy, as du has them; a file with several names counts once. \
            Other mounts, bind mounts among them, are left out unless --cross-mounts is given. \
            Exit code 4: something could not be read.

            --since shows what grew: since a time, by when files were written, born or changed; or \
            since a listing was saved, which also tells what went.
            """)

    @Argument(help: "Directories to scan; the current one if none is named.")
    var paths: [String] = []

    @Option(help: "Group by directory, file, kind or age (since the last use).")
    var by = ListingSummary.Grouping.directory

    @Option(help: "How many rows to show.", transform: Values.count)
    var top = 15

    @Option(help: "With --by directory: how many levels to show.", transform: Values.count)
    var depth = 1

    @Flag(help: "Only the sums; needs next to no memory.")
    var totals = false

    @Flag(help: "Enter other file systems and bind mounts too.")
    var crossMounts = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Write a listing that ncdu and gdu open; “-”: to standard output.",
            valueName: "ncdu FILE"))
    var export: [String] = []

    @Option(
        name: .customLong("import"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "Show a listing of ncdu, gdu or --export instead of scanning; “-”: from standard input.",
            valueName: "ncdu FILE"))
    var imported: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Show what grew since: an age (2d), a day (2026-11-20), a time (“2026-11-20 09:30”), or a \
            listing that was saved with --export.
            """, valueName: "time|file"))
    var since: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        for list in [export, imported] where list.count == 1 {
            throw ValidationError("Write the format and a file name, as in: --export ncdu FILE.")
        }
        if !imported.isEmpty,
            imported.count > 2 || !paths.isEmpty || !export.isEmpty || totals || crossMounts
        {
            throw ValidationError(
                "--import reads a listing and scans nothing: leave out paths, --export, --totals and "
                    + "--cross-mounts.")
        }
        if since != nil, !imported.isEmpty || totals || by != .directory {
            throw ValidationError(
                "--since lists directories and items: leave out --import, --totals and --by.")
        }
        if totals, !export.isEmpty {
            throw ValidationError("--totals keeps nothing that --export could write.")
        }
    }

    func run() throws {
        Interruption.install()
        let job = ScanJob(
            options: .init(grouping: by, top: top, depth: depth, now: .now()),
            crossesMounts: crossMounts, showsProgress: output.showsProgress)
        if let since {
            let report = try job.growth(
                since: try Since(since, now: job.options.now), named(), export: exportFile())
            return try print(report)
        }
        let report =
            if !imported.isEmpty {
                try job.imported(ListingFile(format: imported[0], name: imported[1]))
            } else if totals {
                try job.totals(roots())
            } else {
                try job.scan(roots(), export: exportFile())
            }
        try print(report)
    }

    private func print(_ report: some Report) throws {
        if export.dropFirst().first != "-" { return try output.print(report) }
        guard report.status == .done else { throw report.status.code }
    }

    /// What follows the format and the name of an export is a path again: `--export ncdu FILE PATH`.
    private func named() throws -> [FilePath] {
        Paths.outermost(try (paths + export.dropFirst(2)).map(Paths.absolute))
    }

    private func roots() throws -> [FilePath] {
        let named = try named()
        return named.isEmpty ? [try Paths.absolute(".")] : named
    }

    private func exportFile() throws -> ListingFile? {
        export.isEmpty ? nil : try ListingFile(format: export[0], name: export[1])
    }
}

extension ListingSummary.Grouping: ExpressibleByArgument {}
