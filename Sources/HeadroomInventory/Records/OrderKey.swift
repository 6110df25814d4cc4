//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// The order of R15 in 64 bits: rank, expired before unexpired, over limit before others, lower
/// importance, least recently used or oldest, larger first.
public enum OrderKey {
    /// Trash has ranks of its own between the classes.
    public enum Rank: UInt64, Comparable {
        case temporary = 0
        case expiredTrash = 1
        case cache = 2
        case olderTrash = 3
        case lastResort = 4

        public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    // Computed, so that they are constants in other modules as well.
    @inlinable public static var sizeBits: UInt64 { 20 }
    @inlinable public static var timeShift: UInt64 { sizeBits }
    @inlinable public static var importanceShift: UInt64 { timeShift + 32 }
    @inlinable public static var limitShift: UInt64 { importanceShift + 7 }
    @inlinable public static var expiryShift: UInt64 { limitShift + 1 }
    @inlinable public static var rankShift: UInt64 { expiryShift + 1 }

    /// The part that does not change within a directory: everything but time and size.
    @inlinable @inline(__always)
    public static func prefix(
        _ rank: Rank, isExpired: Bool, isOverLimit: Bool, importance: UInt8
    ) -> UInt64 {
        rank.rawValue << rankShift | (isExpired ? 0 : 1) << expiryShift
            | (isOverLimit ? 0 : 1) << limitShift
            | UInt64(min(importance, 100)) << importanceShift
    }

    @inlinable @inline(__always)
    public static func make(prefix: UInt64, time: UInt32, bytes: Int64) -> UInt64 {
        prefix | UInt64(time) << timeShift | (((1 << sizeBits) - 1) - magnitude(bytes))
    }

    @inlinable
    public static func time(of key: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: key >> timeShift)
    }

    @inlinable
    public static func rank(of key: UInt64) -> UInt64 { key >> rankShift }

    /// Trash counts as last resort, whatever a mark in it says: what is done for those (each
    /// file is asked for exactly, none goes that is wanted by a later class) is done for it too.
    public static func purgeableClass(of key: UInt64) -> PurgeableClass {
        switch Rank(rawValue: key >> rankShift) {
        case .temporary: .temporary
        case .cache: .cache
        case .expiredTrash, .olderTrash, .lastResort, nil: .lastResort
        }
    }

    /// The size as a 20-bit floating-point number: 6 bits of exponent, 14 of fraction. Larger
    /// sizes have larger magnitudes; what falls together is told apart by the size itself.
    @inlinable @inline(__always)
    public static func magnitude(_ bytes: Int64) -> UInt64 {
        let value = UInt64(max(0, bytes))
        guard value >= 1 << 14 else { return value }
        let exponent = UInt64(63 - value.leadingZeroBitCount)
        let fraction = value >> (exponent - 14) & 0x3FFF
        return min((exponent - 13) << 14 | fraction, (1 << sizeBits) - 1)
    }
}
