//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

/// Something of a class that may be spent, which stays all the same, whatever the target.
public struct PlanObstacle: Hashable, Sendable {
    public var path: FilePath
    public var reason: Reason

    /// How many of them are named.
    public static let limit = 10_000

    init(path: FilePath, code: Reason.Code) {
        self.path = path
        reason = Reason(code, Self.text(for: code))
    }

    private static func text(for code: Reason.Code) -> String {
        switch code {
        case .special: "It is a FIFO, a socket or a device, or holds one: such are never touched."
        case .pinned: "It is pinned, holds something that is, or has a mark that cannot be read."
        case .mountPoint: "Something is mounted there, which is not entered."
        case .unreadable: "It, or something in it, could not be read."
        case .foreignOwner: "It belongs to another user, or holds something that does."
        case .immutable: "It is immutable, or holds something that is."
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
    private(set) var found: [PlanObstacle] = []

    init(_ inventory: Inventory, _ request: PlanRequest) {
        self.inventory = inventory
        self.request = request
        isSettled = Array(repeating: false, count: inventory.directories.count)
        mounts = inventory.mountsByDirectory()
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
        if !record.flags.contains(.areaRoot), isUnit(record, in: parent) {
            let survey = UnitSurvey(number, in: inventory, request: request, ownOnly: isShared)
            if let code = survey.blocker { add(directory: number, code) }
            isSettled[Int(number)] = true
            return
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

    private mutating func searchItems(of number: UInt32, ownOnly: Bool) {
        var blocked: [(id: UInt32, code: Reason.Code)] = []
        inventory.forEachRecord(of: number) { id, item in
            if let code = item.blocker(ownOnly: ownOnly) {
                blocked.append((id, code))
            } else if item.flags.contains(.marked), isPinned(id) {
                blocked.append((id, .pinned))
            }
        }
        for (id, code) in blocked.prefix(PlanObstacle.limit - found.count) {
            found.append(PlanObstacle(path: inventory.path(ofItem: id), code: code))
        }
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

    private func isUnit(_ record: DirectoryRecord, in parent: DirectoryRecord?) -> Bool {
        if record.flags.contains(.reserved) { return true }
        guard let parent, parent.flags.contains(.areaRoot), parent.area != DirectoryRecord.noArea
        else { return false }
        return inventory.areas[Int(parent.area)].unit == .entry
    }
}
