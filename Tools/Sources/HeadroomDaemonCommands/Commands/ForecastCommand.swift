//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import SystemPackage

/// `headroom forecast`
struct ForecastCommand: ParsableCommand {
    static var configuration: CommandConfiguration { ForecastArguments.configuration }

    @OptionGroup var arguments: ForecastArguments

    func run() throws {
        let listed =
            arguments.volumes.isEmpty
            ? try VolumeList.all() : try VolumeList.containing(arguments.volumes)
        let configuration = try arguments.options.settings()
        let path =
            try arguments.history.map { text throws(HeadroomError) in try Paths.existing(text) }
            ?? configuration.history.path ?? History.defaultPath
        let database = try path.flatMap { path throws(HeadroomError) in
            try History.openReadOnly(at: path)
        }
        var report = try ForecastReport.make(
            listed, database, configuration, now: .now(),
            usesBlocks: Terminal(.standardOutput).usesBlocks)
        report.showsPast = !arguments.leavesOutPast
        try arguments.output.print(report)
    }
}
