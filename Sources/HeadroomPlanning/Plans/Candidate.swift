//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomInventory

/// Something that may go, in 24 bytes: a million of them are sorted, not objects.
package struct Candidate {
    /// The place in the purge order, smallest first; see ``Key``.
    package var key: UInt64
    /// What the volume gains if it goes, as far as that is known before the plan is complete.
    package var bytes: Int64
    /// Number of an item, of a set's main file, or of a directory.
    package var number: UInt32
    package var area: UInt16
    package var kind: Kind
    package var flags: Flags

    package enum Kind: UInt8 {
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

    package struct Flags: OptionSet {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let expired = Flags(rawValue: 1)
        static let overLimit = Flags(rawValue: 2)
        /// Satisfies an age target.
        package static let oldEnough = Flags(rawValue: 4)
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

    package var purgeableClass: PurgeableClass { OrderKey.purgeableClass(of: key) }

    package var plannedClass: PlannedClass { OrderKey.plannedClass(of: key) }

}
