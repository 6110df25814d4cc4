//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Everything of an inventory that may go under a request, unordered; and why the rest may not.
struct CandidateList {
    var candidates: [Candidate] = []
    /// Main item → all items of its set, the main one first.
    var sets: [UInt32: [UInt32]] = [:]
    var kept = KeptTotals()
}

/// What stays, by reason: the answer to "why not more?".
public struct KeptTotals: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var count = 0
        public var bytes: Int64 = 0
    }

    /// Sums by ``Reason/Code``.
    public private(set) var byReason: [Reason.Code: Entry] = [:]

    mutating func add(_ code: Reason.Code, bytes: Int64, count: Int = 1) {
        byReason[code, default: Entry()].count += count
        byReason[code, default: Entry()].bytes += bytes
    }
}

/// Builds the list, directory by directory: what is the same for all items of a directory is
/// worked out once.
struct CandidateBuilder {
    private let inventory: Inventory
    private let request: PlanRequest
    private let areas: [AreaTerms]
    private let age: (cutoff: UInt32, basis: AgeBasis)?
    private var list = CandidateList()
    private var linkCounts: [FileIdentity: UInt32] = [:]
    /// Numbers of candidates that are files with several links.
    private var linked: [Int] = []
    /// Directories that belong to a directory unit and are not looked into again.
    private var insideUnits: Set<UInt32> = []

    /// An area with everything that depends on the moment worked out.
    private struct AreaTerms {
        var area: Area
        /// What was last used before this has expired; nil: nothing ever does.
        var expiredBefore: UInt32?
        var isOverLimit: Bool
    }

    init(inventory: Inventory, request: PlanRequest, usage: [Int64]) {
        self.inventory = inventory
        self.request = request
        areas = inventory.areas.enumerated().map { index, area in
            AreaTerms(
                area: area,
                expiredBefore: area.retention.map { Self.cutoff(request.now, $0) },
                isOverLimit: area.limit.map { usage[index] > $0.bytes } ?? false)
        }
        age = request.targets.lazy.compactMap { target in
            if case .olderThan(let age, let basis) = target {
                return (Self.cutoff(request.now, age), basis)
            }
            return nil
        }.max { $0.0 < $1.0 }
    }

    private static func cutoff(_ now: Timestamp, _ age: Duration) -> UInt32 {
        UInt32(clampedSeconds: now.advanced(by: .zero - age))
    }

    consuming func build() -> CandidateList {
        list.candidates.reserveCapacity(inventory.itemCount)
        for directory in inventory.directories.indices { addDirectory(UInt32(directory)) }
        settleLinks()
        return list
    }

    // MARK: - Directories

    /// What holds for every item of a directory.
    private struct Terms {
        var rank: Candidate.Key.Rank
        var area: UInt16
        var importance: UInt8
        var isOverLimit: Bool
        var expiredBefore: UInt32?
        var ageBasis: AgeBasis
        var order: AreaOrder
        var countsAccess: Bool
        var otherVolume: Bool
    }

    private mutating func addDirectory(_ number: UInt32) {
        let record = inventory.directories[Int(number)]
        if let unit = insideUnit(record, number) {
            if unit { insideUnits.insert(number) }
            return
        }
        if record.flags.contains(.areaRoot), record.area != DirectoryRecord.noArea,
            areas[Int(record.area)].area.unit == .entry
        {
            addUnits(of: number)
        }
        addItems(of: number)
    }

    /// Whether a directory lies in a directory unit; nil if not.
    private func insideUnit(_ record: DirectoryRecord, _ number: UInt32) -> Bool? {
        if insideUnits.contains(number) { return false }
        guard record.parent != DirectoryRecord.none, insideUnits.contains(record.parent) else {
            return nil
        }
        // A nested area is not part of the unit; a unit that has one is not a candidate.
        return record.flags.contains(.areaRoot) ? nil : true
    }

    private func terms(of record: DirectoryRecord, _ number: UInt32, mark: Mark) -> Terms? {
        guard record.area != DirectoryRecord.noArea else { return nil }
        let area = areas[Int(record.area)]
        let effective = mark.purgeClass?.purgeClass ?? area.area.purgeClass
        guard let purgeable = PurgeableClass(effective) else { return nil }
        return Terms(
            rank: purgeable.rank, area: record.area,
            importance: mark.importance ?? area.area.importance, isOverLimit: area.isOverLimit,
            expiredBefore: area.expiredBefore, ageBasis: area.area.ageBasis,
            order: area.area.order,
            countsAccess: inventory.root(ofDirectory: number).countsAccess,
            otherVolume: request.volume.map { $0.device != record.identity.device } ?? false)
    }

    private mutating func addItems(of number: UInt32) {
        let record = inventory.directories[Int(number)]
        guard record.firstRun != DirectoryRecord.none else { return }
        let mark = record.mark.mark
        if record.flags.contains(.reserved) { return }
        if record.flags.contains(.damagedMark) || mark.isPinned == true {
            return keepAll(of: number, because: .pinned)
        }
        guard let terms = terms(of: record, number, mark: mark) else {
            return addMarkedItems(of: number, record, because: .essential)
        }
        let ownOnly = record.flags.contains(.sticky)
        let sets = findSets(in: number)
        inventory.forEachItem(of: number) { id in
            let item = inventory.item(id)
            if item.flags.contains(.marked) {
                addMarked(id, item, record, number, ownOnly)
            } else if let main = sets?.main(of: id) {
                if main == id { addSet(id, sets?.members[id] ?? [], terms, ownOnly) }
            } else {
                add(id, item, terms, ownOnly)
            }
        }
    }

    private mutating func keepAll(of number: UInt32, because code: Reason.Code) {
        inventory.forEachItem(of: number) {
            list.kept.add(code, bytes: inventory.item($0).allocated)
        }
    }

    /// In an essential directory only files with a mark of their own may go.
    private mutating func addMarkedItems(
        of number: UInt32, _ record: DirectoryRecord, because code: Reason.Code
    ) {
        inventory.forEachItem(of: number) { id in
            let item = inventory.item(id)
            if item.flags.contains(.marked) {
                addMarked(id, item, record, number, record.flags.contains(.sticky))
            } else {
                list.kept.add(code, bytes: item.allocated)
            }
        }
    }

    private mutating func addMarked(
        _ id: UInt32, _ item: ItemRecord, _ record: DirectoryRecord, _ number: UInt32,
        _ ownOnly: Bool
    ) {
        let mark = inventory.mark(ofItem: id)
        guard mark.isPinned != true, !inventory.damagedItemMarks.contains(id) else {
            return list.kept.add(.pinned, bytes: item.allocated)
        }
        guard let terms = terms(of: record, number, mark: mark) else {
            return list.kept.add(.essential, bytes: item.allocated)
        }
        add(id, item, terms, ownOnly)
    }

    // MARK: - Files

    @inline(__always)
    private mutating func add(_ id: UInt32, _ item: ItemRecord, _ terms: Terms, _ ownOnly: Bool) {
        guard item.type == .regular || item.type == .symbolicLink else {
            return list.kept.add(.special, bytes: item.allocated)
        }
        if ownOnly, item.flags.contains(.foreignOwner) {
            return list.kept.add(.foreignOwner, bytes: item.allocated)
        }
        if item.flags.contains(.immutable) {
            return list.kept.add(.immutable, bytes: item.allocated)
        }
        var candidate = makeCandidate(
            id, kind: .file, times(of: id, item, terms), bytes: item.allocated, terms)
        if item.linkCount > 1 {
            candidate.flags.insert(.linkGroup)
            linkCounts[inventory.identity(ofItem: id), default: 0] += 1
            linked.append(list.candidates.count)
        }
        list.candidates.append(candidate)
    }

    private struct Times {
        var used: UInt32
        var modified: UInt32
        var created: UInt32

        @inline(__always)
        func callAsFunction(_ basis: AgeBasis) -> UInt32 {
            switch basis {
            case .used: used
            case .modified: modified
            case .created: created
            }
        }
    }

    @inline(__always)
    private func times(of id: UInt32, _ item: ItemRecord, _ terms: Terms) -> Times {
        var times = Times(
            used: item.lastUse(countingAccess: terms.countsAccess), modified: item.modified,
            created: item.created)
        if let usage = request.usage {
            let identity = inventory.identity(ofItem: id)
            if let use = usage.lastUse(
                device: identity.device, inode: identity.inode, created: item.created)
            {
                times.used = max(times.used, use)
            }
            if times.created == 0 {
                times.created =
                    usage.firstSeen(device: identity.device, inode: identity.inode) ?? 0
            }
        }
        // Neither birth time nor first sighting: as young as can be, so that nothing goes too soon.
        if times.created == 0 { times.created = UInt32(clampedSeconds: request.now) }
        return times
    }

    @inline(__always)
    private func makeCandidate(
        _ number: UInt32, kind: Candidate.Kind, _ times: Times, bytes: Int64, _ terms: Terms
    ) -> Candidate {
        let isExpired = terms.expiredBefore.map { times(terms.ageBasis) <= $0 } ?? false
        let order = terms.order == .oldestCreated ? times.created : times.used
        let prefix = Candidate.Key.prefix(
            terms.rank, isExpired: isExpired, isOverLimit: terms.isOverLimit,
            importance: terms.importance)
        var flags: Candidate.Flags = []
        if isExpired { flags.insert(.expired) }
        if terms.isOverLimit { flags.insert(.overLimit) }
        if let age, times(age.basis) <= age.cutoff { flags.insert(.oldEnough) }
        if terms.otherVolume { flags.insert(.otherVolume) }
        return Candidate(
            key: Candidate.Key.make(prefix: prefix, time: order, bytes: bytes), bytes: bytes,
            number: number, area: terms.area, kind: kind, flags: flags)
    }

    /// Files with several links: those whose links may all go, go together; the first of them in
    /// the list stands for the bytes. The others free nothing.
    private mutating func settleLinks() {
        var leaders: [FileIdentity: Int] = [:]
        for index in linked {
            let number = list.candidates[index].number
            let identity = inventory.identity(ofItem: number)
            let saturated = inventory.item(number).linkCount == .max
            let isWhole = linkCounts[identity] == UInt32(inventory.item(number).linkCount)
            guard isWhole, !saturated else {
                list.candidates[index].flags.remove(.linkGroup)
                list.candidates[index].flags.insert(.linkedElsewhere)
                list.candidates[index].bytes = 0
                continue
            }
            guard let leader = leaders[identity] else {
                leaders[identity] = index
                continue
            }
            // The group goes when its last member may go.
            let key = max(list.candidates[leader].key, list.candidates[index].key)
            list.candidates[leader].key = key
            list.candidates[index].bytes = 0
        }
        for index in linked where list.candidates[index].flags.contains(.linkGroup) {
            let identity = inventory.identity(ofItem: list.candidates[index].number)
            if let leader = leaders[identity] {
                list.candidates[index].key = list.candidates[leader].key
            }
        }
    }
}

extension PurgeableClass {
    var rank: Candidate.Key.Rank {
        switch self {
        case .temporary: .temporary
        case .cache: .cache
        case .lastResort: .lastResort
        }
    }
}

// MARK: - Sets

extension CandidateBuilder {
    /// The databases of one directory, each with the sidecars that lie beside it.
    private struct Sets {
        /// Main item → all items, the main one first.
        var members: [UInt32: [UInt32]] = [:]
        private var mains: [UInt32: UInt32] = [:]

        init(members: [UInt32: [UInt32]]) {
            self.members = members
            for (main, items) in members { for item in items { mains[item] = main } }
        }

        func main(of item: UInt32) -> UInt32? { mains[item] }
    }

    /// Finds them; a directory without a name that ends like a sidecar's costs nothing.
    private func findSets(in directory: UInt32) -> Sets? {
        var sidecars: [[UInt8]: [(order: UInt8, item: UInt32)]] = [:]
        inventory.forEachItem(of: directory) { id in
            guard inventory.item(id).flags.contains(.looksLikeSidecar) else { return }
            let name = inventory.name(ofItem: id)
            guard let sidecar = Sidecar(name) else { return }
            let main = Array(name.owned.bytes.dropLast(sidecar.suffix.utf8Count))
            sidecars[main, default: []].append((sidecar.rawValue, id))
        }
        guard !sidecars.isEmpty else { return nil }
        var members: [UInt32: [UInt32]] = [:]
        inventory.forEachItem(of: directory) { id in
            guard inventory.item(id).type == .regular,
                let beside = sidecars[inventory.name(ofItem: id).owned.bytes]
            else { return }
            members[id] = [id] + beside.sorted { $0.order < $1.order }.map(\.item)
        }
        return members.isEmpty ? nil : Sets(members: members)
    }

    private mutating func addSet(
        _ main: UInt32, _ members: [UInt32], _ terms: Terms, _ ownOnly: Bool
    ) {
        var bytes: Int64 = 0
        var latest = times(of: main, inventory.item(main), terms)
        for id in members {
            let item = inventory.item(id)
            bytes += item.allocated
            let mark = item.flags.contains(.marked) ? inventory.mark(ofItem: id) : .none
            let isKept =
                item.type != .regular || item.flags.contains(.immutable)
                || (ownOnly && item.flags.contains(.foreignOwner)) || item.linkCount > 1
                || mark.isPinned == true || inventory.damagedItemMarks.contains(id)
            guard !isKept else {
                for id in members {
                    list.kept.add(.unitBusy, bytes: inventory.item(id).allocated)
                }
                return
            }
            let own = times(of: id, item, terms)
            latest.used = max(latest.used, own.used)
            latest.modified = max(latest.modified, own.modified)
            latest.created = max(latest.created, own.created)
        }
        list.sets[main] = members
        list.candidates.append(
            makeCandidate(main, kind: .fileSet, latest, bytes: bytes, terms))
    }
}

// MARK: - Directory units

extension CandidateBuilder {
    /// Adds each direct child directory of an area whose unit is `entry`.
    private mutating func addUnits(of root: UInt32) {
        let ownOnly = inventory.directories[Int(root)].flags.contains(.sticky)
        var child = inventory.directories[Int(root)].firstChild
        while child != DirectoryRecord.none {
            let record = inventory.directories[Int(child)]
            if !record.flags.contains(.areaRoot), !record.flags.contains(.reserved) {
                addUnit(child, record, ownOnly)
                insideUnits.insert(child)
            }
            child = record.nextSibling
        }
    }

    private mutating func addUnit(_ number: UInt32, _ record: DirectoryRecord, _ ownOnly: Bool) {
        guard let terms = terms(of: record, number, mark: record.mark.mark) else {
            return list.kept.add(.essential, bytes: record.totals.allocated)
        }
        var survey = UnitSurvey(inventory: inventory, area: record.area, ownOnly: ownOnly)
        survey.visit(number)
        if let blocker = survey.blocker {
            return list.kept.add(blocker, bytes: record.totals.allocated)
        }
        var times = Times(
            used: survey.newestWrite, modified: survey.newestWrite, created: survey.newestCreation)
        inventory.forEachDirectory(below: number) { directory in
            inventory.forEachItem(of: directory) { id in
                let own = self.times(of: id, inventory.item(id), terms)
                times.used = max(times.used, own.used)
                times.created = max(times.created, own.created)
            }
        }
        list.candidates.append(
            makeCandidate(number, kind: .directory, times, bytes: survey.bytes, terms))
    }
}
