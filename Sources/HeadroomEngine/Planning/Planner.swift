//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Chooses what goes: a pure function of an inventory and a request.
public enum Planner {
    /// Makes the plan.
    ///
    /// "Not enough" is a result, not an error: see ``Plan/missing`` and ``Plan/kept``.
    ///
    /// - Complexity: O(items) with small constants; only what is chosen is sorted. 24 bytes a
    ///   candidate while it runs.
    public static func plan(_ inventory: Inventory, _ request: PlanRequest) -> Plan {
        let usage = AreaUsage(inventory)
        var list = CandidateBuilder(
            inventory: inventory, request: request, usage: usage.allocated
        ).build()
        var selection = Selection(inventory: inventory, request: request, usage: usage)
        selection.run(&list)
        return Plan(inventory: inventory, request: request, list: list, selection: selection)
    }
}

/// What each area of an inventory occupies.
struct AreaUsage {
    /// Allocated bytes by area number, nested areas not included.
    private(set) var allocated: [Int64]

    init(_ inventory: Inventory) {
        allocated = Array(repeating: 0, count: inventory.areas.count)
        for record in inventory.directories where record.area != DirectoryRecord.noArea {
            // A directory's own blocks and its files'; what lies below counts for itself.
            var own = record.totals.allocated
            var child = record.firstChild
            while child != DirectoryRecord.none {
                own -= inventory.directories[Int(child)].totals.allocated
                child = inventory.directories[Int(child)].nextSibling
            }
            allocated[Int(record.area)] += own
        }
    }
}
