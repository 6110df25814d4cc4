//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform

/// Finds the directories that a plan leaves empty.
enum EmptyDirectories {
    /// The directories of which everything goes, children before their parents.
    ///
    /// Kept are the roots of areas, directories of others, pinned ones, those of directory units,
    /// and those with anything in them that was not examined. Directories that are empty already go by the age rules alone.
    static func find(
        in inventory: Inventory, after chosen: [Candidate], _ list: CandidateList,
        _ request: PlanRequest, _ filter: RequestFilter
    ) -> [Candidate] {
        guard !chosen.isEmpty || request.targets.contains(where: \.namesItems) else { return [] }
        var gone = [UInt32](repeating: 0, count: inventory.directories.count)
        var key = [UInt64](repeating: 0, count: inventory.directories.count)
        var unit = [Bool](repeating: false, count: inventory.directories.count)
        for candidate in chosen {
            switch candidate.kind {
            case .file, .fileSet:
                let parent = Int(inventory.item(candidate.number).parent)
                gone[parent] += UInt32(list.sets[candidate.number]?.count ?? 1)
                key[parent] = max(key[parent], candidate.key)
            case .directory: unit[Int(candidate.number)] = true
            case .emptyDirectory, .cacheValues: break
            }
        }
        let terms = Terms(request)
        let idle = IdleCutoffs(request)
        let keptItems = KeptItems(request.kept, in: inventory)
        var isEmptied = [Bool](repeating: false, count: inventory.directories.count)
        var found: [Candidate] = []
        // Children have larger numbers than their parents.
        for number in inventory.directories.indices.reversed() where !list.isInUnit[number] {
            let record = inventory.directories[number]
            guard record.owner == request.user, isRemovable(record, inventory),
                !filter.keeps(directory: UInt32(number)),
                !isRecent(record, inventory, idle), keptItems.used[UInt32(number)] == nil,
                !request.readOnlyMounts.contains(record.mountID)
            else { continue }
            var items: UInt32 = 0
            var run = record.firstRun
            while run != DirectoryRecord.none {
                items += inventory.runs[Int(run)].count
                run = inventory.runs[Int(run)].next
            }
            guard items == gone[number] else { continue }
            var childKey = key[number]
            var child = record.firstChild
            var childrenGo = true
            var hadContent = items > 0
            while child != DirectoryRecord.none {
                childrenGo = childrenGo && (isEmptied[Int(child)] || unit[Int(child)])
                childKey = max(childKey, key[Int(child)])
                hadContent = true
                child = inventory.directories[Int(child)].nextSibling
            }
            guard childrenGo else { continue }
            let isOldEnough =
                terms.takes(record, inventory) || filter.expires(directory: UInt32(number))
            guard hadContent || filter.contains(directory: UInt32(number)) && isOldEnough else {
                continue
            }
            isEmptied[number] = true
            if childKey == 0 { childKey = terms.key(record, inventory) }
            key[number] = childKey
            found.append(
                Candidate(
                    key: childKey, bytes: max(0, record.allocated), number: UInt32(number),
                    area: record.area, kind: .emptyDirectory, flags: .selected))
        }
        return inDepthOrder(found, inventory)
    }

    /// Deeper ones first, so that children go before their parents; then by the purge order.
    private static func inDepthOrder(_ found: [Candidate], _ inventory: Inventory) -> [Candidate] {
        guard found.count > 1 else { return found }
        var depths = [UInt32](repeating: 0, count: inventory.directories.count)
        for (number, record) in inventory.directories.enumerated()
        where record.parent != DirectoryRecord.none {
            depths[number] = depths[Int(record.parent)] + 1
        }
        return found.sorted { left, right in
            let (leftDepth, rightDepth) = (depths[Int(left.number)], depths[Int(right.number)])
            if leftDepth != rightDepth { return leftDepth > rightDepth }
            if left.key != right.key { return left.key < right.key }
            let (leftIdentity, rightIdentity) = (
                inventory.identity(of: left), inventory.identity(of: right)
            )
            return leftIdentity.inode != rightIdentity.inode
                ? leftIdentity.inode < rightIdentity.inode
                : leftIdentity.device < rightIdentity.device
        }
    }

    /// Programs create directories before they use them: one that has just changed is in use (R43).
    private static func isRecent(
        _ record: DirectoryRecord, _ inventory: Inventory, _ idle: IdleCutoffs
    ) -> Bool {
        guard record.area != DirectoryRecord.noArea else { return false }
        let area = inventory.areas[Int(record.area)]
        guard !area.isTrash, let purgeable = PurgeableClass(area.effectiveClass(record.mark.mark))
        else { return false }
        return max(record.modified, record.created) > idle.since(purgeable.rank)
    }

    private static func isRemovable(_ record: DirectoryRecord, _ inventory: Inventory) -> Bool {
        let kept: DirectoryRecord.Flags = [
            .unreadable, .reserved, .hasMounts, .areaRoot, .damagedMark, .hasUnreadable,
            .immutable,
        ]
        guard record.flags.isDisjoint(with: kept), record.area != DirectoryRecord.noArea,
            record.parent != DirectoryRecord.none
        else { return false }
        // A mark on the directory itself is somebody's word on what will be put there.
        let mark = record.mark.mark
        let parent = inventory.directories[Int(record.parent)]
        if parent.obstacle != nil { return false }
        let outer = parent.mark
        guard mark.isPinned != true, record.mark == outer else { return false }
        return inventory.areas[Int(record.area)].effectiveClass(mark) != .essential
    }

    /// When a directory that is empty already goes.
    private struct Terms {
        private let takesAll: Bool
        private let cutoff: UInt32?
        private let through: PurgeableClass

        init(_ request: PlanRequest) {
            takesAll = request.targets.contains(.all)
            cutoff = request.targets.lazy.compactMap { target -> UInt32? in
                guard case .olderThan(let age, _) = target else { return nil }
                return AgeCutoffs.cutoff(request.now, age)
            }.max()
            through = request.through
        }

        func takes(_ record: DirectoryRecord, _ inventory: Inventory) -> Bool {
            guard let purgeable = purgeableClass(record, inventory), purgeable <= through else {
                return false
            }
            if takesAll { return true }
            guard let cutoff else { return false }
            return max(record.modified, record.created) <= cutoff
        }

        func key(_ record: DirectoryRecord, _ inventory: Inventory) -> UInt64 {
            let rank = purgeableClass(record, inventory)?.rank ?? .lastResort
            let prefix = OrderKey.prefix(
                rank, isExpired: false, isOverLimit: false, importance: Area.defaultImportance)
            return OrderKey.make(
                prefix: prefix, time: max(record.modified, record.created), bytes: 0)
        }

        private func purgeableClass(
            _ record: DirectoryRecord, _ inventory: Inventory
        ) -> PurgeableClass? {
            PurgeableClass(
                inventory.areas[Int(record.area)].effectiveClass(record.mark.mark))
        }
    }
}
