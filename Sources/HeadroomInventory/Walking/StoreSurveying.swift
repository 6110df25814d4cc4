//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Adds the values of cache stores to an inventory.
package protocol StoreSurveying {
    /// Returns the inventory with the stores in it.
    func complete(_ inventory: Inventory) -> Inventory
}
