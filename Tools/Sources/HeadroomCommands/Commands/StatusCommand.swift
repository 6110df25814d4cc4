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

/// `headroom status`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how full the volumes are, and what could go.",
        discussion: """
            Important is what could be written for something that matters, after purging all that \
            may go; optional what may be written without coming near the warning level. Changes \
            nothing.
            """)

    @Argument(help: "Paths, to see their volumes only; all volumes if none is named.")
    var paths: [String] = []

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var idle: IdleOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        Interruption.install()
        let volumes = paths.isEmpty ? try VolumeList.all() : try VolumeList.containing(paths)
        let workspace = try Session.open(
            forWriting: false, heedsConfiguration: true, minIdle: idle.value)
        try output.print(
            StatusJob(
                workspace: workspace, configuration: try options.settings(),
                directory: try options.existingDirectory(),
                showsProgress: output.showsProgress
            ).report(volumes, isWhole: paths.isEmpty))
    }
}
