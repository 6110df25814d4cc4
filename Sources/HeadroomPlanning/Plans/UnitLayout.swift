//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

/// Which directories are purged as a whole: the units.
///
/// A pure function of an inventory. A directory is the root of a unit if its class lets it be purged and
///
/// - it is a ``Structure``, such as a repository,
/// - or it is a direct child of an area whose unit is ``PurgeUnit/entry``,
/// - or it lies in an area whose unit is ``PurgeUnit/directory``, has no mark of its own, and no other purgeable
///   area and no cache store lies in it.
///
/// A unit includes everything in it. An area inside it does not belong to it, and blocks it: an unknown program's
/// directory with content that is essential is kept whole.
struct UnitLayout {
    /// By directory number.
    private(set) var isRoot: [Bool]

    /// - Complexity: O(directories).
    init(_ inventory: Inventory) {
        let directories = inventory.directories
        isRoot = Array(repeating: false, count: directories.count)
        let splits = Self.split(inventory)
        for (number, record) in directories.enumerated() {
            guard record.area != DirectoryRecord.noArea, !record.flags.contains(.vacant) else {
                continue
            }
            let area = inventory.areas[Int(record.area)]
            guard area.effectiveClass(record.mark.mark) != .essential else { continue }
            if let structure = inventory.structures[UInt32(number)], !area.isTrash {
                // The tag of a declared cache adds nothing to the declaration.
                let isTag = structure.kind == .taggedCache
                isRoot[number] = !isTag || !record.flags.contains(.areaRoot)
                if isRoot[number] { continue }
            }
            guard !record.flags.contains(.areaRoot), !record.flags.contains(.reserved),
                record.parent != DirectoryRecord.none
            else { continue }
            switch area.unit {
            case .file: continue
            case .entry:
                let outer = directories[Int(record.parent)]
                isRoot[number] = outer.flags.contains(.areaRoot) && outer.area == record.area
            case .directory:
                // A mark on a directory is about its content: the directory is kept, with its mark.
                let isMarked = record.mark != directories[Int(record.parent)].mark
                isRoot[number] =
                    splits?[number] != true && record.totals.files > 0 && !isMarked
            }
        }
    }

    /// By directory number: whether a purgeable area or a cache store lies in it.
    ///
    /// - Returns: nil if no area has such units.
    private static func split(_ inventory: Inventory) -> [Bool]? {
        guard inventory.areas.contains(where: { $0.unit == .directory }) else { return nil }
        var splits = [Bool](repeating: false, count: inventory.directories.count)
        // Children have larger numbers than their parents.
        for number in inventory.directories.indices.reversed() {
            let record = inventory.directories[number]
            guard record.parent != DirectoryRecord.none else { continue }
            if inventory.stores[UInt32(number)] != nil { splits[number] = true }
            if splits[number] || isPurgeableArea(record, inventory) {
                splits[Int(record.parent)] = true
            }
        }
        return splits
    }

    /// Headroom's own records count as one: they say nothing of the files beside them.
    private static func isPurgeableArea(_ record: DirectoryRecord, _ inventory: Inventory) -> Bool {
        guard record.flags.contains(.areaRoot), record.area != DirectoryRecord.noArea else {
            return record.flags.contains(.areaRoot)
        }
        let area = inventory.areas[Int(record.area)]
        return area.isSealed || area.effectiveClass(record.mark.mark) != .essential
    }
}
