//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Which entries of a store go first, within their class; whatever has expired goes before.
public enum CachePolicy: String, Hashable, Sendable, CaseIterable {
    /// What has not been used for longest.
    case leastRecentlyUsed = "lru"
    /// What has been there for longest.
    case oldestCreated = "oldest-created"
    /// What is worth least: age and size against what it costs to get again, and importance.
    case costAware = "cost-aware"
    /// In the order of creation, but what was used since it was last passed over stays. Zhang et al.,
    /// “SIEVE is Simpler than LRU”, NSDI 2024.
    case sieve
}

/// In which order entries go: first by class, then what has expired, then by the policy.
struct EvictionOrder {
    let policy: CachePolicy
    let now: StoreTick

    /// A number that is larger for what goes earlier.
    @inline(__always)
    func key(_ entry: StoreEntry) -> UInt64 {
        var score: Float
        switch policy {
        case .leastRecentlyUsed: score = age(entry.lastUse)
        case .oldestCreated, .sieve: score = age(entry.created)
        case .costAware:
            // As Chromium's simple cache weighs age and size; 512 bytes go for the entry itself.
            score =
                age(entry.lastUse) * (Float(entry.length) + 512) / entry.costFactor
                * (256 - Float(entry.importance)) / 256
        }
        let isExpired: UInt64 = entry.expiry <= now ? 1 : 0
        let rank = UInt64(2 - entry.purgeClass.code)
        // The bits of a number that is not negative are in the order of their values.
        return rank << 33 | isExpired << 32 | UInt64(score.bitPattern)
    }

    static func rank(ofKey key: UInt64) -> Int { 2 - Int(key >> 33) }

    /// Never nothing, so that sizes count for what was used just now, too.
    @inline(__always)
    private func age(_ tick: StoreTick) -> Float {
        Float(now.rawValue &- min(tick.rawValue, now.rawValue)) + 1
    }
}
