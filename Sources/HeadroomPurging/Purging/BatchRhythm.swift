//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Says when a batch is long enough for the journal to be told of it and the volume to be asked
/// (safety invariant S9): after so many items, or after a second, whichever comes first.
struct BatchRhythm {
    /// Items after which the journal is told.
    static let length = 1_024
    /// Looking at the clock for each item would cost more than it tells.
    private static let stride = 16

    private var looks = 0
    private var last = ContinuousClock.now

    /// - Parameter count: the items since the last batch.
    @inline(__always)
    mutating func isDue(after count: Int) -> Bool {
        looks &+= 1
        guard count >= Self.length || looks % Self.stride == 0 else { return false }
        return isDueNow(after: count)
    }

    private mutating func isDueNow(after count: Int) -> Bool {
        let now = ContinuousClock.now
        guard count >= Self.length || (count > 0 && now - last >= .seconds(1)) else { return false }
        last = now
        return true
    }
}
