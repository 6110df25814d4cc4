//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// How a cache store behaves.
public struct CacheOptions: Hashable, Sendable {
    /// What it may occupy on the volume, its index aside: allocated bytes, at every moment.
    ///
    /// Values go with the put that needs room, between two watermarks. The *high watermark* is `limit` less one segment,
    /// which is kept free for moving values together (a 64th of `limit`, 64 KiB at least and 4 MiB at most). What would
    /// come above it is not taken before values have gone. The *low watermark*, where that ends, is lower by what is
    /// about to be taken: another segment; or the value's own file, and with it a 64th of `limit` for the next ones
    /// (256 KiB at least; a 16th below 4 MiB). For packed values and limits from 4 to 256 MiB these are 63 and 62
    /// sixty-fourths of `limit`.
    ///
    /// So what goes for one put is never more than what it takes and three segments, however much there is. Only a
    /// `limit` that is lower than it was, and a volume that is low on space, cost more. To the one a thread sees when
    /// the store is opened; what is put meanwhile waits for it.
    public var limit: ByteCount
    /// How many entries it may have; nil: as many as there is room for.
    ///
    /// Both watermarks at once: one goes for each that is put. What is more when the store is opened goes then, on a
    /// thread, or with the first put.
    public var entryLimit: Int?
    /// In which order entries go. What the default gains, and where another one is better:
    /// `Documentation/cache-policies.md`.
    public var policy: CachePolicy
    public var durability: CacheDurability
    /// Values longer than this, or than half of a segment, have a file of their own. A segment has a 64th of
    /// `limit`, 64 KiB at least and 4 MiB at most.
    public var smallValueLimit: Int
    /// What each process may pin at most, as a share of `limit`.
    public var pinnedShare: Double
    /// Gives room back when the volume is low on it (below a tenth, at most 8 GiB), and does not take
    /// what is optional then. Asks the volume every 30 seconds at most, with a put.
    public var heedsPressure = true
    /// Whoever opens it takes away and puts nothing; what the log says of the store's settings holds.
    var isVisitor = false

    public init(
        limit: ByteCount, entryLimit: Int? = nil, policy: CachePolicy = .costAware,
        durability: CacheDurability = .none, smallValueLimit: Int = 64 << 10,
        pinnedShare: Double = 0.5
    ) {
        self.limit = limit
        self.entryLimit = entryLimit
        self.policy = policy
        self.durability = durability
        self.smallValueLimit = smallValueLimit
        self.pinnedShare = pinnedShare
    }
}

/// When what was put into a store is on disk.
public enum CacheDurability: String, Hashable, Sendable, CaseIterable {
    /// When the system gets round to it: a crash of the machine may lose the latest entries; one of the
    /// process does not.
    case none
    /// Together with others, every few hundred puts and when the store is closed.
    case batched
    /// Before the put returns.
    case full
}

/// What is known of a value beside its bytes.
public struct CacheAttributes: Hashable, Sendable {
    public var purgeClass: PurgeableClass
    /// How long it may be used; nil: for ever.
    public var lifetime: Duration?
    /// What it takes to get it again: time, and whatever else is worth as much.
    public var cost: Duration
    /// 0 to 255: how much later than others it goes under a policy that counts costs.
    public var importance: UInt8
    /// A few bytes of the caller's own; with the key at most 2040. Where there are tags, they count too, with a
    /// byte for each and one more.
    public var metadata: [UInt8]
    /// By which values can be removed together: up to 255, of up to 255 bytes each.
    public var tags: [String]
    /// Not put at all when the volume is low on space.
    public var isOptional: Bool

    public init(
        as purgeClass: PurgeableClass = .cache, lifetime: Duration? = nil,
        cost: Duration = .zero, importance: UInt8 = 0, metadata: [UInt8] = [],
        tags: [String] = [], isOptional: Bool = false
    ) {
        self.purgeClass = purgeClass
        self.tags = tags
        self.isOptional = isOptional
        self.lifetime = lifetime
        self.cost = cost
        self.importance = importance
        self.metadata = metadata
    }
}

/// What a store has done since it was opened, and what it holds.
public struct CacheStatistics: Hashable, Sendable {
    /// Gets that found a value, or that there is known to be none.
    public var hits = 0
    public var misses = 0
    public var puts = 0
    public var removals = 0
    public var evictions = 0
    /// Bytes of their records.
    public var evictedBytes: Int64 = 0
    /// Values that were put again soon after they had been evicted, by this process: it would have been
    /// better to keep them. Soon: before about an eighth as many others had gone as there are entries.
    public var regrets = 0
    /// Bytes of their records.
    public var regretBytes: Int64 = 0
    /// Records that were moved to another segment so that one could go.
    public var moved = 0
    /// How often the index file could not be written to; nothing is lost by that.
    public var logFailures = 0
    /// Values that were not as they had been written, and were dropped.
    public var damaged = 0
    /// With keys of which it is known that there is nothing, and with what has expired and is still there.
    public var entries = 0
    /// Bytes of records that are of use.
    public var liveBytes: Int64 = 0
    /// Bytes on the volume.
    public var allocated: Int64 = 0

    public init() {}
}
