//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
package import SystemPackage

/// Whether an item is in use, asked in the order in which asking does no harm (safety invariant S5).
///
/// 1. ``reasonToKeep(_:)``: the last second's snapshot of open and mapped files, and `/proc/locks`.
///    Nothing is opened, so no lease of fcntl(2) is broken and no POSIX lock dropped.
/// 2. ``hold(_:at:status:purgeClass:parent:)``: the file is opened once; where its directory's guard
///    is shared it is locked exclusively, and if it is large or last resort the kernel is asked
///    whether anybody else has it open. What is granted is held across the removal.
///
/// For one thread; several share the monitor.
package final class InUseCheck {
    private let monitor: OpenFileMonitor
    private var known: OpenFileMonitor.KnownSight

    /// From this allocated or logical size on, a file is checked exactly; smaller ones by the
    /// snapshot alone, unless they are last resort.
    package static let exactSize: ByteCount = ByteCount(65_536)

    /// How old the table of locks may be when a file is opened.
    private static let lockAge: Duration = .milliseconds(10)

    /// By the number of an area: it, and the areas around it, that have lock files.
    private let lockFiles: [UInt16: [Area]]
    private var lockAnswers: [UInt16: (sight: Int, reason: Reason?)] = [:]

    /// - Parameters:
    ///   - areas: the areas of the plan, by number.
    ///   - declared: the areas that are declared now, whose lock files are checked.
    package init(monitor: OpenFileMonitor, areas: [Area] = [], declared: [Area] = []) {
        self.monitor = monitor
        lockFiles = Self.lockFiles(of: areas, declared)
        known = OpenFileMonitor.KnownSight(monitor)
    }

    private static func lockFiles(of areas: [Area], _ declared: [Area]) -> [UInt16: [Area]] {
        let locked = Array(Set(areas + declared).filter { !$0.lockFiles.isEmpty })
        guard !locked.isEmpty else { return [:] }
        var found: [UInt16: [Area]] = [:]
        for (number, area) in areas.enumerated() {
            let around = locked.filter { area.root.lies(in: $0.root) }
            if !around.isEmpty { found[UInt16(number)] = around }
        }
        return found
    }

    /// Why a file or directory must stay, as far as can be told without opening it; nil if nothing
    /// speaks against its removal.
    ///
    /// - Complexity: O(1); once a second it takes a new snapshot, which blocks.
    package func reasonToKeep(_ status: FileStatus) -> Reason? { reasonToKeep(status.identity) }

    /// The same, by identity alone.
    package func reasonToKeep(_ identity: FileIdentity) -> Reason? {
        monitor.update(&known)
        // mutation: s5d-3
        if known.sight.files.contains(identity), let use = known.sight.files.use(of: identity) {
            return Reason(use.kind.isNamed ? .process : .inUse, "It is \(use.text).")
        }
        // mutation: s5g-1
        if !known.sight.locks.isEmpty, let lock = known.sight.locks.foreignLock(of: identity) {
            return Reason(.leased, "It is \(lock.text).")
        }
        return nil
    }

    /// Why everything in an area is kept: a process holds one of the lock files that protect it.
    ///
    /// - Parameter area: its number, the same for each call.
    /// - Complexity: O(1); once a second it looks at the lock files.
    func reasonToKeep(area number: UInt16) -> Reason? {
        guard let lockFiles = lockFiles[number] else { return nil }
        monitor.update(&known)
        if let answer = lockAnswers[number], answer.sight == known.number { return answer.reason }
        let reason = lockFiles.lazy.compactMap { $0.lockReason(self.known.sight.locks) }.first
        lockAnswers[number] = (known.number, reason)
        return reason
    }

    /// Whether opening a file would break a lease of fcntl(2).
    ///
    /// A lease counts if it is still there: this purge has one on a large file while it inspects it, and another thread
    /// may have read the locks at that moment.
    func hasLease(on identity: FileIdentity) -> Bool {
        monitor.locks(notOlderThan: Self.lockAge).hasLease(on: identity)
            && monitor.locks(notOlderThan: .zero).hasLease(on: identity)
    }

    /// Whether a regular file is checked with the kernel, and not by the snapshot alone.
    package static func isCheckedExactly(_ status: FileStatus, _ purgeClass: PurgeableClass) -> Bool
    {
        status.type == .regular
            && (purgeClass == .lastResort || status.allocatedSize >= exactSize
                || status.logicalSize >= exactSize)
    }

    /// What is held while an item is removed; it ends with the value.
    package enum Hold: ~Copyable {
        /// Nothing had to be.
        case nothing
        /// A lock that keeps leases off.
        case lock(ItemGuard)
        /// The kernel's word that nobody has the file open, and the lock if one was needed.
        case exclusive(ExclusiveUse)
        /// Nobody uses the database, and nobody can begin to.
        case database(SQLiteGuard)
        /// The file should have been checked with the kernel, which would not tell; the snapshot
        /// must do.
        case unchecked(Errno)
        /// It stays.
        case kept(Reason)
    }

    /// Holds a regular file or directory for its removal.
    ///
    /// Opens at most once, and nothing that ``reasonToKeep(_:)`` would keep may come here.
    ///
    /// - Parameters:
    ///   - name: in `directory`, an open directory.
    ///   - status: what the item was seen to be; another one of that name is kept as changed.
    ///   - parent: the state of the directory's guard.
    package func hold(
        _ name: EntryName, at directory: Int32, status: FileStatus, purgeClass: PurgeableClass,
        parent: ParentGuard.State, calls: some FileSystemCalls
    ) -> Hold {
        let exact = Self.isCheckedExactly(status, purgeClass)
        let locked = parent == .shared && (status.type == .regular || status.type == .directory)
        guard exact || locked else { return .nothing }
        // mutation: s5f-2
        if status.type == .regular, hasLease(on: status.identity) {
            return .kept(Reason(.leased, "Another program holds a lease of fcntl(2) on it."))
        }
        let opened: Int32
        do throws(Errno) {
            opened =
                status.type == .directory
                ? try calls.openDirectory(name, at: directory, crossingMounts: false)
                : try calls.openFile(name, at: directory, writing: false)
        } catch {
            return Self.unopened(error, locked: locked)
        }
        let item = Descriptor(owning: opened)
        // The status of an open file fails for no reason that would make it the planned one.
        guard (try? calls.status(of: opened))?.identity == status.identity else {
            OpenFileCloser.close(item)
            return .kept(Reason(.changed, "It is not the file that was planned."))
        }
        guard exact else {
            guard let guarded = ItemGuard.acquire(item) else { return .kept(Self.leasedReason) }
            return .lock(guarded)
        }
        if locked, FileLock.tryExclusive(item.rawValue) != .granted {
            OpenFileCloser.close(item)
            return .kept(Self.leasedReason)
        }
        switch ExclusiveUse.acquire(item) {
        case .granted(let use):
            return .exclusive(use)
        case .inUse:
            return .kept(Reason(.inUse, "A process has it open."))
        case .unsupported(let error, let item):
            guard locked else {
                OpenFileCloser.close(item)
                return .unchecked(error)
            }
            // Locked above, by the same description: asking again changes nothing.
            guard let guarded = ItemGuard.acquire(item) else { return .kept(Self.leasedReason) }
            return .lock(guarded)
        }
    }

    /// Holds the main file of a SQLite database while it and then its `-journal`, `-wal` and `-shm`
    /// are removed, in this order.
    ///
    /// Parameters as for ``hold(_:at:status:purgeClass:parent:calls:)``. A database that may not be
    /// written is held as any large file.
    package func holdDatabase(
        _ name: EntryName, at directory: Int32, status: FileStatus, parent: ParentGuard.State,
        calls: some FileSystemCalls
    ) -> Hold {
        // mutation: s5f-3
        if hasLease(on: status.identity) {
            return .kept(Reason(.leased, "Another program holds a lease of fcntl(2) on it."))
        }
        let opened: Int32
        do throws(Errno) {
            opened = try calls.openFile(name, at: directory, writing: true)
        } catch .permissionDenied, .notPermitted, .readOnlyFileSystem, .textFileBusy {
            // As last resort: then it is checked exactly, whatever its size.
            return hold(
                name, at: directory, status: status, purgeClass: .lastResort, parent: parent,
                calls: calls)
        } catch {
            return Self.unopened(error, locked: true)
        }
        let main = Descriptor(owning: opened)
        // The status of an open file fails for no reason that would make it the planned one.
        guard (try? calls.status(of: opened))?.identity == status.identity else {
            OpenFileCloser.close(main)
            return .kept(Reason(.changed, "It is not the file that was planned."))
        }
        if parent == .shared, FileLock.tryExclusive(opened) != .granted {
            OpenFileCloser.close(main)
            return .kept(Self.leasedReason)
        }
        switch SQLiteGuard.acquire(main) {
        case .granted(let database): return .database(database)
        case .inUse: return .kept(Reason(.inUse, "A SQLite connection uses it."))
        case .unsupported(let error): return .unchecked(error)
        }
    }

    private static let leasedReason = Reason(.leased, "It is leased, or locked with flock.")

    private static func unopened(_ error: Errno, locked: Bool) -> Hold {
        switch error {
        case .noSuchFileOrDirectory:
            return .kept(Reason(.vanished, "It is not there any more."))
        case .resourceTemporarilyUnavailable, .textFileBusy:
            return .kept(Reason(.inUse, "Another program holds a lease of fcntl(2) on it."))
        case .improperLink:
            return .kept(Reason(.mountPoint, "Another file system is mounted there."))
        default:
            return locked
                ? .kept(Reason(.unreadable, "It cannot be opened to see whether it is leased."))
                : .unchecked(error)
        }
    }
}

extension InUseCheck.Hold {
    /// Why the item stays; nil if it may go.
    package var reasonToKeep: Reason? {
        switch self {
        case .kept(let reason): return reason
        default: return nil
        }
    }

    /// Whether nobody has asked for the file since it is held: to be asked right before removal.
    package var isUncontested: Bool {
        switch self {
        case .exclusive(let use): return use.isUncontested
        case .database(let database): return database.isUncontested
        default: return true
        }
    }
}
