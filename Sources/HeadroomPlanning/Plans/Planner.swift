//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomInventory
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
        var list = CandidateBuilder(inventory: inventory, request: request, usage: usage).build()
        let filter = RequestFilter(inventory, request)
        var selection = Selection(
            inventory: inventory, request: request, usage: usage, filter: filter)
        selection.run(&list)
        return Plan(
            inventory: inventory, request: request, list: list, selection: selection,
            filter: filter)
    }
}
