//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

// A list that has of the plain items only those that a request may choose at the most: what is left out
// stands behind so much of its kind that the request is met before. Everything that follows, selection
// and reasons, is the same, and so is the plan.
extension CandidateBuilder {
    /// Whether a request chooses from the front of the purge order.
    var canUseIndex: Bool {
        request.entries == nil && request.selection == nil && request.sparing == .nothing
            && !request.targets.contains(.all)
            && (request.usage == nil || request.usage?.usedInodes != nil)
            // Of plain directories only single items can be left out.
            && keptItems.trees.keys.allSatisfy { number in
                layout.isRoot[Int(number)]
                    || inventory.area(of: inventory.directories[Int(number)])?.unit == .directory
            }
    }

    mutating func addIndexed(_ index: CandidateIndex) {
        // Parents have smaller numbers than their children.
        for number in index.places.indices
        where index.places[number] == CandidateIndex.Place.irregular {
            addDirectory(UInt32(number))
        }
        // What the ledger knows of the use of a file comes before what its times say; all names of it
        // are found.
        var used = index.items(withInodes: request.usage?.usedInodes ?? [], inventory)
        for id in keptItems.items.keys
        where index.places[Int(inventory.item(id).parent)] >= 0 && !index.odd.contains(id) {
            used.insert(id)
        }
        let standings = index.groups.map { standing(of: $0.terms) }
        for id in index.odd.sorted() + used.sorted() { addOdd(id, index, standings) }
        let shrinking = AreaShrinking(inventory, request, usage)
        for number in index.groups.indices {
            add(number, index, standings[number], used, shrinking)
        }
    }

    /// What holds for all items of a group.
    private enum Standing {
        case stays(Reason.Code)
        case mayGo(Terms)
    }

    private func standing(of terms: CandidateIndex.Terms) -> Standing {
        let mark = terms.mark.mark
        if mark.isPinned == true { return .stays(.pinned) }
        let found = self.terms(
            area: terms.area, mark: mark,
            countsAccess: inventory.roots[Int(terms.root)].countsAccess, device: terms.device,
            mountID: terms.mountID)
        guard let found else { return .stays(.essential) }
        return .mayGo(found)
    }

    /// As ``addItems(of:_:)`` has it for one item.
    private mutating func addOdd(
        _ id: UInt32, _ index: CandidateIndex, _ standings: [Standing]
    ) {
        let item = inventory.item(id)
        let place = Int(index.places[Int(item.parent)])
        if item.flags.contains(.marked) {
            let record = inventory.directories[Int(item.parent)]
            return addMarked(id, item, record, item.parent, ownOnly: false)
        }
        switch standings[place] {
        case .stays(let code): list.kept.add(code, bytes: item.allocated)
        case .mayGo(let terms): add(id, item, terms, ownOnly: false)
        }
    }

    /// How much of a group is needed.
    private struct Need {
        var bytes: Int64 = 0
        var inodes = 0
        /// Everything up to this time.
        var time: UInt32?
        var takesAll = false
    }

    private mutating func add(
        _ number: Int, _ index: CandidateIndex, _ standing: Standing, _ used: Set<UInt32>,
        _ shrinking: AreaShrinking
    ) {
        let group = index.groups[number]
        var rest = KeptTotals.Entry(count: group.count, bytes: group.bytes)
        var nameBytes = group.nameBytes
        for id in used where Int(index.places[Int(inventory.item(id).parent)]) == number {
            rest.count -= 1
            rest.bytes -= inventory.item(id).ownBytes
            nameBytes -= inventory.item(id).allocated
        }
        guard rest.count > 0 else { return }
        guard case .mayGo(let terms) = standing else {
            // What stays is counted by name.
            if case .stays(let code) = standing {
                list.kept.add(code, bytes: nameBytes, count: rest.count)
            }
            return
        }
        let isOutOfClass = terms.rank.rawValue > request.through.rank.rawValue
        let isSpared = request.sparesLiveCaches && terms.rank == .cache && !terms.isOverLimit
        if !isOutOfClass {
            let need = need(terms, shrinking, isSpared: isSpared)
            take(number, index, terms, used, need, &rest)
        }
        guard rest.count > 0 else { return }
        if isOutOfClass || isSpared {
            list.kept.add(.classNotAllowed, bytes: rest.bytes, count: rest.count)
        } else {
            list.unlisted.add(bytes: rest.bytes, count: rest.count)
        }
    }

    private mutating func take(
        _ number: Int, _ index: CandidateIndex, _ terms: Terms, _ used: Set<UInt32>,
        _ need: Need, _ rest: inout KeptTotals.Entry
    ) {
        if !need.takesAll, need.bytes <= 0, need.inodes <= 0, need.time == nil { return }
        var bytes: Int64 = 0
        var inodes = 0
        var last: UInt64?
        var taken: [(UInt32, ItemRecord)] = []
        var recent = KeptTotals.Entry()
        index.forEachInOrder(of: number, inventory) { id, item, key in
            // Of those that share a key, size and inode decide: all of them or none.
            let isNeeded =
                need.takesAll || bytes < need.bytes || inodes < need.inodes || last == key
                || need.time.map { OrderKey.time(of: key) <= $0 } ?? false
            guard isNeeded else { return false }
            last = key
            if used.contains(id) { return true }
            if item.lastUse(countingAccess: terms.countsAccess) > terms.idleSince {
                recent.add(bytes: item.ownBytes)
                return true
            }
            bytes = bytes.addingClamped(item.ownBytes)
            if !item.flags.contains(.countedElsewhere) { inodes += 1 }
            taken.append((id, item))
            return true
        }
        rest.count -= taken.count + recent.count
        rest.bytes -= bytes + recent.bytes
        if recent.count > 0 {
            list.kept.add(.recentlyUsed, bytes: recent.bytes, count: recent.count)
        }
        for (id, item) in taken { add(id, item, terms, ownOnly: false) }
    }

    private func need(_ terms: Terms, _ shrinking: AreaShrinking, isSpared: Bool) -> Need {
        let area = areas[Int(terms.area)]
        let basis: AgeBasis = terms.order == .oldestCreated ? .created : .used
        var need = Need()
        if !terms.otherVolume {
            need.bytes = request.wantedBytes
            need.inodes = request.wantedInodes
        }
        need.bytes = max(need.bytes, shrinking.demand(of: Int(terms.area)))
        // Expired goes first, which is no longer the order of times if it goes by others.
        if area.expiredBefore != nil, terms.ageBasis != basis { need.takesAll = true }
        if let time = area.expiredBefore, isSpared || request.targets.contains(.expired) {
            need.time = time
        }
        for case .olderThan(let age, let other) in request.targets {
            guard let cutoff = AgeCutoffs.cutoff(request.now, age) else { continue }
            if other != basis { need.takesAll = true }
            need.time = max(need.time ?? 0, cutoff)
        }
        if isSpared {
            // Only what has expired may go.
            need.bytes = 0
            need.inodes = 0
        }
        return need
    }
}
