//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform

/// What a scan or an imported listing comes to.
package struct ListingSummary {
    /// Sums over files, hard links once.
    package struct Totals: Hashable, Sendable {
        package var allocated = ByteCount.zero
        package var logical = ByteCount.zero
        /// Everything that is not a directory.
        package var files = 0
        /// With the root itself.
        package var directories = 0

        package static func += (left: inout Totals, right: Totals) {
            left.allocated += right.allocated
            left.logical += right.logical
            left.files += right.files
            left.directories += right.directories
        }
    }

    /// A directory down to the depth that was asked for, or a file among the largest.
    package struct Node {
        /// The path, as bytes.
        package var path: [UInt8]
        /// How far below the root: 1 for its children.
        package var depth: Int
        package var totals: Totals
        /// How a file is protected; nil: it is not, or nobody looked.
        package var protection: Protection?
    }

    /// What is summed up beside the totals.
    package enum Grouping: String, CaseIterable, Sendable {
        case directory
        case file
        case kind
        case age
    }

    package struct Options: Sendable {
        package var grouping: Grouping
        package var top: Int
        package var depth: Int
        /// What ages are counted from.
        package var now: Timestamp

        package init(
            grouping: Grouping = .directory, top: Int = 20, depth: Int = 1, now: Timestamp
        ) {
            self.grouping = grouping
            self.top = top
            self.depth = depth
            self.now = now
        }
    }

    package var root: [UInt8] = []
    package var totals = Totals()
    /// Directories and files that could not be read.
    package var unreadable = 0
    /// The largest directories or files; directories in the order of the tree.
    package var nodes: [Node] = []
    /// Names and sums, for the groupings by kind and age.
    package var groups: [(name: String, totals: Totals)] = []
}
