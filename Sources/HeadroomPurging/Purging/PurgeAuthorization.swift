//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

/// Compares a plan with the areas as they are declared now.
///
/// A plan may be old, or written by somebody else. So which area an item lies in is worked out anew
/// from its place, and never taken from the plan: a nested area that was declared since, or an item
/// said to lie in another area than it does, refuses the whole plan before anything goes.
struct PurgeAuthorization {
    private let inventory: Inventory
    private let declared: [Area]
    /// By directory number: the declared area; ``DirectoryRecord/noArea`` outside of all.
    private var areas: [UInt16]
    /// By directory number: whether a declared area starts there or below.
    private var enclosesArea: [Bool]

    init(_ inventory: Inventory, areas declared: [Area]) {
        self.inventory = inventory
        // Where two declarations meet, the more protective holds.
        self.declared = AreaMap(declared).areas
        areas = Array(repeating: DirectoryRecord.noArea, count: inventory.directories.count)
        enclosesArea = Array(repeating: false, count: inventory.directories.count)
        for (index, root) in inventory.roots.enumerated() {
            let end =
                index + 1 < inventory.roots.count
                ? Int(inventory.roots[index + 1].directory) : inventory.directories.count
            assign(root, Int(root.directory)..<end)
        }
    }

    private mutating func assign(_ root: Inventory.Root, _ directories: Range<Int>) {
        let assignment = AreaAssignment(root: root.path, areas: declared)
        var nodes = [UInt16](repeating: AreaAssignment.noNode, count: directories.count)
        // Parents have smaller numbers than their children.
        for number in directories {
            let record = inventory.directories[number]
            guard record.parent != DirectoryRecord.none else {
                nodes[number - directories.lowerBound] = 0
                areas[number] = assignment.rootArea
                enclosesArea[number] = true
                continue
            }
            let parent = Int(record.parent)
            areas[number] = areas[parent]
            let outer = nodes[parent - directories.lowerBound]
            guard outer != AreaAssignment.noNode else { continue }
            let node = record.name.withEntryName { assignment.step(from: outer, to: $0) }
            nodes[number - directories.lowerBound] = node
            guard node != AreaAssignment.noNode else { continue }
            enclosesArea[number] = true
            if assignment.area(at: node) != DirectoryRecord.noArea {
                areas[number] = assignment.area(at: node)
            }
        }
    }

    /// - Returns: the areas, as they are declared now, that something goes from.
    /// - Throws: `refused` for the first item that lies elsewhere than the plan says.
    func check(_ plan: Plan) throws(HeadroomError) -> [Area] {
        var used = Set<UInt16>()
        // Items of one directory follow on each other often enough.
        var last: (directory: UInt32, area: UInt16)?
        for candidate in plan.chosen {
            let directory =
                candidate.isItem ? inventory.item(candidate.number).parent : candidate.number
            if candidate.isItem, let last, last == (directory, candidate.area) { continue }
            try check(candidate, directory)
            used.insert(areas[Int(directory)])
            if candidate.isItem { last = (directory, candidate.area) }
        }
        return used.sorted().map { declared[Int($0)] }
    }

    private func check(_ candidate: Candidate, _ directory: UInt32) throws(HeadroomError) {
        let planned = inventory.areas[Int(candidate.area)]
        let number = areas[Int(directory)]
        guard number != DirectoryRecord.noArea else {
            throw refusal(directory, "lies in no declared area any more")
        }
        let now = declared[Int(number)]
        // mutation: s1b-1
        guard now.root == planned.root else {
            throw refusal(
                directory,
                "was planned in \(planned.root.displayText) and lies in \(now.root.displayText), "
                    + "which is \(now.purgeClass.name)")
        }
        // mutation: s1e-3/2
        if now.isSealed {
            throw refusal(directory, "lies in \(now.origin), of which nothing goes")
        }
        guard now.purgeClass == planned.purgeClass, now.unit == planned.unit,
            now.isTrash == planned.isTrash
        else {
            throw refusal(
                directory,
                "was planned as \(planned.purgeClass.name) and is \(now.purgeClass.name) now")
        }
        // Of a cache store only values go, and not its directory.
        if !candidate.isItem, candidate.kind != .cacheValues, enclosesArea[Int(directory)] {
            throw refusal(directory, "is, or contains, an area of its own")
        }
    }

    private func refusal(_ directory: UInt32, _ what: String) -> HeadroomError {
        HeadroomError(
            .refused,
            "\(inventory.path(ofDirectory: directory).displayText) \(what). Make a new plan.")
    }
}
