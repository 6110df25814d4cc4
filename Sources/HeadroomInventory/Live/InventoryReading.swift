//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// What a look of an `InventoryKeeper` has cost.
public struct InventoryReading: Hashable, Sendable {
    /// Whether everything was read, rather than what had changed.
    public var isScan: Bool
    /// What is there now.
    public var items: Int
    public var directories: Int
    /// Directories that were looked into, and entries that were asked for, because they changed or
    /// cannot be followed; of a scan, none are counted here.
    public var directoriesRead = 0
    public var entriesRead = 0
    public var duration: Duration
    /// So much had changed that the system did not tell all of it.
    public var hasOverflowed = false
    /// What has not been said before: what is not followed, and why.
    public var news: [Reason] = []

    package init(_ inventory: Inventory, isScan: Bool, duration: Duration) {
        self.isScan = isScan
        items = inventory.itemCount
        directories = inventory.directoryCount
        self.duration = duration
    }
}
