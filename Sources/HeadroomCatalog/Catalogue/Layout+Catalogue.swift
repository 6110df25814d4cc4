//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomPlatform
import SystemPackage

extension Layout {
    /// The areas of well-known caches of one scope.
    ///
    /// They lie in places of other layouts, and have no place of their own.
    ///
    /// - Parameter notes: why some are not among them.
    package static func catalogue(
        _ caches: [CatalogueCache], _ scope: CatalogueEntry.Scope, notes: [Reason] = []
    ) -> Layout {
        var areas: [Area] = []
        var indexes: [FilePath: Int] = [:]
        for area in caches.filter({ $0.entry.scope == scope }).flatMap(\.areas) {
            if let index = indexes[area.root] {
                // Of two entries, the one that protects the directory wins.
                if area.purgeClass > areas[index].purgeClass { areas[index] = area }
            } else {
                indexes[area.root] = areas.count
                areas.append(area)
            }
        }
        return Layout(
            kind: scope == .user ? .catalogue : .systemCatalogue, root: FilePath(), areas: areas,
            notes: notes)
    }
}
