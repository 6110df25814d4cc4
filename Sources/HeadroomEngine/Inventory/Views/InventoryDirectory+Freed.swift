//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

extension InventoryDirectory {
    /// What the volume gains if the directory is deleted with everything below it: files with hard links
    /// elsewhere count nothing.
    ///
    /// - Complexity: O(entries below).
    public var freed: ByteCount {
        var elsewhere: [FileIdentity: (seen: UInt32, allocated: Int64)] = [:]
        inventory.forEachDirectory(below: number) { directory in
            inventory.forEachItem(of: directory) { id in
                let item = inventory.item(id)
                guard item.linkCount > 1 else { return }
                let identity = inventory.identity(ofItem: id)
                let seen = (elsewhere[identity]?.seen ?? 0) + 1
                // A count that saturated is not known.
                let isWhole = seen == UInt32(item.linkCount) && item.linkCount != .max
                elsewhere[identity] = (seen, isWhole ? 0 : max(0, item.allocated))
            }
        }
        let linked = elsewhere.values.reduce(Int64(0)) { $0.addingClamped($1.allocated) }
        return ByteCount(max(0, totals.allocated - linked))
    }
}
