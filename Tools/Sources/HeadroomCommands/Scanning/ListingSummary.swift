//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform

/// What a scan or an imported listing comes to.
struct ListingSummary {
    /// Sums over files, hard links once.
    struct Totals: Hashable, Sendable {
        var allocated = ByteCount.zero
        var logical = ByteCount.zero
        /// Everything that is not a directory.
        var files = 0
        /// With the root itself.
        var directories = 0

        static func += (left: inout Totals, right: Totals) {
            left.allocated += right.allocated
            left.logical += right.logical
            left.files += right.files
            left.directories += right.directories
        }
    }

    /// A directory down to the depth that was asked for, or a file among the largest.
    struct Node {
        /// The path, as bytes.
        var path: [UInt8]
        /// How far below the root: 1 for its children.
        var depth: Int
        var totals: Totals
    }

    /// What is summed up beside the totals.
    enum Grouping: String, CaseIterable, Sendable {
        case directory
        case file
        case kind
        case age
    }

    struct Options: Sendable {
        var grouping = Grouping.directory
        var top = 20
        var depth = 1
        /// What ages are counted from.
        var now: Timestamp
    }

    var root: [UInt8] = []
    var totals = Totals()
    /// Directories and files that could not be read.
    var unreadable = 0
    /// The largest directories or files; directories in the order of the tree.
    var nodes: [Node] = []
    /// Names and sums, for the groupings by kind and age.
    var groups: [(name: String, totals: Totals)] = []
}
