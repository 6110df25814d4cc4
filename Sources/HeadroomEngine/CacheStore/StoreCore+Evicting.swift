//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

extension StoreCore {
    /// Makes sure that so many bytes more are within the limit; under the maintenance lock.
    ///
    /// One segment beyond that stays free, so that records can be moved together.
    ///
    /// - Throws: `ENOSPC` if nothing more may go.
    func makeRoom(_ bytes: Int64) throws(Errno) {
        var hasAsked = false
        while true {
            removeDeadSegments()
            let step = state.withLock {
                $0.index.stepToRoom(
                    for: bytes, occupied: $0.occupied, limit: options.limit.bytes,
                    segment: Int64(segmentCapacity))
            }
            switch step {
            case .fits: return
            case .move(let number): try moveRecords(from: number)
            case .evict(let wanted):
                if evict(wanted) > 0 { continue }
                if try lookIntoNext() { continue }
                // Nothing may go any more; perhaps there are gaps to be closed.
                if let number = state.withLock({ $0.index.mostlyDeadSegment }) {
                    try moveRecords(from: number)
                    continue
                }
                // Perhaps others hold what they do not need any more.
                guard !hasAsked else { throw .noSpace }
                hasAsked = true
                try recoverDead()
                try catchUp()
            }
        }
    }

    /// Evicts entries of so many bytes, or all that may go.
    ///
    /// - Returns: the bytes of their records.
    @discardableResult
    func evict(_ wanted: Int64, through purgeClass: PurgeableClass = .lastResort) -> Int64 {
        var freed: Int64 = 0
        while freed < wanted {
            let now = tick()
            guard let victim = state.withLock({ $0.evict(at: now, through: purgeClass) }) else {
                break
            }
            retire(victim)
            freed += Int64(victim.recordSize)
        }
        return freed
    }

    /// Removes the files of segments with nothing in them.
    func removeDeadSegments() {
        let dead = state.withLock { $0.index.deadSegments }
        for number in dead { removeSegment(number) }
    }

    /// Its bytes count until it is gone; a file that cannot be removed counts for ever.
    func removeSegment(_ number: UInt32) {
        do throws(Errno) {
            try directory.remove(Self.segmentName(number))
        } catch {
            guard error == .noSuchFileOrDirectory else { return }
        }
        state.withLock { $0.forget(segment: number) }
    }
}

extension StoreCore.State {
    /// Takes the entry that goes next out of the index.
    mutating func evict(
        at now: StoreTick, through purgeClass: PurgeableClass = .lastResort
    ) -> StoreEntry? {
        guard let victim = index.evict(at: now, through: purgeClass) else { return nil }
        if !unknown.isEmpty { unknown.gone[victim.hash] = sequence }
        pending.addRemoval(victim)
        statistics.evictions += 1
        statistics.evictedBytes += Int64(victim.length)
        return victim
    }
}
