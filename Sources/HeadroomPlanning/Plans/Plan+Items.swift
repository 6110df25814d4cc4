//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory

extension Plan {
    /// Calls `body` with the number of each file that the plan purges, also of those in directories.
    ///
    /// Values of cache stores are not files of the inventory and are left out.
    package func forEachChosenItem(_ body: (UInt32) -> Void) {
        for candidate in chosen {
            switch candidate.kind {
            case .file: body(candidate.number)
            case .fileSet: (sets[candidate.number] ?? [candidate.number]).forEach(body)
            case .directory:
                inventory.forEachDirectory(below: candidate.number) { directory in
                    inventory.forEachItem(of: directory, body)
                }
            case .emptyDirectory, .cacheValues: break
            }
        }
    }
}
