//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What all processes have done with a store since it was made, as far as they have told its log.
public struct CacheTotals: Hashable, Sendable {
    public var hits: UInt64 = 0
    public var misses: UInt64 = 0
    public var puts: UInt64 = 0
    public var removals: UInt64 = 0
    public var evictions: UInt64 = 0
    /// Bytes of their records.
    public var evictedBytes: UInt64 = 0
    /// Values that were put again soon after they had been evicted.
    public var regrets: UInt64 = 0
    /// Bytes of their records.
    public var regretBytes: UInt64 = 0

    public init() {}

    /// The share of gets that found something; nil: there were none.
    public var hitRatio: Double? {
        let gets = hits &+ misses
        return gets == 0 ? nil : Double(hits) / Double(gets)
    }
}
