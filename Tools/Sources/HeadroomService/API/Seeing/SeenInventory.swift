//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What was scanned of the disk.
package enum InventoryView: String, CaseIterable, Sendable {
    /// What may go.
    case areas
    /// The whole home directory.
    case home
}

/// An inventory that answers are made from.
package struct SeenInventory: Sendable {
    /// Another with each scan.
    package let id: String
    let view: InventoryView
    package let scope: Scope
    package let inventory: Inventory
    /// Of the areas.
    let figures: SeenFigures
}

/// What is kept of an inventory when it itself has been let go.
struct SeenFigures: Sendable {
    /// Nil: of a view that no plan is made from.
    var summary: PlanSummary?
    var ladder: PurgeLadder?
    var biggest: [(path: FilePath, bytes: ByteCount, purgeClass: String)] = []
    var pinned = ByteCount.zero
    var scanned: Timestamp
    var items = 0
    var unreadable = 0

    /// - Complexity: O(items), more than once.
    init(_ inventory: Inventory, _ scope: Scope, now: Timestamp) throws(HeadroomError) {
        scanned = inventory.scanned
        unreadable = inventory.failureCount
        for root in inventory.rootDirectories {
            items += root.totals.files + root.totals.directories + 1
        }
        summary = try scope.plan(inventory, targets: [.all], through: .lastResort).summary()
        let ladder = inventory.ladder(now: now)
        self.ladder = ladder
        biggest = inventory.largestItems(5) {
            // Deleting one of several hard links frees nothing.
            $0.purgeClass != .essential && !$0.isPinned && $0.linkCount < 2
        }.map {
            (
                $0.path, $0.allocated,
                $0.directory.area?.isTrash == true
                    ? PlannedClass.trash.name : $0.purgeClass.name
            )
        }
        pinned = ladder.classes.reduce(ByteCount.zero) {
            $0 + ($1.purgeClass == .essential ? .zero : $1.pinned.allocated)
        }
    }

    /// Of a view that no plan is made from.
    init(shown inventory: Inventory) {
        scanned = inventory.scanned
        unreadable = inventory.failureCount
        for root in inventory.rootDirectories {
            items += root.totals.files + root.totals.directories + 1
        }
    }
}
