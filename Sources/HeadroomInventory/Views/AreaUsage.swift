//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// What each area of an inventory occupies.
package struct AreaUsage {
    /// Allocated bytes by area number, nested areas not included: what `du` of the area alone says,
    /// each file with several links once per area, whichever of them was met first.
    package private(set) var allocated: [Int64]

    package init(_ inventory: Inventory) {
        allocated = Array(repeating: 0, count: inventory.areas.count)
        for record in inventory.directories where record.area != DirectoryRecord.noArea {
            // A directory's own blocks and its files'; what lies below counts for itself.
            var own = record.totals.allocated
            var child = record.firstChild
            while child != DirectoryRecord.none {
                own &-= inventory.directories[Int(child)].totals.allocated
                child = inventory.directories[Int(child)].nextSibling
            }
            add(own, to: record.area)
        }
        if !allocated.isEmpty { countLinksPerArea(inventory) }
    }

    private struct Link: Hashable {
        var identity: FileIdentity
        var area: UInt16
    }

    private mutating func countLinksPerArea(_ inventory: Inventory) {
        var seen: Set<Link> = []
        for id in inventory.linkedItems {
            let item = inventory.item(id)
            let area = inventory.directories[Int(item.parent)].area
            guard area != DirectoryRecord.noArea else { continue }
            let link = Link(identity: inventory.identity(ofItem: id), area: area)
            let isNew = seen.insert(link).inserted
            let isCounted = !item.flags.contains(.countedElsewhere)
            if isNew, !isCounted { add(item.allocated, to: area) }
            if !isNew, isCounted { add(0 &- item.allocated, to: area) }
        }
    }

    private mutating func add(_ bytes: Int64, to area: UInt16) {
        allocated[Int(area)] = allocated[Int(area)].addingClamped(bytes)
    }
}
