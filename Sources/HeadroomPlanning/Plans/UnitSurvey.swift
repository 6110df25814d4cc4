//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

/// Looks through a directory unit: what it holds, and whether something in it keeps it.
package struct UnitSurvey {
    private let inventory: Inventory
    private let times: TimeKeeper
    private let countsAccess: Bool
    private let area: UInt16
    private let ownOnly: Bool
    private let user: UInt32
    private let unit: UInt32
    private let kept: KeptItems?
    private var linkCounts: [FileIdentity: UInt32] = [:]
    private var installed = InstalledDirectories()
    /// Whether the names of the files in the directory at hand may make the unit last resort.
    private var looksForWork = false

    /// Why the unit is kept; a unit is purged whole or not at all.
    private(set) var blocker: Reason.Code?
    /// The same with its details, where the code alone doesn't say it.
    private(set) var details: Reason?
    /// What the volume gains: files with a link outside count nothing.
    private(set) var bytes: Int64 = 0
    /// Inodes that are freed, counted the same way.
    private(set) var inodes = 0
    /// The latest class and the highest importance that marks of members give it.
    private(set) var mark: Mark
    /// Whether a file in it makes it last resort.
    private(set) var isCostly = false
    /// Of each time the newest member's.
    private(set) var newest: ItemTimes

    /// Surveys a unit.
    ///
    /// - Parameters:
    ///   - ownOnly: it lies in a directory that everyone may write in: a member of another user keeps it.
    ///   - kept: the items that processes, mounts, sessions and locks keep; nil: not known here.
    init(
        _ unit: UInt32, in inventory: Inventory, request: PlanRequest, ownOnly: Bool,
        kept: KeptItems? = nil
    ) {
        let record = inventory.directories[Int(unit)]
        self.inventory = inventory
        self.ownOnly = ownOnly
        times = TimeKeeper(inventory, request)
        countsAccess = inventory.root(ofDirectory: unit).countsAccess
        area = record.area
        user = request.user
        mark = record.mark.mark
        newest = times.times(ofDirectory: record)
        self.unit = unit
        self.kept = kept
        if let reason = kept?.used[unit] { block(reason) }
        if inventory.structures[unit]?.kind == .taggedCache { takeTag() }
        inventory.forEachDirectory(below: unit) { addDirectory($0) }
    }

    /// A tag declares the directory a cache: files that are temporary otherwise are purged with the caches.
    private mutating func takeTag() {
        guard area != DirectoryRecord.noArea else { return }
        mark.joinLater(Mark(purgeClass: .cache), in: inventory.areas[Int(area)])
    }

    private mutating func addDirectory(_ number: UInt32) {
        let record = inventory.directories[Int(number)]
        bytes = bytes.addingClamped(max(0, record.allocated))
        inodes += 1
        newest.merge(times.times(ofDirectory: record))
        let blocking: [(DirectoryRecord.Flags, Reason.Code)] = [
            (.unreadable, .unreadable), (.hasMounts, .mountPoint), (.hasUnreadable, .unreadable),
            (.damagedMark, .pinned),
        ]
        for (flag, code) in blocking where record.flags.contains(flag) { block(code) }
        if record.flags.contains(.immutable) { block(.immutable) }
        // Directories of the user are made writable for the purge (S6); those of others can't be.
        if record.flags.contains(.unwritable), record.owner != user { block(.notPermitted) }
        if number != unit, let reason = kept?.trees[number] { block(reason) }
        if let reason = inventory.structures[number]?.obstacle { block(reason) }
        // Another area has a contract of its own, whatever it says.
        // mutation: s6a-1
        if record.area != area {
            block(inventory.area(of: record)?.purgeClass == .essential ? .essential : .nestedArea)
        }
        if ownOnly, record.owner != user { block(.foreignOwner) }
        if !isCostly { isCostly = inventory.isCostly(record, number) }
        let isInstalled = installed.add(number, in: inventory)
        // mutation: r44i-1
        looksForWork = !isCostly && !isInstalled && inventory.mayHoldWork(record)
        join(record.mark.mark)
        inventory.forEachRecord(of: number) { addItem($0, $1) }
    }

    private mutating func addItem(_ id: UInt32, _ item: ItemRecord) {
        if looksForWork, inventory.isWork(id, item) {
            isCostly = true
            looksForWork = false
        }
        newest.merge(times.times(of: id, item, countingAccess: countsAccess))
        if let code = item.blocker(ownOnly: ownOnly) { block(code) }
        if item.flags.contains(.marked) {
            if inventory.damagedItemMarks.contains(id) { block(.pinned) }
            join(inventory.mark(ofItem: id))
        }
        if item.linkCount > 1 {
            let identity = inventory.identity(ofItem: id)
            let count = linkCounts[identity, default: 0] + 1
            linkCounts[identity] = count
            guard count == UInt32(item.linkCount), item.linkCount != .max else { return }
        }
        bytes = bytes.addingClamped(max(0, item.allocated))
        inodes += 1
    }

    /// Of several reasons one, whichever member was met first: the same tree gives the same plan.
    private mutating func block(_ code: Reason.Code) {
        guard let known = blocker else { return blocker = code }
        if code.description < known.description { blocker = code }
    }

    private mutating func block(_ reason: Reason) {
        block(reason.code)
        if blocker == reason.code, details?.code != reason.code { details = reason }
    }

    private mutating func join(_ other: Mark) {
        // mutation: r9b-4
        if other.isPinned == true { block(.pinned) }
        if area != DirectoryRecord.noArea { mark.joinLater(other, in: inventory.areas[Int(area)]) }
    }

    /// The fingerprint over all members of a unit: their number, and a sum in which each member's
    /// state and place count, in any order.
    static func fingerprint(of unit: UInt32, in inventory: Inventory) -> (members: Int, sum: UInt64)
    {
        var members = 0
        var sum: UInt64 = 0
        inventory.forEachDirectory(below: unit) { directory in
            let record = inventory.directories[Int(directory)]
            members += 1
            let parent =
                directory == unit ? 0 : inventory.directories[Int(record.parent)].identity.inode
            sum &+= mix(record.fingerprint, parent: parent, key: inventory.key)
            inventory.forEachItem(of: directory) { id in
                members += 1
                sum &+= mix(
                    inventory.item(id).fingerprint, parent: record.identity.inode,
                    key: inventory.key)
            }
        }
        return (members, sum)
    }

    /// What one member adds to the sum.
    package static func mix(_ fingerprint: UInt64, parent: UInt64, key: FingerprintKey) -> UInt64 {
        var hasher = SipHasher(key)
        hasher.combine(fingerprint)
        hasher.combine(parent)
        return hasher.finish()
    }
}

extension CandidateBuilder {
    /// Adds a directory that a person has chosen to purge whole.
    ///
    /// - Returns: false if it cannot be a unit, as the root of an area or because it is essential.
    mutating func addChosenUnit(_ number: UInt32, _ record: DirectoryRecord) -> Bool {
        guard !record.flags.contains(.areaRoot),
            terms(of: record, number, mark: record.mark.mark) != nil
        else { return false }
        addUnit(number, record)
        return true
    }

    /// Adds a directory that is purged as a whole, or keeps it.
    mutating func addUnit(_ number: UInt32, _ record: DirectoryRecord) {
        if record.flags.contains(.areaRoot) || record.parent == DirectoryRecord.none {
            return keepUnit(number, record, Self.structureAtRoot(inventory.structures[number]))
        }
        let parent = inventory.directories[Int(record.parent)]
        let survey = UnitSurvey(
            number, in: inventory, request: request,
            ownOnly: parent.flags.contains(.sticky) || isForeign(record.parent), kept: keptItems)
        let terms = terms(of: record, number, mark: survey.mark)
        // The last step of its deletion removes its entry from the parent directory.
        let blocker = survey.blocker ?? parent.obstacle
        guard var terms, blocker == nil, terms.obstacle != .readOnly else {
            let code = blocker ?? terms?.obstacle ?? .essential
            return keepUnit(
                number, record, survey.details ?? Reason(code, "In it, \(code.spokenCause)."))
        }
        if survey.isCostly { terms.deferToLastResort() }
        var times = survey.newest
        if times.used > terms.idleSince {
            let purgeable = PurgeableClass(inventory.effectiveClass(of: terms, survey.mark))
            return keepUnit(
                number, record, request.recentUse(times.used, purgeable ?? .lastResort))
        }
        if terms.isTrash, !settleTrash(record.name, &terms, &times) {
            list.isInUnit[Int(number)] = true
            return list.kept.add(.freshTrash, bytes: record.totals.allocated)
        }
        list.isInUnit[Int(number)] = true
        list.unitInodes[number] = survey.inodes
        list.candidates.append(
            makeCandidate(number, kind: .directory, times, bytes: survey.bytes, terms))
    }

    /// The root of an area or of a scan is never deleted, so a structure there can't be purged as a whole.
    private static func structureAtRoot(_ structure: Structure?) -> Reason {
        if let obstacle = structure?.obstacle { return obstacle }
        return Reason(
            .structure,
            "It is \(structure?.kind.spokenName ?? "a unit"), which is purged whole or not at all. "
                + "Declare or name the directory that it is in.")
    }
}

extension Inventory {
    fileprivate func effectiveClass(of terms: CandidateBuilder.Terms, _ mark: Mark) -> PurgeClass {
        areas[Int(terms.area)].effectiveClass(mark)
    }
}
