//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import SystemPackage

/// Chooses what of a directory tree is answered: the largest first, whatever level it is on, until there
/// are enough, or the answer is full.
struct TreeWalk {
    private let seen: SeenInventory
    private let inUse: InUseNow?
    private var budget: AnswerBudget
    private var open: [Open] = []
    /// The open directories by the size of their next child, the largest on top.
    private var queue: [(bytes: Int64, number: Int)] = []

    /// Something that may be answered.
    private enum Entry {
        case directory(InventoryDirectory)
        case item(InventoryItem)

        var bytes: Int64 {
            switch self {
            case .directory(let directory): directory.totals.allocated
            case .item(let item): item.isCountedElsewhere ? 0 : item.allocated.bytes
            }
        }
    }

    /// A directory of which children are answered.
    private struct Open {
        var node: APINode
        var depth: Int
        /// The place in its parent's children; nil: the top.
        var parent: (number: Int, child: Int)?
        var entries: [Entry]
        var next: Int
        var children: [APINode] = []
    }

    /// - Parameter inUse: says what is in use; nil: nobody asks.
    init(_ seen: SeenInventory, inUse: InUseNow?, budget: AnswerBudget = AnswerBudget()) {
        self.seen = seen
        self.inUse = inUse
        self.budget = budget
    }

    /// The directory with its largest contents.
    ///
    /// - Parameters:
    ///   - depth: how many levels below it.
    ///   - limit: how many nodes at most.
    ///   - offset: how many of its direct children are left out.
    /// - Complexity: O(entries of each directory that is opened, times their logarithm).
    mutating func node(
        of directory: InventoryDirectory, depth: Int, limit: Int, offset: Int = 0
    ) -> APINode {
        add(directory, node(directory), depth: depth, parent: nil, offset: offset)
        var count = 0
        while count < limit, let place = popLargest() {
            let entry = open[place].entries[open[place].next]
            let child = node(entry)
            guard budget.admits(child.cost) else { break }
            count += 1
            open[place].next += 1
            open[place].children.append(child)
            push(place)
            if case .directory(let directory) = entry, open[place].depth > 1 {
                add(
                    directory, child, depth: open[place].depth - 1,
                    parent: (place, open[place].children.count - 1), offset: 0)
            }
        }
        return assemble()
    }

    // MARK: - Opening

    private mutating func add(
        _ directory: InventoryDirectory, _ node: APINode, depth: Int,
        parent: (number: Int, child: Int)?, offset: Int
    ) {
        var entries: [(entry: Entry, bytes: Int64)] = []
        for child in directory.children where !child.isReserved {
            entries.append((.directory(child), child.totals.allocated))
        }
        for item in directory.items {
            let entry = Entry.item(item)
            entries.append((entry, entry.bytes))
        }
        // Equal sizes stay in the order of the inventory, so that pages fit together.
        let sorted = entries.enumerated().sorted {
            ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset)
        }.map(\.element.entry)
        open.append(
            Open(
                node: node, depth: depth, parent: parent, entries: sorted,
                next: min(offset, sorted.count)))
        push(open.count - 1)
    }

    /// Puts a directory into the queue, by its next child.
    private mutating func push(_ number: Int) {
        guard open[number].next < open[number].entries.count else { return }
        queue.append((open[number].entries[open[number].next].bytes, number))
        var index = queue.count - 1
        while index > 0, queue[(index - 1) / 2].bytes < queue[index].bytes {
            queue.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func popLargest() -> Int? {
        guard let top = queue.first else { return nil }
        let last = queue.removeLast()
        guard !queue.isEmpty else { return top.number }
        queue[0] = last
        var index = 0
        while true {
            var largest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < queue.count && queue[child].bytes > queue[largest].bytes {
                largest = child
            }
            guard largest != index else { return top.number }
            queue.swapAt(index, largest)
            index = largest
        }
    }

    /// Puts the children into their parents, the deepest first.
    private mutating func assemble() -> APINode {
        for number in open.indices.reversed() {
            var node = open[number].node
            let rest = open[number].entries[open[number].next...]
            node.children = open[number].children
            if !rest.isEmpty {
                node.rest = APINode.Rest(
                    count: rest.count,
                    bytes: max(0, rest.reduce(0) { $0 &+ $1.bytes }),
                    cursor: "\(seen.id).\(open[number].next)")
            }
            guard let parent = open[number].parent else { return node }
            open[parent.number].children[parent.child] = node
        }
        // There is always a top, which is the first.
        return open[0].node
    }

    // MARK: - Nodes

    private func node(_ entry: Entry) -> APINode {
        switch entry {
        case .directory(let directory): node(directory)
        case .item(let item): node(item)
        }
    }

    private func node(_ directory: InventoryDirectory) -> APINode {
        let name = directory.name.map { PathText($0) } ?? PathText(bytes: [UInt8(ascii: "/")])
        let totals = directory.totals
        var node = APINode(
            name: name.text, nameBytes: name.encoded, kind: "directory",
            bytes: max(0, totals.allocated), items: totals.files + totals.directories + 1,
            class: directory.area?.isTrash == true
                ? PlannedClass.trash.name : directory.purgeClass.name)
        node.logicalBytes = max(0, totals.logical)
        node.lastUse = totals.newest > 0 ? Timestamp(seconds: Int64(totals.newest)).iso8601 : nil
        node.pinned = directory.isPinned ? true : nil
        node.marked = directory.mark.isEmpty ? nil : true
        node.area = directory.isAreaRoot ? true : nil
        let isEntry =
            directory.area?.unit == .entry && !directory.isAreaRoot
            && directory.parent?.isAreaRoot == true
        node.unit = isEntry ? true : nil
        node.unreadable = totals.unreadable > 0 ? true : nil
        node.otherFileSystem = directory.hasOtherFileSystems ? true : nil
        if let inUse, inUse.reason(for: directory.identity) != nil { node.inUse = true }
        return node
    }

    private func node(_ item: InventoryItem) -> APINode {
        let name = PathText(item.name)
        let kind =
            switch item.type {
            case .regular: "file"
            case .symbolicLink: "link"
            default: "other"
            }
        var node = APINode(
            name: name.text, nameBytes: name.encoded, kind: kind,
            bytes: item.isCountedElsewhere ? 0 : item.allocated.apiSize, items: 1,
            class: item.directory.area?.isTrash == true
                ? PlannedClass.trash.name : item.purgeClass.name)
        node.logicalBytes = item.logical.apiSize
        node.lastUse = item.lastUse.iso8601
        node.pinned = item.isPinned ? true : nil
        node.marked = item.mark.isEmpty ? nil : true
        node.links = item.linkCount > 1 ? item.linkCount : nil
        if let inUse, item.type == .regular, inUse.reason(for: item.identity) != nil {
            node.inUse = true
        }
        return node
    }
}

extension TreeWalk {
    /// The directories around one, from the top down.
    static func crumbs(above directory: InventoryDirectory) -> [APITree.Crumb] {
        var crumbs: [APITree.Crumb] = []
        var current = directory.parent
        // A tree 3,000 levels deep is named by its upper part and its end.
        var budget = AnswerBudget(60_000)
        while let next = current {
            let path = PathText(next.path)
            guard budget.admits(60 + AnswerBudget.cost(path)) else { break }
            crumbs.append(
                .init(
                    path: path.text, pathBytes: path.encoded,
                    name: next.name.map { PathText($0).text } ?? "/"))
            current = next.parent
        }
        return crumbs.reversed()
    }
}
