//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import HeadroomWorkspace
import Synchronization
import SystemPackage

/// A file that is being saved: made, written, and at last given its name.
///
/// Whichever of these meets a full volume first makes room, once for the whole save, and goes on
/// where it was; of what has no known size, whenever there is something left to purge. One thread at a time; all calls block. Dropped before it is finished, it leaves
/// nothing.
final class FileInProgress: Sendable {
    private let operation: SaveOperation
    private let file: NewFile
    /// The mount that the file has to be on, where that is asked only of what it replaces.
    private let expectedMount: MountPlace?
    private let allowance: Allowance
    /// Whether blocks were taken that may not have been filled.
    private let hasReserved: Atomic<Bool>

    /// Room is made once, and kept until the file is there.
    private final class Allowance: Sendable {
        private let isSpent = Atomic<Bool>(false)
        private let room = Mutex<Reservation?>(nil)

        /// - Returns: true for the first who asks.
        func spend() -> Bool { !isSpent.exchange(true, ordering: .relaxed) }

        func keep(_ made: Reservation?) { room.withLock { $0 = made } }

        /// Tells the others what they can see on the volume from now on.
        func reduce(by written: Int64) { room.withLock { $0?.reduce(by: ByteCount(written)) } }
    }

    private var core: StorageCore { operation.core }

    /// Makes the file under a name that nobody looks at.
    init(_ operation: SaveOperation) throws(StorageError) {
        // mutation: r36a-1
        try operation.checkProtection()
        let allowance = Allowance()
        var expectedMount: MountPlace?
        let file = try Self.make(operation, allowance, &expectedMount)
        operation.core.step?(.made)
        // Before there are bytes in it: they are then never there in another way.
        try operation.prepare?(file.descriptor.rawValue)
        self.file = file
        self.expectedMount = expectedMount
        hasReserved = Atomic(operation.room != nil)
        self.operation = operation
        self.allowance = allowance
    }

    private static func make(
        _ operation: SaveOperation, _ allowance: Allowance, _ expectedMount: inout MountPlace?
    ) throws(StorageError) -> NewFile {
        if let file = operation.room?.takeFile(for: operation.path) { return file }
        var tried: MountPlace?
        if let (file, mount) = makeByPath(operation, &tried) {
            expectedMount = mount
            return file
        }
        let file = try makeTheLongWay(operation, allowance)
        // It led there, so nothing that may not be is in the way: the short one would fail each time.
        if let tried { operation.core.closeShortWay(of: operation.content, on: tried) }
        return file
    }

    private static func makeTheLongWay(
        _ operation: SaveOperation, _ allowance: Allowance
    ) throws(StorageError) -> NewFile {
        do {
            return try makeInOpenDirectory(operation)
        } catch {
            try makeRoom(operation, allowance, after: error, rest: operation.size ?? 0)
        }
        do {
            return try makeInOpenDirectory(operation)
        } catch {
            throw operation.failure(error, rest: operation.size ?? 0)
        }
    }

    private static func makeInOpenDirectory(
        _ operation: SaveOperation
    ) throws(Errno) -> NewFile {
        try NewFile(
            in: FilePlace(try operation.openDirectory()), isShortLived: operation.isImmediate)
    }

    /// The short way for what is short: as many system calls as it takes to write, rename and sync.
    ///
    /// - Parameter tried: where the class's directory is thought to be, if a link or another mount was met.
    /// - Returns: the file, and the mount that it has still to be compared with; nil if it cannot be taken, for
    ///   whatever reason: the long way tells it.
    private static func makeByPath(
        _ operation: SaveOperation, _ tried: inout MountPlace?
    ) -> (NewFile, MountPlace?)? {
        guard operation.isImmediate, operation.core.isPrepared(operation.content) else {
            return nil
        }
        let prefix = operation.core.prefix(of: operation.content).bytes
        if operation.name.isInDirectory { return makeByPath(operation, prefix, &tried) }
        // A directory that is synced is the one in which the file is: it is opened before.
        if operation.durability == .full { return nil }
        do throws(Errno) {
            return (try NewFile(in: FilePlace(prefix: prefix), isShortLived: true), nil)
        } catch {
            // It is gone, say: prepared anew.
            operation.core.setPrepared(operation.content, false)
            return nil
        }
    }

    /// The same in a directory below, which must not be reached by a link, nor be on another mount.
    ///
    /// Where it becomes a link between this and the rename, there is no file of the temporary name behind that, and
    /// the rename fails.
    private static func makeByPath(
        _ operation: SaveOperation, _ prefix: [UInt8], _ tried: inout MountPlace?
    ) -> (NewFile, MountPlace?)? {
        guard let mount = operation.core.mount(of: operation.content) else { return nil }
        var path: [UInt8] = []
        path.reserveCapacity(prefix.count + operation.name.directoryBytes.count)
        path += prefix
        path += operation.name.directoryBytes
        // What is replaced is asked for its status in any case, and tells the mount with it.
        let asksLater = operation.core.expectsReplacing
        do throws(Errno) {
            if operation.durability == .full {
                let directory = try DirectoryCreation.existing(
                    withoutLinks: FileName(unchecked: path))
                let isThere =
                    try asksLater ? true : operation.core.isOn(mount, directory.rawValue)
                if isThere {
                    let file = try NewFile(in: FilePlace(directory), isShortLived: true)
                    return (file, asksLater ? mount : nil)
                }
            } else {
                let file = try NewFile(
                    in: FilePlace(prefix: path), isShortLived: true, followsLinks: false)
                if asksLater { return (file, mount) }
                // What is not returned is removed.
                if try operation.core.isOn(mount, file.descriptor.rawValue) { return (file, nil) }
            }
            // Something was mounted over the class's directory, say: then it is another one. Until a name
            // has been reached the long way, no more files are made where they may not be.
            operation.core.setPrepared(operation.content, false)
            tried = mount
        } catch .tooManySymbolicLinkLevels, .notSupported {
            // Perhaps on the way to the class's directory, as the user has arranged it; perhaps below it.
            tried = mount
        } catch {
            // The long way tells it.
        }
        return nil
    }

    // MARK: - Content

    /// Takes the blocks for all that will be written, where the file system can.
    func reserve(_ size: Int64) throws(StorageError) {
        guard size > 0 else { return }
        try keepingRoomOfOthers(size)
        try retrying(rest: size) { () throws(Errno) in
            do throws(Errno) {
                try file.reserve(size)
                hasReserved.store(true, ordering: .relaxed)
            } catch .notSupported {
                // Then writing shows whether there is room.
            }
        }
        core.step?(.reserved)
    }

    /// Appends bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        let count = Int64(bytes.count)
        try keepingRoomOfOthers(count)
        let start = file.written
        try retrying(rest: count - (file.written - start)) { () throws(Errno) in
            // Of what a full volume cut off, a part has been written.
            let done = Int(file.written - start)
            unsafe try file.write(UnsafeRawBufferPointer(rebasing: bytes[done...]))
        }
        core.step?(.written)
        reduce(by: count)
    }

    /// Copies another file.
    func copy(_ source: borrowing SourceFile) throws(StorageError) {
        try keepingRoomOfOthers(source.size)
        let descriptor = source.descriptor.rawValue
        try retrying(rest: source.size - file.written) { () throws(Errno) in
            try file.copy(from: descriptor, at: file.written)
        }
        core.step?(.written)
        reduce(by: source.size)
    }

    private func reduce(by written: Int64) {
        // What is short may be written once more, and needs its room until it has its name.
        if !operation.isImmediate { giveUpRoom(of: written) }
    }

    private func giveUpRoom(of written: Int64) {
        operation.room?.reduce(by: ByteCount(written))
        allowance.reduce(by: written)
    }

    // MARK: - The end

    /// Gives the file its name; what stands there hands its permissions and its mark on.
    ///
    /// - Returns: its path.
    func finish() throws(StorageError) -> String {
        try retrying(rest: 0) { () throws(Errno) in try publish() }
        if operation.isImmediate { giveUpRoom(of: operation.size ?? 0) }
        return operation.pathText
    }

    /// Leaves nothing of it.
    func discard() { file.discard() }

    private func publish() throws(Errno) {
        let entry = file.place.entry(operation.name.lastBytes)
        if hasReserved.load(ordering: .relaxed) { try file.releaseUnused() }
        // To look first is wasted on what is new, and to try first on what is replaced.
        // What has still to be compared with what it replaces looks in any case.
        let looksFirst = core.expectsReplacing || expectedMount != nil
        let isNew = looksFirst ? false : try publishNew(entry)
        if !isNew { try replace(entry) }
        if operation.durability == .full {
            try file.synchronizeDirectory()
            core.step?(.directorySynchronized)
        }
    }

    /// - Returns: false if something stands at the name, or it cannot be told in one step.
    private func publishNew(_ entry: FileName) throws(Errno) -> Bool {
        try synchronizeIfAsked()
        do throws(Errno) {
            try file.publishNew(as: entry, core.calls)
            core.step?(.renamed)
            return true
        } catch .fileExists {
            return false
        } catch .invalidArgument {
            return false
        } catch .notSupported {
            return false
        }
    }

    private func replace(_ entry: FileName) throws(Errno) {
        let old = try Replaced(
            entry, in: file.place.anchor, core.calls, core.protectionClasses,
            rejectingEncrypted: !operation.ownsProtection)
        core.setExpectsReplacing(old != nil)
        try checkMount(old?.mount)
        if let old {
            // mutation: r3d-1
            try old.handOn(to: file, core.calls)
            // mutation: r35a-3
            if operation.prepare == nil, let protection = old.protection {
                try core.protectionClasses.give(protection, to: file.descriptor.rawValue)
            }
            core.step?(.handedOn)
        }
        try synchronizeIfAsked()
        try file.publish(as: entry)
        core.step?(.renamed)
        if let mark = old?.mark {
            record(mark)
            core.step?(.markRecorded)
        }
    }

    /// What is replaced lies in the directory that the file was made in, unless something is mounted over it: then, and
    /// where there is nothing, the file itself is asked.
    ///
    /// - Throws: `EXDEV` if it is elsewhere; the short way is then not taken before it has been found again.
    private func checkMount(_ replaced: MountPlace?) throws(Errno) {
        guard let expectedMount, replaced != expectedMount else { return }
        if try core.isOn(expectedMount, file.descriptor.rawValue) { return }
        core.setPrepared(operation.content, false)
        throw .improperLink
    }

    private func synchronizeIfAsked() throws(Errno) {
        guard operation.durability == .full else { return }
        try file.synchronize()
        core.step?(.synchronized)
    }

    /// Tells the ledger that the mark is now another inode's: our own save has replaced the file.
    private func record(_ mark: [UInt8]) {
        let attribute = MarkAttribute(decoding: mark)
        guard !attribute.isDamaged, !attribute.mark.isEmpty else { return }
        // The attribute holds; what the ledger lacks it reads from there.
        _ = try? core.workspace.marks.update(operation.path) { $0 = attribute.mark }
    }

    // MARK: - Room

    private func retrying(
        rest: @autoclosure () -> Int64, _ body: () throws(Errno) -> Void
    ) throws(StorageError) {
        // Ends: each round after the first has purged something.
        while true {
            do {
                return try body()
            } catch {
                try Self.makeRoom(
                    operation, allowance, after: error, rest: rest(), written: file.written)
            }
        }
    }

    /// - Throws: at once for anything but want of space, and if room may not be made again.
    private static func makeRoom(
        _ operation: SaveOperation, _ allowance: Allowance, after error: Errno, rest: Int64,
        written: Int64 = 0
    ) throws(StorageError) {
        // Of what has no known end, room is made for as much again, so that this is not done often.
        let isOpenEnded = operation.size == nil
        // mutation: r25c-2
        // mutation: r25c-3
        guard error == .noSpace || error == .diskQuotaExceeded, isOpenEnded || allowance.spend()
        else { throw operation.failure(error, rest: rest) }
        do {
            let room = try operation.core.room(for: operation.content, operation.intent).free(
                forWriting: ByteCount(rest),
                desired: isOpenEnded ? ByteCount(max(written, 1 << 24)) : .zero,
                after: error, to: operation.task)
            allowance.keep(room)
        } catch {
            throw StorageError(error)
        }
    }

    /// Leaves what other processes have reserved to them (R7). What is essential goes first if
    /// nothing can be purged: it is always attempted.
    private func keepingRoomOfOthers(_ count: Int64) throws(StorageError) {
        do throws(Errno) {
            guard operation.room == nil, try isReserved(count) else { return }
        } catch {
            // Reservations that cannot be read hold nobody up.
            return
        }
        do throws(StorageError) {
            try Self.makeRoom(operation, allowance, after: .noSpace, rest: count)
        } catch  where operation.intent == .essential {
        }
    }

    /// Whether room for so much is there only because others have not written yet.
    private func isReserved(_ count: Int64) throws(Errno) -> Bool {
        let others = try core.watch.reservedByOthers(onVolumeOf: file.descriptor.rawValue)
        guard others > .zero else { return false }
        return try VolumeFigures(of: file.descriptor.rawValue).available - others < ByteCount(count)
    }
}

/// The file that stands at the name already.
private struct Replaced {
    let permissions: UInt16
    let mount: MountPlace?
    /// The value of the mark's attribute, whatever it says: it goes along as it is.
    let mark: [UInt8]?
    /// What backup programs read on it.
    let dialects: BackupDialects
    /// How its content is protected; nil: as the system has it.
    let protection: ProtectionClass?

    /// - Returns: nil if there is none, or only a link.
    /// - Throws: `ENOKEY` if the file is one that Headroom has encrypted, and that is to be rejected.
    init?(
        _ name: FileName, in directory: Int32, _ calls: any FileSystemCalls & AttributeCalls,
        _ classes: any ProtectionClassReading, rejectingEncrypted: Bool
    ) throws(Errno) {
        typealias Found = (FileStatus, [UInt8]?, BackupDialects)
        let found = try name.withEntryName { (entry) throws(Errno) -> Found? in
            let status: FileStatus
            do throws(Errno) {
                status = try calls.status(of: entry, at: directory)
            } catch .noSuchFileOrDirectory {
                return nil
            }
            if status.type == .directory { throw .isDirectory }
            guard status.type == .regular else { return nil }
            // mutation: r36a-2 (3 lines)
            if rejectingEncrypted, ProtectionHeader.begins(entry, status, at: directory, calls) {
                throw .keyMissing
            }
            guard calls.mayHaveAttributes(entry, at: directory) else {
                return (status, nil, status.isNoDump ? .noDump : [])
            }
            let mark = try calls.attribute(MarkAttribute.name, of: entry, at: directory)
            let dialects = BackupFlags(calls).read(entry, status, at: directory)
            return (status, mark, dialects)
        }
        guard let found else { return nil }
        (permissions, mount) = (found.0.permissions, MountPlace(found.0))
        (mark, dialects) = (found.1, found.2)
        protection = Self.protection(of: name, in: directory, calls, classes)
    }

    /// Asked only on systems that protect files.
    private static func protection(
        of name: FileName, in directory: Int32, _ calls: any FileSystemCalls,
        _ classes: any ProtectionClassReading
    ) -> ProtectionClass? {
        guard classes.isKept else { return nil }
        return name.withEntryName { entry in
            // What cannot be opened, as while the device is locked, says nothing of its class: then the new
            // file has that of its directory.
            guard let opened = try? calls.openFile(entry, at: directory, writing: false) else {
                return nil
            }
            let file = Descriptor(owning: opened)
            return classes.classOfFile(file.rawValue)
        }
    }

    func handOn(
        to file: NewFile, _ calls: any FileSystemCalls & AttributeCalls
    ) throws(Errno) {
        if permissions != 0o644 { try file.setPermissions(permissions) }
        if let mark {
            try calls.setAttribute(
                MarkAttribute.name, to: mark, of: file.descriptor.rawValue)
        }
        BackupFlags(calls).carry(dialects, to: file.descriptor.rawValue)
    }
}
