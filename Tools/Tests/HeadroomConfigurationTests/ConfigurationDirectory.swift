//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage

/// A directory of configuration in a home of its own.
struct ConfigurationDirectory {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory(on: .disk)
        try directory.tree.directory("home")
        try directory.tree.directory("headroom/conf.d")
    }

    var tree: Tree { directory.tree }
    var home: FilePath { directory.path.appending("home") }
    var path: FilePath { directory.path.appending("headroom") }

    func write(_ name: String, _ text: String) throws {
        try tree.file(TreePath("headroom/" + name), text: text)
        try tree.setPermissions(0o644, of: TreePath("headroom/" + name))
    }

    /// - Parameter userID: who reads; the checks of what is above the directory are root's alone.
    func places(userID: UInt32 = User.effective) -> ConfigurationPlaces {
        ConfigurationPlaces(
            directory: path, home: home, environment: ["XDG_DATA_HOME": "/data/of/others"],
            userID: userID)
    }

    /// Reads all of it, without looking at the declared directories.
    func load() throws(ConfigurationErrors) -> LoadedConfiguration {
        try ConfigurationLoader(places: places(), workspace: nil).load()
    }

    /// What is wrong with it.
    func problems() -> [ConfigurationProblem] {
        do throws(ConfigurationErrors) {
            return try load().notes
        } catch {
            return error.problems
        }
    }

    /// Reads it as the service does, with the areas looked at.
    func loadChecked() throws(ConfigurationErrors) -> LoadedConfiguration {
        let workspace = Workspace.open(
            forWriting: false, environment: [:], home: home,
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: { .now() })
        return try ConfigurationLoader(places: places(), workspace: workspace).load()
    }
}
