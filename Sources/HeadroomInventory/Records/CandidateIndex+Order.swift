//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

extension CandidateIndex {
    /// Calls `body` with the items of a group in order, until it says that it has enough.
    package func forEachInOrder(
        of number: Int, _ inventory: Inventory, while body: (UInt32, ItemRecord, UInt64) -> Bool
    ) {
        let group = groups[number]
        let countsAccess = inventory.roots[Int(group.terms.root)].countsAccess
        var base = 0
        var heads = [Int](repeating: 0, count: group.later.count)
        func nextOfBase() -> (UInt32, ItemRecord, UInt64)? {
            while base < group.base.count {
                let id = group.base[base]
                if !isGone(id) {
                    let item = inventory.item(id)
                    return (id, item, item.key(group.isByBirth, countsAccess))
                }
                base += 1
            }
            return nil
        }
        var first = nextOfBase()
        while true {
            var list = -1
            var key = first?.2 ?? UInt64.max
            for index in heads.indices {
                while heads[index] < group.later[index].count,
                    isGone(group.later[index][heads[index]].item)
                {
                    heads[index] += 1
                }
                guard heads[index] < group.later[index].count else { continue }
                let entry = group.later[index][heads[index]]
                if entry.key < key || first == nil && list < 0 {
                    key = entry.key
                    list = index
                }
            }
            if list >= 0 {
                let entry = group.later[list][heads[list]]
                heads[list] += 1
                guard body(entry.item, inventory.item(entry.item), entry.key) else { return }
            } else if let entry = first {
                base += 1
                first = nextOfBase()
                guard body(entry.0, entry.1, entry.2) else { return }
            } else {
                return
            }
        }
    }

    /// Items of groups whose inodes are among some.
    ///
    /// - Complexity: O(items), without a look-up for most.
    package func items(withInodes inodes: Set<UInt64>, _ inventory: Inventory) -> Set<UInt32> {
        guard !inodes.isEmpty else { return [] }
        var hints = [UInt64](repeating: 0, count: 1024)
        for inode in inodes { hints[Int(inode >> 6 & 1023)] |= 1 << (inode & 63) }
        var found: Set<UInt32> = []
        for (number, place) in places.enumerated() where place >= 0 {
            inventory.forEachItem(of: UInt32(number)) { id in
                let inode = inventory.inode(ofItem: id)
                guard hints[Int(inode >> 6 & 1023)] >> (inode & 63) & 1 == 1,
                    inodes.contains(inode), !odd.contains(id)
                else { return }
                found.insert(id)
            }
        }
        return found
    }
}
