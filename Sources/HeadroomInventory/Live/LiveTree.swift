//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// The directories and items of an inventory that follows changes: what it is made of, and how parts of
/// it are put in place of others.
///
/// Chunks of items are shared with the inventories that were given out, so nothing in them is ever
/// changed: an item that changed is a new one at the end, and its directory's runs leave the old one
/// out. Directories keep their numbers; some are kept free for new ones. Used by one thread at a time.
final class LiveTree {
    let areas: [Area]
    let roots: [Inventory.Root]
    let key: FingerprintKey
    var contents: InventoryContents
    let assignments: [AreaAssignment]

    /// By directory: the sums of its own items; a file with several links counts as a name only.
    var own: [OwnSums] = []
    /// By directory: what its changes are told as; 0: they are not.
    var watches: [UInt32] = []
    /// Which directory changes are told of.
    var watched: [UInt32: UInt32] = [:]
    /// Directories that nothing is told of, so that they are read each time.
    var unwatched: Set<UInt32> = []
    /// By chunk, a bit for each item that is no more.
    var dead: [DeadItems] = []
    /// The files with several links.
    var links = LinkBook()
    /// Whether names came or went since the inventory was made last.
    var hasNewLinks = true
    /// A bit for each number that no directory has.
    private var free: [UInt64]
    let names = NameStore()
    /// Runs that no directory has any more.
    private var lostRuns = 0
    /// Chunks that more items can be added to: the one that is being filled.
    private var currentChunk: Int?
    /// Items that were added since the inventory was made last.
    private(set) var added = 0
    /// Which items came and went since then, for those who keep something by item.
    private(set) var comings: [UInt32] = []
    private(set) var goings: [UInt32] = []
    /// Directories whose items, or what they are planned by, have changed since then.
    var touched: Set<UInt32> = []
    /// Whether a directory has become one that everybody may write in, or is none any more.
    var hasSharedChanged = false
    /// Directories that are structures, or may be, when the inventory was made last.
    private(set) var structured: Set<UInt32> = []
    /// Whether these have changed since.
    private(set) var hasStructureChanged = false
    /// What plans are made by; nil: nobody has asked for a plan.
    var index: CandidateIndex?
    var wantsIndex = false
    /// Chunks of which nothing is left.
    private var emptied: [Int] = []

    /// A number of a directory could not be had: the inventory has to be made anew.
    struct IsFull: Error {}

    struct OwnSums {
        var allocated: Int64 = 0
        var logical: Int64 = 0
        var files: UInt32 = 0
        var sidecars: UInt32 = 0
        var newest: UInt32 = 0
    }

    /// - Parameters:
    ///   - inventory: a fresh one, with numbers kept free behind the directories of each root.
    ///   - watches: what changes of its directories are told as, by directory.
    init(_ inventory: Inventory, watches known: [(directory: UInt32, watch: UInt32)]) {
        areas = inventory.areas
        roots = inventory.roots
        key = inventory.key
        contents = InventoryContents(of: inventory)
        contents.nameStores.append(names)
        assignments = inventory.roots.map {
            AreaAssignment(root: $0.path, areas: inventory.areas)
        }
        let count = contents.directories.count
        own = Array(repeating: OwnSums(), count: count)
        watches = Array(repeating: 0, count: count)
        dead = Array(repeating: DeadItems(), count: contents.chunks.count)
        free = Array(repeating: 0, count: count / 64 + 1)
        for (number, record) in contents.directories.enumerated() {
            guard !record.flags.contains(.vacant) else {
                free[number >> 6] |= 1 << UInt64(number & 63)
                continue
            }
            unwatched.insert(UInt32(number))
            inventory.forEachRecord(of: UInt32(number)) { own[number].add($1) }
        }
        for id in inventory.linkedItems { links.add(id, of: identity(ofItem: id)) }
        // A scan has said which of them count.
        countLinks()
        for (directory, watch) in known { setWatch(watch, of: directory) }
    }

    // MARK: - Looking

    func rootIndex(of directory: UInt32) -> Int {
        roots.lastIndex { $0.directory <= directory } ?? 0
    }

    @inline(__always)
    func item(_ id: UInt32) -> ItemRecord {
        contents.chunks[Int(id >> ItemChunk.shift)].record(at: Int(id) & (ItemChunk.capacity - 1))
    }

    @inline(__always)
    func name(ofItem id: UInt32) -> EntryName {
        contents.chunks[Int(id >> ItemChunk.shift)].name(at: Int(id) & (ItemChunk.capacity - 1))
    }

    @inline(__always)
    func inode(ofItem id: UInt32) -> UInt64 {
        contents.chunks[Int(id >> ItemChunk.shift)].inode(at: Int(id) & (ItemChunk.capacity - 1))
    }

    func identity(ofItem id: UInt32) -> FileIdentity {
        let record = item(id)
        let device =
            record.flags.contains(.foreignDevice)
            ? contents.itemDevices[id] ?? 0
            : contents.directories[Int(record.parent)].identity.device
        return FileIdentity(device: device, inode: record.inode)
    }

    func forEachItem(of directory: UInt32, _ body: (UInt32) -> Void) {
        var run = contents.directories[Int(directory)].firstRun
        while run != DirectoryRecord.none {
            let span = contents.runs[Int(run)]
            for id in span.firstItem..<span.firstItem + span.count { body(id) }
            run = span.next
        }
    }

    func children(of directory: UInt32) -> [UInt32] {
        var found: [UInt32] = []
        var child = contents.directories[Int(directory)].firstChild
        while child != DirectoryRecord.none {
            found.append(child)
            child = contents.directories[Int(child)].nextSibling
        }
        return found
    }

    func components(of directory: UInt32) -> [FileName] {
        var names: [FileName] = []
        var current = directory
        while contents.directories[Int(current)].parent != DirectoryRecord.none {
            names.append(contents.directories[Int(current)].name)
            current = contents.directories[Int(current)].parent
        }
        return names.reversed()
    }

    func path(of directory: UInt32) -> FilePath {
        var path = roots[rootIndex(of: directory)].path
        for name in components(of: directory) { path.append(name) }
        return path
    }

    /// Whether a number is that of a directory.
    func isThere(_ directory: UInt32) -> Bool {
        Int(directory) < contents.directories.count
            && !contents.directories[Int(directory)].flags.contains(.vacant)
    }

    // MARK: - Watches

    func setWatch(_ watch: UInt32, of directory: UInt32) {
        let old = watches[Int(directory)]
        if old != 0 { watched[old] = nil }
        watches[Int(directory)] = watch
        if watch == 0 {
            unwatched.insert(directory)
        } else {
            watched[watch] = directory
            unwatched.remove(directory)
        }
    }

    // MARK: - Numbers of directories

    /// A number for a new directory: the smallest that is larger than its parent's, so that there are
    /// larger ones for those in it; within those of its root.
    ///
    /// - Complexity: O(directories / 64).
    func allocate(in parent: UInt32) throws(IsFull) -> UInt32 {
        let root = rootIndex(of: parent)
        let end = root + 1 < roots.count ? Int(roots[root + 1].directory) : watches.count
        var word = Int(parent + 1) >> 6
        var bits = free[word] & (UInt64.max << UInt64((parent + 1) & 63))
        while bits == 0 {
            word += 1
            guard word << 6 < end else { throw IsFull() }
            bits = free[word]
        }
        let number = (word << 6) + bits.trailingZeroBitCount
        guard number < end else { throw IsFull() }
        free[word] &= ~(1 << UInt64(number & 63))
        contents.directoryCount = (contents.directoryCount ?? 0) + 1
        return UInt32(number)
    }

    func release(_ directory: UInt32) {
        let root = rootIndex(of: directory)
        let first = roots[root].directory
        contents.directories[Int(directory)] = .vacant(
            root: contents.directories[Int(first)], number: first)
        own[Int(directory)] = OwnSums()
        touched.insert(directory)
        unwatched.remove(directory)
        free[Int(directory >> 6)] |= 1 << UInt64(directory & 63)
        contents.directoryCount = (contents.directoryCount ?? 0) - 1
    }

    // MARK: - Items

    /// Adds an item at the end; its directory's runs do not have it yet.
    func append(_ record: ItemRecord, name: EntryName, extras: ItemExtras) -> UInt32 {
        // A list of exceptions may not grow while an inventory that was given out reads it.
        if record.isException {
            currentChunk = nil
        } else if let currentChunk, !contents.chunks[currentChunk].hasRoom(for: name) {
            self.currentChunk = nil
        }
        let chunk: Int
        if let currentChunk {
            chunk = currentChunk
        } else {
            contents.chunks.append(ItemChunk())
            dead.append(DeadItems())
            chunk = contents.chunks.count - 1
            currentChunk = record.isException ? nil : chunk
        }
        let id = UInt32(chunk) << ItemChunk.shift | UInt32(contents.chunks[chunk].count)
        contents.chunks[chunk].append(record, name: name)
        if let device = extras.device { contents.itemDevices[id] = device }
        if let mark = extras.mark { contents.itemMarks[id] = mark }
        if extras.hasDamagedMark { contents.damagedItemMarks.insert(id) }
        own[Int(record.parent)].add(record)
        if record.linkCount > 1 { links.add(id, of: identity(ofItem: id)) }
        contents.itemCount = (contents.itemCount ?? 0) + 1
        added += 1
        comings.append(id)
        return id
    }

    /// What is known of an item beside its record.
    struct ItemExtras {
        var device: UInt64?
        var mark: Mark?
        var hasDamagedMark = false
    }

    func extras(of id: UInt32) -> ItemExtras {
        ItemExtras(
            device: contents.itemDevices[id], mark: contents.itemMarks[id],
            hasDamagedMark: contents.damagedItemMarks.contains(id))
    }

    private func forget(_ id: UInt32, in directory: UInt32) {
        let record = item(id)
        if record.linkCount > 1 { links.remove(id, of: identity(ofItem: id)) }
        dead[Int(id >> ItemChunk.shift)].insert(Int(id) & (ItemChunk.capacity - 1))
        if !contents.itemDevices.isEmpty { contents.itemDevices[id] = nil }
        if !contents.itemMarks.isEmpty { contents.itemMarks[id] = nil }
        if !contents.damagedItemMarks.isEmpty { contents.damagedItemMarks.remove(id) }
        own[Int(directory)].remove(record)
        contents.itemCount = (contents.itemCount ?? 0) - 1
        goings.append(id)
    }

    /// Takes items out of a directory and puts others in.
    func replace(in directory: UInt32, removing: Set<UInt32>, adding: [UInt32]) {
        if removing.isEmpty, adding.isEmpty { return }
        touched.insert(directory)
        var runs: [(first: UInt32, count: UInt32)] = []
        func add(_ id: UInt32) {
            // A run lies in one chunk.
            if let last = runs.last, last.first + last.count == id,
                Int(id) & (ItemChunk.capacity - 1) != 0
            {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((id, 1))
            }
        }
        var run = contents.directories[Int(directory)].firstRun
        while run != DirectoryRecord.none {
            let span = contents.runs[Int(run)]
            lostRuns += 1
            let range = span.firstItem..<span.firstItem + span.count
            if !removing.isEmpty {
                for id in range {
                    if removing.contains(id) { forget(id, in: directory) } else { add(id) }
                }
            } else {
                runs.append((span.firstItem, span.count))
            }
            run = span.next
        }
        for id in adding { add(id) }
        var first = DirectoryRecord.none
        for run in runs.reversed() {
            contents.runs.append(
                ItemRun(firstItem: run.first, count: run.count, next: first))
            first = UInt32(contents.runs.count - 1)
        }
        contents.directories[Int(directory)].firstRun = first
        if !removing.isEmpty { renewNewest(of: directory, removing) }
    }

    /// The latest modification may have gone with what has gone.
    private func renewNewest(of directory: UInt32, _ removed: Set<UInt32>) {
        let newest = own[Int(directory)].newest
        guard removed.contains(where: { item($0).modified == newest }) else { return }
        var latest: UInt32 = 0
        forEachItem(of: directory) { latest = max(latest, item($0).modified) }
        own[Int(directory)].newest = latest
    }

    // MARK: - Keeping small

    /// Finds the structures as they are now.
    ///
    /// - Complexity: O(directories).
    func findStructures() {
        var found = Set(StructureFinder.find(in: contents.directories).keys)
        for (number, record) in contents.directories.enumerated()
        where record.flags.contains(.hasTag) {
            found.insert(UInt32(number))
        }
        hasStructureChanged = found != structured
        structured = found
    }

    /// Ends a round: what was added is given out.
    func endRound() {
        added = 0
        comings.removeAll(keepingCapacity: true)
        goings.removeAll(keepingCapacity: true)
        touched.removeAll(keepingCapacity: true)
        hasSharedChanged = false
        links.endRound()
        for chunk in emptied { contents.chunks[chunk] = Self.emptyChunk }
        emptied = []
        if lostRuns > 65_536, lostRuns > contents.runs.count / 2 { renewRuns() }
    }

    private func renewRuns() {
        var runs: [ItemRun] = []
        for number in contents.directories.indices {
            var run = contents.directories[number].firstRun
            guard run != DirectoryRecord.none else { continue }
            contents.directories[number].firstRun = UInt32(runs.count)
            while run != DirectoryRecord.none {
                var span = contents.runs[Int(run)]
                run = span.next
                span.next = run == DirectoryRecord.none ? run : UInt32(runs.count + 1)
                runs.append(span)
            }
        }
        contents.runs = runs
        lostRuns = 0
    }

    /// Empties chunks of which a quarter and more is no more, by putting what is left of them at the
    /// end; about four items for each one that was added, so that this costs by what changed, too.
    func reclaim() {
        var allowance = 4 * added
        let chunks = dead.indices.filter {
            $0 != currentChunk && contents.chunks[$0].count > 0
                && !emptied.contains($0) && dead[$0].count * 4 >= contents.chunks[$0].count
        }.sorted { dead[$0].count > dead[$1].count }
        for chunk in chunks where allowance > 0 {
            allowance -= contents.chunks[chunk].count - dead[chunk].count
            empty(chunk)
        }
    }

    private func empty(_ number: Int) {
        let chunk = contents.chunks[number]
        var moved: [UInt32: (old: Set<UInt32>, new: [UInt32])] = [:]
        for index in 0..<chunk.count where !dead[number].contains(index) {
            let id = UInt32(number) << ItemChunk.shift | UInt32(index)
            let record = chunk.record(at: index)
            let new = append(record, name: chunk.name(at: index), extras: extras(of: id))
            moved[record.parent, default: ([], [])].old.insert(id)
            moved[record.parent, default: ([], [])].new.append(new)
        }
        for (directory, items) in moved {
            replace(in: directory, removing: items.old, adding: items.new)
        }
        // It goes when the round is over. Its numbers are not used again: who keeps something by number
        // must not meet others there.
        emptied.append(number)
    }

    private static let emptyChunk = ItemChunk()
}

extension LiveTree.OwnSums {
    @inline(__always)
    mutating func add(_ item: ItemRecord) {
        files &+= 1
        if item.flags.contains(.looksLikeSidecar) { sidecars &+= 1 }
        newest = max(newest, item.modified)
        if item.linkCount <= 1 {
            allocated &+= item.allocated
            logical &+= item.logical
        }
    }

    /// The latest modification is not taken back.
    mutating func remove(_ item: ItemRecord) {
        files &-= 1
        if item.flags.contains(.looksLikeSidecar) { sidecars &-= 1 }
        if item.linkCount <= 1 {
            allocated &-= item.allocated
            logical &-= item.logical
        }
    }
}

extension InventoryContents {
    /// What an inventory is made of, to be changed.
    init(of inventory: Inventory) {
        self.init()
        directories = inventory.directories
        chunks = inventory.chunks
        runs = inventory.runs
        itemMarks = inventory.itemMarks
        damagedItemMarks = inventory.damagedItemMarks
        itemDevices = inventory.itemDevices
        omissions = inventory.omissions
        nameStores = inventory.nameStores
        failures = inventory.failures
        failureCount = inventory.failureCount
        itemCount = inventory.itemCount
        directoryCount = inventory.directoryCount
    }
}
