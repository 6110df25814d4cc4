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
    /// What is worth least: the time until it is asked for again, and its size, against what it costs to get
    /// again, and importance. That time is learnt, from how long ago and how often entries were used.
    case costAware = "cost-aware"
    /// In the order of creation, but what was used since it was last passed over stays. Zhang et al.,
    /// “SIEVE is Simpler than LRU”, NSDI 2024.
    case sieve
}

/// In which order entries go: first by class, then what has expired, then by the policy.
package struct EvictionOrder {
    package let policy: CachePolicy
    package let now: StoreTick
    /// The moment of histories.
    package let moment: UInt32
    /// Of the ``ReuseModel``.
    package let waits: [Float]
    /// Where SIEVE's hand is: what was created from there on goes first.
    var hand: StoreTick

    package init(
        policy: CachePolicy, now: StoreTick, moment: UInt32, waits: [Float],
        hand: StoreTick = StoreTick(0)
    ) {
        self.policy = policy
        self.now = now
        self.moment = moment
        self.waits = waits
        self.hand = hand
    }

    /// A number that is larger for what goes earlier.
    @inline(__always)
    func key(_ entry: StoreEntry) -> UInt64 {
        let score: UInt64
        switch policy {
        case .leastRecentlyUsed:
            // Many uses may fall into one tick.
            score =
                age(entry.lastUse) << 24 | UInt64(ReuseModel.age(entry.history, at: moment))
        case .oldestCreated: score = age(entry.created)
        case .sieve:
            // On to the latest, then from the oldest again.
            let created = UInt64(entry.created.rawValue)
            let isAhead = entry.created >= hand
            score = (isAhead ? 2 << 32 : 1 << 32) - created
        case .costAware:
            let wait = waits[ReuseModel.cell(entry.history, at: moment)]
            let size = Float(entry.isFile ? Int(entry.fileAllocated) : entry.recordSize)
            // The bits of a number that is not negative are in the order of their values.
            score = UInt64((wait * size / entry.worth).bitPattern)
        }
        let isExpired: UInt64 = entry.expiry <= now ? 1 : 0
        return UInt64(2 - entry.purgeClass.code) << 60 | isExpired << 59 | score
    }

    static func rank(ofKey key: UInt64) -> Int { 2 - Int(key >> 60) }

    /// Whether SIEVE's hand comes to what has this key before it begins again.
    static func isAhead(_ key: UInt64) -> Bool { key & (1 << 60 - 1) > 1 << 32 }

    /// Nothing of a class goes later.
    static func lastKey(ofRank rank: Int) -> UInt64 { UInt64(2 - rank) << 60 }

    /// What is further ahead than an hour is of a clock that has been set back since: it is older than all else, and
    /// what was the latest then is still the latest of it. Others are ahead by what their writing takes.
    @inline(__always)
    private func age(_ tick: StoreTick) -> UInt64 {
        let (age, isAhead) = now.rawValue.subtractingReportingOverflow(tick.rawValue)
        return isAhead && 0 &- age <= Self.slack ? 0 : UInt64(age)
    }

    private static var slack: UInt32 { 3600 * UInt32(StoreTick.perSecond) }
}
