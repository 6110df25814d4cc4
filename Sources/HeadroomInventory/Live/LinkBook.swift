//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The files with several links of a live inventory: their names, and which of them counts.
struct LinkBook {
    /// All names that are known of a file.
    private(set) var names: [FileIdentity: [UInt32]] = [:]
    /// Files some of whose names lie where nothing is told.
    private(set) var incomplete: Set<FileIdentity> = []
    /// Files of which a name came, went or said something else since the last count.
    private(set) var changed: Set<FileIdentity> = []
    /// What files with several links add to the directory that they count in.
    private(set) var sums: [UInt32: (allocated: Int64, logical: Int64)] = [:]
    private var counted: [FileIdentity: Share] = [:]

    /// Where a file counts, and with how much.
    private struct Share {
        var directory: UInt32
        var allocated: Int64
        var logical: Int64
    }

    /// Files whose names lie in several areas.
    private(set) var spanning: Set<FileIdentity> = []
    /// Files that were counted anew in this round.
    private(set) var counts: Set<FileIdentity> = []

    /// The names of files that lie in several areas.
    var spanningItems: [UInt32] { spanning.flatMap { names[$0] ?? [] } }

    mutating func add(_ id: UInt32, of identity: FileIdentity) {
        names[identity, default: []].append(id)
        changed.insert(identity)
    }

    mutating func remove(_ id: UInt32, of identity: FileIdentity) {
        names[identity]?.removeAll { $0 == id }
        if names[identity]?.isEmpty == true { names[identity] = nil }
        changed.insert(identity)
    }

    /// Says where a file counts; nil: nowhere any more.
    mutating func count(
        _ identity: FileIdentity, _ item: ItemRecord?, isComplete: Bool, spansAreas: Bool
    ) {
        counts.insert(identity)
        if spansAreas { spanning.insert(identity) } else { spanning.remove(identity) }
        if let old = counted.removeValue(forKey: identity) {
            sums[old.directory]?.allocated &-= old.allocated
            sums[old.directory]?.logical &-= old.logical
        }
        if let item {
            let share = Share(
                directory: item.parent, allocated: item.allocated, logical: item.logical)
            counted[identity] = share
            sums[share.directory, default: (0, 0)].allocated &+= share.allocated
            sums[share.directory, default: (0, 0)].logical &+= share.logical
        }
        if item == nil || isComplete {
            incomplete.remove(identity)
        } else {
            incomplete.insert(identity)
        }
    }

    mutating func endRound() { counts.removeAll(keepingCapacity: true) }

    mutating func endCount() { changed.removeAll(keepingCapacity: true) }
}
