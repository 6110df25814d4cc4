//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
import HeadroomPlatform

extension ListingSummary {
    /// Sums up a listing step by step, in memory that grows with its depth and its hard links only.
    package struct Builder {
        private struct Frame {
            /// The length of the path without the directory's name.
            var pathLength: Int
            var device: UInt64
            var totals = Totals()
            /// The sums over all below it, where they are known beforehand.
            var known: Totals?
            /// The largest of its subdirectories, each with its own below it.
            var children: TopList<Branch>?
        }

        private final class Branch {
            let node: Node
            let children: TopList<Branch>?

            init(node: Node, children: TopList<Branch>?) {
                self.node = node
                self.children = children
            }
        }

        private let options: Options
        private var path: [UInt8] = []
        private var frames: [Frame] = []
        private var seenLinks: Set<FileIdentity> = []
        private var files: TopList<Node>
        private var tree: TopList<Branch>?
        private var sums: [Totals]
        private var summary = ListingSummary()

        /// Branches are freed recursively, so this bounds the stack; nobody reads on further down.
        private static let deepest = 1_000

        package init(_ options: Options) {
            self.options = options
            files = TopList(limit: options.grouping == .file ? options.top : 0)
            let groups =
                switch options.grouping {
                case .kind: FileKind.allCases.count
                case .age: AgeBand.all.count
                case .directory, .file: 0
                }
            sums = Array(repeating: Totals(), count: groups)
        }

        /// Takes one step of a listing that was imported.
        package mutating func add(_ event: NcduEvent) {
            switch event {
            case .beginDirectory(let entry): begin(entry)
            case .file(let entry): addFile(entry, lastUse: entry.extended?.modified)
            case .endDirectory: end()
            }
        }

        /// Takes one step of a scan.
        package mutating func add(_ step: InventoryStep) {
            switch step {
            case .beginDirectory(let entry, let totals):
                begin(entry)
                // By directory, the files are not visited: their sums are known already.
                if options.grouping == .directory {
                    frames[frames.count - 1].known = Totals(totals)
                }
            case .file(let entry, let lastUse): addFile(entry, lastUse: lastUse)
            case .endDirectory: end()
            }
        }

        private mutating func begin(_ entry: NcduEntry) {
            let length = path.count
            if frames.isEmpty {
                summary.root = entry.name
                path = entry.name
            } else {
                append(entry.name)
            }
            let keeps =
                options.grouping == .directory && frames.count < min(options.depth, Self.deepest)
            frames.append(
                Frame(
                    pathLength: length, device: entry.device ?? frames.last?.device ?? 0,
                    children: keeps ? TopList(limit: options.top) : nil))
            count(entry, Totals(directories: 1), nil)
        }

        private mutating func addFile(_ entry: NcduEntry, lastUse: Timestamp?) {
            guard let frame = frames.last else { return }
            var one = Totals(files: 1)
            if entry.isHardLink, let inode = entry.inode {
                let identity = FileIdentity(device: entry.device ?? frame.device, inode: inode)
                // A further link is a file like any other, and occupies nothing more.
                guard seenLinks.insert(identity).inserted else {
                    return count(entry.withoutContent, one, lastUse)
                }
            }
            if files.admits(entry.allocatedSize.bytes) {
                one.allocated = entry.allocatedSize
                one.logical = entry.logicalSize
                let length = path.count
                append(entry.name)
                let node = Node(path: path, depth: frames.count, totals: one)
                path.removeLast(path.count - length)
                files.insert(node, size: entry.allocatedSize.bytes)
                one = Totals(files: 1)
            }
            count(entry, one, lastUse)
        }

        /// Adds an entry to the directory that is open and to its group.
        private mutating func count(
            _ entry: NcduEntry, _ counts: Totals, _ lastUse: Timestamp?
        ) {
            var own = counts
            own.allocated = entry.allocatedSize
            own.logical = entry.logicalSize
            frames[frames.count - 1].totals += own
            if entry.hasReadError { summary.unreadable += 1 }
            switch options.grouping {
            case .kind where counts.files > 0:
                let kind = FileKind(name: entry.name)
                if let index = FileKind.allCases.firstIndex(of: kind) { sums[index] += own }
            case .age where counts.files > 0:
                guard let lastUse else { return }
                sums[AgeBand.index(of: options.now.duration(since: lastUse))] += own
            default: break
            }
        }

        private mutating func end() {
            guard var frame = frames.popLast() else { return }
            if let known = frame.known { frame.totals = known }
            if frames.isEmpty {
                summary.totals += frame.totals
                tree = frame.children
            } else {
                frames[frames.count - 1].totals += frame.totals
                let size = frame.totals.allocated.bytes
                if frames[frames.count - 1].children?.admits(size) == true {
                    let node = Node(path: path, depth: frames.count, totals: frame.totals)
                    frames[frames.count - 1].children?.insert(
                        Branch(node: node, children: frame.children), size: size)
                }
            }
            path.removeLast(path.count - frame.pathLength)
        }

        private mutating func append(_ name: [UInt8]) {
            if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
            path += name
        }

        /// The summary, once the listing has ended.
        package consuming func finish() -> ListingSummary {
            var result = summary
            switch options.grouping {
            case .directory: result.nodes = largestBranches()
            case .file: result.nodes = files.elements.map(\.element)
            case .kind:
                result.groups = zip(FileKind.allCases.map(\.spokenName), sums).map { ($0, $1) }
            case .age: result.groups = zip(AgeBand.all.map(\.title), sums).map { ($0, $1) }
            }
            return result
        }

        /// The largest directories of the whole tree, in the tree's order. A parent is never
        /// smaller than its children, so it is always among them too.
        private func largestBranches() -> [Node] {
            guard let tree else { return [] }
            var sizes: [Int64] = []
            var stack = tree.elements.map(\.element)
            while let branch = stack.popLast() {
                sizes.append(branch.node.totals.allocated.bytes)
                stack += branch.children?.elements.map(\.element) ?? []
            }
            sizes.sort(by: >)
            let smallest = sizes.count > options.top ? sizes[options.top - 1] : .min
            var nodes: [Node] = []
            stack = tree.elements.map(\.element).reversed()
            while nodes.count < options.top, let branch = stack.popLast() {
                guard branch.node.totals.allocated.bytes >= smallest else { continue }
                nodes.append(branch.node)
                stack += (branch.children?.elements ?? []).map(\.element).reversed()
            }
            return nodes
        }
    }
}

extension NcduEntry {
    /// The entry as one that occupies nothing.
    fileprivate var withoutContent: NcduEntry {
        var copy = self
        copy.allocatedSize = .zero
        copy.logicalSize = .zero
        return copy
    }
}

extension ListingSummary.Totals {
    /// The sums of a directory, itself included.
    fileprivate init(_ totals: TreeTotals) {
        self.init(
            allocated: ByteCount(totals.allocated), logical: ByteCount(totals.logical),
            files: totals.files, directories: totals.directories + 1)
    }
}
