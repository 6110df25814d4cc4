//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// Puts the builders of one or more walks together and computes the sums.
struct InventoryAssembler {
    private var contents = InventoryContents()
    private var roots: [Inventory.Root] = []
    private var chunkCount: UInt32 = 0

    /// Opens a root.
    ///
    /// - Returns: what the numbers of its directories start from.
    mutating func beginRoot(_ root: ScanRoot) -> UInt32 {
        let first = UInt32(contents.directories.count)
        roots.append(
            Inventory.Root(path: root.path, countsAccess: root.countsAccess, directory: first))
        return first
    }

    mutating func add(_ builders: [InventoryBuilder], _ result: WalkResult) {
        placeDirectories(builders)
        for builder in builders { addItems(of: builder) }
        contents.failures += result.failures.map(Inventory.Failure.init)
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
        for omission in builder.omissions {
            contents.omissions.append(omission)
            contents.directories[Int(omission.directory)].flags.insert(
                omission.isMount ? .hasMounts : .hasUnreadable)
        }
    }

    consuming func finish(areas: [Area], scanned: Timestamp, key: FingerprintKey) -> Inventory {
        sumItems()
        sumDirectories()
        return Inventory(
            areas: areas, roots: roots, scanned: scanned, key: key, contents: contents)
    }

    private mutating func sumItems() {
        var seen: Set<FileIdentity> = []
        unsafe contents.directories.withUnsafeMutableBufferPointer { directories in
            for chunk in contents.chunks {
                for index in 0..<chunk.count {
                    // In bounds: below the chunk's count; parents are numbers of directories.
                    unsafe Self.add(&chunk.items[index], to: directories, &seen)
                }
            }
        }
    }

    @inline(__always)
    private static func add(
        _ item: inout ItemRecord, to directories: UnsafeMutableBufferPointer<DirectoryRecord>,
        _ seen: inout Set<FileIdentity>
    ) {
        let parent = Int(item.parent)
        unsafe directories[parent].totals.files &+= 1
        let newest = unsafe directories[parent].totals.newest
        unsafe directories[parent].totals.newest = max(newest, item.modified)
        if item.linkCount > 1 {
            let device = unsafe directories[parent].identity.device
            let identity = FileIdentity(device: device, inode: item.inode)
            guard seen.insert(identity).inserted else {
                item.flags.insert(.countedElsewhere)
                return
            }
        }
        unsafe directories[parent].totals.allocated &+= item.allocated
        unsafe directories[parent].totals.logical &+= item.logical
    }

    /// Adds each directory to its parent, children first: their numbers are larger.
    private mutating func sumDirectories() {
        for index in contents.directories.indices.reversed() {
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
