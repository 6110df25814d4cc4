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

// MARK: - Purges since

extension SeenFigures {
    /// The figures without the items that purges have deleted since the scan.
    ///
    /// A receipt has totals by area and by class, and not by both: the total of an area counts for its
    /// classes in the order of purges. The next scan has the exact figures.
    func subtracting(_ receipts: [Receipt]) -> SeenFigures {
        var figures = self
        for receipt in receipts where receipt.isNewer(than: scanned) {
            figures.summary?.subtract(receipt)
            figures.leaveOutBiggest(receipt)
        }
        return figures
    }

    /// - Complexity: O(removed items).
    private mutating func leaveOutBiggest(_ receipt: Receipt) {
        let around = biggest.map { Array($0.path.andAround) }
        let paths = Set(around.joined())
        let removed = Set(receipt.removed.lazy.map(\.path).filter { paths.contains($0) })
        guard !removed.isEmpty else { return }
        biggest.removeAll { item in item.path.andAround.contains { removed.contains($0) } }
    }
}

extension FilePath {
    /// The path, and the directories around it, the nearest first.
    fileprivate var andAround: some Sequence<FilePath> {
        sequence(first: self) { path in
            path.lastComponent == nil ? nil : path.removingLastComponent()
        }
    }
}

extension Receipt {
    /// Whether it says that something was deleted after a time.
    func isNewer(than time: Timestamp) -> Bool {
        kind == .purge && removedCount + emptiedCount > 0 && (ended ?? started) > time
    }
}

extension PlanSummary {
    fileprivate mutating func subtract(_ receipt: Receipt) {
        var left: [PlannedClass: (bytes: ByteCount, items: Int)] = [:]
        for total in receipt.perClass {
            guard let purgeClass = PlannedClass(name: total.name) else { continue }
            left[purgeClass] = (total.bytes, total.count)
            if let index = classes.firstIndex(where: { $0.purgeClass == purgeClass }) {
                classes[index].sum.subtract(total.bytes, items: total.count)
            }
        }
        let names = areas.map(\.area.root.displayText)
        for total in receipt.perArea {
            var gone = (bytes: total.bytes, items: total.count)
            for purgeClass in PlannedClass.allCases {
                guard let ofClass = left[purgeClass],
                    let index = areas.indices.first(where: {
                        areas[$0].purgeClass == purgeClass && names[$0] == total.name
                    })
                else { continue }
                let bytes = min(gone.bytes, ofClass.bytes, areas[index].sum.bytes)
                let items = min(gone.items, ofClass.items, areas[index].sum.items)
                areas[index].sum.subtract(bytes, items: items)
                left[purgeClass] = (ofClass.bytes - bytes, ofClass.items - items)
                gone = (gone.bytes - bytes, gone.items - items)
            }
        }
        // A machine has thousands of both.
        let numbers = Dictionary(grouping: places.indices) { places[$0].path }
        for total in receipt.perDirectory {
            var gone = (bytes: total.bytes, items: total.count)
            for index in FilePath(total.name).andAround.flatMap({ numbers[$0] ?? [] }) {
                let bytes = min(gone.bytes, places[index].sum.bytes)
                let items = min(gone.items, places[index].sum.items)
                places[index].sum.subtract(bytes, items: items)
                gone = (gone.bytes - bytes, gone.items - items)
            }
        }
        items = max(0, items - receipt.removedCount)
        classes.removeAll { $0.sum.items == 0 }
        areas.removeAll { $0.sum.items == 0 }
        places.removeAll { $0.sum.items == 0 }
    }
}

extension PlanSummary.Sum {
    fileprivate mutating func subtract(_ bytes: ByteCount, items: Int) {
        self.bytes = max(.zero, self.bytes - bytes)
        self.items = max(0, self.items - items)
        // Due items are purged first.
        dueBytes = max(.zero, min(dueBytes - bytes, self.bytes))
        dueItems = max(0, min(dueItems - items, self.items))
    }
}
