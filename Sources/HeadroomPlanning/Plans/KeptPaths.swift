//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomInventory
package import HeadroomPlatform
package import SystemPackage

/// Paths that processes, mounts, sessions, locks and tmpfiles.d keep, as they were at one moment.
package struct KeptPaths: Sendable {
    package struct Entry: Hashable, Sendable {
        /// As this process sees it, without links.
        package var path: FilePath
        /// The rule that keeps it.
        package var reason: Reason
        package var extent: Extent

        package init(path: FilePath, reason: Reason, extent: Extent) {
            self.path = path
            self.reason = reason
            self.extent = extent
        }
    }

    package enum Extent: Hashable, Sendable {
        /// The purge unit, or the file, that the path is or lies in. Of paths above units, the root of an area keeps nothing,
        /// and a directory in an area that is purged by whole directories keeps these.
        case unit
        /// The path with everything below it, and the unit that it lies in.
        case tree
    }

    package var entries: [Entry]
    /// The processes that it is from.
    package var processes: ProcessPathSurvey?

    package static let none = KeptPaths(entries: [])

    package init(entries: [Entry]) {
        self.entries = entries
    }
}

/// Kept paths, looked up in an inventory.
struct KeptItems {
    /// By directory number: the directory with everything below it.
    private(set) var trees: [UInt32: Reason] = [:]
    /// By directory number: it, or something in it, is used, which keeps it if it is a unit.
    private(set) var used: [UInt32: Reason] = [:]
    private(set) var items: [UInt32: Reason] = [:]

    /// - Complexity: O(paths × depth).
    init(_ kept: KeptPaths, in inventory: Inventory) {
        for entry in kept.entries {
            var current: UInt32
            if let item = inventory.item(at: entry.path) {
                if items[item.number] == nil { items[item.number] = entry.reason }
                current = inventory.item(item.number).parent
            } else if let directory = inventory.directory(at: entry.path) {
                current = directory.number
                let isTree = entry.extent == .tree || Self.isDivided(current, in: inventory)
                if isTree, trees[current] == nil { trees[current] = entry.reason }
            } else {
                continue
            }
            while current != DirectoryRecord.none, used[current] == nil {
                used[current] = entry.reason
                current = inventory.directories[Int(current)].parent
            }
        }
    }

    /// Whether a directory would be in a unit, but for areas below it that divide it into several: a directory of a program
    /// with a known cache in it. What names it keeps all these units, and no other area.
    private static func isDivided(_ number: UInt32, in inventory: Inventory) -> Bool {
        let record = inventory.directories[Int(number)]
        return !record.flags.contains(.areaRoot) && inventory.area(of: record)?.unit == .directory
    }

    var isEmpty: Bool { used.isEmpty }
}
