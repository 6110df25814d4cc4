//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import SystemPackage

/// `headroom forecast`
struct ForecastCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Show when volumes will be short of space, by how they filled so far.",
        discussion: """
            From the history that headroom serve keeps, and what is available now. The time that really \
            passes lies within the range in four of five cases, as long as things go on as they did. \
            Changes nothing.
            """)

    @Argument(help: "Paths, to see their volumes only; all volumes if none is named.")
    var volumes: [String] = []

    @Option(
        help: ArgumentHelp(
            "The database to read, in place of the one that the configuration names.",
            valueName: "path"))
    var history: String?

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let listed = volumes.isEmpty ? try VolumeList.all() : try VolumeList.containing(volumes)
        let configuration = try options.settings()
        let path =
            try history.map { text throws(HeadroomError) in try Paths.existing(text) }
            ?? configuration.history.path ?? History.defaultPath
        let database = try path.flatMap { path throws(HeadroomError) in
            try History.openReadOnly(at: path)
        }
        try output.print(
            ForecastReport.make(
                listed, database, configuration, now: .now(),
                usesBlocks: Terminal(.standardOutput).usesBlocks))
    }
}
