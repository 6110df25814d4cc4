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

/// `headroom audit`
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract:
            "Show what is backed up, what is large, and what is amiss, with the fix for each.",
        usage: """
            headroom audit [<path> …] [--large <n>] [--unused-for <age>]
                     [--larger-than <size>] [--in-all <size>] [--rules <file>]
                     [--layout group] [--fix]
            headroom audit [<path> …] --excludes restic|borg|tar|rsync
            """,
        discussion: """
            Changes nothing unless --fix is given, which does what is safe: leaves out of backups \
            what can be made again, and puts protecting marks back. No file is moved or deleted. \
            The fixes that are not done are shown as commands. Exit code 4: something could not be \
            read, or not be fixed.
            """)

    @Argument(help: "Directories; the home directory if none is named.")
    var paths: [String] = []

    @Option(help: "How many of the largest files of each kind to show.", transform: Values.count)
    var large: Int?

    @Option(
        help: ArgumentHelp("List only large files not used for this long.", valueName: "age"),
        transform: Values.age)
    var unusedFor: Duration?

    @Option(
        help: ArgumentHelp("Report by itself what is at least this large.", valueName: "size"),
        transform: Values.positiveSize)
    var largerThan = AuditOptions.standard.largeEach

    @Option(
        help: ArgumentHelp(
            "Report smaller things together that come to more than this.", valueName: "size"),
        transform: Values.size)
    var inAll = AuditOptions.standard.largeInAll

    @Option(
        help: ArgumentHelp(
            "More names of things that can be had again; see the guide.", valueName: "file"))
    var rules: String?

    @Option(help: "What the directories are, where that cannot be seen: group (an app group).")
    var layout: LayoutChoice?

    @Flag(help: "Do what is safe.")
    var fix = false

    @Option(
        help: ArgumentHelp(
            "Write what is not backed up as a list for restic, borg, tar or rsync, and nothing else.",
            valueName: "program"))
    var excludes: BackupProgram?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if excludes != nil, fix { throw ValidationError("--excludes only lists: leave out --fix.") }
    }

    func run() throws {
        Interruption.install()
        if let excludes { return try writeExcludes(for: excludes) }
        // mutation: r37a-1/1
        let workspace = try Session.open(forWriting: fix)
        let job = AuditJob(
            workspace: workspace, paths: try paths.map(Paths.absolute), options: try options(),
            isGroup: layout == .group, showsProgress: output.showsProgress)
        var report = AuditReport(
            audit: try job.audit(), arguments: paths.map { ShellWord($0).description },
            showsLarge: large != nil || unusedFor != nil)
        // mutation: r37a-1/2
        if fix { try job.fix(&report) }
        try output.print(report)
    }

    private func writeExcludes(for program: BackupProgram) throws {
        let named = try paths.isEmpty ? [Session.home()] : paths.map(Paths.existing)
        let job = ExcludesJob(
            workspace: try Session.open(forWriting: false), paths: named, program: program,
            showsProgress: output.showsProgress)
        try job.run(output)
    }

    private func options() throws -> AuditOptions {
        var options = AuditOptions()
        options.largeEach = largerThan
        options.largeInAll = inAll
        options.unusedFor = unusedFor
        if let large { options.largestPerKind = large }
        if let rules { options.rules = try RuleFile.read(rules).adding(.standard) }
        return options
    }
}
