//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
public import HeadroomPlatform
public import SystemPackage

/// What a plan comes to, class by class and place by place: for people, who do not read a million
/// entries.
public struct PlanSummary: Hashable, Sendable {
    /// Sums over some items of a plan.
    public struct Sum: Hashable, Sendable {
        public var bytes = ByteCount.zero
        public var items = 0
        /// Of these, what is expired or in an area over its limit.
        public var dueBytes = ByteCount.zero
        public var dueItems = 0
        fileprivate var oldest = UInt32.max
        fileprivate var newest: UInt32 = 0

        /// The last use of the item that was longest not used; nil where there is none.
        public var oldestUse: Timestamp? {
            items == 0 ? nil : Timestamp(seconds: Int64(oldest))
        }

        /// The last use of the item that was used last; nil where there is none.
        public var newestUse: Timestamp? {
            items == 0 ? nil : Timestamp(seconds: Int64(newest))
        }

        mutating func add(_ bytes: Int64, time: UInt32, isDue: Bool) {
            self.bytes += ByteCount(bytes)
            items += 1
            oldest = min(oldest, time)
            newest = max(newest, time)
            guard isDue else { return }
            dueBytes += ByteCount(bytes)
            dueItems += 1
        }
    }

    /// What goes of one class in one area.
    public struct AreaPart: Hashable, Sendable {
        public var area: Area
        public var purgeClass: PlannedClass
        public var sum: Sum
    }

    /// What goes of one class below one directory.
    public struct Place: Hashable, Sendable {
        public var path: FilePath
        public var purgeClass: PlannedClass
        public var area: Area
        public var sum: Sum
    }

    /// What goes of one class.
    public struct ClassPart: Hashable, Sendable {
        public var purgeClass: PlannedClass
        public var sum: Sum
    }

    /// One for each class of which something goes, in order.
    public var classes: [ClassPart]
    /// The largest first.
    public var areas: [AreaPart]
    /// The largest first.
    public var places: [Place]
    /// Items, directories that are left empty not included.
    public var items: Int
    public var emptyDirectories: Int
}

extension Plan {
    /// Sums the plan up.
    ///
    /// - Parameter depth: how many levels below an area's root make a place of their own.
    /// - Complexity: O(entries + directories of the inventory); no path is made but those of places.
    public func summary(depth: Int = 1) -> PlanSummary {
        var tally = PlanTally(inventory, depth: depth)
        var items = 0
        for candidate in chosen where candidate.kind != .emptyDirectory {
            items += 1
            tally.add(candidate, bytes: bytes(of: candidate).bytes)
        }
        return tally.finish(items: items, emptyDirectories: chosen.count - items)
    }
}

/// Adds candidates up by class, area and place.
private struct PlanTally {
    private struct Key: Hashable {
        var purgeClass: PlannedClass
        var area: UInt16
        var directory: UInt32
    }

    private let inventory: Inventory
    private let depth: Int
    /// By directory, the directory that stands for its place; `none` where that is not known yet.
    private var places: [UInt32]
    private var sums: [Key: PlanSummary.Sum] = [:]
    /// What was added last, kept out of the dictionary: what stands side by side goes together.
    private var last: (key: Key, sum: PlanSummary.Sum)?

    init(_ inventory: Inventory, depth: Int) {
        self.inventory = inventory
        self.depth = depth
        places = Array(repeating: DirectoryRecord.none, count: inventory.directories.count)
    }

    mutating func add(_ candidate: Candidate, bytes: Int64) {
        let directory =
            candidate.isItem ? inventory.item(candidate.number).parent : candidate.number
        let key = Key(
            purgeClass: candidate.plannedClass, area: candidate.area,
            directory: place(of: directory))
        let time = OrderKey.time(of: candidate.key)
        let isDue = !candidate.flags.isDisjoint(with: [.expired, .overLimit])
        if last?.key != key {
            flush()
            last = (key, sums[key] ?? PlanSummary.Sum())
        }
        last?.sum.add(bytes, time: time, isDue: isDue)
    }

    private mutating func flush() {
        if let last { sums[last.key] = last.sum }
    }

    private mutating func place(of directory: UInt32) -> UInt32 {
        let known = places[Int(directory)]
        if known != DirectoryRecord.none { return known }
        var chain: [UInt32] = []
        var current = directory
        while true {
            chain.append(current)
            let record = inventory.directories[Int(current)]
            if record.parent == DirectoryRecord.none || record.flags.contains(.areaRoot) { break }
            current = record.parent
        }
        // From the area's root downwards.
        let place = chain[max(0, chain.count - 1 - depth)]
        places[Int(directory)] = place
        return place
    }

    mutating func finish(items: Int, emptyDirectories: Int) -> PlanSummary {
        flush()
        var classes: [PlannedClass: PlanSummary.Sum] = [:]
        var areas: [Key: PlanSummary.Sum] = [:]
        var shown: [PlanSummary.Place] = []
        for (key, sum) in sums {
            classes[key.purgeClass, default: .init()] += sum
            let whole = Key(purgeClass: key.purgeClass, area: key.area, directory: 0)
            areas[whole, default: .init()] += sum
            shown.append(
                .init(
                    path: inventory.path(ofDirectory: key.directory), purgeClass: key.purgeClass,
                    area: inventory.areas[Int(key.area)], sum: sum))
        }
        let parts = areas.map { key, sum in
            PlanSummary.AreaPart(
                area: inventory.areas[Int(key.area)], purgeClass: key.purgeClass, sum: sum)
        }
        return PlanSummary(
            classes: classes.sorted { $0.key < $1.key }.map {
                .init(purgeClass: $0.key, sum: $0.value)
            },
            areas: parts.sorted { ($1.sum.bytes, $0.area.origin) < ($0.sum.bytes, $1.area.origin) },
            places: Self.sorted(shown),
            items: items, emptyDirectories: emptyDirectories)
    }

    /// The largest first, and of several with one size by path.
    private static func sorted(_ places: [PlanSummary.Place]) -> [PlanSummary.Place] {
        // Without explicit types, this takes the type checker 20 s.
        typealias Row = (bytes: ByteCount, text: String, place: PlanSummary.Place)
        var rows: [Row] = places.map { (place: PlanSummary.Place) -> Row in
            (bytes: place.sum.bytes, text: place.path.displayText, place: place)
        }
        rows.sort { (a: Row, b: Row) -> Bool in
            a.bytes == b.bytes ? a.text < b.text : a.bytes > b.bytes
        }
        return rows.map(\.place)
    }
}

extension PlanSummary.Sum {
    static func += (left: inout Self, right: Self) {
        left.bytes += right.bytes
        left.items += right.items
        left.dueBytes += right.dueBytes
        left.dueItems += right.dueItems
        left.oldest = min(left.oldest, right.oldest)
        left.newest = max(left.newest, right.newest)
    }
}
