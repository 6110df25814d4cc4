//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomServiceModel
import SystemPackage

/// Differences between the daemon and commands: only the daemon waits for grace periods, and the system's
/// daemon uses the system's configuration.
struct DaemonView {
    private let configuration: ServiceConfiguration
    private let grace: GracePeriods
    /// The areas that root's daemon has beside those of this user; empty for root.
    private let system: AreaMap

    init(_ workspace: Workspace) throws(HeadroomError) {
        let home = try Session.home()
        configuration = Self.configuration(
            ConfigurationPlaces(home: home, environment: Session.environment))
        grace = GracePeriods(
            configuration, memory: AutomationMemory.file(of: workspace), now: workspace.clock())
        // As root reads it: its own home, none of our variables, and no file that is not root's.
        let machine = ConfigurationPlaces(
            directory: ConfigurationPlaces.systemDirectory, home: "/root", environment: [:],
            userID: 0, groupID: 0)
        // mutation: r18b-3
        system = AreaMap(User.isRoot ? [] : Self.configuration(machine).areas)
    }

    private static func configuration(_ places: ConfigurationPlaces) -> ServiceConfiguration {
        // Errors are reported where the areas are used; a file that this user may not read says nothing.
        (try? ConfigurationLoader(places: places, workspace: nil).load().configuration)
            ?? ServiceConfiguration()
    }

    /// Sentences on areas that the daemon leaves alone, for plans and purges by hand.
    var notes: [String] {
        grace.areas.compactMap { root in
            grace.end(of: root).map { end in
                "The daemon leaves \(root.displayText) alone until \(end.minuteDescription) UTC, "
                    + "because its declaration is new (grace period). Commands do not wait."
            }
        }
    }

    /// Sentences on how the daemon treats a path differently.
    ///
    /// - Parameter area: of the path, by the areas of this user.
    func notes(on path: FilePath, in area: Area?) -> [Reason] {
        var notes: [Reason] = []
        if let area, configuration.areas.contains(where: { $0.root == area.root }) {
            if let end = grace.end(of: area.root) {
                notes.append(
                    Reason(
                        .gracePeriod,
                        "leaves it alone until \(end.minuteDescription) UTC (grace period of a new "
                            + "declaration)"))
            }
            // mutation: r18b-2
            if !configuration.mode.deletesByItself {
                notes.append(
                    Reason(
                        .daemonMode,
                        "purges nothing by itself (mode: \(configuration.mode.rawValue))"))
            }
        }
        let declared = system.area(for: path)
        if let declared, declared.root.components.count >= area?.root.components.count ?? 0 {
            notes.append(
                Reason(
                    .systemDeclaration,
                    "the system's daemon treats it as \(declared.purgeClass.spokenName) "
                        + "(\(declared.origin))"))
        }
        return notes
    }
}

extension Reason.Code {
    /// The daemon does not use the declaration yet.
    static let gracePeriod = Reason.Code("grace-period")
    /// The daemon's mode does not let it purge.
    static let daemonMode = Reason.Code("daemon-mode")
    /// The system's configuration declares it, for root's daemon alone.
    static let systemDeclaration = Reason.Code("system-declaration")
}
