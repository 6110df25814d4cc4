//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
package import HeadroomPlanning

/// What the plans of a policy are made from.
public protocol PlanSource: Sendable {
    /// Finds out what there is at this moment. Blocks.
    ///
    /// - Throws: `HeadroomError` as ``Scope/scan(progress:threads:)`` does.
    func basis(of scope: Scope) throws(HeadroomError) -> PlanBasis

    /// Gives back what it keeps: there is nothing to plan for any more.
    func release()
}

/// What there is at a moment, to make plans from.
public struct PlanBasis: Sendable {
    public let inventory: Inventory
    private let live: LiveInventory?

    /// - Parameter inventory: of a scan that has just been made.
    public init(_ inventory: Inventory) {
        self.inventory = inventory
        live = nil
    }

    /// - Parameter inventory: as `live` has just given it.
    init(_ inventory: Inventory, of live: LiveInventory) {
        self.inventory = inventory
        self.live = live
    }

    package func plan(_ request: PlanRequest) throws(HeadroomError) -> Plan {
        guard let live else { return Planner.plan(inventory, request) }
        return try live.plan(inventory, request)
    }
}
