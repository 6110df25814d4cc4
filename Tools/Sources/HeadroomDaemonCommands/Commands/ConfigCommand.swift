//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomService
import SystemPackage

/// `headroom config`
struct ConfigCommand: ParsableCommand {
    static let configuration = ConfigArguments.configuration([
        ConfigCheckCommand.self, ConfigShowCommand.self,
    ])
}

/// `headroom config check`
struct ConfigCheckCommand: ParsableCommand {
    static var configuration: CommandConfiguration { ConfigCheckArguments.configuration }

    @OptionGroup var arguments: ConfigCheckArguments

    func run() throws {
        let loader = try arguments.options.loader()
        let paths = try arguments.files.map { text throws(HeadroomError) in try Paths.absolute(text)
        }
        try arguments.output.print(ConfigCheckReport.make(loader, paths))
    }
}

/// `headroom config show`
struct ConfigShowCommand: ParsableCommand {
    static var configuration: CommandConfiguration { ConfigShowArguments.configuration }

    @OptionGroup var arguments: ConfigShowArguments

    func run() throws {
        let loader = try arguments.options.loader()
        let check = ConfigCheckReport.make(loader, [])
        guard let loaded = check.loaded else { return try arguments.output.print(check) }
        for note in loaded.notes { Diagnostics.say(note.description) }
        try arguments.output.print(
            ConfigShowReport(loaded: loaded, showsDefaults: !arguments.changed))
    }
}
