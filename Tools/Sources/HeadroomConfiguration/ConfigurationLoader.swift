//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import SystemPackage

/// Reads the configuration of the service: `headroom.yaml` and `conf.d/*.yaml`.
///
///     let loader = ConfigurationLoader(places: places, workspace: workspace)
///     do {
///         running = try loader.load()
///     } catch {
///         // Nothing of what was read counts; what ran before runs on.
///         for problem in error.problems { logger.error("\(problem)") }
///     }
///
/// All of it holds, or nothing: one error anywhere leaves the caller with what it had.
public struct ConfigurationLoader: Sendable {
    public var places: ConfigurationPlaces
    /// Which directories may be declared is asked of it; nil: areas are not looked at on disk.
    private let workspace: Workspace?

    public init(places: ConfigurationPlaces, workspace: Workspace?) {
        self.places = places
        self.workspace = workspace
    }

    /// Reads the directory's files. Blocks.
    ///
    /// A directory or main file that does not exist is no error: the defaults hold.
    ///
    /// - Throws: every error of every file, and the notes.
    public func load() throws(ConfigurationErrors) -> LoadedConfiguration {
        var merging = ConfigurationMerging(places)
        var notes: [ConfigurationProblem] = []
        do throws(ConfigurationProblem) {
            let hasDirectory = try ConfigurationFile.names(in: places.directory, for: places) != nil
            if hasDirectory, ConfigurationFile.exists(places.mainFile) {
                merging.add(places.mainFile, isDropIn: false)
            }
            let names =
                hasDirectory
                ? try ConfigurationFile.names(in: places.dropInDirectory, for: places) ?? [] : []
            for name in names where !name.hasPrefix(".") {
                let path = places.dropInDirectory.appending(name)
                if name.hasSuffix(".yaml") {
                    merging.add(path, isDropIn: true)
                } else if name.hasSuffix(".yml") {
                    notes.append(
                        ConfigurationProblem(
                            .note, file: path, what: "it is not read: its name ends in .yml",
                            advice: "Name it \(name.dropLast(4)).yaml."))
                }
            }
        } catch {
            merging.add(error)
        }
        return try merging.result(workspace, notes: notes)
    }

    /// Reads files that are named, the first as the main one and the others as drop-ins; of a single one
    /// it does not matter which it is. Blocks.
    ///
    /// - Throws: every error of every file, and the notes.
    public func load(files: [FilePath]) throws(ConfigurationErrors) -> LoadedConfiguration {
        var merging = ConfigurationMerging(places)
        for (index, file) in files.enumerated() {
            let isInDropIns = file.removingLastComponent() == places.dropInDirectory
            merging.add(file, isDropIn: index > 0 || isInDropIns)
        }
        return try merging.result(workspace, notes: [])
    }
}
