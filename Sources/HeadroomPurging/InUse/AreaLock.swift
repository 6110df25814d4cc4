//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
package import SystemPackage

/// The right to purge an area, which only one process has at a time (safety invariant S8).
///
/// An exclusive lock on the file that stands for the area's root, and shared ones on those of all
/// directories around it: so the same area, by whatever path or bind mount, an area inside it and
/// an area around it refuse each other, and areas beside each other do not. Nothing ever waits
/// while it holds a lock, so there is no deadlock; the kernel releases all when the process dies.
///
/// An area also refuses while it, or a directory around it, is leased as a whole.
package struct AreaLock: ~Copyable {
    private let locks: [HeldLock]
    private let rootDirectory: Descriptor?

    /// No lock file could be made (no space, no inodes, nothing writable), so the area's root is
    /// itself locked, with `LOCK_EX`: to be told in the receipt. Then it needs, and can have, no
    /// ``ParentGuard``; and purges of enclosing and nested areas are only kept out of the
    /// root's direct children.
    package var holdsRootDirectory: Bool { rootDirectory != nil }

    /// What is said when ``holdsRootDirectory``.
    package static let fallbackNote =
        "No lock file could be made, so only the area's own directory was locked."

    /// How long a lock that somebody holds for a moment, to take a lease, is tried again.
    private static let patience: Duration = .milliseconds(200)

    /// Takes the locks.
    ///
    /// - Parameters:
    ///   - root: the area's root, open for reading.
    ///   - path: the root's path, for messages of others.
    ///   - books: where the lock files are; nil: the machine's and the owner's.
    /// - Throws: `busy` with the holder's name if another purge or a lease stands in the way.
    package static func acquire(
        root: Int32, path: FilePath, books: [LockBook.Location]? = nil
    ) throws(HeadroomError) -> AreaLock {
        var deadline = ContinuousClock().now.advanced(by: patience)
        var isExtended = false
        while true {
            do throws(HeadroomError) {
                return try attempt(
                    root: root, path: path, purpose: "purge", books: books, allowsFallback: true)
            } catch {
                guard error.code == .busy else { throw error }
                if ContinuousClock().now >= deadline {
                    // Who cannot be named has just begun, or has just ended.
                    guard !isExtended, error.message == refusal(by: nil, path).message else {
                        throw error
                    }
                    isExtended = true
                    deadline = ContinuousClock().now.advanced(by: patience / 4)
                }
                Pause.milliseconds(10)
            }
        }
    }

    /// One attempt, which does not wait.
    package static func attempt(
        root: Int32, path: FilePath, purpose: String, books: [LockBook.Location]?,
        allowsFallback: Bool
    ) throws(HeadroomError) -> AreaLock {
        let status: FileStatus
        let ancestry: DirectoryAncestry
        do throws(Errno) {
            status = try POSIXCalls().status(of: root)
            ancestry = try DirectoryAncestry(of: root)
        } catch {
            throw HeadroomError("lock", path, error)
        }
        let locations = books ?? LockBook.Location.standard(areaOwner: status.owner)
        let holder = LockHolder(purpose: purpose, since: .wallClock(), root: path.bytes)
        var locks: [HeldLock] = []
        for location in locations {
            // A book that cannot be used is left out; the others, or the root itself, must do.
            guard let book = try? LockBook.open(location) else { continue }
            locks += try take(in: book, status.identity, ancestry, holder, path)
        }
        if purpose == "purge", let leased = ancestry.leased {
            throw leaseError(on: leased, path)
        }
        if locks.isEmpty, allowsFallback {
            if let own = try lockDirectory(root, path) {
                return AreaLock(locks: [], rootDirectory: own)
            }
        }
        return AreaLock(locks: locks, rootDirectory: nil)
    }

    private init(locks: [HeldLock], rootDirectory: consuming Descriptor?) {
        self.locks = locks
        self.rootDirectory = rootDirectory
    }

    deinit {
        if let descriptor = rootDirectory?.rawValue { FileLock.unlock(descriptor) }
    }

    /// Takes all locks of one book; none if the book cannot hold them.
    private static func take(
        in book: borrowing LockBook, _ root: FileIdentity, _ ancestry: DirectoryAncestry,
        _ holder: LockHolder, _ path: FilePath
    ) throws(HeadroomError) -> [HeldLock] {
        var locks: [HeldLock] = []
        // mutation: s8a-2
        for identity in [root] + ancestry.identities {
            let lock: HeldLock?
            do throws(Errno) {
                lock = try book.take(identity, exclusive: identity == root)
            } catch {
                return []
            }
            // mutation: s8a-1
            guard let lock else { throw refusal(by: book.holder(of: identity), path) }
            if locks.isEmpty { lock.write(holder) }
            locks.append(lock)
        }
        return locks
    }

    /// - Returns: nil where shared locks alone are granted (NFS): nobody can tell what is leased there, and
    ///   every ``ParentGuard`` will say so.
    private static func lockDirectory(
        _ root: Int32, _ path: FilePath
    ) throws(HeadroomError) -> Descriptor? {
        // A description of its own: the caller's may be shared.
        let own: Descriptor
        do throws(Errno) {
            own = Descriptor(owning: try POSIXCalls().openDirectory(beneath: root, path: []))
        } catch {
            throw HeadroomError("lock", path, error)
        }
        switch FileLock.tryExclusive(own.rawValue) {
        case .granted: return own
        // mutation: s8d-4
        case .refused: throw refusal(by: nil, path)
        case .unsupported:
            // mutation: s5i-2
            guard FileLock.tryShared(own.rawValue) == .granted else { return own }
            FileLock.unlock(own.rawValue)
            return nil
        }
    }

    // MARK: - Messages

    private static func refusal(by holder: LockHolder?, _ path: FilePath) -> HeadroomError {
        guard let holder else {
            return HeadroomError(
                .busy,
                "\(path.displayText) is locked by another process. Try again when it has ended.")
        }
        let name = RunningProcess.description(of: holder.process)
        let place = holder.root.isEmpty ? "there" : FilePath(bytes: holder.root).displayText
        let seconds = Timestamp.wallClock().duration(since: Timestamp(nanoseconds: holder.since))
            .components.seconds
        let since = holder.since == 0 ? "" : ", since \(max(0, seconds)) s"
        let work = holder.purpose == "lease" ? "is taking a lease on" : "is purging"
        return HeadroomError(
            .busy,
            "\(path.displayText) is busy: \(name) \(work) \(place)\(since). "
                + "Wait until it has ended, or end it.")
    }

    private static func leaseError(on leased: FileIdentity, _ path: FilePath) -> HeadroomError {
        let entry = LockTable.read().entries(of: leased)
            .first { $0.kind == .wholeFile && !$0.isExclusive && $0.process > 0 }
        let name = entry.map { RunningProcess.description(of: $0.process) } ?? "another process"
        return HeadroomError(
            .busy,
            "\(path.displayText), or a directory around it, is leased by \(name). "
                + "Nothing in it goes until the lease ends.")
    }
}
