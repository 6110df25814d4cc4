//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
public import HeadroomPlatform
public import SystemPackage

/// Explains paths of one inventory, as a function of the inventory and a request. It looks in the file system only for paths
/// that the inventory doesn't contain.
public struct Explainer: Sendable {
    let inventory: Inventory
    private let request: PlanRequest
    let list: CandidateList
    let selection: Selection
    private let times: TimeKeeper

    /// Works out the purge order once, for any number of paths.
    ///
    /// - Parameter request: its targets do not matter.
    /// - Complexity: O(items).
    public init(_ inventory: Inventory, _ request: PlanRequest) {
        self.inventory = inventory
        self.request = request
        let usage = AreaUsage(inventory)
        list = CandidateBuilder(inventory: inventory, request: request, usage: usage).build()
        selection = Selection(
            inventory: inventory, request: request, usage: usage,
            filter: RequestFilter(inventory, request))
        times = TimeKeeper(inventory, request)
    }

    /// Explains a path.
    ///
    /// - Parameter inUse: says why a file is in use now: a lease, a lock, an open descriptor.
    /// - Complexity: O(candidates).
    public func explain(
        _ path: FilePath, inUse: (FileIdentity) -> Reason? = { _ in nil }
    ) -> Explanation {
        if let store = store(at: path), let explanation = explain(store, path) {
            return explanation
        }
        if let item = inventory.item(at: path) { return explain(item, path, inUse) }
        if let directory = inventory.directory(at: path) { return explain(directory, path, inUse) }
        return unknown(path)
    }

    /// A path that no scan has seen is judged by the areas alone.
    private func unknown(_ path: FilePath) -> Explanation {
        let names = path.names
        let area = inventory.areas.filter { names.starts(with: $0.root.names) }
            .max { $0.root.names.count < $1.root.names.count }
        let reason =
            if let area {
                // What is essential is not scanned: that it was not found says nothing.
                area.purgeClass == .essential
                    ? Reason(.essential, "it is essential and has no mark of its own")
                    : notFound(path)
            } else {
                Reason(.essential, "it lies outside of all areas")
            }
        return Explanation(
            path: path, subject: .unknown, area: area,
            purgeClass: area?.purgeClass ?? .essential, classOrigin: area == nil ? .nothing : .area,
            goesWith: nil, allocated: .zero, logical: .zero, frees: .zero, lastUse: nil,
            lastUseOrigin: nil, mark: .none, inUse: nil, place: nil, outlook: .never(reason))
    }

    /// Why a path in an area is not in the inventory. Blocks.
    private func notFound(_ path: FilePath) -> Reason {
        let mount = inventory.mountsByDirectory().values.joined().lazy
            .map { inventory.path(of: $0) }.first { path.lies(in: $0) }
        if let mount {
            return Reason(
                .mountPoint,
                "it lies on the volume that is mounted at \(mount.displayText), which purges don't enter"
            )
        }
        do throws(Errno) {
            _ = try PathCalls.entryStatus(path)
            return Reason(.unreadable, "the scan could not read a directory around it")
        } catch .noSuchFileOrDirectory {
            return Reason(.vanished, "nothing was found there")
        } catch {
            return Reason(.unreadable, "Headroom could not examine it (\(error))")
        }
    }

    // MARK: - Items

    private func explain(
        _ item: InventoryItem, _ path: FilePath, _ inUse: (FileIdentity) -> Reason?
    ) -> Explanation {
        let record = inventory.item(item.number)
        let set = list.sets.first { $0.value.contains(item.number) }?.value
        let unit = topOfUnit(record.parent)
        let candidate = list.candidates.first { candidate in
            if let unit { return candidate.kind == .directory && candidate.number == unit }
            return candidate.isItem && candidate.number == set?[0] ?? item.number
        }
        let members = set ?? [item.number]
        let use = lastUse(of: members)
        let goesWith: FilePath? =
            if let unit {
                inventory.path(ofDirectory: unit)
            } else if let set, set[0] != item.number {
                inventory.path(ofItem: set[0])
            } else { nil }
        var allocated = ByteCount.zero
        for id in members { allocated += ByteCount(inventory.item(id).allocated) }
        // What goes together is of one class, whatever each would be by itself.
        let area = item.directory.area
        let joint = set.flatMap { set in area.map { inventory.mark(ofSet: set, in: $0) } }
        let ownClass = item.purgeClass
        let purgeClass =
            // mutation: r18c-1
            set == nil ? ownClass : candidate?.purgeableClass.purgeClass ?? ownClass
        let rule =
            unit.map { inventory.costlyReason(ofUnit: $0) }
            ?? (item.mark.purgeClass == nil
                ? inventory.costlyReason(ofItem: item.number, record) : nil)
        let origin = origin(area, joint ?? item.mark)
        let inUse = members.compactMap { inUse(inventory.identity(ofItem: $0)) }.first
        var explanation = Explanation(
            path: path, subject: unit != nil ? .memberOfUnit : set != nil ? .fileSet : .file,
            area: area, purgeClass: rule == nil ? purgeClass : max(purgeClass, .lastResort),
            classOrigin: rule == nil || ownClass >= .lastResort ? origin : .shape,
            goesWith: goesWith,
            allocated: allocated, logical: item.logical,
            // mutation: r18c-2
            frees: record.linkCount > 1 ? .zero : allocated, lastUse: use.time,
            lastUseOrigin: use.origin, mark: item.mark,
            inUse: inUse, place: candidate.flatMap(place),
            outlook: outlook(candidate, inUse) { why(item, record, unit) }
        )
        if explanation.classOrigin == .shape { explanation.classReason = rule }
        return explanation
    }

    private func outlook(
        _ candidate: Candidate?, _ inUse: Reason?, otherwise why: () -> Reason
    ) -> Explanation.Outlook {
        if candidate != nil, let inUse { return .notNow(inUse) }
        return outlook(candidate, otherwise: why)
    }

    private func lastUse(
        of members: [UInt32]
    ) -> (time: Timestamp, origin: Explanation.LastUseOrigin) {
        var latest: (seconds: UInt32, origin: Explanation.LastUseOrigin) = (0, .modified)
        for id in members {
            let item = inventory.item(id)
            let countsAccess = inventory.root(ofDirectory: item.parent).countsAccess
            let used = times.times(of: id, item, countingAccess: countsAccess).used
            guard used >= latest.seconds else { continue }
            let origin: Explanation.LastUseOrigin =
                switch used {
                case item.modified: .modified
                case item.created: .created
                case item.accessed where countsAccess: .read
                default: .recorded
                }
            latest = (used, origin)
        }
        return (Timestamp(seconds: Int64(latest.seconds)), latest.origin)
    }

    /// Why an item that is not a candidate is kept.
    private func why(_ item: InventoryItem, _ record: ItemRecord, _ unit: UInt32?) -> Reason {
        if let unit { return why(unit: unit) }
        if let reason = list.itemReasons[item.number] { return reason }
        let directory = inventory.directories[Int(record.parent)]
        let ownOnly = directory.flags.contains(.sticky)
        if directory.flags.contains(.reserved) {
            return Reason(.unitBusy, "it is left over from a purge, which the next one finishes")
        }
        if inventory.isTag(item.number, record) {
            return Reason(
                .directoryTag, "it keeps its directory out of backups, and stays as long as that")
        }
        // mutation: r18b-1
        if item.isPinned { return Reason(.pinned, "it or a directory around it is pinned") }
        if item.purgeClass == .essential {
            return item.directory.area == nil
                ? Reason(.essential, "it lies outside of all areas")
                : Reason(.essential, "it is essential and has no mark of its own")
        }
        if let code = record.blocker(ownOnly: ownOnly) { return Reason(code, code.spokenCause) }
        if request.readOnlyMounts.contains(directory.mountID) {
            return Reason(.readOnly, Reason.Code.readOnly.spokenCause)
        }
        if let code = directory.obstacle { return Reason(code, code.spokenCause) }
        if item.directory.area?.isTrash == true { return Self.freshTrash }
        let countsAccess = inventory.root(ofDirectory: record.parent).countsAccess
        let used = times.times(of: item.number, record, countingAccess: countsAccess).used
        if let purgeable = PurgeableClass(item.purgeClass),
            used > IdleCutoffs(request).since(purgeable.rank)
        {
            return request.recentUse(used, purgeable)
        }
        if let reason = why(besideOf: item, record) { return reason }
        if record.flags.contains(.looksLikeSidecar) || record.type == .regular && !ownOnly {
            return Reason(.unitBusy, "a file that belongs to it has to stay")
        }
        return Reason(.foreignOwner, Reason.Code.foreignOwner.spokenCause)
    }

    /// Why a file stays beside one that belongs to it by its name alone, and has to stay.
    private func why(besideOf item: InventoryItem, _ record: ItemRecord) -> Reason? {
        guard let area = item.directory.area,
            let sets = ItemSets(inventory, directory: record.parent),
            let main = sets.main(of: item.number), let members = sets.members[main],
            inventory.mark(ofSet: members, in: area)
                != inventory.mark(ofSet: members, in: area, isDatabase: true)
        else { return nil }
        let staying = members.first { id in
            let other = InventoryItem(inventory: inventory, number: id)
            return id != item.number && (other.isPinned || other.purgeClass == .essential)
        }
        guard let staying else { return nil }
        let name = inventory.name(ofItem: staying).owned.text
        return Reason(
            .unitBusy,
            "\(name) has to stay, which belongs to it by its name, and what they hold does not say "
                + "that they are one database. Mark both, or rename one")
    }

    // MARK: - Directories

    private func explain(
        _ directory: InventoryDirectory, _ path: FilePath, _ inUse: (FileIdentity) -> Reason?
    ) -> Explanation {
        let number = directory.number
        let unit = topOfUnit(number)
        let candidate = list.candidates.first {
            $0.kind == .directory && $0.number == unit ?? .max
        }
        let survey = UnitSurvey(number, in: inventory, request: request, ownOnly: false)
        let subject: Explanation.Subject =
            unit == nil ? .directory : unit == number ? .directoryUnit : .memberOfUnit
        let rule =
            unit.map { inventory.costlyReason(ofUnit: $0) }
            ?? inventory.costlyReason(inDirectory: number)
        let ownClass = directory.purgeClass
        let origin = origin(directory.area, directory.mark)
        var explanation = Explanation(
            path: path, subject: subject, area: directory.area,
            purgeClass: rule == nil ? ownClass : max(ownClass, .lastResort),
            classOrigin: rule == nil || ownClass >= .lastResort ? origin : .shape,
            goesWith: unit.flatMap { $0 == number ? nil : inventory.path(ofDirectory: $0) },
            allocated: ByteCount(directory.totals.allocated),
            logical: ByteCount(directory.totals.logical), frees: ByteCount(survey.bytes),
            lastUse: unit == nil ? nil : Timestamp(seconds: Int64(survey.newest.used)),
            lastUseOrigin: nil, mark: directory.mark, inUse: inUse(directory.identity),
            place: candidate.flatMap(place),
            outlook: unit == nil
                ? outlookOfPlain(directory) : outlook(candidate) { why(unit: unit ?? number) })
        if explanation.classOrigin == .shape { explanation.classReason = rule }
        return explanation
    }

    private func outlookOfPlain(_ directory: InventoryDirectory) -> Explanation.Outlook {
        if directory.area == nil {
            return .never(Reason(.essential, "it lies outside of all areas"))
        }
        if directory.isPinned { return .never(Reason(.pinned, "it or one around it is pinned")) }
        return .itemByItem
    }

    private static let freshTrash = Reason(
        .freshTrash,
        "it was thrown away less than 24 hours ago, and nothing so young goes by itself. Empty the "
            + "trash by hand (headroom trash empty), or restore it (headroom trash restore)")

    private func why(unit: UInt32) -> Reason {
        if let reason = list.unitReasons[unit] { return reason }
        let parent = inventory.directories[Int(unit)].parent
        let ownOnly =
            parent != DirectoryRecord.none
            && inventory.directories[Int(parent)].flags.contains(.sticky)
        let survey = UnitSurvey(unit, in: inventory, request: request, ownOnly: ownOnly)
        if survey.blocker == nil,
            inventory.area(of: inventory.directories[Int(unit)])?.isTrash == true
        {
            return Self.freshTrash
        }
        let code = survey.blocker ?? .essential
        return Reason(code, "it goes whole or not at all, and in it \(code.spokenCause)")
    }

    /// The directory that goes whole and contains one; nil if none does.
    private func topOfUnit(_ directory: UInt32) -> UInt32? {
        guard list.isInUnit[Int(directory)] else { return nil }
        var current = directory
        while true {
            let parent = inventory.directories[Int(current)].parent
            guard parent != DirectoryRecord.none, list.isInUnit[Int(parent)] else { return current }
            current = parent
        }
    }

    // MARK: - Order

    func origin(_ area: Area?, _ mark: Mark) -> Explanation.ClassOrigin {
        if area == nil { return .nothing }
        return mark.purgeClass == nil ? .area : .mark
    }

    func place(of candidate: Candidate) -> Explanation.Place? {
        var place = Explanation.Place(position: 1, count: 0, bytesBefore: .zero)
        for other in list.candidates {
            if other.plannedClass == candidate.plannedClass { place.count += 1 }
            guard selection.isBefore(other, candidate) else { continue }
            if other.plannedClass == candidate.plannedClass { place.position += 1 }
            // mutation: r10b-1
            place.bytesBefore += ByteCount(other.bytes)
        }
        return place
    }

    private static let linkedElsewhere = Reason(
        .linkedElsewhere,
        "other hard links to it are kept, so deleting it frees nothing. To delete it all the same: "
            + "headroom purge --include-linked")

    func outlook(
        _ candidate: Candidate?, otherwise why: () -> Reason
    ) -> Explanation.Outlook {
        guard let candidate else {
            let reason = why()
            return reason.code.isTemporary ? .notNow(reason) : .never(reason)
        }
        if candidate.flags.contains(.linkedElsewhere), !request.includesUnprofitable,
            candidate.plannedClass != .trash
        {
            return .never(Self.linkedElsewhere)
        }
        let area = inventory.areas[Int(candidate.area)]
        if candidate.flags.contains(.expired) { return .expired }
        if candidate.flags.contains(.overLimit) { return .overLimit }
        if let retention = area.retention, area.ageBasis.isOrder(area.order) {
            let time = Timestamp(seconds: Int64(OrderKey.time(of: candidate.key)))
            let left = time.advanced(by: retention).duration(since: request.now)
            // Past, it has not expired while ages do not count.
            if left > .zero { return .expires(in: left) }
        }
        return .pressure(candidate.purgeableClass == .lastResort ? .critical : .warning)
    }
}

extension AgeBasis {
    /// Whether the time that candidates of an order carry is the one that ages are counted from.
    fileprivate func isOrder(_ order: AreaOrder) -> Bool {
        switch (self, order) {
        case (.used, .leastRecentlyUsed), (.created, .oldestCreated): true
        default: false
        }
    }
}
