//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory
import HeadroomPlatform

/// What the volumes of a purge have gained since it began, by their own account (safety invariant
/// S9): asked after each batch, and at the end.
struct VolumeGain: Sendable {
    private struct Volume: Sendable {
        /// Of a root on it; the run keeps it open.
        let descriptor: Int32
        /// What was free at the start; nil: it did not say.
        let before: Int64?
    }

    /// Each once, however many roots lie on it.
    private let volumes: [Volume]

    init(_ roots: [PurgeRoot], in inventory: Inventory) {
        var devices: Set<UInt64> = []
        volumes = roots.compactMap { root in
            let device = inventory.directories[Int(root.directory)].identity.device
            guard devices.insert(device).inserted else { return nil }
            // Unknown is unknown: the receipt then has no gain.
            return Volume(
                descriptor: root.descriptor, before: (try? FreeSpace(of: root.descriptor))?.bytes)
        }
    }

    /// The gain to date; nil if a volume does not say.
    ///
    /// - Complexity: one fstatvfs(3) for each volume, about a microsecond.
    func now() -> Int64? { sum { _ in } }

    /// The gain when all is done: where less is free than expected, file systems that free blocks
    /// later are made to do it first.
    func settled(expecting expected: Int64) -> Int64? {
        guard let gained = now() else { return nil }
        guard gained < expected else { return gained }
        return sum { FreeSpace.settle($0) } ?? gained
    }

    private func sum(_ prepare: (Int32) -> Void) -> Int64? {
        var sum: Int64 = 0
        for volume in volumes {
            prepare(volume.descriptor)
            // Unknown is unknown.
            guard let before = volume.before, let after = try? FreeSpace(of: volume.descriptor)
            else { return nil }
            // mutation: s9a-1
            sum += after.bytes - before
        }
        return sum
    }
}
