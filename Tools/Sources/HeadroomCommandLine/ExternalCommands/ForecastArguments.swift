//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser

/// The arguments of `headroom forecast`.
package struct ForecastArguments: ExternalArguments {
    package static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Show when volumes will be short of space, by how they filled so far.",
        discussion: """
            From the history that headroom serve keeps, and what is available now. The time that really \
            passes lies within the range in four of five cases, as long as things go on as they did. \
            Changes nothing.
            """)

    @Argument(help: "Paths, to see their volumes only; all volumes if none is named.")
    package var volumes: [String] = []

    @Option(
        help: ArgumentHelp(
            "The database to read, in place of the one that the configuration names.",
            valueName: "path"))
    package var history: String?

    @Flag(name: .customLong("no-past"), help: "With --json: leave out how full the volumes were.")
    package var leavesOutPast = false

    @OptionGroup package var options: ConfigurationOptions
    @OptionGroup package var output: OutputOptions

    package init() {}
}
