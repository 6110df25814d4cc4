//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// What a plan has to be: what goes, in which order, and what that frees.
struct ModelPlan {
    let request: ModelRequest
    /// The world as it was planned for.
    let rules: ModelRules
    /// What goes, in order.
    private(set) var chosen: [ModelItem] = []
    /// Directories of which nothing is left.
    private(set) var emptied: Set<String> = []
    private(set) var frees: Int64 = 0
    private(set) var missing: Int64 = 0
    /// From what is missing when all is counted that goes, to what is when only that is which frees its
    /// inodes by itself.
    private(set) var missingInodes = 0...0
    /// By area, what it stays over the size it is to be shrunk to.
    private(set) var excess: [String: Int64] = [:]

    private var items: [ModelItem] = []
    private var isChosen: [Bool] = []
    /// What was chosen by what it is, and not to reach a sum.
    private var named: Set<Int> = []
    private var missingByCount = 0

    init(_ rules: ModelRules, _ request: ModelRequest) {
        self.rules = rules
        self.request = request
        let (all, inUnits) = rules.candidates()
        items = all.filter { $0.key.purgeClass <= request.through }
            .sorted(by: ModelItem.goesBefore)
        isChosen = items.map { _ in false }
        chooseNamed()
        shrink()
        fill()
        chosen = items.indices.filter { isChosen[$0] }.map { items[$0] }
        findEmptied(inUnits)
        count()
    }

    private mutating func choose(_ index: Int) {
        isChosen[index] = true
        guard let group = items[index].group else { return }
        for other in items.indices where items[other].group == group { isChosen[other] = true }
    }

    // MARK: - Targets that name what goes

    /// The moments up to which something is old enough, by what its age is measured from.
    private var cutoffs: [(AgeBasis, Int64)] {
        request.targets.compactMap { target in
            guard case .olderThan(let age, let basis) = target else { return nil }
            return (basis, rules.now - age.components.seconds)
        }
    }

    private mutating func chooseNamed() {
        let cutoffs = cutoffs
        for index in items.indices {
            let item = items[index]
            let each = item.group == nil ? [item.times] : item.groupTimes
            // A rule holds for a group if it holds for each of its names.
            let isOld = each.allSatisfy { times in
                cutoffs.contains { basis, cutoff in times[basis] <= cutoff }
            }
            let isNamed =
                request.targets.contains(.all)
                || request.targets.contains(.expired) && item.isExpired || isOld
            if isNamed { choose(index) }
        }
        named = Set(items.indices.filter { isChosen[$0] })
    }

    // MARK: - Targets that shrink areas

    /// What each area is over, and how much of that may be left if something goes anyway.
    private func demands() -> [String: (over: Int64, slack: Int64)] {
        var demands: [String: (over: Int64, slack: Int64)] = [:]
        for (path, area) in rules.world.areas {
            let used = rules.usage(of: path)
            for target in request.targets {
                var over: Int64 = 0
                var slack: Int64 = 0
                if case .toLimit(let size) = target {
                    over = used - size.bytes
                } else if target == .overLimit, area.isOverLimit(used), let limit = area.limit,
                    let trimmed = area.trimmed
                {
                    over = used - trimmed
                    // Below its limit it is not to be shrunk any more.
                    slack = max(0, limit - trimmed - (area.trimPercent == 100 ? 0 : 1))
                }
                if over > demands[path]?.over ?? 0 { demands[path] = (over, slack) }
            }
        }
        return demands
    }

    /// In each area that is over the next in order go until it is not. A file with several names counts
    /// once in each area that it has one in.
    private mutating func shrink() {
        let demands = demands()
        for path in demands.keys.sorted(by: Self.isDeclaredBefore) {
            guard let demand = demands[path] else { continue }
            if left(of: demand.over, in: path, demands) == 0 { continue }
            for index in items.indices where items[index].area == path && !isChosen[index] {
                guard left(of: demand.over, in: path, demands) > 0 else { break }
                let freed = items[index].group == nil ? items[index].bytes : items[index].size
                if freed > 0, !items[index].isLinkedElsewhere { choose(index) }
            }
        }
        for (path, demand) in demands {
            let rest = left(of: demand.over, in: path, demands)
            if rest > 0 { excess[path] = rest }
        }
    }

    /// What an area is still over, after what is chosen so far; nothing, if what was named alone leaves
    /// no more than may be left.
    private func left(
        of over: Int64, in path: String, _ demands: [String: (over: Int64, slack: Int64)]
    ) -> Int64 {
        let slack = demands[path]?.slack ?? 0
        if max(0, over - freed(in: path, onlyNamed: true)) <= slack { return 0 }
        return max(0, over - freed(in: path, onlyNamed: false))
    }

    private func freed(in path: String, onlyNamed: Bool) -> Int64 {
        var groups: Set<Int> = []
        var bytes: Int64 = 0
        for index in items.indices where items[index].area == path {
            guard onlyNamed ? named.contains(index) : isChosen[index] else { continue }
            if let group = items[index].group {
                if groups.insert(group).inserted { bytes += items[index].size }
            } else {
                bytes += items[index].bytes
            }
        }
        return bytes
    }

    // MARK: - Targets that count

    /// The next in order go until bytes and inodes are reached; what frees nothing is passed over.
    private mutating func fill() {
        var bytes = request.wantedBytes
        var inodes = request.wantedInodes
        let countsInodes = inodes > 0
        var groups: Set<Int> = []
        func take(_ index: Int) {
            if let group = items[index].group, !groups.insert(group).inserted { return }
            bytes -= items[index].bytes
            if countsInodes { inodes -= items[index].inodes }
        }
        for index in items.indices where isChosen[index] { take(index) }
        for index in items.indices where !isChosen[index] {
            guard bytes > 0 || inodes > 0 else { break }
            guard !items[index].isLinkedElsewhere, items[index].bytes > 0 || countsInodes else {
                continue
            }
            choose(index)
            take(index)
        }
        missingByCount = max(0, inodes)
    }

    // MARK: - What is left empty

    /// Directories in which nothing is left; those that were empty before only by age and with all else.
    private mutating func findEmptied(_ inUnits: Set<String>) {
        let namesItems = request.targets.contains { target in
            switch target {
            case .all, .expired, .olderThan, .overLimit, .toLimit: true
            default: false
            }
        }
        guard namesItems || !chosen.isEmpty else { return }
        let gone = Set(chosen.flatMap(\.members))
        let directories = rules.world.names.keys.filter(rules.world.isDirectory)
        for path in directories.sorted(by: { $0.depth > $1.depth })
        where !inUnits.contains(path) && mayBeEmptied(path) {
            let children = rules.world.children(path)
            guard children.allSatisfy({ gone.contains($0) || emptied.contains($0) }) else {
                continue
            }
            if !children.isEmpty || goesEmpty(path) { emptied.insert(path) }
        }
    }

    private func mayBeEmptied(_ path: String) -> Bool {
        guard let parent = path.parent, rules.world.areas[path] == nil else { return false }
        let mark = rules.mark(path)
        // What a mark says anew of it is somebody's word on what will be put there.
        return mark == rules.mark(parent) && mark.isPinned != true
            && rules.purgeClass(path, mark) != nil
    }

    private func goesEmpty(_ path: String) -> Bool {
        guard let own = rules.purgeClass(path, rules.mark(path)), own <= request.through else {
            return false
        }
        let cutoff = cutoffs.map { $0.1 }.max()
        return request.targets.contains(.all)
            || cutoff.map { rules.times(path).used <= $0 } == true
    }

    // MARK: - What it comes to

    private mutating func count() {
        let gone = chosen.flatMap(\.members) + emptied
        let whole = rules.countWhole(gone)
        frees = whole.bytes
        missing = max(0, request.wantedBytes - frees)
        let least = max(0, request.wantedInodes - whole.inodes)
        missingInodes = least...max(least, missingByCount)
    }

    /// Areas are gone through in the order of their paths.
    static func isDeclaredBefore(_ left: String, _ right: String) -> Bool {
        left.split(separator: "/").lexicographicallyPrecedes(right.split(separator: "/")) {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }
}

extension ModelRequest {
    /// The largest of the sums that are wanted: when it is reached, all are.
    var wantedBytes: Int64 {
        targets.reduce(0) { most, target in
            switch target {
            case .free(let bytes): max(most, bytes.bytes)
            case .available(let bytes): max(most, bytes.bytes - available)
            case .normalLevel: max(most, Self.normalFrom - available)
            default: most
            }
        }
    }

    var wantedInodes: Int {
        targets.reduce(0) { most, target in
            if case .inodes(let count) = target { return max(most, count) }
            return most
        }
    }
}
