//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

extension Workspace {
    // mutation: r32a-1
    /// How long what frameworks leave behind has to be unused before it goes.
    package static let leftoverAge = Duration.seconds(86400)

    /// The plan that removes what frameworks have left in a container's `tmp`, with the scope in which
    /// it is carried out. Deletes nothing; blocks.
    ///
    /// Planned are direct children of `tmp` whose name is one of the patterns, which are unused for a
    /// day (a directory by its newest member, and whole), and launch closures. All that holds for plans
    /// holds for this one: marks, leases, registered directories in it, the class of what is around.
    ///
    /// - Returns: nil if the layout is no app's container, or has no `tmp`.
    package func leftovers(
        in layout: Layout, patterns: [LeftoverPattern], closures: LaunchClosureRule
    ) throws(HeadroomError) -> (plan: Plan, scope: Scope)? {
        guard layout.kind == .appleContainer else { return nil }
        let temporary = layout.root.appending("tmp")
        let linker = temporary.appending("com.apple.dyld")
        // For this alone: entries go whole, and the linker's directory is no secret.
        let isOpened = { (path: FilePath) in
            path == temporary || path == linker && closures != .leaveAlone
        }
        var own = layout
        own.areas.removeAll { isOpened($0.root) }
        own.guardedPlaces.removeAll { isOpened($0.path) }
        own.areas.append(
            Area(root: temporary, purgeClass: .temporary, unit: .entry, origin: "tmp"))
        var choice = EntryChoice([temporary: .named(patterns)])
        if closures != .leaveAlone {
            own.areas.append(
                Area(
                    root: linker, purgeClass: .temporary, retention: .zero,
                    origin: "launch closures"))
            // mutation: r32b-1
            choice.rules[linker] = closures == .keepNewest ? .allButNewest : .all
        }
        // Only what lies in tmp is looked at.
        own.areas.removeAll { $0.purgeClass != .essential && !$0.root.lies(in: temporary) }
        let workspace = Workspace(
            ledger: ledger, layouts: [own], limits: [temporary], interrupted: [],
            trash: trashPlaces,
            clock: clock)
        let scope = workspace.scope().choosing(choice)
        guard !scope.roots.isEmpty else { return nil }
        let plan = try scope.plan(
            try scope.scan(), targets: [.olderThan(Self.leftoverAge, by: .used), .expired],
            through: .temporary)
        return (plan, scope)
    }
}
