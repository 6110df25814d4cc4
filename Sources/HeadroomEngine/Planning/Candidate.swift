//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Something that may go, in 24 bytes: a million of them are sorted, not objects.
struct Candidate {
    /// The place in the purge order, smallest first; see ``Key``.
    var key: UInt64
    /// What the volume gains if it goes, as far as that is known before the plan is complete.
    var bytes: Int64
    /// Number of an item, of a set's main file, or of a directory.
    var number: UInt32
    var area: UInt16
    var kind: Kind
    var flags: Flags

    enum Kind: UInt8 {
        case file
        /// A database and its sidecars.
        case fileSet
        /// A directory with everything below it.
        case directory
        /// A directory that the plan leaves empty.
        case emptyDirectory
        /// Values of a cache store, with the number of its directory; least worth first.
        case cacheValues
    }

    struct Flags: OptionSet {
        let rawValue: UInt8

        static let expired = Flags(rawValue: 1)
        static let overLimit = Flags(rawValue: 2)
        /// Satisfies an age target.
        static let oldEnough = Flags(rawValue: 4)
        /// A file with several links, all of which are candidates: they go together.
        static let linkGroup = Flags(rawValue: 8)
        /// A file with links that are not candidates: removing it alone frees nothing.
        static let linkedElsewhere = Flags(rawValue: 16)
        /// On another volume than bytes are wanted on.
        static let otherVolume = Flags(rawValue: 32)
        /// Chosen by this plan.
        static let selected = Flags(rawValue: 64)
        /// Of a link group, and not the one that stands for its bytes.
        static let follower = Flags(rawValue: 128)
    }

    var purgeableClass: PurgeableClass { Key.purgeableClass(of: key) }

    var plannedClass: PlannedClass { Key.plannedClass(of: key) }

    /// The order of R15 in 64 bits: rank, expired before unexpired, over limit before others, lower
    /// importance, least recently used or oldest, larger first.
    enum Key {
        /// Trash has ranks of its own between the classes.
        enum Rank: UInt64, Comparable {
            case temporary = 0
            case expiredTrash = 1
            case cache = 2
            case olderTrash = 3
            case lastResort = 4

            static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
        }

        private static let sizeBits: UInt64 = 20
        static let timeShift = sizeBits
        static let importanceShift = timeShift + 32
        private static let limitShift = importanceShift + 7
        private static let expiryShift = limitShift + 1
        private static let rankShift = expiryShift + 1

        /// The part that does not change within a directory: everything but time and size.
        @inline(__always)
        static func prefix(
            _ rank: Rank, isExpired: Bool, isOverLimit: Bool, importance: UInt8
        ) -> UInt64 {
            rank.rawValue << rankShift | (isExpired ? 0 : 1) << expiryShift
                | (isOverLimit ? 0 : 1) << limitShift
                | UInt64(min(importance, 100)) << importanceShift
        }

        @inline(__always)
        static func make(prefix: UInt64, time: UInt32, bytes: Int64) -> UInt64 {
            prefix | UInt64(time) << timeShift | (((1 << sizeBits) - 1) - magnitude(bytes))
        }

        static func time(of key: UInt64) -> UInt32 {
            UInt32(truncatingIfNeeded: key >> timeShift)
        }

        static func rank(of key: UInt64) -> UInt64 { key >> rankShift }

        /// Trash counts as last resort, whatever a mark in it says: what is done for those (each
        /// file is asked for exactly, none goes that is wanted by a later class) is done for it too.
        static func purgeableClass(of key: UInt64) -> PurgeableClass {
            switch Rank(rawValue: key >> rankShift) {
            case .temporary: .temporary
            case .cache: .cache
            case .expiredTrash, .olderTrash, .lastResort, nil: .lastResort
            }
        }

        static func plannedClass(of key: UInt64) -> PlannedClass {
            switch Rank(rawValue: key >> rankShift) {
            case .temporary: .temporary
            case .cache: .cache
            case .expiredTrash, .olderTrash: .trash
            case .lastResort, nil: .lastResort
            }
        }

        /// The size as a 20-bit floating-point number: 6 bits of exponent, 14 of fraction. Larger
        /// sizes have larger magnitudes; what falls together is told apart by the size itself.
        @inline(__always)
        private static func magnitude(_ bytes: Int64) -> UInt64 {
            let value = UInt64(max(0, bytes))
            guard value >= 1 << 14 else { return value }
            let exponent = UInt64(63 - value.leadingZeroBitCount)
            let fraction = value >> (exponent - 14) & 0x3FFF
            return min((exponent - 13) << 14 | fraction, (1 << sizeBits) - 1)
        }
    }
}
