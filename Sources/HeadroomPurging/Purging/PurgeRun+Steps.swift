//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory
import HeadroomPlanning

// What a slice of the plan is made of.
extension PurgeRun {
    /// One item of a slice. Sorted by the place of its directory in a walk, and within it by inode:
    /// ext4 deletes up to a tenth faster in that order.
    struct Step: Comparable, Sendable {
        let place: UInt32
        let parent: UInt32
        let isUnit: Bool
        let inode: UInt64
        let index: Int

        static func < (left: Step, right: Step) -> Bool {
            if left.place != right.place { return left.place < right.place }
            if left.isUnit != right.isUnit { return right.isUnit }
            return left.inode < right.inode
        }
    }

    /// The plain files of a directory, and what else goes there.
    func split(_ group: ArraySlice<Step>) -> (ArraySlice<Step>, ArraySlice<Step>) {
        let first = group.firstIndex { !isPlain(plan.chosen[$0.index]) }
        guard let first else { return (group, []) }
        var files = Array(group[..<first])
        var others: [Step] = []
        for step in group[first...] {
            if isPlain(plan.chosen[step.index]) { files.append(step) } else { others.append(step) }
        }
        return (files[...], others[...])
    }

    private func isPlain(_ candidate: Candidate) -> Bool {
        candidate.kind == .file && inventory.item(candidate.number).linkCount <= 1
    }
}
