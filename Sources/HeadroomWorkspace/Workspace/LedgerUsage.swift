//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform

/// Uses and first sightings that the ledger has recorded, by device and inode as the planner asks.
struct LedgerUsage: UsageSource {
    private struct File: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    /// Birth time and last use, both in seconds; several where an inode was used again.
    private var uses: [File: [(created: UInt32, time: UInt32)]] = [:]
    private var sightings: [File: UInt32] = [:]

    /// - Parameter volumes: what the ledger knows of the file systems of the scan, by device.
    /// - Returns: nil if nothing is recorded, so that nothing needs to be asked.
    init?(_ volumes: [UInt64: LedgerVolume]) {
        for (device, volume) in volumes {
            volume.forEachUse { key, time in
                uses[File(device: device, inode: key.inode), default: []].append(
                    (
                        UInt32(clampedSeconds: Timestamp(nanoseconds: key.birth)),
                        UInt32(clampedSeconds: time)
                    ))
            }
            volume.forEachSighting { key, time in
                sightings[File(device: device, inode: key.inode)] = UInt32(clampedSeconds: time)
            }
        }
        if uses.isEmpty, sightings.isEmpty { return nil }
    }

    func lastUse(device: UInt64, inode: UInt64, created: UInt32) -> UInt32? {
        uses[File(device: device, inode: inode)]?.first { $0.created == created }?.time
    }

    var usedInodes: Set<UInt64>? { Set(uses.keys.map(\.inode)) }

    func firstSeen(device: UInt64, inode: UInt64) -> UInt32? {
        sightings[File(device: device, inode: inode)]
    }
}
