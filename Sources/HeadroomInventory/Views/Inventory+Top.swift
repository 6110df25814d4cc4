//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What directories are ranked by.
public enum DirectoryRanking: Hashable, Sendable {
    /// Everything below: a directory never comes after one that it contains.
    case tree
    /// What lies directly in it: shows where the bytes really are.
    case content
}

extension Inventory {
    /// The items that occupy most, the largest first.
    ///
    /// A file with several links is there once. What is left over from a purge is no item.
    ///
    /// - Parameter isIncluded: asked for items that would make the list only.
    /// - Complexity: O(items + found × log count); memory for `count`.
    public func largestItems(
        _ count: Int, where isIncluded: (InventoryItem) -> Bool = { _ in true }
    ) -> [InventoryItem] {
        var largest = LargestHeap(limit: max(0, count))
        for number in directories.indices where !directories[number].flags.contains(.reserved) {
            forEachRecord(of: UInt32(number)) { id, item in
                guard largest.admits(item.allocated), !item.flags.contains(.countedElsewhere),
                    isIncluded(InventoryItem(inventory: self, number: id))
                else { return }
                largest.insert(id, size: item.allocated)
            }
        }
        return largest.descending().map { InventoryItem(inventory: self, number: $0) }
    }

    /// The directories that occupy most, the largest first.
    ///
    /// - Complexity: O(directories + found × log count).
    public func largestDirectories(
        _ count: Int, by ranking: DirectoryRanking = .tree
    ) -> [InventoryDirectory] {
        var largest = LargestHeap(limit: max(0, count))
        let sizes =
            ranking == .tree ? directories.map(\.totals.allocated) : contentSizes()
        for number in directories.indices
        where directories[number].flags.isDisjoint(with: [.reserved, .vacant]) {
            largest.insert(UInt32(number), size: sizes[number])
        }
        return largest.descending().map { InventoryDirectory(inventory: self, number: $0) }
    }

    /// The bytes of each directory and its items, without its subdirectories.
    func contentSizes() -> [Int64] {
        var sizes = directories.map(\.totals.allocated)
        for record in directories where record.parent != DirectoryRecord.none {
            sizes[Int(record.parent)] &-= record.totals.allocated
        }
        return sizes
    }
}
