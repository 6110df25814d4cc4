//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import ArgumentParser
package import HeadroomConfiguration
package import HeadroomEngine
package import SystemPackage

/// Which configuration a command is about.
package struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory with headroom.yaml and conf.d, in place of the usual one.",
            valueName: "path"))
    package var directory: String?

    package init() {}

    /// What reads it. The workspace says which directories may be declared.
    package func loader() throws(HeadroomError) -> ConfigurationLoader {
        let workspace = try Session.open(forWriting: false)
        return ConfigurationLoader(places: try places(), workspace: workspace)
    }

    /// What the service runs with; the defaults where that has errors, which is said.
    package func settings() throws(HeadroomError) -> ServiceConfiguration {
        let loader = ConfigurationLoader(places: try places(), workspace: nil)
        do throws(ConfigurationErrors) {
            return try loader.load().configuration
        } catch {
            Diagnostics.say(
                "The configuration has errors, so the usual thresholds are taken: headroom config check"
            )
            return ServiceConfiguration()
        }
    }

    /// What one file, or a directory, says.
    ///
    /// - Throws: the exit code, after each problem was said; ``HeadroomError`` if nothing is there.
    package static func configuration(
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

    package func places() throws(HeadroomError) -> ConfigurationPlaces {
        ConfigurationPlaces(
            directory: try existingDirectory(), home: try Session.home(),
            environment: Session.environment)
    }

    /// The absolute path of the directory that was named; nil: none was.
    package func existingDirectory() throws(HeadroomError) -> FilePath? {
        guard let directory else { return nil }
        return try Paths.existing(directory)
    }
}
