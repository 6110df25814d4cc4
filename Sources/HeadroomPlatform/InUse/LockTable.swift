//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

/// The locks that `/proc/locks` shows: flock, POSIX and open-file-description locks, and leases of
/// fcntl(2).
///
/// It may only add protection, never take any: locks of processes in PID namespaces that are not
/// below ours are missing. Device and inode number of an entry do not always name one file, so
/// ``LockAttribution`` decides which file a lock is on. Where there is no `/proc`, the table is empty.
package struct LockTable: Sendable {
    package struct Entry: Hashable, Sendable {
        package enum Kind: Sendable {
            /// flock(2)
            case wholeFile
            /// fcntl(2) `F_SETLK`
            case posix
            /// fcntl(2) `F_OFD_SETLK`
            case openFileDescription
            /// fcntl(2) `F_SETLEASE`, or a delegation of the NFS server
            case lease
        }

        package let kind: Kind
        package let isExclusive: Bool
        /// The holder; −1 for open-file-description locks, which belong to no process.
        package let process: Int32
        /// In the form of ``FileIdentity/device``, not always the number that stat(2) tells.
        package let device: UInt64
        package let inode: UInt64

        /// For people: `locked by postgres (812)`.
        package var text: String {
            let word = kind == .lease ? "leased" : "locked"
            return process > 0
                ? "\(word) by \(RunningProcess.description(of: process))"
                : "\(word) by a process that the system does not name"
        }
    }

    private var byInode: [UInt64: [Entry]] = [:]
    private let attribution = LockAttribution()

    package init() {}

    /// Reads the table as it is now.
    package static func read() -> LockTable {
        var table = LockTable()
        // A table of several pages is given page by page: a lock that ends in between moves those
        // behind it past the reader. What one look misses so, another sees.
        if table.readOnce() > pageOfLocks { table.readOnce() }
        return table
    }

    /// Less than the kernel gives at once: lines have 40 bytes and more.
    private static let pageOfLocks = 60

    /// - Returns: how many locks were read.
    @discardableResult
    private mutating func readOnce() -> Int {
        var count = 0
        var buffer = PseudoFile.makeBuffer()
        // No /proc: a table that protects nothing, which is all it promises.
        unsafe try? PseudoFile.forEachLine(of: "/proc/locks", buffer: &buffer) { line in
            count += 1
            if let entry = unsafe Self.parse(line) {
                // Read twice, a lock is there twice.
                guard byInode[entry.inode]?.contains(entry) != true else { return }
                byInode[entry.inode, default: []].append(entry)
            }
        }
        return count
    }

    package var isEmpty: Bool { byInode.isEmpty }

    /// The locks on files with this inode number, on whatever device.
    package func entries(inode: UInt64) -> [Entry] { byInode[inode] ?? [] }

    /// The locks on a file.
    ///
    /// - Complexity: O(1) while no other file's lock has the same inode number. Otherwise it reads, once
    ///   for each table, the open files of the lock's holder.
    package func entries(of identity: FileIdentity) -> [Entry] {
        guard let entries = byInode[identity.inode] else { return [] }
        return entries.filter { attribution.concerns($0, identity) }
    }

    /// A lock of somebody else that says that a file is in use.
    ///
    /// The flocks and leases of this process are left out: they are the purge's own. Other programs' are
    /// found also when they wait in the same process as ours.
    package func foreignLock(of identity: FileIdentity) -> Entry? {
        guard let entries = byInode[identity.inode] else { return nil }
        let own = RunningProcess.own
        return entries.first { entry in
            !(entry.process == own && (entry.kind == .wholeFile || entry.kind == .lease))
                && attribution.concerns(entry, identity)
        }
    }

    /// Whether opening a file would break a lease of fcntl(2), and so send its holder a signal
    /// that kills it by default.
    package func hasLease(on identity: FileIdentity) -> Bool {
        byInode[identity.inode]?.contains { entry in
            entry.kind == .lease && attribution.concerns(entry, identity)
        } ?? false
    }

    /// Whether there is a shared flock on a file or directory, whoever holds it.
    package func isShared(_ identity: FileIdentity) -> Bool {
        !sharedHolders(of: identity).isEmpty
    }

    /// Whether a file is under a lease: somebody holds a shared flock on it and on its directory.
    package func isLeased(_ file: FileIdentity, in directory: FileIdentity) -> Bool {
        !sharedHolders(of: file).isDisjoint(with: sharedHolders(of: directory))
    }

    /// Whether a directory is under a lease with all below: a shared flock, and the mark beside it.
    package func isLeasedWhole(_ directory: FileIdentity) -> Bool {
        isShared(directory)
            && entries(of: directory).contains { entry in
                entry.kind == .openFileDescription && !entry.isExclusive
            }
    }

    /// The processes that hold a shared flock on a file.
    private func sharedHolders(of identity: FileIdentity) -> Set<Int32> {
        guard let entries = byInode[identity.inode] else { return [] }
        return Set(
            entries.filter { entry in
                entry.kind == .wholeFile && !entry.isExclusive
                    && attribution.concerns(entry, identity)
            }.map(\.process))
    }

    /// A line is `1: FLOCK  ADVISORY  WRITE 812 00:27:256 0 EOF`; a waiting lock has `->` after the
    /// number and holds nothing.
    static func parse(_ line: UnsafeRawBufferPointer) -> Entry? {
        var reader = unsafe FieldReader(line)
        _ = reader.next()
        let kind: Entry.Kind
        switch reader.text(reader.next()) {
        case "FLOCK": kind = .wholeFile
        case "POSIX", "ACCESS": kind = .posix
        case "OFDLCK": kind = .openFileDescription
        case "LEASE", "DELEG": kind = .lease
        default: return nil
        }
        _ = reader.next()
        let mode = reader.text(reader.next())
        let process = Int32(reader.text(reader.next()))
        let place = reader.text(reader.next()).split(separator: ":")
        guard let process, place.count == 3, let major = UInt64(place[0], radix: 16),
            let minor = UInt64(place[1], radix: 16), let inode = UInt64(place[2])
        else { return nil }
        return Entry(
            kind: kind, isExclusive: mode == "WRITE", process: process,
            device: major << 32 | minor, inode: inode)
    }
}
