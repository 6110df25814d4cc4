//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory
import HeadroomPlatform

/// Sorts candidates by key, and then what shares a key.
enum CandidateSort {
    /// What tells candidates of one key apart: larger first, then by inode, so that the same tree
    /// gives the same plan.
    struct Tie: Comparable {
        var size: Int64
        var inode: UInt64

        @inline(__always)
        static func < (left: Tie, right: Tie) -> Bool {
            left.size != right.size ? left.size > right.size : left.inode < right.inode
        }
    }

    /// - Parameters:
    ///   - tie: asked once for each candidate that shares its key with another.
    ///   - device: asked for those that share their tie as well. Only links of one file are equal
    ///     in it.
    static func sort(
        _ candidates: inout [Candidate], tie: (Candidate) -> Tie, device: (Candidate) -> UInt64
    ) {
        guard candidates.count > 1 else { return }
        KeySort.sort(&candidates) { $0.key }
        var ties: [(tie: Tie, index: UInt32)] = []
        var start = 0
        for index in 1...candidates.count
        where index == candidates.count || candidates[index].key != candidates[start].key {
            if index - start > 1 { sortTied(&candidates, start..<index, tie, device, &ties) }
            start = index
        }
    }

    private static func sortTied(
        _ candidates: inout [Candidate], _ range: Range<Int>, _ tie: (Candidate) -> Tie,
        _ device: (Candidate) -> UInt64, _ ties: inout [(tie: Tie, index: UInt32)]
    ) {
        ties.removeAll(keepingCapacity: true)
        var isSorted = true
        for index in range {
            let next = tie(candidates[index])
            if let last = ties.last, !(last.tie < next) { isSorted = false }
            ties.append((next, UInt32(index)))
        }
        // mutation: r15e-1
        if isSorted { return }
        let run = Array(candidates[range])
        ties.sort { left, right in
            if left.tie != right.tie { return left.tie < right.tie }
            return device(run[Int(left.index) - range.lowerBound])
                < device(run[Int(right.index) - range.lowerBound])
        }
        for (offset, entry) in ties.enumerated() {
            candidates[range.lowerBound + offset] = run[Int(entry.index) - range.lowerBound]
        }
    }

    /// Puts links of one file, which are equal in the purge order, in the order of their paths.
    static func sortLinks(_ candidates: inout [Candidate], _ inventory: Inventory) {
        let links: Candidate.Flags = [.linkGroup, .linkedElsewhere]
        var start = 0
        while start < candidates.count {
            var end = start + 1
            if !candidates[start].flags.isDisjoint(with: links) {
                let identity = inventory.identity(of: candidates[start])
                while end < candidates.count, candidates[end].key == candidates[start].key,
                    !candidates[end].flags.isDisjoint(with: links),
                    inventory.identity(of: candidates[end]) == identity
                {
                    end += 1
                }
                if end - start > 1 { sortByPath(&candidates[start..<end], inventory) }
            }
            start = end
        }
    }

    private static func sortByPath(_ run: inout ArraySlice<Candidate>, _ inventory: Inventory) {
        let sorted = run.map { candidate in
            let item = candidate.number
            let directory = inventory.item(item).parent
            let root = inventory.root(ofDirectory: directory).directory
            let names = inventory.components(ofDirectory: directory).map(\.bytes)
            return (key: (root, names + [inventory.name(ofItem: item).owned.bytes]), candidate)
        }.sorted { left, right in
            if left.key.0 != right.key.0 { return left.key.0 < right.key.0 }
            return left.key.1.lexicographicallyPrecedes(right.key.1) {
                $0.lexicographicallyPrecedes($1)
            }
        }
        for (offset, index) in run.indices.enumerated() { run[index] = sorted[offset].1 }
    }
}
