//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

/// What files with several links free when a whole plan is carried out.
///
/// A file's bytes are freed with the last of its links, wherever in the plan that is: alone, or in a
/// directory unit.
struct LinkedBytes {
    /// By item number of single files with several links: the bytes that go with it.
    private(set) var bytes: [UInt32: Int64] = [:]
    /// Bytes of files whose links are spread over units, so that no unit alone counts them.
    private(set) var extra: Int64 = 0
    /// Names that go and free nothing, since other names of their files stay.
    private(set) var outside = 0

    init(inventory: Inventory, chosen: [Candidate]) {
        var groups: [FileIdentity: Group] = [:]
        for candidate in chosen {
            switch candidate.kind {
            case .file where !candidate.flags.isDisjoint(with: [.linkGroup, .linkedElsewhere]):
                let item = inventory.item(candidate.number)
                groups[inventory.identity(ofItem: candidate.number), default: Group(item)]
                    .addSingle(candidate.number)
            case .directory:
                var own: [FileIdentity: (UInt32, ItemRecord)] = [:]
                inventory.forEachDirectory(below: candidate.number) { directory in
                    inventory.forEachItem(of: directory) { id in
                        let item = inventory.item(id)
                        guard item.linkCount > 1 else { return }
                        own[inventory.identity(ofItem: id), default: (0, item)].0 += 1
                    }
                }
                for (identity, (count, item)) in own {
                    groups[identity, default: Group(item)].addUnit(count)
                }
            case .file, .fileSet, .emptyDirectory, .cacheValues: break
            }
        }
        for group in groups.values { settle(group) }
    }

    private struct Group {
        let linkCount: UInt32
        let allocated: Int64
        var singles: [UInt32] = []
        var inUnits: UInt32 = 0
        /// A unit that has all links by itself has counted the bytes.
        var isCountedByUnit = false

        init(_ item: ItemRecord) {
            linkCount = UInt32(item.linkCount)
            allocated = max(0, item.allocated)
        }

        mutating func addSingle(_ number: UInt32) { singles.append(number) }

        mutating func addUnit(_ count: UInt32) {
            inUnits += count
            if count == linkCount { isCountedByUnit = true }
        }
    }

    private mutating func settle(_ group: Group) {
        for number in group.singles { bytes[number] = 0 }
        let isWhole =
            UInt32(group.singles.count) + group.inUnits == group.linkCount
            && group.linkCount < UInt32(UInt16.max)
        if !isWhole { outside += group.singles.count + Int(group.inUnits) }
        guard isWhole, !group.isCountedByUnit else { return }
        if let last = group.singles.last {
            bytes[last] = group.allocated
        } else {
            extra = extra.addingClamped(group.allocated)
        }
    }
}

extension [UInt32: Int64] {
    /// What a candidate frees: as this says of a file with several links, else as it says itself.
    subscript(_ number: UInt32, of candidate: Candidate) -> Int64 {
        guard candidate.kind == .file,
            !candidate.flags.isDisjoint(with: [.linkGroup, .linkedElsewhere])
        else { return candidate.bytes }
        return self[number] ?? candidate.bytes
    }
}
