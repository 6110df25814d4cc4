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

/// `headroom purge`
struct PurgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Free space: show what would go, ask, and purge it.",
        usage: """
            headroom purge [<path> … --as <class>] <target> … [--through <class>]
                      [--yes]
            headroom purge --plan <file> [--yes]
            """,
        discussion: """
            Each item is verified once more just before it goes; what is in use or has changed \
            stays. Ctrl-C stops between two items. Exit codes: 0 done, 3 target not reached, 4 \
            something stayed that was planned, 130 interrupted.
            """)

    @OptionGroup var areas: AreaOptions

    @OptionGroup(title: "Targets") var target: TargetOptions

    @Option(help: ArgumentHelp("Carry out a plan that plan --save wrote.", valueName: "file"))
    var plan: String?

    @Flag(name: [.short, .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var idle: IdleOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if plan == nil {
            try target.requireTarget()
            return try areas.validate(with: target)
        }
        guard target.targets.isEmpty, areas.paths.isEmpty, areas.tmpfiles == nil else {
            throw ValidationError("A saved plan has its paths and targets already: leave them out.")
        }
    }

    func run() throws {
        Interruption.install()
        let workspace = try Session.open(
            forWriting: true, heedsConfiguration: true, minIdle: idle.value)
        let planned = try prepared(in: workspace)
        // mutation: r37b-1/1
        guard yes || Confirmation.isPossible else {
            throw HeadroomError(
                .refused,
                "Nobody can be asked: standard input or error is no terminal. Add --yes to purge "
                    + "without a question, or use headroom plan to look.")
        }
        let (plan, scope) = try planned()
        let purge = PurgeJob(plan: plan, scope: scope, output: output)
        // mutation: r37b-1/2
        guard try purge.isWanted(asks: !yes) else { throw ExitStatus.failed.code }
        try purge.run()
    }

    /// What makes the plan.
    ///
    /// - Throws: for places that are refused, whoever says yes.
    private func prepared(in workspace: Workspace) throws -> () throws -> (Plan, Scope) {
        if let plan { return { try PlanFile(plan).reopened(in: workspace) } }
        let job = try PlanJob(areas, in: workspace, showsProgress: output.showsProgress)
        return { (try job.plan(target), job.scope) }
    }
}
