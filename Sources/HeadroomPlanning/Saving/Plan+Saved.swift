//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory
import HeadroomPlatform

extension Plan {
    /// A plan that was saved: what it chose, over an inventory of just that.
    init(
        inventory: Inventory, header: SavedPlanHeader, chosen: [Candidate],
        sets: [UInt32: [UInt32]], evidence: [UInt32: (members: Int, sum: UInt64)]
    ) {
        self.inventory = inventory
        var request = PlanRequest(
            targets: header.targets, through: header.through, now: header.created)
        request.minIdle = header.minIdle
        self.request = request
        frees = ByteCount(header.frees)
        missing = ByteCount(header.missing)
        missingInodes = header.missingInodes
        kept = header.kept
        overLimit = header.overLimit
        self.chosen = chosen
        self.sets = sets
        // What each link frees is in the entries already.
        linkedBytes = [:]
        savedEvidence = evidence
        savedObstacles = header.obstacles
        isSaved = true
    }
}
