//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Puts the builders of one or more walks together and computes the sums.
struct InventoryAssembler {
    private var contents = InventoryContents()
    private var roots: [Inventory.Root] = []
    /// Directories, and numbers kept free, that have been counted.
    private var reserved = 0
    private var ticks = FileTicks()

    init() {}

    /// Takes over directories and items whose sums are not computed yet.
    init(contents: InventoryContents, roots: [Inventory.Root]) {
        self.contents = contents
        self.roots = roots
    }

    /// Opens a root.
    ///
    /// - Returns: what the numbers of its directories start from.
    mutating func beginRoot(_ root: ScanRoot) -> UInt32 {
        let first = UInt32(contents.directories.count)
        roots.append(
            Inventory.Root(
                path: root.path, countsAccess: root.countsAccess, mark: root.mark,
                directory: first))
        return first
    }

    /// Keeps numbers free behind the directories of the last root.
    mutating func reserve(_ count: Int) {
        guard let root = roots.last?.directory else { return }
        contents.directoryCount =
            (contents.directoryCount ?? 0) + contents.directories.count - reserved
        let vacant = DirectoryRecord.vacant(root: contents.directories[Int(root)], number: root)
        contents.directories += repeatElement(vacant, count: count)
        reserved = contents.directories.count
    }

    mutating func add(_ builders: [InventoryBuilder], _ result: WalkResult) {
        placeDirectories(builders)
        for builder in builders {
            addItems(of: builder)
            ticks.join(builder.ticks)
        }
        let room = max(0, Inventory.failureLimit - contents.failures.count)
        contents.failures += result.failures.prefix(room).map(Inventory.Failure.init)
        contents.failureCount += result.totals.errors
        contents.vanishedCount += result.totals.vanished
        contents.isComplete = contents.isComplete && result.isComplete
    }

    /// Puts each directory at its number; a parent's is smaller than its children's.
    private mutating func placeDirectories(_ builders: [InventoryBuilder]) {
        let entered = builders.reduce(0) { $0 + $1.directories.count }
        guard let sample = builders.lazy.compactMap(\.directories.first).first else { return }
        let first = contents.directories.count
        let last = builders.lazy.flatMap { $0.directories.lazy.map(\.id) }.max() ?? 0
        assert(Int(last) - first + 1 == entered, "numbers are handed out without gaps")
        contents.directories += repeatElement(sample.record, count: Int(last) + 1 - first)
        for builder in builders {
            for (id, record) in builder.directories { contents.directories[Int(id)] = record }
        }
        // Backwards, so that the children of a directory are linked in the order of their numbers.
        for index in stride(from: contents.directories.count - 1, through: first, by: -1) {
            let parent = contents.directories[index].parent
            guard parent != DirectoryRecord.none else { continue }
            contents.directories[index].nextSibling = contents.directories[Int(parent)].firstChild
            contents.directories[Int(parent)].firstChild = UInt32(index)
        }
    }

    private mutating func addItems(of builder: InventoryBuilder) {
        let base = UInt32(contents.chunks.count) << ItemChunk.shift
        contents.chunks += builder.chunks
        contents.runs.reserveCapacity(contents.runs.count + builder.runs.count)
        for run in builder.runs {
            let directory = Int(run.directory)
            contents.runs.append(
                ItemRun(
                    firstItem: base + run.firstItem, count: run.count,
                    next: contents.directories[directory].firstRun))
            contents.directories[directory].firstRun = UInt32(contents.runs.count - 1)
        }
        for (item, mark) in builder.itemMarks { contents.itemMarks[base + item] = mark }
        for item in builder.damagedItemMarks { contents.damagedItemMarks.insert(base + item) }
        for (item, device) in builder.itemDevices { contents.itemDevices[base + item] = device }
        contents.nameStores.append(builder.names)
        for directory in builder.cutOff {
            contents.directories[Int(directory)].flags.insert(.unreadable)
        }
        for (directory, flags) in builder.flagged {
            contents.directories[Int(directory)].flags.formUnion(flags)
        }
        for omission in builder.omissions {
            contents.omissions.append(omission)
            contents.directories[Int(omission.directory)].flags.insert(
                omission.isMount ? .hasMounts : .hasUnreadable)
        }
    }

    /// Returns when whatever is changed from now on shows in its times (safety invariant S4): at once,
    /// unless something was changed just before it was looked at.
    consuming func finish(
        areas: [Area], scanned: Timestamp, key: FingerprintKey
    ) -> Inventory {
        // mutation: s4e-1
        defer { ticks.wait() }
        sumItems()
        sumDirectories()
        return Inventory(
            areas: areas, roots: roots, scanned: scanned, key: key, contents: contents)
    }

    private mutating func sumItems() {
        var linked: [UInt32] = []
        unsafe contents.directories.withUnsafeMutableBufferPointer { directories in
            for (number, chunk) in contents.chunks.enumerated() {
                let base = UInt32(number) << ItemChunk.shift
                for index in 0..<chunk.count {
                    // In bounds: parents are numbers of directories.
                    let item = chunk.record(at: index)
                    unsafe Self.add(item, to: &directories[Int(item.parent)].totals)
                    if item.linkCount > 1 { linked.append(base | UInt32(index)) }
                }
            }
        }
        contents.linkedItems = linked
        var links = linked.map { linkName($0) }
        sumLinks(&links)
    }

    @inline(__always)
    private static func add(_ item: ItemRecord, to totals: inout TreeTotals) {
        totals.files &+= 1
        totals.newest = max(totals.newest, item.modified)
        if item.linkCount <= 1 {
            totals.allocated &+= item.allocated
            totals.logical &+= item.logical
        }
    }

    // MARK: - Files with several links

    /// One of the names of a file.
    private struct LinkName {
        var identity: FileIdentity
        var directory: UInt64
        var item: UInt32
    }

    private func linkName(_ id: UInt32) -> LinkName {
        let chunk = contents.chunks[Int(id >> ItemChunk.shift)]
        let item = chunk.record(at: Int(id) & (ItemChunk.capacity - 1))
        let directory = contents.directories[Int(item.parent)].identity
        let device =
            item.flags.contains(.foreignDevice)
            ? contents.itemDevices[id] ?? 0 : directory.device
        return LinkName(
            identity: FileIdentity(device: device, inode: item.inode), directory: directory.inode,
            item: id)
    }

    /// Counts each file once, in the directory of the smallest inode number that has a name of it:
    /// a second scan, with whatever threads, attributes it to the same one.
    private mutating func sumLinks(_ links: inout [LinkName]) {
        links.sort { left, right in
            if left.identity.inode != right.identity.inode {
                return left.identity.inode < right.identity.inode
            }
            if left.identity.device != right.identity.device {
                return left.identity.device < right.identity.device
            }
            if left.directory != right.directory { return left.directory < right.directory }
            return unsafe name(left.item).lexicographicallyPrecedes(name(right.item))
        }
        var counted: FileIdentity?
        for link in links {
            let chunk = contents.chunks[Int(link.item >> ItemChunk.shift)]
            let index = Int(link.item) & (ItemChunk.capacity - 1)
            if link.identity == counted {
                chunk.set(.countedElsewhere, at: index)
                continue
            }
            counted = link.identity
            let item = chunk.record(at: index)
            contents.directories[Int(item.parent)].totals.allocated &+= item.allocated
            contents.directories[Int(item.parent)].totals.logical &+= item.logical
        }
    }

    private func name(_ item: UInt32) -> UnsafeBufferPointer<UInt8> {
        let chunk = contents.chunks[Int(item >> ItemChunk.shift)]
        return unsafe chunk.name(at: Int(item) & (ItemChunk.capacity - 1)).bytes
    }

    // MARK: - Directories

    /// Adds each directory to its parent, children first: their numbers are larger.
    private mutating func sumDirectories() {
        for index in contents.directories.indices.reversed()
        where !contents.directories[index].flags.contains(.vacant) {
            let record = contents.directories[index]
            contents.directories[index].totals.allocated &+= record.allocated
            contents.directories[index].totals.newest = max(record.totals.newest, record.modified)
            if record.flags.contains(.unreadable) {
                contents.directories[index].totals.unreadable += 1
            }
            guard record.parent != DirectoryRecord.none else { continue }
            let totals = contents.directories[index].totals
            contents.directories[Int(record.parent)].totals.add(totals)
            contents.directories[Int(record.parent)].totals.directories += 1
        }
    }
}
