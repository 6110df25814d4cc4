//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomInventory
import HeadroomPlatform

extension Scope {
    /// Where a file system keeps no birth times, records what is new as seen now, in the areas in which
    /// something goes by its creation (R19). Blocks.
    ///
    /// - Complexity: O(items) if there is such an area.
    package func rememberNew(in inventory: Inventory) {
        let byCreation = inventory.areas.map {
            $0.ageBasis == .created || $0.order == .oldestCreated
        }
        guard byCreation.contains(true) else { return }
        /// Inodes without a birth time, by device.
        var unknown: [UInt64: [UInt64]] = [:]
        inventory.forEachShownItem { id, item, _, directory in
            guard item.created == 0, directory.area != DirectoryRecord.noArea,
                byCreation[Int(directory.area)]
            else { return }
            let identity = inventory.identity(ofItem: id)
            unknown[identity.device, default: []].append(identity.inode)
        }
        // A directory has an age where it goes whole.
        for directory in inventory.directories
        where directory.created == 0 && directory.area != DirectoryRecord.noArea {
            let area = Int(directory.area)
            guard byCreation[area], inventory.areas[area].unit == .entry else { continue }
            unknown[directory.identity.device, default: []].append(directory.identity.inode)
        }
        guard !unknown.isEmpty else { return }
        let now = workspace.clock()
        for (device, volume) in recordedVolumes() {
            let new = (unknown[device] ?? [])
                .map { FileKey(fileSystemID: volume.fileSystemID, inode: $0, birth: 0) }
                .filter { volume.firstSeen(for: $0) == nil }
            // Unrecorded they are as young at the next look, and stay longer.
            try? workspace.ledger.recordFirstSeen(new.map { ($0, now) })
        }
    }
}
