//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// The items of an inventory in the order in which they would go, kept from one plan to the next.
///
/// Only what is plain is in it: single files, of directories about which nothing has to be asked. They
/// stand in groups that share everything of the purge order but time and size, sorted by these. A plan
/// then takes from the front of each group as much as it may choose at the most, and looks at all that
/// is not plain as it always does. Belongs to one inventory; a value, whose parts are shared with those
/// of other rounds.
package struct CandidateIndex {
    /// What the items of a directory share.
    package struct Terms: Hashable {
        package var area: UInt16
        package var mark: PackedMark
        package var root: UInt16
        package var device: UInt64
        package var mountID: UInt64
    }

    /// Items that are in order within a class, an importance and so on.
    package struct Group {
        package let terms: Terms
        /// What goes by the time of birth, rather than the last use.
        let isByBirth: Bool
        /// Sorted; some are no more.
        var base: [UInt32] = []
        /// What came later, sorted by key; each list is at least twice as long as the next.
        var later: [[Entry]] = []
        /// Of what is there.
        package var count = 0
        /// Each file counts once.
        package var bytes: Int64 = 0
        /// Each name counts.
        package var nameBytes: Int64 = 0
    }

    struct Entry {
        var key: UInt64
        var item: UInt32
    }

    /// How a directory is planned.
    package enum Place {
        /// No directory, or all its items are somebody else's to look at.
        static let none: Int32 = -1
        /// By its own rules.
        package static let irregular: Int32 = -2
    }

    package internal(set) var groups: [Group] = []
    var numbers: [Terms: Int32] = [:]
    /// By directory: the number of its group, or a ``Place``.
    package internal(set) var places: [Int32]
    /// By directory: whether it is in a unit, or in a directory that everybody may write in.
    var isInUnit: [Bool]
    var isShared: [Bool]
    /// Items of plain directories that are not plain themselves.
    package internal(set) var odd: Set<UInt32> = []
    /// By chunk, a bit for each item that stands in a group and is no more.
    var gone: [DeadItems] = []
    var goneCount = 0
    /// Items of directories that might be in a group and are not.
    var exiled = 0

    // MARK: - Making

    // MARK: - Following

    /// Whether so much is no more, or came later, that looking costs more than it should.
    var isWorn: Bool {
        let all = groups.reduce(0) { $0 + $1.count }
        let later = groups.reduce(0) { $0 + $1.later.reduce(0) { $0 + $1.count } }
        return goneCount + later + exiled > 4096 + all / 2
    }

    mutating func append(_ entries: [Entry], to group: Int) {
        groups[group].later.append(entries)
        while let last = groups[group].later.last,
            let other = groups[group].later.dropLast().last, other.count < 2 * last.count
        {
            groups[group].later.removeLast(2)
            groups[group].later.append(merge(other, last))
        }
    }

    private func merge(_ left: [Entry], _ right: [Entry]) -> [Entry] {
        var merged: [Entry] = []
        merged.reserveCapacity(left.count + right.count)
        var (first, second) = (0, 0)
        while first < left.count || second < right.count {
            let takesLeft =
                second == right.count
                || first < left.count && left[first].key <= right[second].key
            let entry = takesLeft ? left[first] : right[second]
            if takesLeft { first += 1 } else { second += 1 }
            if !isGone(entry.item) { merged.append(entry) }
        }
        return merged
    }

    @inline(__always)
    func isGone(_ id: UInt32) -> Bool {
        gone[Int(id >> ItemChunk.shift)].contains(Int(id) & (ItemChunk.capacity - 1))
    }
}

extension CandidateIndex.Group {
    mutating func add(_ item: ItemRecord) {
        count += 1
        bytes &+= item.ownBytes
        nameBytes &+= item.allocated
    }

    mutating func remove(_ item: ItemRecord) {
        count -= 1
        bytes &-= item.ownBytes
        nameBytes &-= item.allocated
    }
}

extension ItemRecord {
    /// What it adds to a sum in which each file counts once.
    @inline(__always)
    @inlinable
    public var ownBytes: Int64 { flags.contains(.countedElsewhere) ? 0 : allocated }

    /// Whether a file goes by the rules of its directory alone, whoever asks and whenever; its links
    /// aside.
    var isPlain: Bool {
        (type == .regular || type == .symbolicLink) && created != 0 && allocated >= 0
            && flags.isDisjoint(with: [.marked, .immutable, .looksLikeSidecar, .foreignDevice])
    }

    /// Its place within a group: the lower part of a candidate's key.
    func key(_ isByBirth: Bool, _ countsAccess: Bool) -> UInt64 {
        OrderKey.make(
            prefix: 0, time: isByBirth ? created : lastUse(countingAccess: countsAccess),
            bytes: allocated)
    }
}
