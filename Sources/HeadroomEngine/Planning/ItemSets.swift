//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The files of one directory that belong together by their names: a database with the sidecars that lie beside it, or
/// the parts of a model or data set (``ShardName``).
///
/// Names alone let nothing go: see ``Inventory/mark(ofSet:in:isDatabase:)``.
struct ItemSets {
    /// Main item → all items, the main one first, then in the order in which they go.
    private(set) var members: [UInt32: [UInt32]] = [:]
    private var mains: [UInt32: UInt32] = [:]

    /// Finds them; a directory without a name that ends like a sidecar's or a part's costs nothing.
    ///
    /// - Returns: nil if there are none.
    init?(_ inventory: Inventory, directory: UInt32) {
        addDatabases(inventory, directory)
        if inventory.directories[Int(directory)].flags.contains(.hasShards) {
            addShards(inventory, directory)
        }
        if members.isEmpty { return nil }
    }

    /// A sidecar without its database is an ordinary file.
    private mutating func addDatabases(_ inventory: Inventory, _ directory: UInt32) {
        var sidecars: [[UInt8]: [(order: UInt8, item: UInt32)]] = [:]
        var lengths: Set<Int> = []
        inventory.forEachRecord(of: directory) { id, item in
            guard item.flags.contains(.looksLikeSidecar), let sidecar = inventory.sidecar(id)
            else { return }
            sidecars[sidecar.main, default: []].append((sidecar.kind.rawValue, id))
            lengths.insert(sidecar.main.count)
        }
        guard !sidecars.isEmpty else { return }
        var found: [[UInt8]: UInt32] = [:]
        inventory.forEachRecord(of: directory) { id, item in
            let name = inventory.name(ofItem: id)
            guard item.type == .regular, lengths.contains(name.count) else { return }
            let bytes = name.owned.bytes
            if sidecars[bytes] != nil { found[bytes] = id }
        }
        for name in found.keys.sorted(by: { $0.count < $1.count }) {
            guard let item = found[name], let beside = sidecars[name] else { continue }
            // A database that looks like a sidecar of another one belongs to that one's set.
            let main = mains[item] ?? item
            members[main, default: [item]] += beside.sorted { $0 < $1 }.map(\.item)
            for member in members[main] ?? [] { mains[member] = main }
        }
    }

    /// A single part is an ordinary file.
    private mutating func addShards(_ inventory: Inventory, _ directory: UInt32) {
        var parts: [[UInt8]: [(name: [UInt8], item: UInt32)]] = [:]
        inventory.forEachRecord(of: directory) { id, item in
            let name = inventory.name(ofItem: id)
            guard mains[id] == nil, item.type == .regular || item.type == .symbolicLink,
                let shard = ShardName(name)
            else { return }
            parts[shard.whole, default: []].append((name.owned.bytes, id))
        }
        for group in parts.values where group.count > 1 {
            let items = group.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map(\.item)
            members[items[0]] = items
            for item in items { mains[item] = items[0] }
        }
    }

    func main(of item: UInt32) -> UInt32? { mains[item] }
}

extension Inventory {
    /// The area of a directory; nil outside of all.
    func area(of record: DirectoryRecord) -> Area? {
        record.area == DirectoryRecord.noArea ? nil : areas[Int(record.area)]
    }

    /// What a name says if it ends like a sidecar's: the database's name, and which sidecar.
    func sidecar(_ id: UInt32) -> (main: [UInt8], kind: Sidecar)? {
        let name = name(ofItem: id)
        guard let sidecar = Sidecar(name) else { return nil }
        return (Array(name.owned.bytes.dropLast(sidecar.suffix.utf8Count)), sidecar)
    }

    /// What holds for a set as a whole: the latest class and the highest importance of its members, and
    /// pinned if one of them is.
    ///
    /// A sidecar without a mark of its own is what its database is, if their contents say that they are a
    /// database. If they do not, it is what it would be without that neighbour: a mark on one file never
    /// lets another one go, and what is called `trip-journal` may be a journal of a trip (S1).
    ///
    /// - Parameters:
    ///   - members: the main item, then the others.
    ///   - isDatabase: whether their contents say so; nil: as far as is known, see ``databases``.
    func mark(ofSet members: [UInt32], in area: Area, isDatabase: Bool? = nil) -> Mark {
        guard let main = members.first else { return .none }
        let outer = mark(ofItem: main)
        // mutation: s1d-1
        let isDatabase = isDatabase ?? databases.contains(main)
        var joint = outer
        for id in members.dropFirst() {
            let own = isDatabase ? (itemMarks[id] ?? .none).inheriting(outer) : mark(ofItem: id)
            joint.joinLater(own, in: area)
        }
        return joint
    }
}

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

extension Mark {
    /// Takes in the mark of something that goes together with this one: the later class, the higher
    /// importance, and pinned if one is.
    ///
    /// - Parameters:
    ///   - other: with all that it inherits.
    ///   - area: what holds where a mark says nothing.
    mutating func joinLater(_ other: Mark, in area: Area) {
        let later = other.purgeClass?.purgeClass ?? area.purgeClass
        // No mark says essential: the area does.
        if later > purgeClass?.purgeClass ?? area.purgeClass { purgeClass = other.purgeClass }
        let higher = other.importance ?? area.importance
        if higher > importance ?? area.importance { importance = higher }
        if other.isPinned == true { isPinned = true }
    }
}
