//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

/// When something was last used, modified and created, in whole seconds since 1970.
struct ItemTimes {
    var used: UInt32
    var modified: UInt32
    var created: UInt32

    @inline(__always)
    subscript(_ basis: AgeBasis) -> UInt32 {
        switch basis {
        case .used: used
        case .modified: modified
        case .created: created
        }
    }

    /// The times of something that consists of several: of each the latest.
    mutating func merge(_ other: ItemTimes) {
        used = max(used, other.used)
        modified = max(modified, other.modified)
        created = max(created, other.created)
    }
}

/// Works out the times of items from what the inventory and the ledger know.
struct TimeKeeper {
    private let inventory: Inventory
    private let usage: (any UsageSource)?
    /// Asked for each item, which a copy of the source would be made for.
    private let hasUsage: Bool
    private let now: UInt32

    init(_ inventory: Inventory, _ request: PlanRequest) {
        self.inventory = inventory
        usage = request.usage
        hasUsage = request.usage != nil
        now = UInt32(clampedSeconds: request.now)
    }

    @inline(__always)
    func times(of id: UInt32, _ item: ItemRecord, countingAccess: Bool) -> ItemTimes {
        var times = ItemTimes(
            used: item.lastUse(countingAccess: countingAccess), modified: item.modified,
            created: item.created)
        if hasUsage { consult(id, item, &times) }
        // Neither birth time nor first sighting: as young as can be, so that nothing goes too soon.
        if times.created == 0 { times.created = now }
        return times
    }

    @inline(never)
    private func consult(_ id: UInt32, _ item: ItemRecord, _ times: inout ItemTimes) {
        guard let usage else { return }
        let identity = inventory.identity(ofItem: id)
        let (device, inode) = (identity.device, identity.inode)
        if let use = usage.lastUse(device: device, inode: inode, created: item.created) {
            times.used = max(times.used, use)
        }
        if times.created == 0 {
            times.created = firstSeen(identity, modified: item.modified) ?? 0
        }
    }

    /// When something without a birth time was seen first; nil: it was not yet.
    private func firstSeen(_ identity: FileIdentity, modified: UInt32) -> UInt32? {
        // The number may have been another file's then: what was written later cannot be told from what
        // was made later.
        usage?.firstSeen(device: identity.device, inode: identity.inode).map { max($0, modified) }
    }

    /// The times of a directory as a member of a unit: reading it does not count as use.
    func times(ofDirectory record: DirectoryRecord) -> ItemTimes {
        ItemTimes(
            used: max(record.modified, record.created), modified: record.modified,
            created: record.created != 0
                ? record.created
                : firstSeen(record.identity, modified: record.modified) ?? now)
    }
}

/// The moments up to which things are old enough for the age targets of a request.
///
/// Whole seconds, as the inventory keeps them: what is old enough to the second counts.
struct AgeCutoffs {
    private var used: UInt32?
    private var modified: UInt32?
    private var created: UInt32?

    init(_ request: PlanRequest) {
        for case .olderThan(let age, let basis) in request.targets {
            guard let cutoff = Self.cutoff(request.now, age) else { continue }
            switch basis {
            case .used:
                // Of what a person has thrown away, when that was is known all the same.
                if request.pausesAgeRules, !request.includesFreshTrash { continue }
                used = max(used ?? 0, cutoff)
            case .modified: modified = max(modified ?? 0, cutoff)
            case .created: created = max(created ?? 0, cutoff)
            }
        }
    }

    var isEmpty: Bool { used == nil && modified == nil && created == nil }

    @inline(__always)
    func takes(_ times: ItemTimes) -> Bool {
        // mutation: r16a-1
        if let used, times.used <= used { return true }
        if let modified, times.modified <= modified { return true }
        if let created, times.created <= created { return true }
        return false
    }

    /// - Returns: nil before 1970, where times are clamped: nothing is known to be that old.
    static func cutoff(_ now: Timestamp, _ age: Duration) -> UInt32? {
        let time = now.advanced(by: .zero - max(age, .zero))
        return time.nanoseconds < 0 ? nil : UInt32(clampedSeconds: time)
    }
}
