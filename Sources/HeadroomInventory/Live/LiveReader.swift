//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Brings directories of a live inventory up to date: reads what changed, and nothing else.
///
/// For one round; used by one thread.
@safe final class LiveReader {
    let tree: LiveTree
    let options: ScanOptions
    let calls: any FileSystemCalls
    /// By root; nil: nothing is told of it.
    let watches: [LiveWatch?]
    /// By root, open.
    let rootDescriptors: [OpenDirectory]
    /// Makes records as a scan does.
    private let maker: InventoryBuilder
    /// What was looked at and may not be at rest yet.
    var examined: [(watch: UInt32, name: FileName)] = []
    /// Entries that were asked for.
    var entriesRead = 0
    /// The ticks in which what walks have found was changed.
    private var walkedTicks = FileTicks()

    init(
        tree: LiveTree, options: ScanOptions, calls: any FileSystemCalls, watches: [LiveWatch?],
        rootDescriptors: [OpenDirectory]
    ) {
        self.tree = tree
        self.options = options
        self.calls = calls
        self.watches = watches
        self.rootDescriptors = rootDescriptors
        maker = InventoryBuilder(
            key: tree.key, assignment: tree.assignments[0], markSource: nil, inherited: .none,
            firstDirectory: 0)
        maker.agesByChange = options.agesByChange
    }

    /// The ticks in which what was looked at was changed (safety invariant S4).
    var ticks: FileTicks {
        var ticks = walkedTicks
        ticks.join(maker.ticks)
        return ticks
    }

    func join(_ ticks: FileTicks) { walkedTicks.join(ticks) }

    func record(_ directory: UInt32) -> DirectoryRecord {
        tree.contents.directories[Int(directory)]
    }

    func forget(_ watch: UInt32) {
        // Numbers are unique among all watches.
        for owner in watches { owner?.watch.forget(watch) }
    }

    // MARK: - One directory

    /// Reads what has changed in a directory.
    ///
    /// One that is gone is left as it is: what became of it is told of the directory it lies in.
    func refresh(_ number: UInt32, _ change: DirectoryChange) throws(LiveTree.IsFull) {
        guard tree.isThere(number) else { return }
        let root = rootDescriptors[tree.rootIndex(of: number)].descriptor.rawValue
        let opened: OpenDirectory
        do throws(Errno) {
            opened = try OpenDirectory(tree.components(of: number), beneath: root, calls)
        } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .improperLink {
            return
        } catch {
            return becomeUnreadable(number, error)
        }
        let (descriptor, status) = (opened.descriptor.rawValue, opened.status)
        guard status.identity == record(number).identity else { return }
        let isCutOff = record(number).flags.contains(.unreadable)
        let own = refreshOwn(number, status, descriptor)
        if isCutOff || own.concernsTree || change.concernsTree {
            return try rescan(number, opened.descriptor)
        }
        if own.concernsFiles || change.concernsAllFiles {
            try readAll(number, descriptor, replaced: change.names)
        } else if !change.names.isEmpty {
            try examine(change.names, in: number, descriptor)
        }
    }

    private func becomeUnreadable(_ number: UInt32, _ error: Errno) {
        tree.removeTree(number, keepingTop: true, forget: forget)
        tree.contents.directories[Int(number)].flags.insert(.unreadable)
        fail(tree.path(of: number), "open", error)
        tree.unwatched.insert(number)
        // It still has a size and times of its own.
        let old = record(number)
        let outer = tree.components(of: number).dropLast()
        let root = rootDescriptors[tree.rootIndex(of: number)].descriptor.rawValue
        guard
            // What cannot be looked at either stays as it was: the directory around is told of that.
            let opened = try? OpenDirectory(Array(outer), beneath: root, calls),
            let status = try? calls.status(of: old.entryName, at: opened.descriptor.rawValue),
            status.identity == old.identity
        else { return }
        tree.contents.directories[Int(number)].take(
            status, fingerprint: Fingerprint(status, key: tree.key).rawValue,
            isInTick: maker.isInTick(status), user: maker.user)
        if old.flags.contains(.sticky) != record(number).flags.contains(.sticky) {
            tree.hasSharedChanged = true
        }
    }

    func fail(_ path: FilePath, _ operation: String, _ error: Errno) {
        tree.contents.failureCount += 1
        guard tree.contents.failures.count < Inventory.failureLimit else { return }
        tree.contents.failures.append(
            Inventory.Failure(path: path, operation: operation, error: error))
    }

    // MARK: - A directory itself

    /// Takes over what a directory says of itself.
    ///
    /// - Returns: whether its mark changed, which what lies below inherits; and whether files in it
    ///   carry marks where none did, or the other way round.
    private func refreshOwn(
        _ number: UInt32, _ status: FileStatus, _ descriptor: Int32
    ) -> (concernsTree: Bool, concernsFiles: Bool) {
        var record = record(number)
        let fingerprint = Fingerprint(status, key: tree.key).rawValue
        let isSame = record.fingerprint == fingerprint
        let wasShared = record.flags.contains(.sticky)
        record.take(
            status, fingerprint: fingerprint, isInTick: maker.isInTick(status), user: maker.user)
        if wasShared != record.flags.contains(.sticky) { tree.hasSharedChanged = true }
        defer { tree.contents.directories[Int(number)] = record }
        if isSame { return (false, false) }
        let reading = options.markSource?.reading(ofDirectory: descriptor, status)
        let outer =
            record.parent == DirectoryRecord.none ? nil : self.record(record.parent)
        let isDamaged =
            reading?.isDamaged == true || outer?.flags.contains(.damagedMark) == true
        let hadMarkedFiles = record.flags.contains(.hasMarkedFiles)
        let hasMarkedFiles = reading?.hasMarkedFiles == true
        if hasMarkedFiles {
            record.flags.insert(.hasMarkedFiles)
        } else {
            record.flags.remove(.hasMarkedFiles)
        }
        let before = self.record(number).held
        let held = effectiveMark(reading, status, number, record, outer)
        let concernsTree =
            held != before || isDamaged != record.flags.contains(.damagedMark)
        return (concernsTree, hadMarkedFiles != hasMarkedFiles)
    }

    /// As ``InventoryBuilder/enter(_:)`` works it out.
    private func effectiveMark(
        _ own: MarkReading?, _ status: FileStatus, _ number: UInt32, _ record: DirectoryRecord,
        _ outer: DirectoryRecord?
    ) -> HeldMark {
        let root = tree.rootIndex(of: number)
        let assignment = tree.assignments[root]
        let isAreaRoot =
            outer == nil ? assignment.startsAtAreaRoot : record.flags.contains(.areaRoot)
        var mark = outer?.held ?? HeldMark(mark: tree.roots[root].mark)
        if outer != nil, isAreaRoot, !assignment.takesMarks(record.area) {
            mark = mark.withoutDeclaration
        }
        mark = mark.entering(own, status, in: assignment.areaClass(record.area))
        if isAreaRoot, assignment.isEssential(record.area) { mark = mark.withoutDeclaration }
        return mark
    }

    // MARK: - Items

    /// What an item would be added as.
    struct Found {
        var record: ItemRecord
        var extras: LiveTree.ItemExtras
    }

    /// Looks at an entry that is no directory, as ``InventoryBuilder/take(_:of:)`` does.
    func found(
        _ name: EntryName, _ status: FileStatus, in number: UInt32, _ descriptor: Int32
    ) -> Found {
        let directory = record(number)
        var found = Found(
            record: maker.makeRecord(status, name, parent: number), extras: .init())
        if status.identity.device != directory.identity.device {
            found.record.flags.insert(.foreignDevice)
            found.extras.device = status.identity.device
        }
        let isFlagged = directory.flags.contains(.hasMarkedFiles)
        var reading: MarkReading?
        if let source = options.markSource, isFlagged || source.knowsFiles,
            isFlagged || source.isKnown(inode: status.identity.inode)
        {
            reading = source.reading(ofFile: name, at: descriptor, status)
        }
        let held = directory.held
        guard reading != nil || held.grantor != nil else { return found }
        let area = tree.assignments[tree.rootIndex(of: number)].areaClass(directory.area)
        let own = held.counted(reading, of: status, in: area).own
        if reading == nil, own.isEmpty { return found }
        found.record.flags.insert(.marked)
        found.extras.mark = own
        found.extras.hasDamagedMark = reading?.isDamaged == true
        return found
    }

    /// Whether an item is just what was found.
    func isSame(_ id: UInt32, _ found: Found) -> Bool {
        var known = tree.item(id)
        known.flags.remove(.countedElsewhere)
        // mutation: r14f-1
        guard known == found.record else { return false }
        guard known.flags.contains(.marked) || known.flags.contains(.foreignDevice) else {
            return true
        }
        let extras = tree.extras(of: id)
        return extras.mark == found.extras.mark && extras.device == found.extras.device
            && extras.hasDamagedMark == found.extras.hasDamagedMark
    }

    /// Whether a file lies on the file system of its root, as the walk decides it.
    func isHere(_ status: FileStatus, _ number: UInt32) -> Bool {
        let root = rootDescriptors[tree.rootIndex(of: number)].status
        return status.identity.device == root.identity.device
            || (status.mountID != 0 && status.mountID == root.mountID)
    }

    /// Works out again what a directory's entries say of it.
    func settleFlags(of number: UInt32, mayHaveFlags: Bool) {
        var flags = record(number).flags
        if !flags.isDisjoint(with: [.hasMounts, .hasUnreadable]) {
            flags.subtract([.hasMounts, .hasUnreadable])
            for omission in tree.contents.omissions where omission.directory == number {
                flags.insert(omission.isMount ? .hasMounts : .hasUnreadable)
            }
        }
        if mayHaveFlags || !flags.isDisjoint(with: .byFileName) {
            flags.subtract(.byFileName)
            tree.forEachItem(of: number) { id in
                flags.formUnion(.init(file: tree.name(ofItem: id), tree.item(id)))
            }
        }
        if flags != record(number).flags { tree.touched.insert(number) }
        tree.contents.directories[Int(number)].flags = flags
    }

    func omit(_ name: FileName, in number: UInt32, isMount: Bool) {
        tree.contents.omissions.append(
            Inventory.Omission(directory: number, name: name, isMount: isMount))
        tree.contents.directories[Int(number)].flags.insert(isMount ? .hasMounts : .hasUnreadable)
    }

    /// Forgets that an entry was left out.
    func clearOmission(_ name: FileName, in number: UInt32) {
        if !record(number).flags.isDisjoint(with: [.hasMounts, .hasUnreadable]) {
            tree.contents.omissions.removeAll { $0.directory == number && $0.name == name }
        }
        guard !tree.contents.failures.isEmpty else { return }
        let path = tree.path(of: number).appendingName(name)
        tree.contents.failures.removeAll { $0.path == path }
        tree.contents.failureCount = tree.contents.failures.count
    }
}

extension FilePath {
    func appendingName(_ name: FileName) -> FilePath {
        var path = self
        path.append(name)
        return path
    }
}
