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

/// `headroom plan`
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show what would go to reach a target, in order and with reasons.",
        usage: """
            headroom plan [<path> … --as <class>] <target> … [--through <class>]
                     [--save <file>]
            headroom plan --diff <old> <new>
            """,
        discussion: """
            Deletes nothing. Of several targets, all must hold. Exit code 3: the target cannot be \
            reached; 4: places could not be looked at.
            """)

    @OptionGroup var areas: AreaOptions

    @OptionGroup(title: "Targets") var target: TargetOptions

    @Option(help: ArgumentHelp("Write the plan, for purge --plan.", valueName: "file"))
    var save: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Show how two saved plans differ.", valueName: "old new"))
    var diff: [String] = []

    @Option(help: "How many rows to show.", transform: Values.count)
    var top = 6

    @OptionGroup var idle: IdleOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if diff.isEmpty {
            try target.requireTarget()
            try areas.validate(with: target)
            guard save == nil || areas.tmpfiles == nil else {
                throw ValidationError(
                    "A plan by --tmpfiles is not saved: its rules may be others by then. Use purge."
                )
            }
            return
        }
        guard diff.count == 2, areas.paths.isEmpty, target.targets.isEmpty, save == nil else {
            throw ValidationError("Name two saved plans and nothing else: --diff OLD NEW.")
        }
    }

    func run() throws {
        Interruption.install()
        guard diff.isEmpty else { return try showDifference() }
        let file = try save.map(PlanFile.init)
        let workspace = try Session.open(
            forWriting: false, heedsConfiguration: true, minIdle: idle.value)
        let job = try PlanJob(areas, in: workspace, showsProgress: output.showsProgress)
        let plan = try job.plan(target)
        try file?.write(plan)
        try output.print(
            PlanReport(
                plan: plan, top: top,
                arguments: (areas.words + target.words).joined(separator: " "),
                savedAs: save.map { ShellWord($0).description }, unread: job.scope.unread.count))
    }

    private func showDifference() throws {
        let plans = try diff.map { try PlanFile($0).read() }
        try output.print(
            PlanDifferenceReport(
                difference: PlanDifference(from: plans[0], to: plans[1]), top: top,
                newer: ShellWord(diff[1]).description))
    }
}
