//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
public import HeadroomInventory
public import HeadroomPlatform

/// Finds what grew in an inventory.
public struct GrowthSurvey: Sendable {
    /// What it is compared with.
    public enum Baseline: Sendable {
        /// What was written, born or changed at this time or later. The inventory was made with
        /// `ScanOptions.keepsChanges`.
        case time(Timestamp)
        /// What is said otherwise in a listing.
        case listing(FormerListing)
    }

    private let baseline: Baseline
    private let top: Int
    private let depth: Int

    /// - Parameters:
    ///   - top: how many directories and items are listed at most.
    ///   - depth: how far below the root the directories lie at most.
    public init(since baseline: Baseline, top: Int, depth: Int) {
        self.baseline = baseline
        self.top = top
        self.depth = depth
    }

    /// What a directory has of its own, and then with all below.
    private struct Frame {
        var hash: PathHash?
        var depth: Int
        var sums = Growth.Sums()
        /// Of what was there before, what still is.
        var kept: Int64 = 0
    }

    /// - Parameter root: an index of the inventory's roots.
    /// - Complexity: O(items).
    public func growth(in inventory: Inventory, root: Int) -> Growth {
        let first = inventory.roots[root].directory
        var frames: [UInt32: Frame] = [:]
        var order: [UInt32] = []
        var largest = LargestItems(limit: top)
        inventory.forEachDirectory(below: first) { number in
            let record = inventory.directories[Int(number)]
            var frame: Frame
            if number == first {
                frame = Frame(hash: PathHash(inventory.roots[root].path), depth: 0)
            } else {
                let outer = frames[record.parent]
                frame = Frame(
                    hash: outer?.hash?.appending(record.name.bytes),
                    depth: (outer?.depth ?? 0) + 1)
            }
            look(at: number, in: inventory, &frame, &largest)
            frames[number] = frame
            order.append(number)
        }
        // Depth first: what lies below comes later.
        for number in order.dropFirst().reversed() {
            guard let frame = frames[number] else { continue }
            let parent = inventory.directories[Int(number)].parent
            frames[parent]?.sums += frame.sums
            frames[parent]?.kept &+= frame.kept
        }
        var growth = Growth(root: inventory.roots[root].path)
        growth.sums = frames[first].map(settled) ?? Growth.Sums()
        growth.items = largest.items.map { item in
            Growth.Item(
                path: inventory.path(ofItem: item.id), kind: item.kind,
                bytes: ByteCount(item.bytes),
                allocated: ByteCount(inventory.item(item.id).allocated))
        }
        growth.directories = places(frames, inventory, without: first)
        return growth
    }

    private func places(
        _ frames: [UInt32: Frame], _ inventory: Inventory, without root: UInt32
    ) -> [Growth.Place] {
        let grown = frames.filter { number, frame in
            number != root && frame.depth <= depth && frame.sums.come > .zero
        }
        let sorted = grown.sorted {
            ($1.value.sums.come, $0.key) < ($0.value.sums.come, $1.key)
        }
        return sorted.prefix(top).map { number, frame in
            Growth.Place(
                path: inventory.path(ofDirectory: number), depth: frame.depth,
                sums: settled(frame))
        }
    }

    /// The sums, with what went.
    private func settled(_ frame: Frame) -> Growth.Sums {
        var sums = frame.sums
        guard case .listing(let listing) = baseline else { return sums }
        let before = frame.hash.flatMap { listing[$0] }?.allocated ?? 0
        sums.gone = ByteCount(max(0, before - frame.kept))
        return sums
    }

    private func look(
        at number: UInt32, in inventory: Inventory, _ frame: inout Frame,
        _ largest: inout LargestItems
    ) {
        let hash = frame.hash
        inventory.forEachItem(of: number) { id in
            let record = inventory.item(id)
            // A further name occupies nothing.
            let allocated = record.flags.contains(.countedElsewhere) ? 0 : record.allocated
            let found: (kind: Growth.Item.Kind, bytes: Int64)?
            switch baseline {
            case .time(let time): found = Self.change(of: record, since: time, allocated)
            case .listing(let listing):
                let name = inventory.name(ofItem: id).owned.bytes
                if let entry = hash.flatMap({ listing[$0.appending(name)] }) {
                    if entry.isCounted {
                        frame.kept &+= min(entry.allocated, record.allocated)
                    }
                    let grown = allocated - entry.allocated
                    found = grown > 0 ? (.grown, grown) : nil
                } else {
                    found = (.new, allocated)
                }
            }
            guard let found else { return }
            frame.sums.add(found.kind, found.bytes)
            largest.add(id, found.kind, found.bytes)
        }
    }

    /// What happened to a file, by its times: whose birth is known was not there before it.
    private static func change(
        of record: ItemRecord, since time: Timestamp, _ allocated: Int64
    ) -> (kind: Growth.Item.Kind, bytes: Int64)? {
        let time = UInt32(clampedSeconds: time)
        // mutation: r41a-1
        if record.created >= time, record.created != 0 { return (.new, allocated) }
        if record.modified >= time { return (.grown, allocated) }
        // Its inode's change stands here.
        return record.accessed >= time ? (.touched, allocated) : nil
    }
}

/// The largest of many items.
private struct LargestItems {
    private(set) var kept: [(id: UInt32, kind: Growth.Item.Kind, bytes: Int64)] = []
    private let limit: Int
    /// What is no larger is not among them.
    private var least: Int64 = 0

    init(limit: Int) { self.limit = limit }

    mutating func add(_ id: UInt32, _ kind: Growth.Item.Kind, _ bytes: Int64) {
        guard bytes > least else { return }
        kept.append((id, kind, bytes))
        // Sorted once for as many as are kept.
        guard kept.count >= 2 * limit else { return }
        kept = items
        least = kept.last?.bytes ?? 0
    }

    /// The largest first; of equal ones, the first that was seen.
    var items: [(id: UInt32, kind: Growth.Item.Kind, bytes: Int64)] {
        Array(kept.sorted { ($1.bytes, $0.id) < ($0.bytes, $1.id) }.prefix(limit))
    }
}
