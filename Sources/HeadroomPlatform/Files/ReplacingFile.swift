//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A new file that is to stand in the place of another, if that is still what it was.
///
/// Where the system can (`O_TMPFILE`) it has no name before the last moment, and whoever dies before
/// leaves nothing; elsewhere it has one of ``NewFile``'s, and a lock. One thread at a time uses it;
/// all calls block.
package final class ReplacingFile {
    /// Open for reading and writing.
    package let descriptor: Descriptor
    private let directory: Descriptor
    private let identity: FileIdentity
    private let calls: any FileSystemCalls & AttributeCalls
    /// What is ours to remove. Nil: it has no name, or stands at that of the other file.
    private var entry: FileName?

    /// What became of it.
    package enum Outcome: Hashable, Sendable {
        case replaced
        /// Something else stands at the name, as before; there is nothing left of this file.
        case changed
        /// Others have put so many files at the name in turn that one of them could not be put back: it
        /// lies under this name.
        case kept(FileName)
    }

    /// Makes the file, readable and writable for its owner alone.
    ///
    /// - Parameter isNamed: as where there is no `O_TMPFILE`; for tests.
    package init(in directory: consuming Descriptor, isNamed: Bool = false) throws(Errno) {
        let number = directory.rawValue
        var entry: FileName?
        var made = isNamed ? nil : try Self.makeUnnamed(in: number)
        if made == nil {
            let name = Self.temporaryName()
            made = try name.withEntryName { (name) throws(Errno) in
                try retrying {
                    unsafe hr_openat(
                        number, name.base, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        0o600)
                }
            }
            entry = name
        }
        guard let made else { throw .noSuchFileOrDirectory }
        let descriptor = Descriptor(owning: made)
        // Nobody takes it for an orphan, and nobody uses it before it is what it has to be.
        _ = FileLock.tryExclusive(made)
        let calls = NativeCalls.make()
        identity = try calls.status(of: made).identity
        self.calls = calls
        self.descriptor = descriptor
        self.directory = directory
        self.entry = entry
    }

    /// - Returns: nil where the system or the file system has no files without a name, or could not
    ///   give it one afterwards.
    private static func makeUnnamed(in directory: Int32) throws(Errno) -> Int32? {
        #if os(Linux)
        guard unsafe access("/proc/self/fd", X_OK) == 0 else { return nil }
        do throws(Errno) {
            return try retrying {
                unsafe hr_openat(directory, ".", O_RDWR | O_CLOEXEC | Int32(HR_O_TMPFILE), 0o600)
            }
        } catch .notSupported, .isDirectory, .invalidArgument, .noSuchFileOrDirectory {
            return nil
        }
        #else
        return nil
        #endif
    }

    private static func temporaryName() -> FileName {
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        return FileName(unchecked: Array("\(NewFile.prefix)\(random)-0".utf8))
    }

    deinit { discard() }

    /// Removes the file, unless it has taken the other's place.
    package func discard() {
        guard let entry else { return }
        self.entry = nil
        entry.withEntryName { name in
            // Nobody else's, whatever has happened. If it cannot be removed it is an orphan.
            guard (try? calls.status(of: name, at: directory.rawValue))?.identity == identity else {
                return
            }
            try? calls.remove(name, at: directory.rawValue, isDirectory: false)
        }
    }

    // MARK: - Content

    /// Appends bytes.
    ///
    /// - Throws: the first error; some of the bytes may have been written then.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        unsafe try descriptor.write(all: bytes)
    }

    /// Gives it the owner, permissions, attributes and times of the other; called after the last
    /// write. On disk when it returns.
    package func complete(like other: Int32) throws(Errno) {
        _ = try retrying { hr_copy_metadata(other, descriptor.rawValue) }
        try descriptor.synchronize()
    }

    // MARK: - Taking the place

    /// Takes the place of a file, which goes, if it is still what it was.
    ///
    /// The two names are exchanged, and what came out is looked at: no moment is left in which what
    /// another program puts there would be lost. What has changed is put back. Where names cannot be
    /// exchanged (network file systems, FUSE, Linux before 3.15) there is such a moment, between a
    /// last look and a rename.
    ///
    /// - Parameters:
    ///   - before: what it was when it was read; its only name is this.
    ///   - atStep: called before each step, with its number from 1.
    package func replace(
        _ name: FileName, _ before: FileStatus, atStep: (Int) -> Void
    ) throws(Errno) -> Outcome {
        atStep(1)
        let side = SwapName(old: before.identity.inode, new: identity.inode).fileName
        try takeName(side)
        // Where files are logged one by one, the name that it has just got is known with it.
        try descriptor.synchronize()
        atStep(2)
        do throws(Errno) {
            try exchange(side, name)
        } catch .noSuchFileOrDirectory {
            discard()
            return .changed
        } catch .invalidArgument, .notSupported, .noFunction {
            return try replaceByRenaming(side, name, before, atStep)
        }
        atStep(3)
        let found = try status(of: side)
        // mutation: r36d-1
        guard found.isSame(as: before) else { return try restore(found.identity, side, name) }
        entry = nil
        try remove(side)
        atStep(4)
        FileLock.unlock(descriptor.rawValue)
        return .replaced
    }

    /// Returns when the names are on disk.
    package func synchronizeDirectory() throws(Errno) {
        let number = directory.rawValue
        _ = try retrying { fsync(number) }
    }

    private func replaceByRenaming(
        _ side: FileName, _ name: FileName, _ before: FileStatus, _ atStep: (Int) -> Void
    ) throws(Errno) -> Outcome {
        guard try status(of: name).isSame(as: before) else {
            discard()
            return .changed
        }
        let number = directory.rawValue
        try side.withEntryName { (side) throws(Errno) in
            try name.withEntryName { (name) throws(Errno) in
                _ = try retrying { unsafe renameat(number, side.base, number, name.base) }
            }
        }
        entry = nil
        atStep(3)
        atStep(4)
        FileLock.unlock(descriptor.rawValue)
        return .replaced
    }

    /// So many times others may put something at the name while one file is put back.
    private static let patience = 100

    /// Puts back what stood at the name, and is at the side now.
    ///
    /// What comes out each time is what was put there before; if it is not, it is newer than what
    /// was just put there, and changes places with it. What it has replaced goes then, as it would
    /// have gone without us.
    private func restore(
        _ found: FileIdentity, _ side: FileName, _ name: FileName
    ) throws(Errno) -> Outcome {
        entry = nil
        var atSide = found
        var atName = identity
        for _ in 0..<Self.patience {
            do throws(Errno) {
                try exchange(side, name)
            } catch .noSuchFileOrDirectory {
                // What stood there was removed. What nobody has seen since then is not.
                do throws(Errno) {
                    try rename(side, to: name)
                    return .changed
                } catch .fileExists {
                    continue
                }
            }
            let out = try status(of: side)
            if out.identity == atName {
                guard out.type != .directory else { return .kept(side) }
                try remove(side)
                return .changed
            }
            (atName, atSide) = (atSide, out.identity)
        }
        return .kept(side)
    }

    // MARK: - System calls

    private func takeName(_ name: FileName) throws(Errno) {
        if let entry {
            try rename(entry, to: name)
        } else {
            #if os(Linux)
            let (file, number) = (descriptor.rawValue, directory.rawValue)
            try name.withEntryName { (name) throws(Errno) in
                _ = try retrying {
                    // The name of an open file; the string lives as long as the call.
                    unsafe "/proc/self/fd/\(file)".withCString {
                        unsafe linkat(AT_FDCWD, $0, number, name.base, AT_SYMLINK_FOLLOW)
                    }
                }
            }
            #endif
        }
        entry = name
    }

    private func exchange(_ one: FileName, _ other: FileName) throws(Errno) {
        let number = directory.rawValue
        try one.withEntryName { (one) throws(Errno) in
            try other.withEntryName { (other) throws(Errno) in
                _ = try retrying {
                    #if os(Linux)
                    unsafe hr_renameat2(
                        number, one.base, number, other.base, UInt32(HR_RENAME_EXCHANGE))
                    #else
                    unsafe renameatx_np(
                        number, one.base, number, other.base, UInt32(RENAME_SWAP))
                    #endif
                }
            }
        }
    }

    private func rename(_ old: FileName, to new: FileName) throws(Errno) {
        let number = directory.rawValue
        try old.withEntryName { (old) throws(Errno) in
            try new.withEntryName { (new) throws(Errno) in
                try calls.rename(old, to: new, at: number)
            }
        }
    }

    private func remove(_ name: FileName) throws(Errno) {
        try name.withEntryName { (name) throws(Errno) in
            try calls.remove(name, at: directory.rawValue, isDirectory: false)
        }
    }

    private func status(of name: FileName) throws(Errno) -> FileStatus {
        try name.withEntryName { (name) throws(Errno) in
            try calls.status(of: name, at: directory.rawValue)
        }
    }
}

extension FileStatus {
    /// Whether it is the same file with the same content. Not by its ctime: that it gets another name
    /// changes it.
    fileprivate func isSame(as other: FileStatus) -> Bool {
        identity == other.identity && type == other.type && logicalSize == other.logicalSize
            && modified == other.modified && linkCount == other.linkCount
    }
}
