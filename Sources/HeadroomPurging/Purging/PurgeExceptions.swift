//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlanning

/// Areas and roots of a plan that a purge keeps because their directory cannot be used now.
///
/// A problem with one directory, such as a lease of another user, does not stop the rest.
struct PurgeExceptions {
    /// By the numbers of the areas in the plan's inventory.
    private(set) var areas: [UInt16: Reason] = [:]
    /// By the numbers of the scan's roots.
    private(set) var roots: [Int: Reason] = [:]

    var isEmpty: Bool { areas.isEmpty && roots.isEmpty }

    /// Why nothing can be purged if all areas and roots are kept; nil: only well-known caches have a problem, which
    /// no user has declared.
    private(set) var failure: HeadroomError?

    /// Keeps an area.
    ///
    /// - Throws: the error, if the policy says so or the inventory has no such area.
    mutating func keep(
        _ area: Area, of inventory: Inventory, because error: HeadroomError,
        _ policy: UnusableAreaPolicy
    ) throws(HeadroomError) {
        guard let number = inventory.areas.firstIndex(where: { $0.root == area.root }) else {
            throw error
        }
        try note(error, isKnownCache: area.catalogueID != nil, policy)
        areas[UInt16(number)] = error.purgeNote
    }

    /// Keeps everything below a root of the scan.
    ///
    /// - Throws: the error, if the policy says so.
    mutating func keep(
        root number: Int, of inventory: Inventory, because error: HeadroomError,
        _ policy: UnusableAreaPolicy
    ) throws(HeadroomError) {
        let directory = inventory.directories[Int(inventory.roots[number].directory)]
        try note(
            error, isKnownCache: inventory.area(of: directory)?.catalogueID != nil, policy)
        roots[number] = error.purgeNote
    }

    private mutating func note(
        _ error: HeadroomError, isKnownCache: Bool, _ policy: UnusableAreaPolicy
    ) throws(HeadroomError) {
        let isBusy = error.code == .busy
        guard isBusy || !isKnownCache else { return }
        switch policy {
        case .isKept: break
        case .failsIfBusy: if isBusy { throw error }
        case .fails: throw error
        }
        // A caller can wait for the end of another purge, or a lease.
        if failure == nil || isBusy, failure?.code != .busy { failure = error }
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

extension HeadroomError {
    /// Why an area is kept.
    fileprivate var purgeNote: Reason { code == .busy ? Reason(.busy, message) : areaNote }
}
