//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
package import SystemPackage

/// An inventory that is put together from values rather than by a scan: how a saved plan comes
/// back, and how tests make trees of any shape.
///
/// Directories of one root are added before the next root is begun. Areas are assigned by path, as
/// in a scan.
package struct InventoryDraft {
    private let areas: [Area]
    private let scanned: Timestamp
    private let key: FingerprintKey
    private var contents = InventoryContents()
    private var roots: [Inventory.Root] = []
    private let names = NameStore()
    private var assignment: AreaAssignment
    /// By directory: its node in the assignment of its root, and its last child.
    private var nodes: [UInt16] = []
    private var lastChild: [UInt32] = []

    /// What is known of a directory.
    package struct Directory {
        package var identity: FileIdentity
        package var mountID: UInt64 = 0
        package var allocated: Int64 = 0
        package var modified: UInt32 = 0
        package var created: UInt32 = 0
        package var owner: UInt32 = 0
        package var fingerprint: UInt64 = 0
        /// Its own mark; nil: it inherits.
        package var mark: Mark?
        package var isSticky = false
        package var isUnreadable = false
        package var hasMounts = false
        package var hasUnreadable = false
        package var hasDamagedMark = false
        package var isReserved = false

        package init(identity: FileIdentity) {
            self.identity = identity
        }
    }

    /// What is known of an item.
    package struct Item {
        package var identity: FileIdentity
        package var allocated: Int64 = 0
        package var logical: Int64 = 0
        package var modified: UInt32 = 0
        package var accessed: UInt32 = 0
        package var created: UInt32 = 0
        package var fingerprint: UInt64 = 0
        package var linkCount: UInt16 = 1
        package var type: HeadroomPlatform.FileType = .regular
        package var mark: Mark?
        package var hasDamagedMark = false
        package var isImmutable = false
        package var isForeign = false

        package init(identity: FileIdentity) {
            self.identity = identity
        }
    }

    package init(areas: [Area], scanned: Timestamp, key: FingerprintKey = .random()) {
        self.areas = areas
        self.scanned = scanned
        self.key = key
        assignment = AreaAssignment(root: FilePath("/"), areas: [])
        contents.nameStores = [names]
    }

    /// Begins a root.
    ///
    /// - Parameter mark: what the directories around it hand down to it.
    /// - Returns: the number of its directory.
    package mutating func addRoot(
        _ path: FilePath, _ directory: Directory, countsAccess: Bool = true, mark: Mark = .none
    ) -> UInt32 {
        let number = UInt32(contents.directories.count)
        roots.append(
            Inventory.Root(
                path: path, countsAccess: countsAccess, mark: mark, directory: number))
        assignment = AreaAssignment(root: path, areas: areas)
        var record = DirectoryRecord(directory, name: copy(of: FileName(unchecked: [])))
        record.area = assignment.rootArea
        if record.area != DirectoryRecord.noArea { record.flags.insert(.areaRoot) }
        append(record, node: 0)
        return number
    }

    /// Adds a directory to one of the last root's.
    ///
    /// - Returns: its number.
    package mutating func addDirectory(
        _ name: FileName, in parent: UInt32, _ directory: Directory
    ) -> UInt32 {
        let number = UInt32(contents.directories.count)
        let outer = contents.directories[Int(parent)]
        var record = DirectoryRecord(directory, name: copy(of: name))
        record.parent = parent
        let node = name.withEntryName { assignment.step(from: nodes[Int(parent)], to: $0) }
        let area = assignment.area(at: node)
        record.area = area == DirectoryRecord.noArea ? outer.area : area
        var inherited = outer.mark
        if area != DirectoryRecord.noArea {
            record.flags.insert(.areaRoot)
            if !assignment.takesMarks(area) { inherited = inherited.withoutDeclaration }
        }
        record.mark = PackedMark((directory.mark ?? .none).inheriting(inherited.mark))
        record.flags.formUnion(outer.flags.intersection([.reserved, .damagedMark]))
        append(record, node: node)
        let last = lastChild[Int(parent)]
        if last == DirectoryRecord.none {
            contents.directories[Int(parent)].firstChild = number
        } else {
            contents.directories[Int(last)].nextSibling = number
        }
        lastChild[Int(parent)] = number
        return number
    }

    /// The area of a directory that was added; nil outside of all.
    package func area(of directory: UInt32) -> UInt16? {
        let area = contents.directories[Int(directory)].area
        return area == DirectoryRecord.noArea ? nil : area
    }

    package func isAreaRoot(_ directory: UInt32) -> Bool {
        contents.directories[Int(directory)].flags.contains(.areaRoot)
    }

    /// Whether directories may still be added to a directory.
    package func isInLastRoot(_ directory: UInt32) -> Bool {
        roots.last.map { directory >= $0.directory } ?? false
    }

    /// The name in memory that the inventory keeps.
    private func copy(of name: FileName) -> EntryName { name.withEntryName { names.add($0) } }

    private mutating func append(_ record: DirectoryRecord, node: UInt16) {
        contents.directories.append(record)
        nodes.append(node)
        lastChild.append(DirectoryRecord.none)
    }

    /// Adds an item to a directory.
    ///
    /// - Returns: its number.
    @discardableResult
    package mutating func addItem(
        _ name: FileName, in directory: UInt32, _ item: Item
    ) -> UInt32 {
        name.withEntryName { name in
            if contents.chunks.last?.hasRoom(for: name) != true {
                contents.chunks.append(ItemChunk())
            }
            let chunk = contents.chunks[contents.chunks.count - 1]
            let id =
                UInt32(contents.chunks.count - 1) << ItemChunk.shift | UInt32(chunk.count)
            var record = ItemRecord(item, parent: directory)
            if Sidecar(name) != nil { record.flags.insert(.looksLikeSidecar) }
            contents.directories[Int(directory)].flags.formUnion(.byEnding(of: name, record))
            if item.identity.device != contents.directories[Int(directory)].identity.device {
                record.flags.insert(.foreignDevice)
                contents.itemDevices[id] = item.identity.device
            }
            if item.mark != nil || item.hasDamagedMark {
                record.flags.insert(.marked)
                contents.itemMarks[id] = item.mark ?? Mark.none
                if item.hasDamagedMark { contents.damagedItemMarks.insert(id) }
            }
            chunk.append(record, name: name)
            extendRun(of: directory, with: id)
            return id
        }
    }

    /// A run lies in one chunk.
    private mutating func extendRun(of directory: UInt32, with id: UInt32) {
        let first = contents.directories[Int(directory)].firstRun
        let offset = id & UInt32(ItemChunk.capacity - 1)
        if first != DirectoryRecord.none, offset > 0,
            contents.runs[Int(first)].firstItem + contents.runs[Int(first)].count == id
        {
            contents.runs[Int(first)].count += 1
        } else {
            contents.runs.append(ItemRun(firstItem: id, count: 1, next: first))
            contents.directories[Int(directory)].firstRun = UInt32(contents.runs.count - 1)
        }
    }

    /// Computes the sums and ends the work.
    package consuming func finish() -> Inventory {
        InventoryAssembler(contents: contents, roots: roots)
            .finish(areas: areas, scanned: scanned, key: key)
    }
}

extension DirectoryRecord {
    fileprivate init(_ directory: InventoryDraft.Directory, name: EntryName) {
        let status = FileStatus(
            identity: directory.identity, mountID: directory.mountID, type: .directory,
            permissions: 0, linkCount: 1, owner: directory.owner, group: 0, logicalSize: .zero,
            allocatedSize: ByteCount(directory.allocated), accessed: .distantPast,
            modified: Timestamp(seconds: Int64(directory.modified)), changed: .distantPast,
            created: directory.created == 0
                ? nil : Timestamp(seconds: Int64(directory.created)), isMountRoot: false,
            isImmutable: false)
        self.init(
            name: name, status: status, fingerprint: Fingerprint(rawValue: directory.fingerprint))
        mark = PackedMark(directory.mark ?? .none)
        let known: [(Bool, Flags)] = [
            (directory.isSticky, .sticky), (directory.isUnreadable, .unreadable),
            (directory.hasMounts, .hasMounts), (directory.hasUnreadable, .hasUnreadable),
            (directory.hasDamagedMark, .damagedMark), (directory.isReserved, .reserved),
        ]
        for (holds, flag) in known where holds { flags.insert(flag) }
    }
}

extension ItemRecord {
    fileprivate init(_ item: InventoryDraft.Item, parent: UInt32) {
        var flags: Flags = []
        if item.isImmutable { flags.insert(.immutable) }
        if item.isForeign { flags.insert(.foreignOwner) }
        self.init(
            inode: item.identity.inode, allocated: item.allocated, logical: item.logical,
            fingerprint: item.fingerprint, parent: parent, modified: item.modified,
            accessed: item.accessed, created: item.created, linkCount: item.linkCount,
            type: item.type, flags: flags)
    }
}
