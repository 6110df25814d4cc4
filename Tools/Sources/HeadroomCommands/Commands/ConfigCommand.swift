//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomConfiguration
import HeadroomEngine
import HeadroomService
import SystemPackage

/// `headroom config`
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check and show the configuration of the service.",
        discussion: """
            /etc/headroom for root, else ~/.config/headroom: headroom.yaml, and every *.yaml in conf.d, \
            where programs declare their directories. Changes nothing.
            """,
        subcommands: [ConfigCheckCommand.self, ConfigShowCommand.self])
}

/// Which configuration a command is about.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory with headroom.yaml and conf.d, in place of the usual one.",
            valueName: "path"))
    var directory: String?

    /// What reads it. The workspace says which directories may be declared.
    func loader() throws(HeadroomError) -> ConfigurationLoader {
        let workspace = try Session.open(forWriting: false)
        return ConfigurationLoader(places: try places(), workspace: workspace)
    }

    /// What the service runs with; the defaults where that has errors, which is said.
    func settings() throws(HeadroomError) -> ServiceConfiguration {
        let loader = ConfigurationLoader(places: try places(), workspace: nil)
        let check = ConfigCheckReport.make(loader, [])
        if let loaded = check.loaded { return loaded.configuration }
        Diagnostics.say(
            "The configuration has errors, so the usual thresholds are taken: headroom config check"
        )
        return ServiceConfiguration()
    }

    /// What one file, or a directory, says.
    ///
    /// - Throws: the exit code, after each problem was said; ``HeadroomError`` if nothing is there.
    static func configuration(
        at path: String, _ workspace: Workspace
    ) throws -> ServiceConfiguration {
        let named = try Paths.existing(path)
        let isDirectory = try Paths.status(named).isDirectory
        let loader = ConfigurationLoader(
            places: ConfigurationPlaces(
                directory: isDirectory ? named : named.removingLastComponent(),
                home: try Session.home(), environment: Session.environment),
            workspace: workspace)
        do throws(ConfigurationErrors) {
            let loaded = isDirectory ? try loader.load() : try loader.load(files: [named])
            for note in loaded.notes { Diagnostics.say(note.description) }
            return loaded.configuration
        } catch {
            for problem in error.problems { Diagnostics.say(problem.description) }
            throw ExitStatus.failed.code
        }
    }

    func places() throws(HeadroomError) -> ConfigurationPlaces {
        var chosen: FilePath?
        if let directory { chosen = try Paths.existing(directory) }
        return ConfigurationPlaces(
            directory: chosen, home: try Session.home(), environment: Session.environment)
    }
}

/// `headroom config check`
struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say everything that is wrong, with file, line and key, and what to do.",
        discussion: """
            One error anywhere, and the service takes nothing of it: what it ran with before holds on. \
            But an area that may not be one is only left out, and all else holds. \
            Notes, such as of two declarations of one directory, of which the more protective holds, \
            hinder nothing. Exit code 1: there are errors.
            """)

    @Argument(help: "Files to check by themselves: the first as headroom.yaml, others as drop-ins.")
    var files: [String] = []

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard files.isEmpty || options.directory == nil else {
            throw ValidationError("Name files or --directory, not both.")
        }
    }

    func run() throws {
        let loader = try options.loader()
        let paths = try files.map { text throws(HeadroomError) in try Paths.absolute(text) }
        try output.print(ConfigCheckReport.make(loader, paths))
    }
}

/// `headroom config show`
struct ConfigShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show each value that holds, and the file and line that it is from.",
        discussion: """
            Values that no file sets are shown as well, as defaults. Exit code 1: the configuration has \
            errors, which are named; then nothing of it holds.
            """)

    @Flag(help: "Leave out what no file sets.")
    var changed = false

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let loader = try options.loader()
        let check = ConfigCheckReport.make(loader, [])
        guard let loaded = check.loaded else { return try output.print(check) }
        for note in loaded.notes { Diagnostics.say(note.description) }
        try output.print(ConfigShowReport(loaded: loaded, showsDefaults: !changed))
    }
}
