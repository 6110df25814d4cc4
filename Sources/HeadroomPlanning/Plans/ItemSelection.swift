//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlatform
package import SystemPackage

/// What a person has chosen: files, and directories with all that is in them.
package struct ItemSelection: Hashable, Sendable {
    /// Absolute, without links, `.` and `..`.
    package var paths: Set<FilePath>
    /// Directories of which what lies directly in them is chosen, but for directories.
    package var looseFiles: Set<FilePath> = []
    /// Directories among them that go whole or not at all, whatever the unit of their area is.
    package var units: Set<FilePath> = []
    /// Directories that were chosen for what is in them: they themselves stay.
    package var emptied: Set<FilePath> = []
    /// Directories that were not chosen stay, though nothing is left in them.
    package var keepsOthers = false

    package init(_ paths: some Sequence<FilePath>) {
        self.paths = Set(paths)
    }
}

/// A selection, looked up in an inventory.
struct SelectedItems {
    /// By directory number: it, or one around it, was chosen.
    private var directories: [Bool]
    private var items: Set<UInt32> = []
    /// By directory number: it stays, though all that is in it goes.
    private var staying: Set<UInt32> = []
    private let keepsOthers: Bool

    /// - Complexity: O(directories + chosen paths + items beside chosen ones).
    init(_ selection: ItemSelection, in inventory: Inventory) {
        directories = Array(repeating: false, count: inventory.directories.count)
        keepsOthers = selection.keepsOthers
        staying = inventory.directoryNumbers(at: selection.emptied)
        var names: [FilePath: Set<FileName>] = [:]
        for path in selection.paths {
            if let last = path.lastComponent,
                let name = FileName(FilePath(root: nil, [last]).bytes)
            {
                names[path.removingLastComponent(), default: []].insert(name)
            }
        }
        // Parents have smaller numbers than their children.
        for number in inventory.directories.indices {
            let record = inventory.directories[number]
            if record.parent == DirectoryRecord.none {
                let root = inventory.path(ofDirectory: UInt32(number))
                directories[number] = root.lies(in: selection.paths)
            } else if directories[Int(record.parent)] {
                directories[number] = true
            }
        }
        for parent in selection.looseFiles {
            guard let directory = inventory.directory(at: parent) else { continue }
            inventory.forEachItem(of: directory.number) { items.insert($0) }
        }
        for (parent, names) in names {
            guard let directory = inventory.directory(at: parent) else { continue }
            choose(names, in: directory.number, inventory)
        }
    }

    private mutating func choose(
        _ names: Set<FileName>, in directory: UInt32, _ inventory: Inventory
    ) {
        inventory.forEachItem(of: directory) { id in
            if names.contains(inventory.name(ofItem: id).owned) { items.insert(id) }
        }
        var child = inventory.directories[Int(directory)].firstChild
        while child != DirectoryRecord.none {
            let record = inventory.directories[Int(child)]
            if names.contains(record.name) {
                inventory.forEachDirectory(below: child) { directories[Int($0)] = true }
            }
            child = record.nextSibling
        }
    }

    func contains(directory: UInt32) -> Bool { directories[Int(directory)] }

    /// Whether a directory stays even if nothing is left in it.
    func keeps(directory: UInt32) -> Bool {
        staying.contains(directory) || keepsOthers && !directories[Int(directory)]
    }

    func contains(_ candidate: Candidate, in inventory: Inventory) -> Bool {
        // What an interrupted purge has left was chosen then.
        if candidate.flags.contains(.selected) { return true }
        guard candidate.isItem else { return directories[Int(candidate.number)] }
        return items.contains(candidate.number)
            || directories[Int(inventory.item(candidate.number).parent)]
    }
}

extension Inventory {
    /// The numbers of directories, of those that a scan has found below its roots.
    ///
    /// - Complexity: O(paths + directories beside them).
    func directoryNumbers(at paths: Set<FilePath>) -> Set<UInt32> {
        var numbers: Set<UInt32> = []
        var names: [FilePath: Set<FileName>] = [:]
        for path in paths {
            if let last = path.lastComponent,
                let name = FileName(FilePath(root: nil, [last]).bytes)
            {
                names[path.removingLastComponent(), default: []].insert(name)
            }
        }
        for (parent, names) in names {
            guard let parent = directory(at: parent) else { continue }
            var child = directories[Int(parent.number)].firstChild
            while child != DirectoryRecord.none {
                let record = directories[Int(child)]
                if names.contains(record.name) { numbers.insert(child) }
                child = record.nextSibling
            }
        }
        return numbers
    }
}
