//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCatalog
import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform
public import HeadroomPurging
import SystemPackage

extension Scope {
    /// The paths that processes, mounts, sessions, locks, tmpfiles.d and the user's settings keep now in the
    /// directories of this scope. Blocks for some milliseconds.
    func keptPaths() -> KeptPaths {
        let roots = roots.map(\.path)
        var contexts = [TmpfilesContext.system()]
        var references: [KeptPaths.Entry] = []
        if let home = workspace.layouts.first(where: { $0.kind == .xdg })?.root {
            contexts.append(TmpfilesContext.user(environment: [:], home: home))
            // No settings name an app's own directories, and an app shouldn't read the user's settings.
            if areas.contains(where: { $0.unit == .directory || $0.catalogueID != nil }) {
                // mutation: r43i-1
                references = SettingsReferences(home: home, below: roots).entries
            }
        }
        let moved = KeptPaths.movedDirectories(
            in: areas, below: roots, minIdle: workspace.minIdle, now: workspace.clock())
        return .survey(
            below: roots, areas: areas,
            exclusions: KeptPaths.exclusions(contexts, below: roots, areas: areas) + references
                + moved,
            ownDirectories: [workspace.ledger.directory])
    }

    /// Which files in the directories of this scope are in use or kept for another reason, as a purge would
    /// find them. Blocks for some milliseconds.
    public func inUse() -> InUseNow {
        InUseNow(below: roots.map(\.path), kept: keptPaths())
    }
}
