//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCatalog
import HeadroomCore
import HeadroomPlanning
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
            clock: clock
        ).declaring(declared.filter { $0.purgeClass == .essential })
        var choice = EntryChoice([:])
        let base = workspace.scope()
        // What is registered there keeps its own contract.
        let origins = Set(rules.rules.map(\.area.origin))
        let roots = Set(
            base.areas.filter { $0.purgeClass == .temporary && origins.contains($0.origin) }
                .map(\.root))
        for rule in rules.rules {
            // By the directory that it is: a pattern names several of one last name, and lines may lead
            // to one directory by several paths.
            guard
                // mutation: r40b-4 (2 lines)
                let root = try? ResolvedDirectory(rule.area.root, followingLast: false).path,
                roots.contains(root)
            else { continue }
            let exclusions = EntryExclusions(
                root: rule.area.root, keepsFirstLevel: rule.keepsFirstLevel,
                retention: rule.area.retention ?? .zero,
                // mutation: r40b-3
                patterns: rules.exclusions.map(\.glob))
            guard case .sparing(let others)? = choice.rules[root] else {
                choice.rules[root] = .sparing(exclusions)
                continue
            }
            // mutation: r40b-5
            choice.rules[root] = .sparing(others.joined(with: exclusions))
        }
        return base.choosing(choice, agesByChange: true)
    }
}
