//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// What a ``LiveInventory`` does, one call at a time.
package final class LiveCore {
    private let roots: [ScanRoot]
    private let areas: [Area]
    private let options: LiveOptions
    private let scanOptions: @Sendable () -> ScanOptions
    private let serial = LiveWatch.Serial()
    private let key = FingerprintKey.random()

    private var tree: LiveTree?
    /// By root; nil: nothing is told of it.
    private var watches: [LiveWatch?] = []
    /// By root: why nothing is told.
    private var shortfalls: [Reason?] = []
    private var latest: Inventory?
    private var rest: RestQueue
    private var mounts: Set<MountPlace> = []
    /// What the ledger knew of marks in the last round.
    private var markedInodes: [UInt64: [MarkedFile]] = [:]
    private var isClosed = false
    /// Whether plans are made, so that what they are made by is kept up to date.
    package var wantsIndex = false
    package private(set) var statistics = LiveStatistics()

    private struct MountPlace: Hashable {
        var id: UInt64
        var point: FilePath
    }

    package init(
        roots: [ScanRoot], areas: [Area], options: LiveOptions,
        scanOptions: @escaping @Sendable () -> ScanOptions
    ) {
        self.roots = roots
        self.areas = areas
        self.options = options
        self.scanOptions = scanOptions
        rest = RestQueue(time: options.restTime)
    }

    package func close() {
        isClosed = true
        closeWatches()
        tree = nil
        latest = nil
    }

    private func closeWatches() {
        for watch in watches { watch?.watch.close() }
        watches = []
    }

    // MARK: - Scans

    /// Scans everything, watching each directory before it is read.
    package func scan(_ progress: ScanProgress = ScanProgress()) throws(HeadroomError) {
        closeWatches()
        tree = nil
        rest = RestQueue(time: options.restTime)
        var scanOptions = options(for: scanOptions())
        scanOptions.key = key
        let table = try? MountTable.current()  // Unknown: nothing is taken to be told.
        mounts = mountPlaces(table)
        var assembler = InventoryAssembler()
        var watched: [(directory: UInt32, watch: UInt32)] = []
        var shared: [UInt64: LiveWatch] = [:]
        shortfalls = []
        for root in roots {
            let opened = try open(root)
            let (watch, shortfall) = makeWatch(root, opened, table, &shared)
            watches.append(watch)
            shortfalls.append(shortfall)
            let assignment = AreaAssignment(root: root.path, areas: areas)
            let first = assembler.beginRoot(root)
            let builders = BuilderList()
            let (key, source) = (key, scanOptions.markSource)
            let agesByChange = scanOptions.agesByChange
            let result = try TreeWalk.run(root.path, scanOptions, progress) {
                let builder = InventoryBuilder(
                    key: key, assignment: assignment, markSource: source,
                    inherited: PackedMark(root.mark), firstDirectory: first)
                builder.agesByChange = agesByChange
                builder.watcher = watch
                builders.append(builder)
                return builder
            }
            assembler.add(builders.all, result)
            for builder in builders.all { watched += builder.watched }
            // Room for as many new directories as keep numbering from being redone too often.
            assembler.reserve(result.totals.directories / 4 + 1024)
        }
        let inventory = assembler.finish(areas: areas, scanned: scanOptions.now, key: key)
        if inventory.isComplete { tree = LiveTree(inventory, watches: watched) }
        markedInodes = Self.marked(scanOptions)
        latest = Self.survey(inventory, scanOptions)
        statistics.scans += 1
    }

    private func open(_ root: ScanRoot) throws(HeadroomError) -> OpenDirectory {
        do throws(Errno) {
            return try OpenDirectory(root: root.path, NativeCalls.make())
        } catch {
            throw HeadroomError("scan", root.path, error)
        }
    }

    /// Other mounts are not followed.
    private func options(for asked: ScanOptions) -> ScanOptions {
        var options = asked
        options.crossesMounts = false
        return options
    }

    private func makeWatch(
        _ root: ScanRoot, _ opened: OpenDirectory, _ table: MountTable?,
        _ shared: inout [UInt64: LiveWatch]
    ) -> (LiveWatch?, Reason?) {
        if isClosed { return (nil, nil) }
        let device = opened.status.identity.device
        if let known = shared[device] { return (known, nil) }
        let descriptor = opened.descriptor.rawValue
        if let make = options.makeWatch {
            guard let made = make(descriptor) else { return (nil, nil) }
            let watch = LiveWatch(made, serial: serial)
            shared[device] = watch
            return (watch, nil)
        }
        let mount = table?.mount(id: opened.status.mountID) ?? table?.mount(at: root.path)
        let mechanism: WatchMechanism? =
            switch options.mechanism {
            case .best: nil
            case .perDirectory: .inotify
            case .perFileSystem: .fanotify
            }
        do throws(Watching.Obstacle) {
            let made = try Watching.make(
                on: descriptor, type: mount?.type ?? "", mechanism: mechanism)
            let watch = LiveWatch(made, serial: serial)
            shared[device] = watch
            return (watch, nil)
        } catch {
            return (nil, Self.reason(error, root.path))
        }
    }

    private static func reason(_ obstacle: Watching.Obstacle, _ root: FilePath) -> Reason {
        let name = root.displayText
        switch obstacle {
        case .fileSystem(let type):
            let kind = type.isEmpty ? "a file system of an unknown kind" : type
            return Reason(
                .notWatched,
                "\(name) lies on \(kind), which can change without this system's knowledge. It is "
                    + "read again each time.")
        case .system(let error):
            return Reason(
                .notWatched,
                "\(name) cannot be watched (\(error)). It is read again each time; allow more in "
                    + "fs.inotify.max_user_instances and max_user_watches"
                    + (User.isRoot ? "." : ", or run as root."))
        }
    }

    package var coverage: [LiveCoverage] {
        var unwatched = [Int](repeating: 0, count: roots.count)
        if let tree {
            for number in tree.unwatched { unwatched[tree.rootIndex(of: number)] += 1 }
        }
        return roots.enumerated().map { index, root in
            var shortfall = index < shortfalls.count ? shortfalls[index] : nil
            if shortfall == nil, unwatched[index] > 0, index < watches.count,
                let refused = watches[index]?.refused
            {
                shortfall = Reason(
                    .notWatched,
                    "\(unwatched[index]) directories in \(root.path.displayText) cannot be watched "
                        + "(\(refused)). They are read again each time; allow more in "
                        + "fs.inotify.max_user_watches.")
            }
            return LiveCoverage(
                root: root.path, shortfall: shortfall, unwatchedDirectories: unwatched[index])
        }
    }

    // MARK: - Rounds

    /// What the last scan found, with what plans are made by.
    package func asScanned() throws(HeadroomError) -> Inventory {
        guard let tree else { return try current() }
        return publish(tree, options(for: scanOptions()))
    }

    package func refresh() throws(HeadroomError) -> Inventory {
        guard !isClosed, let tree, let latest else {
            try scan()
            return try current()
        }
        let scanOptions = options(for: scanOptions())
        var opened: [OpenDirectory] = []
        for root in roots { opened.append(try open(root)) }
        for (index, root) in tree.roots.enumerated() {
            let known = tree.contents.directories[Int(root.directory)]
            guard known.identity == opened[index].status.identity,
                known.mountID == opened[index].status.mountID
            else {
                // Another directory lies there now, or the same one on another mount.
                try scan()
                return try current()
            }
        }
        let reader = LiveReader(
            tree: tree, options: scanOptions, calls: scanOptions.calls ?? NativeCalls.make(),
            watches: watches, rootDescriptors: opened)
        do throws(LiveTree.IsFull) {
            let work = takeWork(tree, scanOptions)
            if work.isEmpty {
                let isDue = wantsIndex && latest.index == nil || !latest.stores.isEmpty
                return isDue ? publish(tree, scanOptions) : latest
            }
            // Parents have smaller numbers than their children, and may tell that those are gone.
            for number in work.keys.sorted() {
                guard let change = work[number], tree.isThere(number) else { continue }
                statistics.directoriesRead += 1
                // Put back by whoever finds that it still cannot be watched or read to its end.
                if tree.watches[Int(number)] != 0 { tree.unwatched.remove(number) }
                try reader.refresh(number, change)
            }
            reader.settleLinks()
        } catch {
            try scan()
            return try current()
        }
        statistics.entriesRead += reader.entriesRead
        statistics.rounds += 1
        rest.add(reader.examined)
        defer { reader.ticks.wait() }
        return publish(tree, scanOptions)
    }

    private func publish(_ tree: LiveTree, _ scanOptions: ScanOptions) -> Inventory {
        tree.wantsIndex = wantsIndex
        let inventory = Self.survey(tree.makeInventory(scanned: scanOptions.now), scanOptions)
        latest = inventory
        return inventory
    }

    /// What cache stores hold is read each time: their values go in an order that time changes. So is what
    /// databases begin with, for as few as it matters to.
    private static func survey(_ inventory: Inventory, _ options: ScanOptions) -> Inventory {
        let inventory = StructureSurvey(options).complete(
            DatabaseSurvey(options).complete(inventory))
        return options.stores?().complete(inventory) ?? inventory
    }

    private func current() throws(HeadroomError) -> Inventory {
        guard let latest else {
            throw HeadroomError(.io, "The inventory could not be made. Try again.")
        }
        return latest
    }

    /// Everything that has to be looked at, by directory.
    private func takeWork(
        _ tree: LiveTree, _ scanOptions: ScanOptions
    ) -> [UInt32: DirectoryChange] {
        var work: [UInt32: DirectoryChange] = [:]
        for number in tree.unwatched { work[number, default: .init()].concernsAllFiles = true }
        var seen: [ObjectIdentifier: ChangeBatch] = [:]
        for (index, root) in tree.roots.enumerated() {
            guard let watch = watches[index] else {
                work[root.directory, default: .init()].concernsTree = true
                continue
            }
            if seen[ObjectIdentifier(watch)] == nil {
                let batch = watch.watch.take()
                seen[ObjectIdentifier(watch)] = batch
                if batch.isIncomplete { statistics.overflows += 1 }
                for (id, change) in batch.directories {
                    guard let number = tree.watched[id] else { continue }
                    work[number, default: .init()].join(change)
                }
            }
            if seen[ObjectIdentifier(watch)]?.isIncomplete == true {
                work[root.directory, default: .init()].concernsTree = true
            }
        }
        addMounts(to: &work, tree)
        addMarks(to: &work, tree, scanOptions)
        for due in rest.takeDue() {
            guard let number = tree.watched[due.watch] else { continue }
            work[number, default: .init()].names[due.name, default: []].insert(.touched)
        }
        addLinks(to: &work, tree)
        return work
    }

    // MARK: - What is not told

    /// A mount that comes or goes changes nothing in the directory that it covers.
    private func addMounts(to work: inout [UInt32: DirectoryChange], _ tree: LiveTree) {
        let now = mountPlaces(try? MountTable.current())  // Unknown: as before.
        for place in now.symmetricDifference(mounts) {
            let outer = place.point.removingLastComponent()
            guard let name = place.point.names.last,
                let number = tree.directory(at: outer)
            else { continue }
            work[number, default: .init()].names[name, default: []].insert(.replacedDirectory)
        }
        mounts = now
    }

    private func mountPlaces(_ table: MountTable?) -> Set<MountPlace> {
        guard let table else { return mounts }
        var places: Set<MountPlace> = []
        for mount in table.mounts
        where roots.contains(where: { mount.point != $0.path && mount.point.lies(in: $0.path) }) {
            places.insert(MountPlace(id: mount.id, point: mount.point))
        }
        return places
    }

    /// Marks that the ledger alone has.
    private func addMarks(
        to work: inout [UInt32: DirectoryChange], _ tree: LiveTree, _ scanOptions: ScanOptions
    ) {
        let now = Self.marked(scanOptions)
        defer { markedInodes = now }
        let inodes = Set(now.keys).union(markedInodes.keys).filter { now[$0] != markedInodes[$0] }
        guard !inodes.isEmpty else { return }
        for number in tree.contents.directories.indices {
            let record = tree.contents.directories[number]
            guard !record.flags.contains(.vacant) else { continue }
            if inodes.contains(record.identity.inode) {
                work[UInt32(number), default: .init()].concernsTree = true
            }
            tree.forEachItem(of: UInt32(number)) { id in
                guard inodes.contains(tree.item(id).inode) else { return }
                work[UInt32(number), default: .init()]
                    .names[tree.name(ofItem: id).owned, default: []].insert(.touched)
            }
        }
    }

    private static func marked(_ options: ScanOptions) -> [UInt64: [MarkedFile]] {
        (options.markSource as? LedgerMarkSource)?.recorded ?? [:]
    }

    // MARK: - What was chosen

    /// Looks again at what a plan has chosen: reading is not told of.
    ///
    /// - Returns: the inventory with what was found; nil if it is what the plan was made of.
    package func lookAgain(
        of inventory: Inventory, at items: ((UInt32) -> Void) -> Void
    ) throws(HeadroomError) -> Inventory? {
        guard let tree, let latest, inventory === latest else { return nil }
        var work: [UInt32: Set<UInt32>] = [:]
        items { id in work[tree.item(id).parent, default: []].insert(id) }
        if work.isEmpty { return nil }
        let scanOptions = options(for: scanOptions())
        var opened: [OpenDirectory] = []
        for root in roots { opened.append(try open(root)) }
        let reader = LiveReader(
            tree: tree, options: scanOptions, calls: scanOptions.calls ?? NativeCalls.make(),
            watches: watches, rootDescriptors: opened)
        var hasChanged = false
        for (number, items) in work {
            if reader.lookAgain(at: items, in: number) { hasChanged = true }
        }
        if hasChanged {
            reader.settleLinks()
        }
        defer { reader.ticks.wait() }
        return hasChanged ? publish(tree, scanOptions) : nil
    }
}

extension DirectoryChange {
    mutating func join(_ other: DirectoryChange) {
        names.merge(other.names) { $0.union($1) }
        concernsAllFiles = concernsAllFiles || other.concernsAllFiles
        concernsTree = concernsTree || other.concernsTree
    }
}

extension LiveTree {
    /// The directory at a path; nil if there is none.
    func directory(at path: FilePath) -> UInt32? {
        let names = path.names
        for root in roots {
            let outer = root.path.names
            guard names.starts(with: outer) else { continue }
            var current: UInt32? = root.directory
            for name in names[outer.count...] {
                guard let number = current else { break }
                current = children(of: number).first {
                    contents.directories[Int($0)].name == name
                }
            }
            if let current { return current }
        }
        return nil
    }
}
