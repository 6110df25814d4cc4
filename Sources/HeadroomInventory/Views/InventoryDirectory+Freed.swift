//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
public import HeadroomPlatform

extension InventoryDirectory {
    /// The bytes that the volume gains if the directory is deleted with everything below it: files with
    /// hard links elsewhere free nothing.
    ///
    /// - Complexity: O(entries below).
    public var freed: ByteCount {
        var bytes: Int64 = 0
        var linkCounts: [FileIdentity: UInt32] = [:]
        inventory.forEachDirectory(below: number) { directory in
            bytes = bytes.addingClamped(max(0, inventory.directories[Int(directory)].allocated))
            inventory.forEachItem(of: directory) { id in
                let item = inventory.item(id)
                if item.linkCount > 1 {
                    let identity = inventory.identity(ofItem: id)
                    let count = linkCounts[identity, default: 0] + 1
                    linkCounts[identity] = count
                    // A count that saturated is not known.
                    guard count == UInt32(item.linkCount), item.linkCount != .max else { return }
                }
                bytes = bytes.addingClamped(max(0, item.allocated))
            }
        }
        return ByteCount(bytes)
    }
}
