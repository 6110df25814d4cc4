//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Areas and roots of a plan that a purge keeps because their directory cannot be used now.
///
/// Only for well-known caches, which no user has declared: a problem with one of them does not stop the rest.
struct PurgeExceptions {
    /// By the numbers of the areas in the plan's inventory.
    private(set) var areas: [UInt16: Reason] = [:]
    /// By the numbers of the scan's roots.
    private(set) var roots: [Int: Reason] = [:]

    var isEmpty: Bool { areas.isEmpty && roots.isEmpty }

    /// Keeps an area, if it is a well-known cache.
    ///
    /// - Throws: the error, if it is not.
    mutating func keep(
        _ area: Area, of inventory: Inventory, because error: HeadroomError
    ) throws(HeadroomError) {
        guard area.catalogueID != nil,
            let number = inventory.areas.firstIndex(where: { $0.root == area.root })
        else { throw error }
        areas[UInt16(number)] = error.areaNote
    }

    /// Keeps everything below a root of the scan, if it is a well-known cache.
    ///
    /// - Throws: the error, if it is not.
    mutating func keep(
        root number: Int, of inventory: Inventory, because error: HeadroomError
    ) throws(HeadroomError) {
        let directory = inventory.directories[Int(inventory.roots[number].directory)]
        guard error.code != .busy, inventory.area(of: directory)?.catalogueID != nil else {
            throw error
        }
        roots[number] = error.areaNote
    }

    /// Why a candidate is kept; nil: it is not.
    func reason(for candidate: Candidate, in inventory: Inventory) -> Reason? {
        if let reason = areas[candidate.area] { return reason }
        guard !roots.isEmpty else { return nil }
        let directory =
            candidate.isItem ? inventory.item(candidate.number).parent : candidate.number
        return inventory.roots.lastIndex { $0.directory <= directory }.flatMap { roots[$0] }
    }
}
