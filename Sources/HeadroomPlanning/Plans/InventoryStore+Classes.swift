//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomInventory

extension InventoryStore {
    /// The classes of values that go as one class: in a directory that is to go last, all of them do.
    package func classes(
        of purgeClass: PurgeableClass, in inventory: Inventory
    ) -> ClosedRange<PurgeableClass> {
        let record = inventory.directories[Int(directory)]
        return inventory.purgeClass(of: record) == .lastResort
            ? .temporary...purgeClass : purgeClass...purgeClass
    }
}
