//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomInventory
import HeadroomPlatform

/// Builds the list, directory by directory: what is the same for all items of a directory is
/// worked out once.
struct CandidateBuilder {
    let inventory: Inventory
    let request: PlanRequest
    let times: TimeKeeper
    let usage: AreaUsage
    var list = CandidateList()
    let areas: [AreaTerms]
    private let cutoffs: AgeCutoffs
    private var linkCounts: [FileIdentity: UInt32] = [:]
    /// Numbers of candidates that are files with several links.
    private var linked: [Int] = []
    /// By directory number: somebody else's, in a directory that is shared by all.
    private var isForeign: [Bool]
    /// Directories that a person has chosen to go whole.
    private let chosenUnits: Set<UInt32>
    let layout: UnitLayout
    let keptItems: KeptItems
    /// Of the directory whose items are added.
    private(set) var workStems: Set<[UInt8]> = []
    private let idle: IdleCutoffs

    /// An area with everything that depends on the moment worked out.
    struct AreaTerms {
        var area: Area
        /// What was last used before this has expired; nil: nothing ever does.
        var expiredBefore: UInt32?
        var isOverLimit: Bool
    }

    init(inventory: Inventory, request: PlanRequest, usage: AreaUsage) {
        self.inventory = inventory
        self.request = request
        self.usage = usage
        times = TimeKeeper(inventory, request)
        cutoffs = AgeCutoffs(request)
        areas = inventory.areas.enumerated().map { index, area in
            AreaTerms(
                area: area,
                expiredBefore: request.pausesAgeRules
                    ? nil : area.retention.flatMap { AgeCutoffs.cutoff(request.now, $0) },
                isOverLimit: area.isOverLimit(ByteCount(usage.allocated[index])))
        }
        isForeign = Array(repeating: false, count: inventory.directories.count)
        chosenUnits = inventory.directoryNumbers(at: request.selection?.units ?? [])
        layout = UnitLayout(inventory)
        keptItems = KeptItems(request.kept, in: inventory)
        idle = IdleCutoffs(request)
        list.isInUnit = isForeign
    }

    consuming func build() -> CandidateList {
        if let index = inventory.index, canUseIndex {
            addIndexed(index)
            settleLinks()
            return list
        }
        list.candidates.reserveCapacity(inventory.itemCount)
        // Parents have smaller numbers than their children.
        for directory in inventory.directories.indices { addDirectory(UInt32(directory)) }
        settleLinks()
        return list
    }

    // MARK: - Directories

    /// What holds for every item of a directory.
    struct Terms {
        var rank: OrderKey.Rank
        var area: UInt16
        var importance: UInt8
        var isOverLimit: Bool
        var expiredBefore: UInt32?
        var ageBasis: AgeBasis
        var order: AreaOrder
        var countsAccess: Bool
        var otherVolume: Bool
        /// Rank and times follow from the time when it was moved to the Trash.
        var isTrash: Bool
        /// A use after this time is recent; seconds since 1970.
        var idleSince: UInt32
        /// Why nothing in the directory can be deleted: its flags, permissions or mount.
        var obstacle: Reason.Code?
    }

    mutating func addDirectory(_ number: UInt32) {
        let record = inventory.directories[Int(number)]
        if record.parent != DirectoryRecord.none {
            let parent = Int(record.parent)
            isForeign[Int(number)] =
                isForeign[parent]
                || (inventory.directories[parent].flags.contains(.sticky)
                    && record.owner != request.user)
            // A nested area is not part of the unit; a unit that has one is not a candidate.
            if list.isInUnit[parent], !record.flags.contains(.areaRoot) {
                list.isInUnit[Int(number)] = true
            }
        }
        if list.isInUnit[Int(number)] { return }
        // mutation: s7c-2
        if record.flags.contains(.reserved), !record.flags.contains(.areaRoot) {
            list.isInUnit[Int(number)] = true
            return addLeftover(number, record)
        }
        if let reason = keptItems.trees[number] { return keepUnit(number, record, reason) }
        if chosenUnits.contains(number), addChosenUnit(number, record) { return }
        if layout.isRoot[Int(number)] { return addUnit(number, record) }
        addItems(of: number, record)
    }

    /// - Returns: nil for what is essential.
    func terms(of record: DirectoryRecord, _ number: UInt32, mark: Mark) -> Terms? {
        var terms = terms(
            area: record.area, mark: mark,
            countsAccess: inventory.root(ofDirectory: number).countsAccess,
            device: record.identity.device, mountID: record.mountID)
        if let code = record.obstacle { terms?.obstacle = code }
        if mark.purgeClass == nil, inventory.isCostly(record, number) { terms?.deferToLastResort() }
        return terms
    }

    /// - Parameters:
    ///   - device: where it lies, with `mountID`.
    /// - Returns: nil for what is essential.
    func terms(
        area number: UInt16, mark: Mark, countsAccess: Bool, device: UInt64, mountID: UInt64
    ) -> Terms? {
        guard number != DirectoryRecord.noArea else { return nil }
        let area = areas[Int(number)]
        let isTrash = area.area.isTrash
        guard let purgeable = PurgeableClass(area.area.effectiveClass(mark)) else { return nil }
        let rank = isTrash ? .expiredTrash : purgeable.rank
        return Terms(
            rank: rank, area: number,
            importance: mark.importance ?? area.area.importance, isOverLimit: area.isOverLimit,
            expiredBefore: area.expiredBefore, ageBasis: area.area.ageBasis,
            order: area.area.order, countsAccess: countsAccess,
            otherVolume: request.volume.map {
                !$0.contains(device: device, mountID: mountID)
            } ?? false,
            isTrash: isTrash, idleSince: idle.since(rank),
            obstacle: mountID != 0 && request.readOnlyMounts.contains(mountID) ? .readOnly : nil)
    }

    func isForeign(_ directory: UInt32) -> Bool { isForeign[Int(directory)] }

    private mutating func addItems(of number: UInt32, _ record: DirectoryRecord) {
        guard record.firstRun != DirectoryRecord.none, !record.flags.contains(.reserved) else {
            return
        }
        // mutation: r9e-1
        if record.flags.contains(.damagedMark) { return keepAll(of: number, because: .pinned) }
        if isForeign(number) { return keepAll(of: number, because: .foreignOwner) }
        let mark = record.mark.mark
        let terms = terms(of: record, number, mark: mark)
        let reason: Reason.Code? = mark.isPinned == true ? .pinned : terms == nil ? .essential : nil
        let hasMarks = !inventory.itemMarks.isEmpty || !inventory.damagedItemMarks.isEmpty
        if let reason, !hasMarks { return keepAll(of: number, because: reason) }
        let ownOnly = record.flags.contains(.sticky)
        // What was thrown away one by one goes so.
        let sets = terms?.isTrash == true ? nil : ItemSets(inventory, directory: number)
        let hasTag = record.flags.contains(.hasTag)
        let hasLoose = inventory.hasLooseFiles(record)
        workStems = inventory.mayHoldWork(record) ? inventory.workStems(in: number) : []
        let store = inventory.stores[number]
        if let store {
            let isPinned = inventory.hasPinnedFile(ofStore: number)
            // mutation: r20f-2
            addValues(of: store, record, reason ?? (isPinned ? .pinned : nil))
        }
        inventory.forEachRecord(of: number) { id, item in
            if store != nil, inventory.isOfStore(id) {
                // What is in it goes, value by value.
            } else if hasTag, inventory.isTag(id, item) {
                // By itself it frees nothing, and without it the directory would be backed up.
                list.kept.add(.directoryTag, bytes: item.allocated)
            } else if let sets, let main = sets.main(of: id) {
                if main == id {
                    addSet(id, sets.members[id] ?? [], record, number, ownOnly: ownOnly)
                }
            } else if item.flags.contains(.marked) {
                addMarked(id, item, record, number, ownOnly: ownOnly)
            } else if hasLoose, let reason = inventory.reasonToKeep(looseFile: id, item) {
                list.itemReasons[id] = reason
                list.kept.add(reason.code, bytes: item.allocated)
            } else if let terms, reason == nil {
                let own = hasLoose ? looseTerms(terms, of: id, item) : terms
                add(id, item, own, ownOnly: ownOnly)
            } else if let reason {
                list.kept.add(reason, bytes: item.allocated)
            }
        }
    }

    /// Keeps a directory with everything below it.
    mutating func keepUnit(_ number: UInt32, _ record: DirectoryRecord, _ reason: Reason) {
        list.isInUnit[Int(number)] = true
        list.unitReasons[number] = reason
        list.kept.add(reason.code, bytes: record.totals.allocated)
    }

    private mutating func keepAll(of number: UInt32, because code: Reason.Code) {
        var kept = KeptTotals.Entry()
        inventory.forEachRecord(of: number) { kept.add(bytes: $1.allocated) }
        list.kept.add(code, bytes: kept.bytes, count: kept.count)
    }

    /// A file whose own mark may name another class, pin it, or lift a pin of its directory.
    mutating func addMarked(
        _ id: UInt32, _ item: ItemRecord, _ record: DirectoryRecord, _ number: UInt32, ownOnly: Bool
    ) {
        let mark = inventory.mark(ofItem: id)
        guard mark.isPinned != true, !inventory.damagedItemMarks.contains(id) else {
            return list.kept.add(.pinned, bytes: item.allocated)
        }
        guard var terms = terms(of: record, number, mark: mark) else {
            return list.kept.add(.essential, bytes: item.allocated)
        }
        if mark.purgeClass == nil, inventory.hasLooseFiles(record) {
            terms = looseTerms(terms, of: id, item)
        }
        add(id, item, terms, ownOnly: ownOnly)
    }

    // MARK: - Files

    @inline(__always)
    mutating func add(_ id: UInt32, _ item: ItemRecord, _ terms: Terms, ownOnly: Bool) {
        if let code = item.blocker(ownOnly: ownOnly) ?? terms.obstacle {
            return list.kept.add(code, bytes: item.allocated)
        }
        var terms = terms
        var times = times.times(of: id, item, countingAccess: terms.countsAccess)
        if times.used > terms.idleSince {
            return list.kept.add(.recentlyUsed, bytes: item.allocated)
        }
        if !keptItems.items.isEmpty, let reason = keptItems.items[id] {
            list.itemReasons[id] = reason
            return list.kept.add(reason.code, bytes: item.allocated)
        }
        if terms.isTrash, !settleTrash(inventory.name(ofItem: id).owned, &terms, &times) {
            return list.kept.add(.freshTrash, bytes: item.allocated)
        }
        var candidate = makeCandidate(
            id, kind: .file, times, bytes: item.allocated, terms)
        if item.linkCount > 1 {
            candidate.flags.insert(.linkGroup)
            linkCounts[inventory.identity(ofItem: id), default: 0] += 1
            linked.append(list.candidates.count)
        }
        list.candidates.append(candidate)
    }

    /// Gives an item of a trash directory its rank, and the time of its deletion for all its times.
    ///
    /// - Returns: false if it is too young to go by itself. What appeared since the dates were read is.
    @inline(never)
    func settleTrash(_ name: FileName, _ terms: inout Terms, _ times: inout ItemTimes) -> Bool {
        let deleted =
            request.trash.date(of: name, in: areas[Int(terms.area)].area.root)
            ?? UInt32(clampedSeconds: request.now)
        // mutation: r33e-1
        times = ItemTimes(used: deleted, modified: deleted, created: deleted)
        let isExpired = terms.expiredBefore.map { deleted <= $0 } ?? false
        terms.rank = isExpired ? .expiredTrash : .olderTrash
        if isExpired || request.includesFreshTrash { return true }
        if request.pausesAgeRules { return false }
        // mutation: r15b-1
        return AgeCutoffs.cutoff(request.now, TrashDates.youngest).map { deleted <= $0 } ?? false
    }

    @inline(__always)
    func makeCandidate(
        _ number: UInt32, kind: Candidate.Kind, _ times: ItemTimes, bytes: Int64, _ terms: Terms
    ) -> Candidate {
        // mutation: r15a-2 (2 lines)
        let isExpired = terms.expiredBefore.map { times[terms.ageBasis] <= $0 } ?? false
        // mutation: r15c-1
        let order = terms.order == .oldestCreated ? times.created : times.used
        let prefix = OrderKey.prefix(
            terms.rank, isExpired: isExpired, isOverLimit: terms.isOverLimit,
            importance: terms.importance)
        var flags: Candidate.Flags = []
        if isExpired { flags.insert(.expired) }
        if terms.isOverLimit { flags.insert(.overLimit) }
        if cutoffs.takes(times) { flags.insert(.oldEnough) }
        if terms.otherVolume { flags.insert(.otherVolume) }
        return Candidate(
            key: OrderKey.make(prefix: prefix, time: order, bytes: bytes),
            bytes: max(0, bytes), number: number, area: terms.area, kind: kind, flags: flags)
    }

    /// Files with several links: those whose links may all go are one group, which goes together
    /// when the last of them may go. Its first member in the list stands for the bytes.
    ///
    /// A rule that holds for one link and not for another (they lie in different areas) does not
    /// hold for the group, so that no rule can tear it.
    private mutating func settleLinks() {
        var leaders: [FileIdentity: Int] = [:]
        for index in linked {
            let number = list.candidates[index].number
            let identity = inventory.identity(ofItem: number)
            // A count that saturated is not known.
            let linkCount = inventory.item(number).linkCount
            guard linkCount != .max, linkCounts[identity] == UInt32(linkCount) else {
                list.candidates[index].flags.remove(.linkGroup)
                list.candidates[index].flags.insert(.linkedElsewhere)
                list.candidates[index].bytes = 0
                continue
            }
            guard let leader = leaders[identity] else {
                leaders[identity] = index
                continue
            }
            list.candidates[leader].key = max(
                list.candidates[leader].key, list.candidates[index].key)
            let rules: Candidate.Flags = [.expired, .overLimit, .oldEnough]
            let broken = rules.subtracting(list.candidates[index].flags)
            // mutation: r8c-2
            list.candidates[leader].flags.subtract(broken)
            // mutation: r8c-1 (2 lines)
            list.candidates[index].flags.insert(.follower)
            list.candidates[index].bytes = 0
        }
        for index in linked where list.candidates[index].flags.contains(.follower) {
            let identity = inventory.identity(ofItem: list.candidates[index].number)
            guard let leader = leaders[identity] else { continue }
            list.candidates[index].key = list.candidates[leader].key
            list.candidates[index].flags = list.candidates[leader].flags.union(.follower)
        }
    }
}

extension ItemRecord {
    /// Why it may not go, whatever its class: special files stay (safety invariant S12), and of shared
    /// directories only one's own entries go (S11).
    ///
    /// - Parameter ownOnly: it lies in a directory in which everybody may write.
    @inline(__always)
    func blocker(ownOnly: Bool) -> Reason.Code? {
        // mutation: s12b-1
        if type != .regular, type != .symbolicLink { return .special }
        // mutation: s11f-1
        if ownOnly, flags.contains(.foreignOwner) { return .foreignOwner }
        return flags.contains(.immutable) ? .immutable : nil
    }
}

extension DirectoryRecord {
    /// Why no entry in it can be deleted.
    var obstacle: Reason.Code? {
        if flags.contains(.immutable) { return .immutable }
        return flags.contains(.unwritable) ? .notPermitted : nil
    }
}

extension PurgeableClass {
    var rank: OrderKey.Rank {
        switch self {
        // mutation: r15a-1 (2 lines)
        case .temporary: .temporary
        case .cache: .cache
        case .lastResort: .lastResort
        }
    }
}

extension Inventory {
    /// Whether an item is a `CACHEDIR.TAG`, which stays as long as its directory.
    package func isTag(_ id: UInt32, _ item: ItemRecord) -> Bool {
        CacheDirectoryTag.matches(name(ofItem: id), item)
    }

}
