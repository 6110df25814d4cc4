//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
import SystemPackage

/// One step through an inventory, depth first.
public enum InventoryStep: Hashable, Sendable {
    /// With the sums over all that lies below it.
    case beginDirectory(NcduEntry, TreeTotals)
    case file(NcduEntry, lastUse: Timestamp)
    case endDirectory

    /// The step as it stands in a listing.
    public var ncduEvent: NcduEvent {
        switch self {
        case .beginDirectory(let entry, _): .beginDirectory(entry)
        case .file(let entry, _): .file(entry)
        case .endDirectory: .endDirectory
        }
    }
}

extension Inventory {
    /// Steps through what was found below a root: a directory, its files, its subdirectories.
    ///
    /// What lies on another file system and was not scanned is a file with an exclusion.
    ///
    /// - Parameters:
    ///   - root: an index of ``roots``.
    ///   - maximumDepth: directories further below the root are left out; nil: none.
    ///   - includesFiles: false: only directories.
    ///   - body: called with each step; what it throws ends the visit.
    /// - Complexity: O(entries visited); depth costs no stack.
    public func visit<E: Error>(
        root: Int, maximumDepth: Int? = nil, includesFiles: Bool = true,
        _ body: (InventoryStep) throws(E) -> Void
    ) throws(E) {
        let first = roots[root].directory
        let omitted = includesFiles ? mountsByDirectory() : [:]
        var current = first
        var depth = 0
        while true {
            try begin(current, isRoot: current == first ? root : nil, body)
            if includesFiles { try visitFiles(of: current, omitted[current] ?? [], body) }
            if directories[Int(current)].firstChild != DirectoryRecord.none,
                maximumDepth.map({ depth < $0 }) ?? true
            {
                current = directories[Int(current)].firstChild
                depth += 1
                continue
            }
            while true {
                try body(.endDirectory)
                if current == first { return }
                let next = directories[Int(current)].nextSibling
                if next != DirectoryRecord.none {
                    current = next
                    break
                }
                current = directories[Int(current)].parent
                depth -= 1
            }
        }
    }

    private func begin<E: Error>(
        _ number: UInt32, isRoot root: Int?, _ body: (InventoryStep) throws(E) -> Void
    ) throws(E) {
        let record = directories[Int(number)]
        let parent = record.parent == DirectoryRecord.none ? nil : directories[Int(record.parent)]
        let isDeviceNew = parent?.identity.device != record.identity.device
        let entry = NcduEntry(
            name: root.map { Self.bytes(of: roots[$0].path) } ?? record.name.bytes,
            allocatedSize: ByteCount(record.allocated),
            device: isDeviceNew || root != nil ? record.identity.device : nil,
            hasReadError: !record.flags.isDisjoint(with: [.unreadable, .hasUnreadable]),
            extended: .init(modified: Timestamp(seconds: Int64(record.modified))))
        try body(.beginDirectory(entry, record.totals))
    }

    private func visitFiles<E: Error>(
        of directory: UInt32, _ omitted: [Omission], _ body: (InventoryStep) throws(E) -> Void
    ) throws(E) {
        let countsAccess = self.root(ofDirectory: directory).countsAccess
        var run = directories[Int(directory)].firstRun
        while run != DirectoryRecord.none {
            let span = runs[Int(run)]
            for id in span.firstItem..<span.firstItem + span.count {
                let record = item(id)
                let lastUse = record.lastUse(countingAccess: countsAccess)
                try body(
                    .file(listed(id, record), lastUse: Timestamp(seconds: Int64(lastUse))))
            }
            run = span.next
        }
        for omission in omitted {
            let entry = NcduEntry(
                name: omission.name.bytes, exclusion: .otherFileSystem)
            try body(.file(entry, lastUse: .distantPast))
        }
    }

    private func listed(_ id: UInt32, _ record: ItemRecord) -> NcduEntry {
        let isLink = record.linkCount > 1
        return NcduEntry(
            name: name(ofItem: id).owned.bytes, logicalSize: ByteCount(record.logical),
            allocatedSize: ByteCount(record.allocated),
            device: record.flags.contains(.foreignDevice) ? itemDevices[id] : nil,
            inode: isLink ? record.inode : nil, isHardLink: isLink,
            linkCount: isLink ? UInt32(record.linkCount) : nil,
            isNotRegular: record.type != .regular,
            extended: .init(modified: Timestamp(seconds: Int64(record.modified))))
    }

    private static func bytes(of path: FilePath) -> [UInt8] {
        // `length` counts the bytes in front of the NUL; the copy is made within the call.
        unsafe path.withPlatformString { base in
            unsafe UnsafeBufferPointer(start: base, count: path.length).map {
                UInt8(bitPattern: $0)
            }
        }
    }

    /// What lies on other file systems, by the directory that holds it.
    package func mountsByDirectory() -> [UInt32: [Omission]] {
        Dictionary(grouping: omissions.filter(\.isMount), by: \.directory)
    }
}
