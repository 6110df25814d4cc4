//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
package import SystemPackage

/// Scans for tests.
package enum InventoryFixture {
    package static let now = Timestamp(seconds: 2_000_000_000)

    package static func scan(
        _ path: FilePath, areas: [Area] = [],
        configure: (inout ScanOptions) -> Void = { _ in }
    ) throws -> Inventory {
        var options = ScanOptions(now: now)
        configure(&options)
        return try Scanner.scan([ScanRoot(path: path)], areas: areas, options: options)
    }

    package static func root(of inventory: Inventory) -> InventoryDirectory? {
        inventory.rootDirectories.first
    }

    /// Every directory and item below, in no particular order.
    package static func entries(
        _ inventory: Inventory
    ) -> (directories: [InventoryDirectory], items: [InventoryItem]) {
        var directories: [InventoryDirectory] = []
        var items: [InventoryItem] = []
        var pending = inventory.rootDirectories
        while let directory = pending.popLast() {
            directories.append(directory)
            items += directory.items
            pending += directory.children
        }
        return (directories, items)
    }

    /// All that an inventory says, as lines that do not depend on the order of the scan.
    ///
    /// - Parameter withBirth: false: as if the system kept no birth times, as the POSIX route.
    package static func lines(_ inventory: Inventory, withBirth: Bool = true) -> [String] {
        let (directories, items) = entries(inventory)
        return
            (directories.map { directory in
                "\(directory.path.displayText) \(directory.totals) \(directory.identity) "
                    + "\(directory.modified) \(withBirth ? directory.created?.seconds ?? 0 : 0)"
            }
            + items.map { item in
                "\(item.path.displayText) \(item.type) \(item.allocated) \(item.logical) "
                    + "\(item.linkCount) \(item.identity) \(item.isCountedElsewhere) "
                    + "\(item.modified) \(item.accessed) "
                    + "\(withBirth ? item.created?.seconds ?? 0 : 0)"
            }).sorted()
    }
}
