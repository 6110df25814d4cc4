//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Looks through a directory unit: what it holds, and whether something in it keeps it.
struct UnitSurvey {
    private let inventory: Inventory
    private let area: UInt16
    private let ownOnly: Bool
    private var linkCounts: [FileIdentity: UInt32] = [:]

    /// Why the unit may not go; a unit goes whole or not at all.
    private(set) var blocker: Reason.Code?
    /// What the volume gains: files with a link outside count nothing.
    private(set) var bytes: Int64 = 0
    private(set) var memberCount = 0
    private(set) var newestWrite: UInt32 = 0
    private(set) var newestCreation: UInt32 = 0

    init(inventory: Inventory, area: UInt16, ownOnly: Bool) {
        self.inventory = inventory
        self.area = area
        self.ownOnly = ownOnly
    }

    mutating func visit(_ unit: UInt32) {
        var collected = self
        inventory.forEachDirectory(below: unit) { collected.addDirectory($0) }
        self = collected
    }

    private mutating func addDirectory(_ number: UInt32) {
        let record = inventory.directories[Int(number)]
        memberCount += 1
        bytes &+= record.allocated
        newestWrite = max(newestWrite, record.modified, record.created)
        newestCreation = max(newestCreation, record.created)
        let blocking: [(DirectoryRecord.Flags, Reason.Code)] = [
            (.unreadable, .unreadable), (.hasMounts, .mountPoint), (.hasUnreadable, .unreadable),
            (.damagedMark, .pinned), (.reserved, .unitBusy),
        ]
        for (flag, code) in blocking where record.flags.contains(flag) { blocker = blocker ?? code }
        if record.area != area { blocker = blocker ?? .essential }
        if record.mark.mark.isPinned == true { blocker = blocker ?? .pinned }
        inventory.forEachItem(of: number) { addItem($0) }
    }

    private mutating func addItem(_ id: UInt32) {
        let item = inventory.item(id)
        memberCount += 1
        newestWrite = max(newestWrite, item.modified, item.created)
        newestCreation = max(newestCreation, item.created)
        if item.type != .regular, item.type != .symbolicLink { blocker = blocker ?? .special }
        if item.flags.contains(.immutable) { blocker = blocker ?? .immutable }
        if ownOnly, item.flags.contains(.foreignOwner) { blocker = blocker ?? .foreignOwner }
        if item.flags.contains(.marked) {
            if inventory.mark(ofItem: id).isPinned == true
                || inventory.damagedItemMarks.contains(id)
            {
                blocker = blocker ?? .pinned
            }
        }
        guard item.linkCount > 1 else {
            bytes &+= item.allocated
            return
        }
        let identity = inventory.identity(ofItem: id)
        let count = linkCounts[identity, default: 0] + 1
        linkCounts[identity] = count
        if count == UInt32(item.linkCount), item.linkCount != .max { bytes &+= item.allocated }
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
    static func mix(_ fingerprint: UInt64, parent: UInt64, key: FingerprintKey) -> UInt64 {
        var hasher = SipHasher(key)
        hasher.combine(fingerprint)
        hasher.combine(parent)
        return hasher.finish()
    }
}
