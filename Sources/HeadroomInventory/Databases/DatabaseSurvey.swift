//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Finds out which sets of an inventory are databases, as far as anything depends on it: where a sidecar
/// without a mark of its own would be something else if it were not its database's.
///
/// A purge asks again, right before anything goes (``DatabaseContents``); this is for plans and
/// explanations to say the same.
struct DatabaseSurvey {
    private let options: ScanOptions

    init(_ options: ScanOptions) {
        self.options = options
    }

    /// The inventory with what is known of its databases.
    ///
    /// - Complexity: O(marked files and what lies beside them); a few system calls for each set whose
    ///   main file has a mark that the sidecars have not.
    func complete(_ inventory: Inventory) -> Inventory {
        let sets = Self.setsInQuestion(inventory)
        guard !sets.isEmpty else { return inventory }
        let calls = options.calls ?? NativeCalls.make()
        let locks = LockTable.read()
        let contents = DatabaseContents(calls: calls) { locks.hasLease(on: $0) }
        var found: Set<UInt32> = []
        for root in inventory.roots.indices {
            let inside = sets.filter { inventory.rootIndex(ofDirectory: $0.directory) == root }
            // What cannot be opened any more tells nothing.
            guard !inside.isEmpty,
                let descriptor = try? Descriptor.openDirectory(inventory.roots[root].path)
            else { continue }
            for (directory, sets) in inside {
                guard let opened = open(directory, of: inventory, below: descriptor, calls) else {
                    continue
                }
                for members in sets
                where contents.areDatabase(members, of: inventory, at: opened.rawValue) {
                    found.insert(members[0])
                }
            }
        }
        return found.isEmpty ? inventory : inventory.with(databases: found)
    }

    /// Sets that are something else as databases than as the files that they are.
    private static func setsInQuestion(
        _ inventory: Inventory
    ) -> [(directory: UInt32, sets: [[UInt32]])] {
        let directories = Set(inventory.itemMarks.keys.map { inventory.item($0).parent })
        var found: [(directory: UInt32, sets: [[UInt32]])] = []
        for directory in directories.sorted() {
            guard let area = inventory.area(of: inventory.directories[Int(directory)]),
                !area.isTrash, let sets = ItemSets(inventory, directory: directory)
            else { continue }
            let inQuestion = sets.members.values.filter { members in
                inventory.mark(ofSet: members, in: area, isDatabase: true)
                    != inventory.mark(ofSet: members, in: area, isDatabase: false)
            }
            if !inQuestion.isEmpty { found.append((directory, inQuestion)) }
        }
        return found
    }

    private func open(
        _ directory: UInt32, of inventory: Inventory, below root: borrowing Descriptor,
        _ calls: any FileSystemCalls
    ) -> Descriptor? {
        let path = inventory.components(ofDirectory: directory)
        let identity = inventory.directories[Int(directory)].identity
        do throws(Errno) {
            let opened = Descriptor(
                owning: try calls.openDirectory(
                    beneath: root.rawValue, path: path, crossingMounts: options.crossesMounts))
            // What is in another directory of that name is not what was scanned.
            guard try calls.status(of: opened.rawValue).identity == identity else { return nil }
            return opened
        } catch {
            return nil
        }
    }
}
