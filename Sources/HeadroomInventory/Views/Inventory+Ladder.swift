//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// What could go, class by class, in the order in which it would.
public struct PurgeLadder: Hashable, Sendable {
    /// One for each class, temporary first, essential last.
    public var classes: [ClassSummary]

    /// What one class comes to.
    public struct ClassSummary: Hashable, Sendable {
        public var purgeClass: PurgeClass
        /// Items that would go, pinned ones not included; of essential, everything.
        public var sum = InventorySum()
        /// Those of them whose retention is over.
        public var expired = InventorySum()
        /// What is pinned, or has a mark that cannot be read: it stays.
        public var pinned = InventorySum()
        /// The largest first; outside of all areas is one without an area.
        public var areas: [AreaSummary] = []
        /// What areas of this class hold above their limits.
        public var overLimit: ByteCount {
            areas.reduce(.zero) { $0 + ($1.area?.purgeClass == purgeClass ? $1.overLimit : .zero) }
        }
    }

    /// What one area has of one class; with marks, an area has items of several.
    public struct AreaSummary: Hashable, Sendable {
        /// An index into ``Inventory/areas``; nil: outside of all.
        public var index: Int?
        public var area: Area?
        public var sum = InventorySum()
        public var expired = InventorySum()
        public var pinned = InventorySum()
        /// What the whole area, all classes, holds above its limit.
        public var overLimit = ByteCount.zero
    }
}

extension Inventory {
    /// Sums up what each class and area holds.
    ///
    /// - Parameter now: what retention is measured to.
    /// - Complexity: O(items) and O(directories).
    public func ladder(now: Timestamp) -> PurgeLadder {
        var tally = LadderTally(self, now: now)
        for (index, root) in roots.enumerated() {
            let end =
                index + 1 < roots.count ? roots[index + 1].directory : UInt32(directories.count)
            for number in root.directory..<end {
                tally.add(number, countsAccess: root.countsAccess)
            }
        }
        return tally.finish()
    }
}

/// Sums by area and class.
private struct LadderTally {
    private let inventory: Inventory
    /// What was last used before this has expired; nil: nothing ever does.
    private let cutoffs: [UInt32?]
    /// By area, the last one outside of all, and class.
    private var cells: [PurgeLadder.AreaSummary]

    init(_ inventory: Inventory, now: Timestamp) {
        self.inventory = inventory
        cutoffs = inventory.areas.map { area in
            area.retention.map { UInt32(clampedSeconds: now.advanced(by: .zero - $0)) }
        }
        let usage = AreaUsage(inventory).allocated
        cells = []
        for index in 0...inventory.areas.count {
            let area = index < inventory.areas.count ? inventory.areas[index] : nil
            var cell = PurgeLadder.AreaSummary(index: area == nil ? nil : index, area: area)
            if let limit = area?.limit {
                cell.overLimit = max(.zero, ByteCount(usage[index]) - limit)
            }
            cells += repeatElement(cell, count: PurgeClass.allCases.count)
        }
    }

    mutating func add(_ number: UInt32, countsAccess: Bool) {
        let record = inventory.directories[Int(number)]
        guard !record.flags.contains(.reserved), record.firstRun != DirectoryRecord.none else {
            return
        }
        let area = record.area == DirectoryRecord.noArea ? nil : Int(record.area)
        let base = (area ?? inventory.areas.count) * PurgeClass.allCases.count
        let common = Int(inventory.purgeClass(of: record).rawValue)
        let isPinned = record.mark.mark.isPinned == true
        let isDamaged = record.flags.contains(.damagedMark)
        let cutoff = area.flatMap { cutoffs[$0] }
        let basis = area.map { inventory.areas[$0].ageBasis } ?? .used
        inventory.forEachItem(of: number) { id in
            let item = inventory.item(id)
            var cell = base + common
            var stays = isPinned || isDamaged
            if item.flags.contains(.marked) {
                let mark = inventory.mark(ofItem: id)
                if mark.purgeClass != nil, let area {
                    let own = inventory.areas[area].effectiveClass(mark)
                    cell = base + Int(own.rawValue)
                }
                stays =
                    isDamaged || mark.isPinned == true
                    || inventory.damagedItemMarks.contains(id)
            }
            let lastUse = item.lastUse(countingAccess: countsAccess)
            let isEssential = cell - base == Int(PurgeClass.essential.rawValue)
            if stays, !isEssential {
                cells[cell].pinned.add(item, lastUse: lastUse)
                return
            }
            cells[cell].sum.add(item, lastUse: lastUse)
            if let cutoff, !isEssential, Self.time(item, basis, lastUse) <= cutoff {
                cells[cell].expired.add(item, lastUse: lastUse)
            }
        }
    }

    @inline(__always)
    private static func time(_ item: ItemRecord, _ basis: AgeBasis, _ lastUse: UInt32) -> UInt32 {
        switch basis {
        case .used: lastUse
        case .modified: item.modified
        // Without a birth time nothing expires here: the ledger may know when it was first seen.
        case .created: item.created == 0 ? .max : item.created
        }
    }

    consuming func finish() -> PurgeLadder {
        let count = PurgeClass.allCases.count
        var classes: [PurgeLadder.ClassSummary] = []
        for purgeClass in PurgeClass.allCases {
            var summary = PurgeLadder.ClassSummary(purgeClass: purgeClass)
            for index in stride(from: Int(purgeClass.rawValue), to: cells.count, by: count)
            where cells[index].sum.items + cells[index].pinned.items > 0 {
                summary.sum += cells[index].sum
                summary.expired += cells[index].expired
                summary.pinned += cells[index].pinned
                summary.areas.append(cells[index])
            }
            summary.areas.sort { $1.sum.allocated < $0.sum.allocated }
            classes.append(summary)
        }
        return PurgeLadder(classes: classes)
    }
}
