//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

extension Inventory {
    /// The directories that were scanned from, in the order they were named.
    ///
    /// One that went away before it could be looked at is missing.
    public var rootDirectories: [InventoryDirectory] {
        roots.indices.compactMap { index in
            let first = roots[index].directory
            let end =
                index + 1 < roots.count ? roots[index + 1].directory : UInt32(directories.count)
            return first < end ? InventoryDirectory(inventory: self, number: first) : nil
        }
    }

    /// The directory at an absolute path.
    ///
    /// - Returns: nil if no scan found one there.
    /// - Complexity: O(depth × entries on each level that are directories).
    public func directory(at path: FilePath) -> InventoryDirectory? {
        let names = path.names
        for root in rootDirectories {
            let rootNames = roots[self.rootIndex(ofDirectory: root.number)].path.names
            guard names.starts(with: rootNames) else { continue }
            var current = root
            var rest = names[rootNames.count...]
            while let name = rest.popFirst() {
                guard let next = current.children.first(where: { $0.name == name }) else { break }
                current = next
                if rest.isEmpty { return current }
            }
            if names.count == rootNames.count { return root }
        }
        return nil
    }

    /// The item at an absolute path.
    ///
    /// - Returns: nil if no scan found one there.
    /// - Complexity: as ``directory(at:)``, and O(items of its directory).
    public func item(at path: FilePath) -> InventoryItem? {
        guard let name = path.names.last,
            let directory = directory(at: path.removingLastComponent())
        else { return nil }
        return directory.items.first { $0.name == name }
    }

    /// What is left over from purges that were cut off: the topmost directories of reserved names.
    ///
    /// - Complexity: O(directories).
    public var leftovers: [InventoryDirectory] {
        directories.indices.lazy.filter { index in
            let record = self.directories[index]
            return record.flags.contains(.reserved)
                && (record.parent == DirectoryRecord.none
                    || !self.directories[Int(record.parent)].flags.contains(.reserved))
        }.map { InventoryDirectory(inventory: self, number: UInt32($0)) }
    }

    /// The class that a directory's files have unless they carry a mark of their own.
    package func purgeClass(of record: DirectoryRecord) -> PurgeClass {
        if record.area == DirectoryRecord.noArea { return .essential }
        return areas[Int(record.area)].effectiveClass(record.mark.mark)
    }
}

/// A directory and the largest of what it contains, down to some depth; for trees and treemaps.
public struct InventoryTree: Sendable {
    public var directory: InventoryDirectory
    /// The largest first.
    public var children: [InventoryTree]
    /// The largest first.
    public var items: [InventoryItem]
    /// What is directly in the directory but neither in ``children`` nor in ``items``: bytes of the
    /// smaller ones, and of the directory itself.
    public var otherBytes: ByteCount

    /// How deep a tree may be made; each level takes stack.
    public static let deepest = 100
}

extension InventoryDirectory {
    /// Makes a tree of the largest directories and items.
    ///
    /// - Parameters:
    ///   - depth: levels below this directory; at most ``InventoryTree/deepest``.
    ///   - width: how many directories, and how many items, each level shows at most.
    ///   - minimum: smaller ones are left out.
    ///   - includesItems: false: directories only.
    /// - Complexity: O(directories and items of the levels shown).
    public func tree(
        depth: Int, width: Int = .max, minimum: ByteCount = .zero, includesItems: Bool = false
    ) -> InventoryTree {
        var rest = totals.allocated
        var shown: [InventoryTree] = []
        var items: [InventoryItem] = []
        let depth = min(depth, InventoryTree.deepest)
        if depth > 0, width > 0 {
            var largest = LargestHeap(limit: width)
            for child in children where child.totals.allocated >= minimum.bytes {
                largest.insert(child.number, size: child.totals.allocated)
            }
            for number in largest.descending() {
                let child = InventoryDirectory(inventory: inventory, number: number)
                rest &-= child.totals.allocated
                shown.append(
                    child.tree(
                        depth: depth - 1, width: width, minimum: minimum,
                        includesItems: includesItems))
            }
            if includesItems {
                items = largestOwnItems(width, minimum: minimum)
                rest &-= items.reduce(0) { $0 &+ $1.allocated.bytes }
            }
        }
        return InventoryTree(
            directory: self, children: shown, items: items, otherBytes: ByteCount(rest))
    }

    private func largestOwnItems(_ count: Int, minimum: ByteCount) -> [InventoryItem] {
        var largest = LargestHeap(limit: count)
        inventory.forEachItem(of: number) { id in
            let item = inventory.item(id)
            guard item.allocated >= minimum.bytes, !item.flags.contains(.countedElsewhere) else {
                return
            }
            largest.insert(id, size: item.allocated)
        }
        return largest.descending().map { InventoryItem(inventory: inventory, number: $0) }
    }
}
