//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

extension CandidateIndex {
    /// - Complexity: O(items).
    init(_ tree: LiveTree) {
        let count = tree.contents.directories.count
        places = Array(repeating: Place.none, count: count)
        isInUnit = Array(repeating: false, count: count)
        isShared = isInUnit
        gone = Array(repeating: DeadItems(), count: tree.contents.chunks.count)
        for number in 0..<UInt32(count) where tree.isThere(number) {
            places[Int(number)] = classify(number, tree)
        }
        var found = [[Entry]](repeating: [], count: groups.count)
        let whole = wholeLinks(of: tree.links.names.keys, tree) { _ in true }
        for number in 0..<UInt32(count) {
            let place = places[Int(number)]
            guard place >= 0 else { continue }
            let isByBirth = groups[Int(place)].isByBirth
            let countsAccess = tree.countsAccess(number)
            tree.forEachItem(of: number) { id in
                let item = tree.item(id)
                if item.isPlain, item.linkCount == 1 || whole.contains(id) {
                    found[Int(place)].append(
                        Entry(key: item.key(isByBirth, countsAccess), item: id))
                    groups[Int(place)].add(item)
                } else {
                    odd.insert(id)
                }
            }
        }
        for index in found.indices {
            KeySort.sort(&found[index]) { $0.key }
            groups[index].base = found[index].map(\.item)
            found[index] = []
        }
    }
}

extension CandidateIndex {
    /// The names of files with several links that are all there, all plain, and all in one group: they
    /// share their key, and so they are taken together or not at all.
    ///
    /// - Parameter isAllowed: asked for each name.
    private func wholeLinks(
        of files: some Sequence<FileIdentity>, _ tree: LiveTree, _ isAllowed: (UInt32) -> Bool
    ) -> Set<UInt32> {
        var whole: Set<UInt32> = []
        for identity in files {
            guard let names = tree.links.names[identity], let first = names.first else { continue }
            let one = tree.item(first)
            let place = places[Int(one.parent)]
            let isWhole =
                place >= 0 && names.count == Int(one.linkCount) && one.linkCount != .max
                && names.allSatisfy { id in
                    let item = tree.item(id)
                    return item.isPlain && places[Int(item.parent)] == place
                        && item.fingerprint == one.fingerprint
                        && item.accessed == one.accessed && isAllowed(id)
                }
            if isWhole { whole.formUnion(names) }
        }
        return whole
    }
}

extension CandidateIndex {
    /// Finds out how a directory is planned; its parent's is known.
    private mutating func classify(_ number: UInt32, _ tree: LiveTree) -> Int32 {
        let record = tree.contents.directories[Int(number)]
        let isAreaRoot = record.flags.contains(.areaRoot)
        isInUnit[Int(number)] = false
        isShared[Int(number)] = record.flags.contains(.sticky)
        if record.parent != DirectoryRecord.none {
            let outer = tree.contents.directories[Int(record.parent)]
            let isUnit =
                outer.flags.contains(.areaRoot) && outer.area != DirectoryRecord.noArea
                && tree.areas[Int(outer.area)].unit == .entry
                || tree.structured.contains(number)
            isInUnit[Int(number)] = !isAreaRoot && (isInUnit[Int(record.parent)] || isUnit)
            if isShared[Int(record.parent)] { isShared[Int(number)] = true }
        }
        let irregular: DirectoryRecord.Flags = [
            .reserved, .damagedMark, .hasTag, .looksLikeStore, .immutable, .unwritable, .hasShards,
            .costly, .keptByFile,
        ]
        if !record.flags.isDisjoint(with: irregular) || isInUnit[Int(number)]
            || isShared[Int(number)]
        {
            return Place.irregular
        }
        if record.area != DirectoryRecord.noArea {
            let area = tree.areas[Int(record.area)]
            // Units depend on the directories below here: each plan finds them.
            if area.isTrash || area.unit == .directory || isAreaRoot && area.unit == .entry
                || isAreaRoot && tree.structured.contains(number)
            {
                return Place.irregular
            }
        }
        if tree.hasSidecars(number) { return Place.irregular }
        return group(
            Terms(
                area: record.area, mark: record.mark,
                root: UInt16(truncatingIfNeeded: tree.rootIndex(of: number)),
                device: record.identity.device, mountID: record.mountID), tree.areas)
    }
}

extension CandidateIndex {
    private mutating func group(_ terms: Terms, _ areas: [Area]) -> Int32 {
        if let known = numbers[terms] { return known }
        let isByBirth =
            terms.area != DirectoryRecord.noArea
            && areas[Int(terms.area)].order == .oldestCreated
        groups.append(Group(terms: terms, isByBirth: isByBirth))
        numbers[terms] = Int32(groups.count - 1)
        return Int32(groups.count - 1)
    }
}

extension CandidateIndex {
    /// Takes over what has changed in a round.
    ///
    /// - Returns: false if so much has that it is better made anew.
    /// - Complexity: O(what came and went, and the items of directories that are planned otherwise now).
    mutating func follow(_ tree: LiveTree) -> Bool {
        guard tree.contents.directories.count == places.count, !tree.hasSharedChanged,
            !tree.hasStructureChanged
        else { return false }
        while gone.count < tree.contents.chunks.count { gone.append(DeadItems()) }
        let new = Set(tree.comings)
        let went = Set(tree.goings)
        // What both came and went in this round was never in.
        for id in went where !new.contains(id) {
            remove(id, from: places[Int(tree.item(id).parent)], tree)
        }
        // Parents first: what holds for them holds below.
        var relinked = tree.links.counts
        for number in tree.touched.sorted() { move(number, new, tree, &relinked) }
        let whole = wholeLinks(of: relinked, tree) { new.contains($0) || isIn($0, tree) }
        for identity in relinked {
            for id in tree.links.names[identity] ?? []
            where !new.contains(id) && !whole.contains(id) && isIn(id, tree) {
                remove(id, from: places[Int(tree.item(id).parent)], tree)
                odd.insert(id)
            }
        }
        var added = [[Entry]](repeating: [], count: groups.count)
        for id in tree.comings where !went.contains(id) {
            let item = tree.item(id)
            let place = Int(places[Int(item.parent)])
            guard place >= 0 else { continue }
            if item.isPlain, item.linkCount == 1 || whole.contains(id) {
                groups[place].add(item)
                let key = item.key(groups[place].isByBirth, tree.countsAccess(item.parent))
                added[place].append(Entry(key: key, item: id))
            } else {
                odd.insert(id)
            }
        }
        for index in added.indices where !added[index].isEmpty {
            KeySort.sort(&added[index]) { $0.key }
            append(added[index], to: index)
        }
        return !isWorn
    }
}

extension CandidateIndex {
    /// Whether an item stands in a group.
    private func isIn(_ id: UInt32, _ tree: LiveTree) -> Bool {
        places[Int(tree.item(id).parent)] >= 0 && !isGone(id) && !odd.contains(id)
    }
}

extension CandidateIndex {
    /// Finds out how a directory is planned now; its items that are not new go along.
    private mutating func move(
        _ number: UInt32, _ new: Set<UInt32>, _ tree: LiveTree,
        _ relinked: inout Set<FileIdentity>
    ) {
        let old = places[Int(number)]
        var place = tree.isThere(number) ? classify(number, tree) : Place.none
        if place != old, place != Place.none {
            var stay: [UInt32] = []
            tree.forEachItem(of: number) { if !new.contains($0) { stay.append($0) } }
            if !stay.isEmpty {
                // Where an item stood once, it is no more: it cannot come back under its number.
                place = Place.irregular
                for id in stay {
                    remove(id, from: old, tree)
                    if tree.item(id).linkCount > 1 { relinked.insert(tree.identity(ofItem: id)) }
                }
                exiled += stay.count
            }
        }
        places[Int(number)] = place
    }
}

extension CandidateIndex {
    private mutating func remove(_ id: UInt32, from place: Int32, _ tree: LiveTree) {
        guard place >= 0, odd.remove(id) == nil else { return }
        groups[Int(place)].remove(tree.item(id))
        gone[Int(id >> ItemChunk.shift)].insert(Int(id) & (ItemChunk.capacity - 1))
        goneCount += 1
    }
}

extension LiveTree {
    func countsAccess(_ directory: UInt32) -> Bool { roots[rootIndex(of: directory)].countsAccess }

    func hasSidecars(_ directory: UInt32) -> Bool { own[Int(directory)].sidecars > 0 }
}
