//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore

/// A cache store that a scan has found: its values as the planner has them, least worth first.
///
/// Its files say nothing of what may go: values of several classes and ages lie side by side in one.
package struct InventoryStore: Hashable, Sendable {
    /// The number of its directory.
    package var directory: UInt32
    /// What its files occupied, as the store counts them.
    package var allocated: Int64
    /// What has been done with it since it was made.
    package var totals = CacheTotals()
    /// Of each class the expired ones first, then by the store's own policy.
    package var slices: [StoreSlice]
    /// Nothing may be taken from it, for whatever reason: another user's, who alone may write to it.
    package var isForeign: Bool

    package init(
        directory: UInt32, allocated: Int64, slices: [StoreSlice], isForeign: Bool = false
    ) {
        self.directory = directory
        self.allocated = allocated
        self.slices = slices
        self.isForeign = isForeign
    }

    /// The slices of some classes that make up so many bytes, in the order in which they go.
    package func slices(in bytes: Int64, of classes: ClosedRange<PurgeableClass>) -> [StoreSlice] {
        var left = bytes
        var found: [StoreSlice] = []
        for slice in slices where classes.contains(slice.purgeClass) {
            guard left > 0 else { break }
            found.append(slice)
            left -= slice.bytes
        }
        return found
    }
}

/// Values of a cache store that go one after the other: a few MiB of one class, all expired or none.
package struct StoreSlice: Hashable, Sendable {
    package var purgeClass: PurgeableClass
    package var isExpired: Bool
    package var values: Int
    /// What the volume gains when they go.
    package var bytes: Int64
    /// When half of its bytes had last been used, in seconds since 1970; never before that of the slice
    /// in front of it.
    package var used: UInt32
    /// The latest use, and the latest creation, in it and in all in front of it.
    package var latestUse: UInt32
    package var latestCreation: UInt32

    package init(
        purgeClass: PurgeableClass, isExpired: Bool = false, values: Int, bytes: Int64,
        used: UInt32, latestUse: UInt32, latestCreation: UInt32
    ) {
        self.purgeClass = purgeClass
        self.isExpired = isExpired
        self.values = values
        self.bytes = bytes
        self.used = used
        self.latestUse = latestUse
        self.latestCreation = latestCreation
    }
}

/// The cache stores of an inventory.
package struct InventoryStores: Hashable, Sendable {
    /// By the number of the directory.
    private(set) var byDirectory: [UInt32: InventoryStore] = [:]

    package init(_ stores: [InventoryStore] = []) {
        for store in stores { byDirectory[store.directory] = store }
    }

    package var isEmpty: Bool { byDirectory.isEmpty }

    package subscript(directory: UInt32) -> InventoryStore? { byDirectory[directory] }
}
