//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension CacheIndex {
    /// Has the processor bring near what putting an entry asks for: it lies wherever the hash leads to, and its record
    /// is written meanwhile.
    mutating func prepare(for hash: UInt64, at now: StoreTick) {
        table.prefetch(hash)
        former.prefetch(hash)
        unmarked.prefetch(hash)
        // One goes for it.
        guard let entryLimit, count >= entryLimit,
            let victim = hand.approach(in: table, order(at: now), counts: counts)
        else { return }
        table.prefetch(victim)
        former.prefetch(victim)
        unmarked.prefetch(victim)
    }
}
