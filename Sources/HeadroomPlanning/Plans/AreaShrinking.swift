//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// Selects within each area that is over a size until it is within it.
struct AreaShrinking {
    /// By area: what it is over the size that it is to be shrunk to; zero or less if it is not.
    private var over: [Int64]
    /// By area: how much of that may be left for nothing to be done at all.
    private var slack: [Int64]
    private let inventory: Inventory
    /// By area, the one whose size it counts towards: itself, or what a well-known cache lies in.
    private let holder: [UInt16]
    /// Links that go together, as indices of candidates.
    private var groups: [FileIdentity: [Int]] = [:]

    init(_ inventory: Inventory, _ request: PlanRequest, _ usage: AreaUsage) {
        self.inventory = inventory
        holder = Self.holders(inventory.areas)
        var sizes = [Int64](repeating: 0, count: inventory.areas.count)
        for (index, holder) in holder.enumerated() {
            sizes[Int(holder)] = sizes[Int(holder)].addingClamped(usage.allocated[index])
        }
        over = Array(repeating: 0, count: inventory.areas.count)
        slack = over
        for (index, area) in inventory.areas.enumerated() where holder[index] == index {
            let used = ByteCount(sizes[index])
            for target in request.targets {
                switch target {
                case .toLimit(let size): demand(index, (used - size).bytes, slack: 0)
                case .overLimit:
                    guard area.isOverLimit(used), let limit = area.limit,
                        let size = area.trimmedSize
                    else { continue }
                    // What goes for another reason may bring it below its limit already.
                    let slack = (limit - size).bytes - (area.trimPercent == 100 ? 0 : 1)
                    demand(index, (used - size).bytes, slack: max(0, slack))
                default: continue
                }
            }
        }
    }

    private static func holders(_ areas: [Area]) -> [UInt16] {
        areas.indices.map { index in
            guard areas[index].catalogueID != nil else { return UInt16(index) }
            let around = areas.indices.filter { other in
                areas[other].catalogueID == nil && areas[index].root.lies(in: areas[other].root)
            }
            let nearest = around.max {
                areas[$0].root.depth < areas[$1].root.depth
            }
            guard let nearest, areas[nearest].purgeClass == areas[index].purgeClass else {
                return UInt16(index)
            }
            return UInt16(nearest)
        }
    }

    private mutating func demand(_ area: Int, _ bytes: Int64, slack: Int64) {
        guard bytes > over[area] else { return }
        over[area] = bytes
        self.slack[area] = slack
    }

    /// What is to go of what counts towards the size of an area.
    func demand(of area: Int) -> Int64 { over[Int(holder[area])] }

    /// What areas are over their size, by area.
    var excess: [UInt16: Int64] {
        var excess: [UInt16: Int64] = [:]
        for (area, bytes) in over.enumerated() where bytes > 0 { excess[UInt16(area)] = bytes }
        return excess
    }

    /// Selects; afterwards ``excess`` has what cannot be reached.
    mutating func run(
        _ candidates: inout [Candidate], selection: Selection
    ) {
        guard over.contains(where: { $0 > 0 }) else { return }
        var own = [[Candidate]](repeating: [], count: over.count)
        for (index, candidate) in candidates.enumerated() {
            if candidate.flags.contains(.linkGroup) {
                groups[inventory.identity(ofItem: candidate.number), default: []].append(index)
            }
            if candidate.flags.contains(.selected) {
                if !candidate.flags.contains(.linkGroup) { take(candidate) }
            } else if over[Int(holder[Int(candidate.area)])] > 0,
                !candidate.flags.contains(.linkedElsewhere)
            {
                // Sorted by itself; the number says where it came from.
                var copy = candidate
                copy.number = UInt32(index)
                own[Int(holder[Int(candidate.area)])].append(copy)
            }
        }
        for members in groups.values where candidates[members[0]].flags.contains(.selected) {
            take(groupOf: candidates[members[0]], members, &candidates)
        }
        for area in over.indices where over[area] <= slack[area] { over[area] = 0 }
        for area in own.indices where !own[area].isEmpty && over[area] > 0 {
            CandidateSort.sort(&own[area]) {
                selection.tie(candidates[Int($0.number)])
            } device: {
                selection.device(candidates[Int($0.number)])
            }
            for candidate in own[area] {
                guard over[area] > 0 else { break }
                select(Int(candidate.number), &candidates)
            }
        }
    }

    private mutating func select(_ index: Int, _ candidates: inout [Candidate]) {
        let candidate = candidates[index]
        // A file that frees nothing does not shrink its area.
        guard !candidate.flags.contains(.selected) else { return }
        if candidate.flags.contains(.linkGroup) {
            let members = groups[inventory.identity(ofItem: candidate.number)] ?? []
            take(groupOf: candidate, members, &candidates)
        } else if candidate.bytes > 0 {
            candidates[index].flags.insert(.selected)
            take(candidate)
        }
    }

    private mutating func take(_ candidate: Candidate) {
        shrink(candidate.area, by: candidate.bytes)
    }

    /// A file is counted once in each area that it has links in.
    private mutating func take(
        groupOf candidate: Candidate, _ members: [Int], _ candidates: inout [Candidate]
    ) {
        let bytes = max(0, inventory.item(candidate.number).allocated)
        guard bytes > 0 || candidate.flags.contains(.selected) else { return }
        for index in members { candidates[index].flags.insert(.selected) }
        for area in Set(members.map { holder[Int(candidates[$0].area)] }) {
            shrink(area, by: bytes)
        }
    }

    @inline(__always)
    private mutating func shrink(_ area: UInt16, by bytes: Int64) {
        let whole = Int(holder[Int(area)])
        if over[whole] > 0 { over[whole] -= min(over[whole], bytes) }
    }
}
