//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

extension Workspace {
    /// The directories of some age rules, of which only what has expired may go. Blocks.
    ///
    /// Everything that is essential stays essential, and what is registered in such a directory keeps
    /// its own contract. Directories that may be no areas are left out, with a note (safety
    /// invariant S11), and those that are not there without.
    public func scope(_ rules: TmpfilesRules) -> Scope {
        var own = layouts
        for index in own.indices { own[index].areas.removeAll { $0.purgeClass != .essential } }
        own.append(Layout(kind: .custom, root: FilePath(), areas: rules.rules.map(\.area)))
        let workspace = Workspace(
            ledger: ledger, layouts: own, limits: rules.rules.map(\.area.root), interrupted: [],
            clock: clock)
        var choice = EntryChoice([:])
        let base = workspace.scope()
        for rule in rules.rules {
            let area = base.areas.first {
                $0.origin == rule.area.origin && $0.purgeClass == .temporary
                    && $0.root.lastComponent == rule.area.root.lastComponent
            }
            guard let area else { continue }
            choice.rules[area.root] = .sparing(
                EntryExclusions(
                    root: rule.area.root, keepsFirstLevel: rule.keepsFirstLevel,
                    retention: rule.area.retention ?? .zero,
                    patterns: rules.exclusions.map(\.glob)))
        }
        return base.choosing(choice, agesByChange: true)
    }
}
