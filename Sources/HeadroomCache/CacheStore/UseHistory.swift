//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How an entry has been used, in four bytes: when last, and how often before.
///
/// Time is counted in uses of the store, not in seconds: a night does not make anything older.
struct UseHistory: BitwiseCopyable, Hashable, Sendable {
    /// 24 bits of the moment of the last use, 8 of how often it was used before that.
    var rawValue: UInt32

    static let none = UseHistory(rawValue: 0)
    static let momentMask: UInt32 = 0xFF_FFFF

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(moment: UInt32, frequency: UInt8) {
        rawValue = moment << 8 | UInt32(frequency)
    }

    /// As ``ReuseModel`` counts it; it begins anew after 16 million.
    var moment: UInt32 { rawValue >> 8 }

    /// One and how often, as a logarithm in sixteenths of an octave; what is long ago counts less.
    var frequency: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}
