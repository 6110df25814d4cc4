//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Is told of each directory of a scan, open, before it is read.
protocol DirectoryWatcher: AnyObject, Sendable {
    /// - Returns: what changes in it are told as; 0: they are not.
    func watch(_ directory: Int32) -> UInt32
}

/// Takes in what one worker of a scan finds. Builders are put together when the walk is over.
@safe final class InventoryBuilder: WalkSink {
    let key: FingerprintKey
    private let assignment: AreaAssignment
    private let markSource: (any MarkSource)?
    private let asksForFiles: Bool
    let user: UInt32
    /// What the root inherits from the directories around it.
    private let inherited: PackedMark
    /// What the numbers of this walk's directories start from.
    private let firstDirectory: UInt32

    private(set) var directories: [(id: UInt32, record: DirectoryRecord)] = []
    private(set) var chunks: [ItemChunk] = []
    /// Runs by directory; item numbers count from this builder's first chunk.
    private(set) var runs: [(directory: UInt32, firstItem: UInt32, count: UInt32)] = []
    private(set) var itemMarks: [UInt32: Mark] = [:]
    private(set) var damagedItemMarks: Set<UInt32> = []
    private(set) var itemDevices: [UInt32: UInt64] = [:]
    private(set) var omissions: [Inventory.Omission] = []
    /// Directories that could not be read to their end.
    private(set) var cutOff: [UInt32] = []
    /// Directories with the flags that names of files in them give.
    private(set) var flagged: [(directory: UInt32, flags: DirectoryRecord.Flags)] = []
    let names = NameStore()
    /// The ticks in which what was looked at was changed (safety invariant S4).
    private(set) var ticks = FileTicks()

    /// See ``ScanOptions/agesByChange``; set before the walk.
    var agesByChange = false
    /// See ``ScanOptions/keepsChanges``; set before the walk.
    var keepsChanges = false
    /// Where the walk's root hangs, if it is no root of the inventory; set before the walk.
    var graft: Graft?
    /// Told of each directory before it is read; set before the walk.
    var watcher: (any DirectoryWatcher)?
    /// What the watcher said of directories.
    private(set) var watched: [(directory: UInt32, watch: UInt32)] = []

    /// A place in an inventory that a tree is put at.
    struct Graft {
        /// The number of the directory that it lies in.
        var parent: UInt32
        var name: FileName
        /// What that directory hands down.
        fileprivate var tag: Tag
        /// The user on whose word its class holds.
        fileprivate var grantor: UInt32?

        /// - Parameter node: of the parent, in the assignment of its root.
        init(parent: UInt32, _ record: DirectoryRecord, node: UInt16, name: FileName) {
            self.parent = parent
            self.name = name
            var flags: UInt16 = 0
            if record.flags.contains(.reserved) { flags |= Tag.reserved }
            if record.flags.contains(.damagedMark) { flags |= Tag.damaged }
            tag = Tag(node: node, area: record.area, mark: record.mark, flags: flags)
            grantor = record.held.grantor
        }
    }

    init(
        key: FingerprintKey, assignment: AreaAssignment, markSource: (any MarkSource)?,
        inherited: PackedMark, firstDirectory: UInt32
    ) {
        self.inherited = inherited
        self.key = key
        self.assignment = assignment
        self.markSource = markSource
        self.firstDirectory = firstDirectory
        asksForFiles = markSource?.knowsFiles ?? false
        user = geteuid()
    }

    // MARK: - Directories

    /// What a directory hands down to its children and entries.
    fileprivate struct Tag {
        var node: UInt16
        var area: UInt16
        var mark: PackedMark
        var flags: UInt16

        static let reserved: UInt16 = 1
        static let readsFileMarks: UInt16 = 2
        static let damaged: UInt16 = 4
        /// The flags that a directory hands down as they are.
        static let inherited: UInt16 = reserved | damaged | ~0 << grantorShift
        private static let grantorShift: UInt16 = 4

        /// The number of the user on whose word the class of the mark holds; 0: none.
        var grantor: UInt16 {
            get { flags >> Self.grantorShift }
            set { flags = flags & ~(~0 << Self.grantorShift) | newValue << Self.grantorShift }
        }

        /// Removes class and importance from the mark; pin and backup exclusion remain.
        mutating func removeDeclaration() {
            mark = mark.withoutDeclaration
            grantor = 0
        }

        init(node: UInt16, area: UInt16, mark: PackedMark, flags: UInt16) {
            self.node = node
            self.area = area
            self.mark = mark
            self.flags = flags
        }

        init(_ rawValue: UInt64) {
            node = UInt16(truncatingIfNeeded: rawValue >> 48)
            area = UInt16(truncatingIfNeeded: rawValue >> 32)
            mark = PackedMark(rawValue: UInt16(truncatingIfNeeded: rawValue >> 16))
            flags = UInt16(truncatingIfNeeded: rawValue)
        }

        var rawValue: UInt64 {
            UInt64(node) << 48 | UInt64(area) << 32 | UInt64(mark.rawValue) << 16 | UInt64(flags)
        }
    }

    func enter(_ directory: borrowing WalkDirectory) -> WalkDecision {
        let status = directory.status
        var record = DirectoryRecord(
            name: names.add(directory.name), status: status,
            fingerprint: Fingerprint(status, key: key))
        if isInTick(status) { record.flags.insert(.inTick) }
        var tag: Tag
        if let parentID = directory.parentID {
            record.parent = firstDirectory + parentID
            tag = inherit(Tag(directory.parentTag), name: directory.name, &record)
        } else if let graft {
            graft.name.withEntryName { record.rename(names.add($0)) }
            record.parent = graft.parent
            tag = graft.name.withEntryName { inherit(handedDown(by: graft), name: $0, &record) }
        } else {
            tag = Tag(node: 0, area: assignment.rootArea, mark: inherited, flags: 0)
            if assignment.rootArea != DirectoryRecord.noArea { record.flags.insert(.areaRoot) }
        }
        // mutation: s12c-1
        if directory.failure != nil { record.flags.insert(.unreadable) }
        record.setPermissionFlags(status, user: user)
        if directory.descriptor >= 0 {
            // Before it is read, so that no change of it is missed.
            if let watcher {
                watched.append(
                    (firstDirectory + directory.id, watcher.watch(directory.descriptor)))
            }
            readMark(directory.descriptor, status, &tag, &record)
        } else {
            settle(nil, status, &tag)
        }
        // What is essential by its role cannot be declared, however a mark got onto it (S11).
        let isAreaRoot =
            directory.parentID == nil && graft == nil
            ? assignment.startsAtAreaRoot : record.flags.contains(.areaRoot)
        if isAreaRoot, assignment.isEssential(tag.area) { tag.removeDeclaration() }
        if tag.flags & Tag.damaged != 0 { record.flags.insert(.damagedMark) }
        record.area = tag.area
        record.mark = tag.mark
        if tag.grantor != 0 {
            let isNobody = held(tag).grantor == HeldMark.nobody
            record.flags.insert(isNobody ? .grantedByNobody : .grantedByOwner)
        }
        directories.append((firstDirectory + directory.id, record))
        return WalkDecision(tag: tag.rawValue)
    }

    private func inherit(
        _ outer: Tag, name: EntryName, _ record: inout DirectoryRecord
    ) -> Tag {
        var tag = outer
        tag.flags &= Tag.inherited
        tag.node = assignment.step(from: outer.node, to: name)
        let area = assignment.area(at: tag.node)
        if area != DirectoryRecord.noArea {
            tag.area = area
            // The nearest declaration wins: here it is the area.
            // mutation: r2b-1
            if !assignment.takesMarks(area) { tag.removeDeclaration() }
            record.flags.insert(.areaRoot)
        }
        // mutation: s7c-1
        if tag.flags & Tag.reserved != 0 || ReservedName.matches(name) {
            tag.flags |= Tag.reserved
            record.flags.insert(.reserved)
        }
        return tag
    }

    private func readMark(
        _ descriptor: Int32, _ status: FileStatus, _ tag: inout Tag, _ record: inout DirectoryRecord
    ) {
        guard let reading = markSource?.reading(ofDirectory: descriptor, status) else {
            return settle(nil, status, &tag)
        }
        if reading.isDamaged { tag.flags |= Tag.damaged }
        if reading.hasMarkedFiles {
            tag.flags |= Tag.readsFileMarks
            record.flags.insert(.hasMarkedFiles)
        }
        settle(reading, status, &tag)
    }

    /// The tag that the directory of a graft hands down.
    private func handedDown(by graft: Graft) -> Tag {
        var tag = graft.tag
        if let user = graft.grantor { grant(user, &tag) }
        return tag
    }

    /// Notes the user whose mark set the class. If the table is full, the class does not count.
    private func grant(_ user: UInt32, _ tag: inout Tag) {
        if let number = markSource?.grantors.number(of: user) {
            tag.grantor = number
        } else {
            tag.removeDeclaration()
        }
    }

    /// Works out the effective mark of a directory.
    @inline(__always)
    private func settle(_ reading: MarkReading?, _ status: FileStatus, _ tag: inout Tag) {
        if tag.grantor == 0, reading?.mark.isEmpty != false { return }
        settleMarked(reading, status, &tag)
    }

    private func settleMarked(_ reading: MarkReading?, _ status: FileStatus, _ tag: inout Tag) {
        // mutation: r9a-1
        let held = held(tag).entering(reading, status, in: assignment.areaClass(tag.area))
        tag.mark = PackedMark(held.mark)
        tag.grantor = 0
        if let user = held.grantor { grant(user, &tag) }
    }

    private func held(_ tag: Tag) -> HeldMark {
        HeldMark(mark: tag.mark.mark, grantor: markSource?.grantors.user(tag.grantor))
    }

    // MARK: - Entries

    func take(_ entries: UnsafeBufferPointer<WalkEntry>, of directory: WalkPlace) {
        let parent = firstDirectory &+ directory.id
        let tag = Tag(directory.tag)
        let readsMarks =
            asksForFiles || tag.flags & Tag.readsFileMarks != 0 || tag.grantor != 0
        var first = nextItem
        var count: UInt32 = 0
        for index in 0..<entries.count {
            let name = unsafe entries[index].name
            if chunks.last?.hasRoom(for: name) != true {
                append(run: first, count, of: parent)
                chunks.append(ItemChunk())
                first = nextItem
                count = 0
            }
            var record = unsafe makeRecord(entries[index].status, name, parent: parent)
            let device = unsafe entries[index].status.identity.device
            if device != directory.device {
                record.flags.insert(.foreignDevice)
                itemDevices[first &+ count] = device
            }
            if readsMarks {
                unsafe readMark(of: name, entries[index].status, directory, first &+ count, &record)
            }
            let flags = DirectoryRecord.Flags(file: name, record)
            if !flags.isEmpty, flagged.last.map({ $0 != (parent, flags) }) ?? true {
                flagged.append((parent, flags))
            }
            chunks[chunks.count &- 1].append(record, name: name)
            count &+= 1
        }
        append(run: first, count, of: parent)
    }

    /// The number that the next item will have.
    private var nextItem: UInt32 {
        guard let last = chunks.last else { return 0 }
        return UInt32(chunks.count &- 1) << ItemChunk.shift &+ UInt32(last.count)
    }

    private func append(run first: UInt32, _ count: UInt32, of directory: UInt32) {
        if count > 0 { runs.append((directory, first, count)) }
    }

    /// Whether something that was looked at just now was changed in a tick that is not over; it is noted.
    @inline(__always)
    func isInTick(_ status: FileStatus) -> Bool { ticks.note(status.changed) }

    /// What an inventory keeps of a file, its own mark aside.
    @inline(__always)
    func makeRecord(_ status: FileStatus, _ name: EntryName, parent: UInt32) -> ItemRecord {
        ticks.note(status.changed)
        var flags: ItemRecord.Flags = []
        if Self.looksLikeSidecar(name) { flags.insert(.looksLikeSidecar) }
        if status.owner != user { flags.insert(.foreignOwner) }
        if status.isImmutable { flags.insert(.immutable) }
        var created = status.created.map { UInt32(clampedSeconds: $0) } ?? 0
        if agesByChange {
            created = max(created, UInt32(clampedSeconds: status.changed))
            if status.permissions & 0o1000 != 0 { flags.insert(.immutable) }
        }
        return ItemRecord(
            inode: status.identity.inode, allocated: status.allocatedSize.bytes,
            logical: status.type == .regular || status.type == .symbolicLink
                ? status.logicalSize.bytes : 0,
            fingerprint: Fingerprint(status, key: key).rawValue, parent: parent,
            modified: UInt32(clampedSeconds: status.modified),
            accessed: UInt32(clampedSeconds: keepsChanges ? status.changed : status.accessed),
            created: created,
            linkCount: UInt16(clamping: status.linkCount), type: status.type, flags: flags)
    }

    @inline(__always)
    private static func looksLikeSidecar(_ name: EntryName) -> Bool {
        guard name.count > 4 else { return false }
        switch unsafe name.base[name.count &- 1] {
        case 0x6C: return Sidecar(name) != nil  // …l: -wal, -journal
        case 0x6D: return Sidecar(name) != nil  // …m: -shm
        default: return false
        }
    }

    private func readMark(
        of name: EntryName, _ status: FileStatus, _ directory: WalkPlace, _ item: UInt32,
        _ record: inout ItemRecord
    ) {
        let tag = Tag(directory.tag)
        var reading: MarkReading?
        if let markSource,
            tag.flags & Tag.readsFileMarks != 0 || markSource.isKnown(inode: record.inode)
        {
            reading = markSource.reading(ofFile: name, at: directory.descriptor, status)
        }
        guard reading != nil || tag.grantor != 0 else { return }
        let own = held(tag).counted(reading, of: status, in: assignment.areaClass(tag.area)).own
        if reading == nil, own.isEmpty { return }
        record.flags.insert(.marked)
        itemMarks[item] = own
        if reading?.isDamaged == true { damagedItemMarks.insert(item) }
    }

    func fail(_ directory: WalkPlace, _ error: Errno) {
        cutOff.append(firstDirectory + directory.id)
    }

    func omit(_ name: EntryName, in directory: WalkPlace, because omission: WalkOmission) {
        let isMount: Bool
        switch omission {
        case .otherFileSystem: isMount = true
        case .unreadable: isMount = false
        }
        omissions.append(
            Inventory.Omission(
                directory: firstDirectory + directory.id, name: name.owned, isMount: isMount))
    }
}
