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

/// `headroom explain`
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show what a file or directory is, and when it would go, or why it never would.",
        discussion: "Changes nothing.")

    @Argument(help: "Files and directories.")
    var paths: [String]

    @Flag(help: "Ask what of each nothing else shares (reflinks, clones). Opens every file below.")
    var exclusive = false

    @OptionGroup var idle: IdleOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !paths.isEmpty else { throw ValidationError("Name a file or directory.") }
    }

    func run() throws {
        Interruption.install()
        let named = try paths.map(Paths.existing)
        let workspace = try Session.open(
            forWriting: false, heedsConfiguration: true, minIdle: idle.value)
        let job = try PlanJob(AreaOptions.none, in: workspace, showsProgress: output.showsProgress)
        try output.print(ExplainJob(job, asksForExclusive: exclusive).report(named))
    }
}
