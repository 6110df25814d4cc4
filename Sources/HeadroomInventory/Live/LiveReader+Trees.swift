//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

// Trees that are new, or have to be read as if they were: by the walk of a scan.
extension LiveReader {
    /// Reads everything below a directory anew.
    func rescan(
        _ number: UInt32, _ descriptor: borrowing Descriptor
    ) throws(LiveTree.IsFull) {
        let old = record(number)
        tree.removeTree(number, keepingTop: true, forget: forget)
        tree.contents.directories[Int(number)].flags.remove(.unreadable)
        let path = tree.path(of: number)
        guard old.parent != DirectoryRecord.none else {
            return try walk(descriptor, path, graft: nil, target: number)
        }
        try walk(
            descriptor, path, graft: makeGraft(old.name, in: old.parent), target: number)
    }

    /// Reads a directory that was not there before, and all below.
    func graft(
        _ name: FileName, in parent: UInt32, _ descriptor: Int32
    ) throws(LiveTree.IsFull) {
        let graft = makeGraft(name, in: parent)
        let opened: OpenDirectory
        do throws(Errno) {
            opened = try OpenDirectory(name, at: descriptor, calls)
        } catch .improperLink {
            return omit(name, in: parent, isMount: true)
        } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels {
            return
        } catch {
            return try addUnopened(graft, descriptor, error)
        }
        let root = rootDescriptors[tree.rootIndex(of: parent)].status
        guard opened.status.identity.device == root.identity.device else {
            return omit(name, in: parent, isMount: true)
        }
        try walk(
            opened.descriptor, tree.path(of: parent).appendingName(name), graft: graft, target: nil)
    }

    private func makeGraft(_ name: FileName, in parent: UInt32) -> InventoryBuilder.Graft {
        let assignment = tree.assignments[tree.rootIndex(of: parent)]
        var node: UInt16 = 0
        for component in tree.components(of: parent) where node != AreaAssignment.noNode {
            node = component.withEntryName { assignment.step(from: node, to: $0) }
        }
        return InventoryBuilder.Graft(
            parent: parent, record(parent), node: node, name: name)
    }

    private func makeBuilder(
        _ graft: InventoryBuilder.Graft?, root: Int
    ) -> InventoryBuilder {
        let builder = InventoryBuilder(
            key: tree.key, assignment: tree.assignments[root], markSource: options.markSource,
            inherited: PackedMark(tree.roots[root].mark), firstDirectory: 0)
        builder.agesByChange = options.agesByChange
        builder.graft = graft
        builder.watcher = watches[root]
        return builder
    }

    /// A directory that cannot be opened still has a size of its own; tried again each time.
    private func addUnopened(
        _ graft: InventoryBuilder.Graft, _ descriptor: Int32, _ error: Errno
    ) throws(LiveTree.IsFull) {
        let status: FileStatus
        do throws(Errno) {
            status = try graft.name.withEntryName { (entry) throws(Errno) in
                try calls.status(of: entry, at: descriptor)
            }
        } catch {
            return
        }
        let root = rootDescriptors[tree.rootIndex(of: graft.parent)].status
        guard status.type == .directory, status.identity.device == root.identity.device else {
            return
        }
        fail(tree.path(of: graft.parent).appendingName(graft.name), "open", error)
        let builder = makeBuilder(graft, root: tree.rootIndex(of: graft.parent))
        let empty = FileName(unchecked: [])
        _ = empty.withEntryName { name in
            builder.enter(
                WalkDirectory(
                    id: 0, parentID: nil, parentTag: 0, name: name, status: status,
                    descriptor: -1, failure: error))
        }
        try mount([builder], at: nil, in: graft.parent)
    }

    private func walk(
        _ descriptor: borrowing Descriptor, _ path: FilePath, graft: InventoryBuilder.Graft?,
        target: UInt32?
    ) throws(LiveTree.IsFull) {
        let builders = BuilderList()
        let root = tree.rootIndex(of: target ?? graft?.parent ?? 0)
        var walkOptions = WalkOptions(options)
        // Most are small; where a walk waits for the disk, it takes more threads by itself.
        if graft != nil { walkOptions.threads = 1 }
        let make: @Sendable () -> any WalkSink = makeSink(builders, graft, root)
        let result: WalkResult
        do throws(Errno) {
            result = try Walk.run(calls, descriptor, path, walkOptions, WalkProgress(), make)
        } catch {
            fail(path, "open", error)
            if let target {
                tree.contents.directories[Int(target)].flags.insert(.unreadable)
                tree.unwatched.insert(target)
            }
            return
        }
        for failure in result.failures { fail(failure.path, failure.operation, failure.error) }
        entriesRead += result.totals.files + result.totals.directories
        try mount(builders.all, at: target, in: graft?.parent)
    }

    private func makeSink(
        _ builders: BuilderList, _ graft: InventoryBuilder.Graft?, _ root: Int
    ) -> @Sendable () -> any WalkSink {
        let (key, assignment, source) = (tree.key, tree.assignments[root], options.markSource)
        let (mark, watcher) = (PackedMark(tree.roots[root].mark), watches[root])
        let agesByChange = options.agesByChange
        return {
            let builder = InventoryBuilder(
                key: key, assignment: assignment, markSource: source, inherited: mark,
                firstDirectory: 0)
            builder.agesByChange = agesByChange
            builder.graft = graft
            builder.watcher = watcher
            builders.append(builder)
            return builder
        }
    }

    /// Puts what a walk has found into the tree.
    ///
    /// - Parameters:
    ///   - target: the directory that the walk's root is; nil: a new one.
    ///   - parent: where a new one lies.
    private func mount(
        _ builders: [InventoryBuilder], at target: UInt32?, in parent: UInt32?
    ) throws(LiveTree.IsFull) {
        var entered = builders.flatMap(\.directories)
        entered.sort { $0.id < $1.id }
        guard let last = entered.last else { return }
        var numbers = [UInt32](repeating: DirectoryRecord.none, count: Int(last.id) + 1)
        for (id, entry) in entered {
            var record = entry
            let isTop = id == 0
            let outer = isTop ? parent : numbers[Int(record.parent)]
            let number: UInt32
            if isTop, let target {
                number = target
                record.nextSibling = self.record(target).nextSibling
            } else if let outer {
                number = try tree.allocate(in: outer)
            } else {
                continue
            }
            numbers[Int(id)] = number
            if let outer { record.parent = outer }
            // Its name lies in the builder's memory, which goes.
            record.rename(tree.names.add(record.entryName))
            tree.contents.directories[Int(number)] = record
            tree.own[Int(number)] = .init()
            tree.touched.insert(number)
            tree.setWatch(0, of: number)
            if !(isTop && target != nil), let outer { tree.link(number, in: outer) }
        }
        for builder in builders {
            mount(builder, numbers)
            join(builder.ticks)
        }
    }

    private func mount(_ builder: InventoryBuilder, _ numbers: [UInt32]) {
        for (id, watch) in builder.watched { tree.setWatch(watch, of: numbers[Int(id)]) }
        for run in builder.runs {
            let number = numbers[Int(run.directory)]
            var new: [UInt32] = []
            new.reserveCapacity(Int(run.count))
            for item in run.firstItem..<run.firstItem + run.count {
                let chunk = builder.chunks[Int(item >> ItemChunk.shift)]
                let index = Int(item) & (ItemChunk.capacity - 1)
                var record = chunk.record(at: index)
                record.parent = number
                let extras = LiveTree.ItemExtras(
                    device: builder.itemDevices[item], mark: builder.itemMarks[item],
                    hasDamagedMark: builder.damagedItemMarks.contains(item))
                new.append(tree.append(record, name: chunk.name(at: index), extras: extras))
            }
            tree.replace(in: number, removing: [], adding: new)
        }
        for id in builder.cutOff {
            tree.contents.directories[Int(numbers[Int(id)])].flags.insert(.unreadable)
            tree.unwatched.insert(numbers[Int(id)])
        }
        for (id, flags) in builder.flagged {
            tree.contents.directories[Int(numbers[Int(id)])].flags.formUnion(flags)
        }
        for omission in builder.omissions {
            let number = numbers[Int(omission.directory)]
            omit(omission.name, in: number, isMount: omission.isMount)
            // What could not be looked at is asked for again.
            if !omission.isMount { tree.unwatched.insert(number) }
        }
    }
}
