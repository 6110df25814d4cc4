//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

/// What a request is about, of all that may go: looked up in the inventory once.
struct RequestFilter {
    private let inventory: Inventory
    private let entries: EntryFilter?
    private let selected: SelectedItems?
    private let sparing: Sparing

    init(_ inventory: Inventory, _ request: PlanRequest) {
        self.inventory = inventory
        entries = request.entries.map { EntryFilter($0, inventory, now: request.now) }
        selected = request.selection.map { SelectedItems($0, in: inventory) }
        sparing = request.sparing
    }

    /// Takes out of a list what the request is not about, and what a person has not chosen.
    func applyChoice(to list: inout CandidateList) {
        if let entries {
            let sets = list.sets
            list.remove(as: .notAsked) { candidate in
                let members = candidate.isItem ? sets[candidate.number] ?? [candidate.number] : []
                return !entries.takes(candidate, members)
            }
        }
        if let selected {
            list.remove(as: .notSelected) { !selected.contains($0, in: inventory) }
        }
    }

    /// Takes out of a list what is spared of the rest.
    func applySparing(to list: inout CandidateList) {
        sparing.apply(to: &list, in: inventory)
    }

    // MARK: - Directories that are left empty

    /// Whether a directory stays though nothing is left in it.
    func keeps(directory: UInt32) -> Bool {
        selected?.keeps(directory: directory) == true
            || entries?.takes(directory: directory) == false
    }

    /// Whether a directory that was empty before may go, if it is old enough.
    func contains(directory: UInt32) -> Bool { selected?.contains(directory: directory) ?? true }

    /// Whether a directory that was empty before goes by its age.
    func expires(directory: UInt32) -> Bool { entries?.expires(directory: directory) == true }
}

extension CandidateList {
    /// Takes candidates out, and adds them to what is kept.
    mutating func remove(as code: Reason.Code, _ isOut: (Candidate) -> Bool) {
        var kept = KeptTotals.Entry()
        candidates.removeAll { candidate in
            guard isOut(candidate) else { return false }
            kept.add(bytes: candidate.bytes)
            return true
        }
        if kept.count > 0 { self.kept.add(code, bytes: kept.bytes, count: kept.count) }
    }

    /// A file of which a link was taken out frees nothing by the others: they are no group any more.
    mutating func breakIncompleteGroups(_ inventory: Inventory) {
        var counts: [FileIdentity: UInt32] = [:]
        for candidate in candidates where candidate.flags.contains(.linkGroup) {
            counts[inventory.identity(ofItem: candidate.number), default: 0] += 1
        }
        guard !counts.isEmpty else { return }
        for index in candidates.indices where candidates[index].flags.contains(.linkGroup) {
            let number = candidates[index].number
            let linkCount = UInt32(inventory.item(number).linkCount)
            guard counts[inventory.identity(ofItem: number)] != linkCount else { continue }
            candidates[index].flags.subtract([.linkGroup, .follower])
            candidates[index].flags.insert(.linkedElsewhere)
            candidates[index].bytes = 0
        }
    }
}
