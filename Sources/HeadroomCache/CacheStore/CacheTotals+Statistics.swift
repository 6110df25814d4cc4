//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore

extension CacheTotals {
    init(_ statistics: CacheStatistics) {
        self.init()
        hits = UInt64(clamping: statistics.hits)
        misses = UInt64(clamping: statistics.misses)
        puts = UInt64(clamping: statistics.puts)
        removals = UInt64(clamping: statistics.removals)
        evictions = UInt64(clamping: statistics.evictions)
        evictedBytes = UInt64(clamping: statistics.evictedBytes)
        regrets = UInt64(clamping: statistics.regrets)
        regretBytes = UInt64(clamping: statistics.regretBytes)
    }

    private static var fields: [WritableKeyPath<CacheTotals, UInt64>] {
        [
            \.hits, \.misses, \.puts, \.removals, \.evictions, \.evictedBytes, \.regrets,
            \.regretBytes,
        ]
    }

    init?(_ reader: inout ByteReader) {
        self.init()
        for field in Self.fields {
            guard let value = try? reader.integer(UInt64.self) else { return nil }
            self[keyPath: field] = value
        }
    }

    func write(to writer: inout ByteWriter) {
        for field in Self.fields { writer.integer(self[keyPath: field]) }
    }

    /// Gets, puts and removals.
    var operations: UInt64 { hits &+ misses &+ puts &+ removals }

    static func += (left: inout Self, right: Self) {
        for field in fields {
            left[keyPath: field] = left[keyPath: field].addingClamped(right[keyPath: field])
        }
    }

    /// What has come since; a count that was taken back counts as none.
    static func - (left: Self, right: Self) -> Self {
        var difference = Self()
        for field in fields {
            let (now, before) = (left[keyPath: field], right[keyPath: field])
            difference[keyPath: field] = now - min(now, before)
        }
        return difference
    }
}

extension UInt64 {
    fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
