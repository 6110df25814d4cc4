//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

/// What a scan found: areas, directories, items, sizes, times. A value, not a live object.
///
/// Costs 48 bytes per item and about 170 per directory, both beside the name (safety invariant S13).
/// Immutable and shared by reference, so that it can be passed around freely.
public final class Inventory: Sendable {
    /// The areas that were looked for; directories refer to them by index.
    public let areas: [Area]
    public let roots: [Root]
    /// When the scan began.
    public let scanned: Timestamp
    public let failures: [Failure]
    /// How many things could not be read; ``failures`` lists the first 10,000.
    public let failureCount: Int
    /// Entries that went away while the scan ran.
    public let vanishedCount: Int
    /// False if the scan was cancelled.
    public let isComplete: Bool
    public let itemCount: Int
    public let directoryCount: Int

    /// The secret behind the fingerprints.
    package let key: FingerprintKey
    @usableFromInline package let directories: [DirectoryRecord]
    @usableFromInline let chunks: [ItemChunk]
    @usableFromInline package let runs: [ItemRun]
    /// Marks of single files, inherited parts not included.
    package let itemMarks: [UInt32: Mark]
    /// Items whose mark is damaged: treated as pinned.
    package let damagedItemMarks: Set<UInt32>
    /// Devices of items that lie on another than their directory.
    let itemDevices: [UInt32: UInt64]
    /// What was left out, with its directory.
    let omissions: [Omission]
    /// Cache stores, whose values go rather than their files.
    package let stores: InventoryStores
    /// The main items of sets whose contents say that they are databases. Others may be some too: it is
    /// found out only where something depends on it (``DatabaseSurvey``).
    let databases: Set<UInt32>
    /// Directories that work only as a whole, by their numbers.
    package let structures: [UInt32: Structure]
    /// The items of files whose links lie in several areas, in no particular order; there may be others
    /// with several links among them.
    let linkedItems: [UInt32]
    /// What plans are made by without looking at everything, if it is kept.
    package let index: CandidateIndex?
    /// Keeps the names of directories.
    let nameStores: [NameStore]

    /// How many failures are listed.
    static let failureLimit = 10_000

    /// A directory that was scanned from.
    public struct Root: Sendable {
        public var path: FilePath
        /// Reading a file counts as use: its volume is not mounted noatime.
        public var countsAccess: Bool
        /// What the directories around it hand down to it.
        public var mark: Mark
        package var directory: UInt32
    }

    /// Something that could not be read.
    public struct Failure: Hashable, Sendable {
        public var path: FilePath
        /// `open`, `read` or `stat`.
        public var operation: String
        public var error: Errno
    }

    package struct Omission {
        var directory: UInt32
        var name: FileName
        var isMount: Bool
    }

    init(
        areas: [Area], roots: [Root], scanned: Timestamp, key: FingerprintKey,
        contents: InventoryContents, index: CandidateIndex? = nil
    ) {
        self.areas = areas
        self.roots = roots
        self.scanned = scanned
        self.key = key
        failures = contents.failures
        failureCount = contents.failureCount
        vanishedCount = contents.vanishedCount
        isComplete = contents.isComplete
        directories = contents.directories
        chunks = contents.chunks
        runs = contents.runs
        itemMarks = contents.itemMarks
        damagedItemMarks = contents.damagedItemMarks
        itemDevices = contents.itemDevices
        omissions = contents.omissions
        linkedItems = contents.linkedItems
        nameStores = contents.nameStores
        self.index = index
        itemCount = contents.itemCount ?? contents.chunks.reduce(0) { $0 + $1.count }
        directoryCount = contents.directoryCount ?? contents.directories.count
        stores = InventoryStores()
        databases = []
        structures = [:]
    }

    private init(
        _ other: Inventory, _ stores: InventoryStores, _ databases: Set<UInt32>,
        _ structures: [UInt32: Structure]
    ) {
        areas = other.areas
        roots = other.roots
        scanned = other.scanned
        key = other.key
        failures = other.failures
        failureCount = other.failureCount
        vanishedCount = other.vanishedCount
        isComplete = other.isComplete
        directories = other.directories
        chunks = other.chunks
        runs = other.runs
        itemMarks = other.itemMarks
        damagedItemMarks = other.damagedItemMarks
        itemDevices = other.itemDevices
        omissions = other.omissions
        linkedItems = other.linkedItems
        nameStores = other.nameStores
        index = other.index
        itemCount = other.itemCount
        directoryCount = other.directoryCount
        self.stores = stores
        self.databases = databases
        self.structures = structures
    }

    /// The same inventory with what is known of cache stores in it; shares all else.
    package func with(_ stores: InventoryStores) -> Inventory {
        Inventory(self, stores, databases, structures)
    }

    /// The same inventory with what is known of databases in it, by their main items; shares all else.
    package func with(databases: Set<UInt32>) -> Inventory {
        Inventory(self, stores, databases, structures)
    }

    /// The same inventory with its structures, by directory number; shares all else.
    func with(structures: [UInt32: Structure]) -> Inventory {
        Inventory(self, stores, databases, structures)
    }

    // MARK: - Items by number

    @inlinable @inline(__always)
    public func item(_ id: UInt32) -> ItemRecord {
        chunks[Int(id >> ItemChunk.shift)].record(at: Int(id) & (ItemChunk.capacity - 1))
    }

    @inline(__always)
    package func name(ofItem id: UInt32) -> EntryName {
        chunks[Int(id >> ItemChunk.shift)].name(at: Int(id) & (ItemChunk.capacity - 1))
    }

    @inlinable @inline(__always)
    public func inode(ofItem id: UInt32) -> UInt64 {
        chunks[Int(id >> ItemChunk.shift)].inode(at: Int(id) & (ItemChunk.capacity - 1))
    }

    package func identity(ofItem id: UInt32) -> FileIdentity {
        let record = item(id)
        let device =
            record.flags.contains(.foreignDevice)
            ? itemDevices[id] ?? 0 : directories[Int(record.parent)].identity.device
        return FileIdentity(device: device, inode: record.inode)
    }

    /// Calls `body` with the number of each item of a directory, not of those below.
    @inlinable @inline(__always)
    public func forEachItem(of directory: UInt32, _ body: (UInt32) -> Void) {
        var run = directories[Int(directory)].firstRun
        while run != UInt32.max {
            let span = runs[Int(run)]
            for id in span.firstItem..<span.firstItem + span.count { body(id) }
            run = span.next
        }
    }

    /// Calls `body` with each directory below one, that one included, parents first.
    package func forEachDirectory(below directory: UInt32, _ body: (UInt32) -> Void) {
        var current = directory
        while true {
            body(current)
            if directories[Int(current)].firstChild != DirectoryRecord.none {
                current = directories[Int(current)].firstChild
                continue
            }
            while current != directory,
                directories[Int(current)].nextSibling == DirectoryRecord.none
            {
                current = directories[Int(current)].parent
            }
            if current == directory { return }
            current = directories[Int(current)].nextSibling
        }
    }

    /// The place of each directory in a walk that visits parents first and trees as a whole.
    ///
    /// Who visits directories in this order has to close and open the fewest on the way.
    package func walkOrder() -> [UInt32] {
        var places = [UInt32](repeating: 0, count: directories.count)
        var next: UInt32 = 0
        for root in roots {
            forEachDirectory(below: root.directory) { directory in
                places[Int(directory)] = next
                next += 1
            }
        }
        return places
    }

    // MARK: - Paths

    /// The names from the root of the scan to a directory.
    package func components(ofDirectory directory: UInt32) -> [FileName] {
        var names: [FileName] = []
        var current = directory
        while directories[Int(current)].parent != DirectoryRecord.none {
            names.append(directories[Int(current)].name)
            current = directories[Int(current)].parent
        }
        return names.reversed()
    }

    package func root(ofDirectory directory: UInt32) -> Root {
        roots[rootIndex(ofDirectory: directory)]
    }

    package func rootIndex(ofDirectory directory: UInt32) -> Int {
        // Directories of a root are numbered on from the root's own.
        guard let index = roots.lastIndex(where: { $0.directory <= directory }) else {
            preconditionFailure("directory \(directory) belongs to no root")
        }
        return index
    }

    package func path(ofDirectory directory: UInt32) -> FilePath {
        directories[Int(directory)].parent == DirectoryRecord.none
            ? root(ofDirectory: directory).path
            : FilePath(bytes: pathBytes(ofDirectory: directory, name: nil))
    }

    package func path(ofItem id: UInt32) -> FilePath {
        FilePath(bytes: pathBytes(ofDirectory: item(id).parent, name: name(ofItem: id)))
    }

    package func path(of omission: Omission) -> FilePath {
        omission.name.withEntryName { name in
            FilePath(bytes: pathBytes(ofDirectory: omission.directory, name: name))
        }
    }

    /// The bytes of a path, put together from its end in memory that was measured before: appending
    /// to a path takes it apart for each component, and a list of names is an allocation for each.
    ///
    /// - Complexity: O(bytes of the path).
    private func pathBytes(ofDirectory directory: UInt32, name last: EntryName?) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        var start = root(ofDirectory: directory).path.bytes
        if start.last == slash { start.removeLast() }
        var length = start.count + (last.map { $0.count + 1 } ?? 0)
        var current = directory
        while directories[Int(current)].parent != DirectoryRecord.none {
            length += directories[Int(current)].entryName.count + 1
            current = directories[Int(current)].parent
        }
        var bytes = start
        bytes.reserveCapacity(length)
        bytes += repeatElement(slash, count: length - start.count)
        var end = length
        func put(_ name: EntryName) {
            end -= name.count
            for index in 0..<name.count { bytes[end + index] = unsafe name.bytes[index] }
            // The separator stands there already.
            end -= 1
        }
        if let last { put(last) }
        current = directory
        while directories[Int(current)].parent != DirectoryRecord.none {
            put(directories[Int(current)].entryName)
            current = directories[Int(current)].parent
        }
        return bytes
    }

    /// What a mark says of an item, its own parts first, then those of the directories around.
    package func mark(ofItem id: UInt32) -> Mark {
        let record = item(id)
        let outer = directories[Int(record.parent)].mark.mark
        guard record.flags.contains(.marked) else { return outer }
        return (itemMarks[id] ?? .none).inheriting(outer)
    }
}

/// What is put together while scanning, to become an inventory.
struct InventoryContents {
    var directories: [DirectoryRecord] = []
    var chunks: [ItemChunk] = []
    var runs: [ItemRun] = []
    var itemMarks: [UInt32: Mark] = [:]
    var damagedItemMarks: Set<UInt32> = []
    var itemDevices: [UInt32: UInt64] = [:]
    var omissions: [Inventory.Omission] = []
    /// Those of files whose links lie in several areas, at least.
    var linkedItems: [UInt32] = []
    /// Nil: all that the chunks hold.
    var itemCount: Int?
    /// Nil: all that there are records of.
    var directoryCount: Int?
    var nameStores: [NameStore] = []
    var failures: [Inventory.Failure] = []
    var failureCount = 0
    var vanishedCount = 0
    var isComplete = true
}
