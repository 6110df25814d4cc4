//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// A plan that was saved, and what it takes to carry it out.
struct PlanFile {
    let path: FilePath

    /// - Throws: ``HeadroomError`` if the name is empty, or its directory does not exist.
    init(_ name: String) throws(HeadroomError) {
        path = try Paths.absolute(name)
    }

    func read() throws(HeadroomError) -> Plan { try SavedPlan.load(path) }

    func write(_ plan: Plan) throws(HeadroomError) { try SavedPlan.save(plan, to: path) }

    /// Reads the plan, and makes the scope it goes in from what is declared today.
    ///
    /// What the person named with `--as` when the plan was made is checked anew.
    func reopened(in workspace: Workspace) throws(HeadroomError) -> (plan: Plan, scope: Scope) {
        let first = try read()
        let roots = first.inventory.roots.map(\.path)
        let adHoc = first.inventory.areas.first { $0.origin.hasPrefix("--as ") }
        let named = adHoc.flatMap { PurgeClass(name: String($0.origin.dropFirst(5))) }
        // So did a person who said that the directories are containers of groups.
        let areGroups =
            !roots.isEmpty
            && roots.allSatisfy { root in
                first.inventory.areas.contains { $0.root == root && $0.origin == "group container" }
            }
        let scope =
            roots.isEmpty
            ? workspace.scope()
            : try workspace.scope(
                paths: roots, as: named, unit: adHoc?.unit ?? .file, areGroups: areGroups)
        // What directories around the roots say of them today counts, not what the file says.
        let marks = Dictionary(scope.roots.map { ($0.path, $0.mark) }) { first, _ in first }
        return (try SavedPlan.load(path, rootMarks: marks), scope)
    }
}
