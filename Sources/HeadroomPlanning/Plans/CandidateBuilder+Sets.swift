//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

extension CandidateBuilder {
    /// Adds a set: it goes with the latest class and the highest importance of its members, or stays
    /// for the first reason that keeps one of them.
    mutating func addSet(
        _ main: UInt32, _ members: [UInt32], _ record: DirectoryRecord, _ number: UInt32,
        ownOnly: Bool
    ) {
        // Outside of all areas everything is essential, whatever is marked.
        let mark =
            inventory.area(of: record).map { inventory.mark(ofSet: members, in: $0) }
            ?? inventory.mark(ofItem: main)
        var bytes: Int64 = 0
        var blocker: Reason.Code?
        for id in members {
            let item = inventory.item(id)
            bytes = bytes.addingClamped(item.allocated)
            blocker = blocker ?? setBlocker(id, item, ownOnly: ownOnly)
        }
        if mark.isPinned == true { blocker = .pinned }
        let terms = terms(of: record, number, mark: mark)
        guard var terms, blocker == nil, terms.obstacle == nil else {
            let code = blocker ?? terms?.obstacle ?? .essential
            return list.kept.add(code, bytes: bytes, count: members.count)
        }
        if mark.purgeClass == nil, inventory.hasLooseFiles(record) {
            for id in members { terms = looseTerms(terms, of: id, inventory.item(id)) }
        }
        let countsAccess = terms.countsAccess
        var latest = times.times(of: main, inventory.item(main), countingAccess: countsAccess)
        for id in members {
            latest.merge(times.times(of: id, inventory.item(id), countingAccess: countsAccess))
        }
        if latest.used > terms.idleSince {
            return list.kept.add(.recentlyUsed, bytes: bytes, count: members.count)
        }
        if let used = members.first(where: { keptItems.items[$0] != nil }),
            let reason = keptItems.items[used]
        {
            for id in members { list.itemReasons[id] = reason }
            return list.kept.add(reason.code, bytes: bytes, count: members.count)
        }
        list.sets[main] = members
        list.candidates.append(makeCandidate(main, kind: .fileSet, latest, bytes: bytes, terms))
    }

    private func setBlocker(_ id: UInt32, _ item: ItemRecord, ownOnly: Bool) -> Reason.Code? {
        if inventory.damagedItemMarks.contains(id) { return .pinned }
        if item.type != .regular {
            return ShardName.matches(inventory.name(ofItem: id))
                ? item.blocker(ownOnly: ownOnly) : .special
        }
        // A file with a hard link elsewhere frees nothing.
        return item.linkCount > 1 ? .linkedElsewhere : item.blocker(ownOnly: ownOnly)
    }
}
