//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
package import HeadroomPlatform
import SystemPackage

extension Inventory {
    /// What each area in it occupies, in the order of ``areas``; one of which nothing was seen is left
    /// out.
    ///
    /// - Complexity: O(items + directories).
    package func figures(recentWithin spans: [Duration], items count: Int) -> [AreaFigures] {
        let usage = AreaUsage(self).allocated
        let cutoffs = spans.map { UInt32(clampedSeconds: scanned.advanced(by: .zero - $0)) }
        let now = UInt32(clampedSeconds: scanned)
        var items = [Int](repeating: 0, count: areas.count)
        var isSeen = [Bool](repeating: false, count: areas.count)
        var recent = [LargestHeap](
            repeating: LargestHeap(limit: count), count: areas.count * cutoffs.count)
        for number in directories.indices {
            let record = directories[number]
            guard record.flags.isDisjoint(with: [.reserved, .vacant]),
                record.area != DirectoryRecord.noArea
            else { continue }
            let area = Int(record.area)
            isSeen[area] = true
            forEachRecord(of: UInt32(number)) { id, item in
                items[area] += 1
                let written = Self.written(item, now)
                for (index, cutoff) in cutoffs.enumerated() where written >= cutoff {
                    let place = area * cutoffs.count + index
                    guard recent[place].admits(item.allocated) else { continue }
                    recent[place].insert(id, size: item.allocated)
                }
            }
        }
        return areas.indices.filter { isSeen[$0] }.map { area in
            var figures = AreaFigures(
                root: areas[area].root, purgeClass: areas[area].purgeClass,
                allocated: ByteCount(usage[area]), items: items[area])
            var named: Set<UInt32> = []
            for index in cutoffs.indices {
                named.formUnion(recent[area * cutoffs.count + index].descending())
            }
            figures.recent = named.map { id in
                RecentItem(
                    path: path(ofItem: id), allocated: ByteCount(item(id).allocated),
                    written: Timestamp(seconds: Int64(Self.written(item(id), now))))
            }.sorted {
                $0.allocated == $1.allocated
                    ? $0.path.displayText < $1.path.displayText : $0.allocated > $1.allocated
            }
            return figures
        }
    }

    /// The later of birth and modification; a modification of the future is somebody's fancy.
    private static func written(_ item: ItemRecord, _ now: UInt32) -> UInt32 {
        item.modified > now ? item.created : max(item.modified, item.created)
    }

    /// The cache stores in it, by their paths; those of other users are left out.
    package var storeFigures: [CacheStoreFigures] {
        stores.byDirectory.values.filter { !$0.isForeign }.map { store in
            CacheStoreFigures(
                path: path(ofDirectory: store.directory), allocated: ByteCount(store.allocated),
                totals: store.totals)
        }.sorted { $0.path.string < $1.path.string }
    }

    /// How many of its files and directories are under a lease.
    ///
    /// - Complexity: O(directories), and O(items) of those in which something is leased.
    package func leasedItemCount(_ locks: LockTable) -> Int {
        guard !locks.isEmpty else { return 0 }
        var count = 0
        for number in directories.indices {
            let record = directories[number]
            guard record.flags.isDisjoint(with: [.reserved, .vacant]) else { continue }
            if locks.isLeasedWhole(record.identity) { count += 1 }
            // Who leases a file has locked its directory as well.
            guard locks.isShared(record.identity) else { continue }
            forEachItem(of: UInt32(number)) { id in
                if locks.isLeased(identity(ofItem: id), in: record.identity) { count += 1 }
            }
        }
        return count
    }
}
