//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import Synchronization
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is not seen under its name before it is complete.
///
/// It is written under a reserved name beside its place, held with an exclusive flock, and then
/// renamed onto it in one step. Whoever dies before leaves a file of that name without a lock: see
/// ``OrphanedFile``. One thread at a time writes; all calls block.
package final class NewFile: Sendable {
    /// What the reserved names start with.
    package static let prefix = ".headroom-saving-"

    package let descriptor: Descriptor
    /// What it is called until it is published.
    package var temporaryName: String { String(decoding: name, as: UTF8.self) }
    private let temporaryEntry: FileName
    private let name: [UInt8]
    /// Ours, so that it is there for as long as there may be something to remove in it.
    package let place: FilePlace
    private let isLocked: Bool
    /// Or discarded.
    private let isPublished = Atomic<Bool>(false)
    private let count = Atomic<Int64>(0)

    /// How many bytes have been written through this.
    package var written: Int64 { count.load(ordering: .relaxed) }

    /// Makes the file.
    ///
    /// - Parameters:
    ///   - place: the directory, which ends with the file.
    ///   - permissions: before the process's umask is taken off.
    ///   - isShortLived: it is published in the same breath, and needs no lock: what is younger than a
    ///     minute is nobody's orphan.
    ///   - followsLinks: whether there may be links on the way to it.
    /// - Throws: `ENOSPC` and `EDQUOT` where no file can be made any more; `ELOOP` for a link that may not be;
    ///   `ENOTSUP` where the system cannot tell in the same step.
    package init(
        in place: consuming FilePlace, permissions: UInt16 = 0o666, isShortLived: Bool = false,
        followsLinks: Bool = true
    ) throws(Errno) {
        var name = TemporaryNames.take()
        let (file, entry) = try Self.make(in: place, permissions, followsLinks, name: &name)
        let made = Descriptor(owning: file)
        self.name = name
        temporaryEntry = entry
        // Where there are no locks an orphan is told by its age alone.
        if !isShortLived { _ = FileLock.tryExclusive(made.rawValue) }
        isLocked = !isShortLived
        descriptor = made
        self.place = place
    }

    /// Makes the file in an open directory, which is closed with it.
    package convenience init(in directory: consuming Descriptor) throws(Errno) {
        try self.init(in: FilePlace(directory))
    }

    /// - Parameter name: to be tried first; on return the one that was free.
    private static func make(
        in place: borrowing FilePlace, _ permissions: UInt16, _ followsLinks: Bool,
        name: inout [UInt8]
    ) throws(Errno) -> (Int32, FileName) {
        let anchor = place.anchor
        while true {
            let entry = place.entry(name[...])
            do throws(Errno) {
                let file = try entry.withEntryName { (entry) throws(Errno) in
                    try open(entry, at: anchor, permissions, followsLinks)
                }
                return (file, entry)
            } catch .fileExists {
                // A child that was forked uses the same names.
                name = TemporaryNames.takeFresh()
            } catch {
                TemporaryNames.giveBack(name)
                throw error
            }
        }
    }

    private static func open(
        _ entry: EntryName, at anchor: Int32, _ permissions: UInt16, _ followsLinks: Bool
    ) throws(Errno) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let mode = mode_t(permissions)
        if followsLinks {
            return try retrying { unsafe hr_openat(anchor, entry.base, flags, mode) }
        }
        #if os(Linux)
        guard LinuxCalls.isOpenat2Known else { throw .notSupported }
        return try retrying { unsafe hr_open_without_links(anchor, entry.base, flags, mode) }
        #else
        throw .notSupported
        #endif
    }

    deinit { discard() }

    /// Removes the file, unless it has been published. Nothing can be done with it afterwards.
    package func discard() {
        // Nobody has seen it; if it cannot be removed it is an orphan.
        guard !isPublished.exchange(true, ordering: .relaxed) else { return }
        let anchor = place.anchor
        do throws(Errno) {
            try temporaryEntry.withEntryName { (entry) throws(Errno) in
                _ = try retrying { unsafe unlinkat(anchor, entry.base, 0) }
            }
        } catch .noSuchFileOrDirectory {
            // Somebody was faster, or its directory is gone.
        } catch {
            // The name is the orphan's.
            return
        }
        TemporaryNames.giveBack(name)
    }

    /// Writes bytes behind what is there.
    package func write(_ bytes: [UInt8]) throws(Errno) {
        // The buffer is not used after the call that lends it.
        let result = unsafe bytes.withUnsafeBytes { buffer -> Result<Void, Errno> in
            Result { () throws(Errno) in try unsafe write(buffer) }
        }
        try result.get()
    }

    /// Appends bytes.
    ///
    /// - Throws: the first error; some of the bytes may have been written then.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        unsafe try descriptor.write(all: bytes) { count in
            self.count.add(Int64(count), ordering: .relaxed)
        }
    }

    /// Appends the content of another open file, from an offset to its end, without bringing it into
    /// memory where the system can do that.
    package func copy(from source: Int32, at offset: Int64) throws(Errno) {
        #if os(Linux)
        var offset = off_t(offset)
        while true {
            let count = try retrying {
                unsafe sendfile(descriptor.rawValue, source, &offset, 1 << 30)
            }
            if count == 0 { return }
            self.count.add(Int64(count), ordering: .relaxed)
        }
        #else
        // It copies from where both are, cuts off what it has not written itself, and so does only whole files. What
        // a full volume has cut short is begun again.
        guard offset == 0 else { throw .notSupported }
        for file in [source, descriptor.rawValue] {
            _ = try retrying { lseek(file, 0, SEEK_SET) }
        }
        _ = try retrying {
            unsafe fcopyfile(
                source, descriptor.rawValue, nil, copyfile_flags_t(COPYFILE_DATA))
        }
        #endif
    }

    /// Takes the blocks that the first `size` bytes need, so that writing them cannot fail for
    /// want of space. The length stays as it is.
    ///
    /// - Throws: `ENOTSUP` where the file system cannot; `ENOSPC`, and then it has taken none.
    package func reserve(_ size: Int64) throws(Errno) {
        #if os(Linux)
        _ = try retrying { hr_reserve(descriptor.rawValue, size) }
        #else
        var store = fstore_t(
            fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
            fst_length: off_t(size), fst_bytesalloc: 0)
        _ = try retrying { unsafe fcntl(descriptor.rawValue, F_PREALLOCATE, &store) }
        #endif
    }

    /// Gives back the blocks beyond the end, which ``reserve(_:)`` has taken and nobody has filled.
    package func releaseUnused() throws(Errno) {
        var status = stat()
        _ = try retrying { unsafe fstat(descriptor.rawValue, &status) }
        // Truncating to the size it has frees them (ext4, xfs, btrfs, tmpfs).
        _ = try retrying { ftruncate(descriptor.rawValue, status.st_size) }
    }

    package func setPermissions(_ permissions: UInt16) throws(Errno) {
        _ = try retrying { fchmod(descriptor.rawValue, mode_t(permissions)) }
    }

    /// Gives the file the owner, permissions, attributes and times of the one that it replaces. Called
    /// after the last write.
    ///
    /// - Throws: `EPERM` if it cannot have them all. Attributes that are not the user's own
    ///   (`security`, `trusted`) are the system's to set, and are left where it does not let us.
    package func takeMetadata(of source: Int32) throws(Errno) {
        _ = try retrying { hr_copy_metadata(source, descriptor.rawValue) }
    }

    /// Returns when content and length are on disk (`fsync`; on Darwin `F_FULLFSYNC`).
    package func synchronize() throws(Errno) { try descriptor.synchronize() }

    /// Returns when the directory's entries are on disk; for a directory that is open.
    package func synchronizeDirectory() throws(Errno) {
        _ = try retrying { fsync(place.anchor) }
    }

    /// Gives the file its name; what had it is replaced in the same step.
    ///
    /// - Parameter entry: the name as ``FilePlace/entry(_:)`` has it.
    package func publish(as entry: FileName) throws(Errno) {
        let anchor = place.anchor
        try temporaryEntry.withEntryName { (old) throws(Errno) in
            try entry.withEntryName { (new) throws(Errno) in
                _ = try retrying { unsafe renameat(anchor, old.base, anchor, new.base) }
            }
        }
        wasPublished()
    }

    /// Gives the file its name if nothing has it.
    ///
    /// - Throws: `EEXIST` if something has; `EINVAL` where that cannot be done in one step.
    package func publishNew(as entry: FileName, _ calls: any FileSystemCalls) throws(Errno) {
        let anchor = place.anchor
        try temporaryEntry.withEntryName { (old) throws(Errno) in
            try entry.withEntryName { (new) throws(Errno) in
                try calls.rename(old, to: new, at: anchor)
            }
        }
        wasPublished()
    }

    private func wasPublished() {
        isPublished.store(true, ordering: .relaxed)
        TemporaryNames.giveBack(name)
        // A lock on a file that others know would pass for a lease.
        if isLocked { FileLock.unlock(descriptor.rawValue) }
    }
}

/// Temporary names that are free. The same few are used in turn: the kernel remembers that there is no
/// such name, and the directory needs no new entry for it; and the name that was just renamed is not the one
/// that is made next, which costs more where a file is replaced.
private enum TemporaryNames {
    private struct State {
        var free: [[UInt8]] = []
        var next: UInt64 = 0
    }

    private static let state = Mutex(State())

    /// So many are there before the first is used again.
    private static let poolSize = 16

    static func take() -> [UInt8] {
        state.withLock { state in
            state.free.count < poolSize ? fresh(&state) : state.free.removeFirst()
        }
    }

    /// One that was never used before.
    static func takeFresh() -> [UInt8] { state.withLock { fresh(&$0) } }

    static func giveBack(_ name: [UInt8]) { state.withLock { $0.free.append(name) } }

    /// A name that nobody else has: of the process by 40 random bits, in it by a number. Short enough
    /// for the kernel to keep it without an allocation (`DNAME_INLINE_LEN`).
    private static func fresh(_ state: inout State) -> [UInt8] {
        state.next += 1
        return processPrefix + String(state.next, radix: 36).utf8
    }

    private static let processPrefix: [UInt8] = {
        var generator = SystemRandomNumberGenerator()
        let random = (generator.next() as UInt64) >> 24
        return Array((NewFile.prefix + String(random, radix: 36) + "-").utf8)
    }()
}
