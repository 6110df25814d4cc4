//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
public import SystemPackage

/// An item whose class the plan may purge, but which is kept regardless of the target.
public struct PlanObstacle: Hashable, Sendable {
    public var path: FilePath
    public var reason: Reason

    /// How many of them are named.
    public static let limit = 10_000

    init(path: FilePath, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    init(path: FilePath, code: Reason.Code) {
        self.init(path: path, reason: Reason(code, Self.text(for: code)))
    }

    private static func text(for code: Reason.Code) -> String {
        switch code {
        case .special: "It is a FIFO, a socket or a device, or holds one: such are never touched."
        case .pinned: "It is pinned, holds something that is, or has a mark that cannot be read."
        case .mountPoint: "Something is mounted there, which is not entered."
        case .unreadable: "It, or something in it, could not be read."
        case .foreignOwner: "It belongs to another user, or holds something that does."
        case .immutable:
            "It is immutable or append-only, or holds something that is. To allow its deletion: chattr -i -a."
        case .notPermitted:
            "Its directory can't be written to. To allow its deletion: chmod u+w on the directory."
        case .readOnly: "Its volume is mounted read-only."
        case .nestedArea: "It holds an area of its own, so it cannot go whole."
        case .essential: "Something in it is essential, so it cannot go whole."
        default: "It may not go."
        }
    }
}

extension Plan {
    /// What the plan passes over because it may never go as it is: FIFOs, pinned files, mount
    /// points and the like. A directory stands for all below.
    ///
    /// - Complexity: O(items) for a fresh plan; of one that was read back, what the file names.
    public var obstacles: [PlanObstacle] {
        savedObstacles ?? ObstacleSearch(inventory, request).found
    }
}

/// Goes through an inventory once more, for those who want to see names.
private struct ObstacleSearch {
    private let inventory: Inventory
    private let request: PlanRequest
    /// By directory number: it stands, or one around it, for all below.
    private var isSettled: [Bool]
    private let mounts: [UInt32: [Inventory.Omission]]
    private let layout: UnitLayout
    private let keptItems: KeptItems
    private let idle: IdleCutoffs
    private let times: TimeKeeper
    private(set) var found: [PlanObstacle] = []

    init(_ inventory: Inventory, _ request: PlanRequest) {
        self.inventory = inventory
        self.request = request
        isSettled = Array(repeating: false, count: inventory.directories.count)
        mounts = inventory.mountsByDirectory()
        layout = UnitLayout(inventory)
        keptItems = KeptItems(request.kept, in: inventory)
        idle = IdleCutoffs(request)
        times = TimeKeeper(inventory, request)
        // Parents have smaller numbers than their children.
        for number in inventory.directories.indices where found.count < PlanObstacle.limit {
            search(UInt32(number))
        }
    }

    private mutating func search(_ number: UInt32) {
        let record = inventory.directories[Int(number)]
        let parent =
            record.parent == DirectoryRecord.none
            ? nil : inventory.directories[Int(record.parent)]
        if parent != nil, isSettled[Int(record.parent)], !record.flags.contains(.areaRoot) {
            isSettled[Int(number)] = true
            return
        }
        guard isSpent(record) else { return }
        let isShared = parent?.flags.contains(.sticky) ?? false
        if let reason = keptItems.trees[number] {
            isSettled[Int(number)] = true
            return add(directory: number, reason)
        }
        let isLeftover = record.flags.contains(.reserved) && !record.flags.contains(.areaRoot)
        if layout.isRoot[Int(number)] || isLeftover {
            isSettled[Int(number)] = true
            return searchUnit(number, record, parent)
        }
        if record.flags.contains(.damagedMark) || record.mark.mark.isPinned == true {
            // Named where it begins; a pin may be lifted further down.
            if parent?.mark.mark.isPinned != true { add(directory: number, .pinned) }
            return
        }
        if isShared, record.owner != request.user {
            isSettled[Int(number)] = true
            return add(directory: number, .foreignOwner)
        }
        if let mounts = mounts[number] {
            for mount in mounts {
                found.append(PlanObstacle(path: inventory.path(of: mount), code: .mountPoint))
            }
        } else if record.flags.contains(.hasMounts) {
            add(directory: number, .mountPoint)
        }
        if !record.flags.isDisjoint(with: [.unreadable, .hasUnreadable]) {
            add(directory: number, .unreadable)
        }
        searchItems(of: number, ownOnly: record.flags.contains(.sticky))
    }

    private mutating func searchUnit(
        _ number: UInt32, _ record: DirectoryRecord, _ parent: DirectoryRecord?
    ) {
        guard let parent else {
            let kind = inventory.structures[number]?.kind.spokenName ?? "a unit"
            return add(
                directory: number,
                Reason(.structure, "It is \(kind), which is purged whole or not at all."))
        }
        let survey = UnitSurvey(
            number, in: inventory, request: request, ownOnly: parent.flags.contains(.sticky),
            kept: keptItems)
        let isReadOnly = request.readOnlyMounts.contains(record.mountID)
        if let details = survey.details {
            add(directory: number, details)
        } else if let code = survey.blocker ?? parent.obstacle ?? (isReadOnly ? .readOnly : nil) {
            add(directory: number, code)
        } else if let purgeable = recentClass(of: record, survey.mark, survey.newest.used) {
            add(directory: number, request.recentUse(survey.newest.used, purgeable))
        }
    }

    /// The class of something in a directory that was used recently; nil if it wasn't.
    private func recentClass(
        of record: DirectoryRecord, _ mark: Mark, _ used: UInt32
    ) -> PurgeableClass? {
        let area = inventory.areas[Int(record.area)]
        guard !area.isTrash, let purgeable = PurgeableClass(area.effectiveClass(mark)),
            used > idle.since(purgeable.rank)
        else { return nil }
        return purgeable
    }

    private mutating func searchItems(of number: UInt32, ownOnly: Bool) {
        var blocked: [(id: UInt32, reason: Reason)] = []
        let record = inventory.directories[Int(number)]
        let isReadOnly = request.readOnlyMounts.contains(record.mountID)
        let obstacle = record.obstacle ?? (isReadOnly ? .readOnly : nil)
        let countsAccess = inventory.root(ofDirectory: number).countsAccess
        inventory.forEachRecord(of: number) { id, item in
            let code = item.blocker(ownOnly: ownOnly)
            if item.flags.contains(.marked), code == nil, isPinned(id) {
                blocked.append((id, PlanObstacle(path: "/", code: .pinned).reason))
            } else if let code = code ?? obstacle {
                blocked.append((id, PlanObstacle(path: "/", code: code).reason))
            } else if let reason = keptItems.items[id] {
                blocked.append((id, reason))
            } else {
                let used = times.times(of: id, item, countingAccess: countsAccess).used
                if let purgeable = recentClass(of: record, inventory.mark(ofItem: id), used) {
                    blocked.append((id, request.recentUse(used, purgeable)))
                }
            }
        }
        for (id, reason) in blocked.prefix(PlanObstacle.limit - found.count) {
            found.append(PlanObstacle(path: inventory.path(ofItem: id), reason: reason))
        }
    }

    private mutating func add(directory: UInt32, _ reason: Reason) {
        found.append(
            PlanObstacle(path: inventory.path(ofDirectory: directory), reason: reason))
    }

    private mutating func add(directory: UInt32, _ code: Reason.Code) {
        found.append(PlanObstacle(path: inventory.path(ofDirectory: directory), code: code))
    }

    private func isPinned(_ id: UInt32) -> Bool {
        inventory.mark(ofItem: id).isPinned == true || inventory.damagedItemMarks.contains(id)
    }

    /// Whether the request may spend what lies in a directory.
    private func isSpent(_ record: DirectoryRecord) -> Bool {
        guard record.area != DirectoryRecord.noArea else { return false }
        let effective = inventory.areas[Int(record.area)].effectiveClass(record.mark.mark)
        return PurgeableClass(effective).map { $0 <= request.through } ?? false
    }
}
