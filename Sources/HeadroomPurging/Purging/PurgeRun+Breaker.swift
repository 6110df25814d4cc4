//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform

// What the circuit breaker allows at most (S10).
extension PurgeRun {
    /// All that the plan names, as it was when it was scanned.
    func armBreaker() {
        var bytes: Int64 = 0
        var count = 0
        for candidate in plan.chosen {
            switch candidate.kind {
            case .file:
                bytes &+= inventory.item(candidate.number).allocated
                count += 1
            case .fileSet:
                for id in plan.sets[candidate.number] ?? [] {
                    bytes &+= inventory.item(id).allocated
                    count += 1
                }
            case .directory:
                bytes &+= inventory.directories[Int(candidate.number)].totals.allocated
                count += plan.evidence(ofUnit: candidate.number).members
            case .emptyDirectory:
                bytes &+= inventory.directories[Int(candidate.number)].allocated
                count += 1
            case .cacheValues:
                bytes &+= candidate.bytes
                count += 1
            }
        }
        // File systems that allocate late may count a few blocks more than at the scan.
        breaker.arm(count: count, bytes: bytes &+ bytes / 50 &+ (1 << 20))
    }
}
