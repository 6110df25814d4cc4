//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

// Single files: verified, asked about, unlinked by the descriptor of their directory.
extension PurgeRun {
    /// - Parameter isUntouched: nothing has appeared in the directory since it was planned.
    func removeFile(
        _ candidate: Candidate, at link: DirectoryCursor.Link, _ parent: ParentGuard.State,
        isUntouched: Bool
    ) {
        let name = inventory.name(ofItem: candidate.number)
        if let reason = databaseReason(candidate, name, at: link, isUntouched: isUntouched) {
            return skip(candidate, reason)
        }
        switch verify(candidate.number, name, at: link, candidate) {
        case .failure(let reason): skip(candidate, reason)
        case .success(let status):
            let hold = inUse.hold(
                name, at: link.descriptor, status: status, purgeClass: candidate.purgeableClass,
                parent: parent, calls: calls)
            if let reason = hold.reasonToKeep { return skip(candidate, reason) }
            unlink(candidate, name, status, at: link, holding: hold)
            _ = consume hold
        }
    }

    enum Verdict {
        case success(FileStatus)
        case failure(Reason)
    }

    /// Makes sure that an item is what was planned (S4), carries no mark that keeps it, and is not
    /// known to be in use (S5). Opens nothing.
    ///
    /// - Parameter outer: what holds where it has no mark of its own; nil: its directory's.
    func verify(
        _ number: UInt32, _ name: EntryName, at link: DirectoryCursor.Link, _ candidate: Candidate,
        outer: HeldMark? = nil
    ) -> Verdict {
        let status: FileStatus
        do {
            status = try calls.status(of: name, at: link.descriptor)
        } catch {
            return .failure(Self.reason(error, "examined"))
        }
        guard isPlanned(status, number) else {
            return .failure(Reason(.changed, "It has changed since it was planned."))
        }
        if status.isMountRoot {
            return .failure(Reason(.mountPoint, "Something is mounted there."))
        }
        if status.isImmutable {
            return .failure(Reason(.immutable, "It is immutable or append-only."))
        }
        let held = mark(of: name, status, at: link, outer ?? link.held)
        if let reason = markReason(held?.mark, candidate) { return .failure(reason) }
        if let reason = recentUse(status, candidate) { return .failure(reason) }
        if let reason = inUse.reasonToKeep(status) { return .failure(reason) }
        return .success(status)
    }

    /// Why an item is kept that was used since it was planned, for example read; nil if it wasn't.
    func recentUse(_ status: FileStatus, _ candidate: Candidate) -> Reason? {
        guard plan.request.minIdle != .none, candidate.plannedClass != .trash else { return nil }
        var used = max(status.modified, status.created ?? status.modified)
        // The access time of a directory says nothing: programs list directories that they don't use.
        if status.type != .directory,
            inventory.root(ofDirectory: candidateDirectory(candidate)).countsAccess
        {
            used = max(used, status.accessed)
        }
        // The same clock as in the plan, as much later as it is now.
        let now = plan.request.idleNow.advanced(
            by: options.clock().duration(since: plan.request.now))
        let idle = plan.request.minIdle[candidate.purgeableClass]
        guard now.duration(since: used) < idle else { return nil }
        return plan.request.recentUse(
            UInt32(clampedSeconds: used), candidate.purgeableClass, now: now)
    }

    private func candidateDirectory(_ candidate: Candidate) -> UInt32 {
        candidate.isItem ? inventory.item(candidate.number).parent : candidate.number
    }

    /// Whether a file is in the state that was planned, apart from links that we have removed.
    func isPlanned(_ status: FileStatus, _ number: UInt32) -> Bool {
        let item = inventory.item(number)
        var current = Fingerprint(status, key: inventory.key)
        if item.linkCount > 1 { current = links.original(current, of: status.identity) }
        // mutation: r17d-1
        // mutation: s4a-1
        // mutation: s4a-3
        return current.rawValue == item.fingerprint
    }

    /// Reads the mark of a file once more: it may have been moved here, pinned, from elsewhere.
    ///
    /// - Returns: the mark that holds for it; nil if it cannot be read.
    func mark(
        of name: EntryName, _ status: FileStatus, at link: DirectoryCursor.Link, _ outer: HeldMark
    ) -> HeldMark? {
        let reading = options.markSource?.reading(ofFile: name, at: link.descriptor, status)
        // mutation: s4b-1 (2 lines)
        if reading?.isDamaged == true { return nil }
        guard reading != nil || outer.grantor != nil else { return outer }
        let area = inventory.area(of: inventory.directories[Int(link.number)])
        return outer.entering(reading, status, in: HeldMark.AreaClass(area))
    }

    private func markReason(_ mark: Mark?, _ candidate: Candidate) -> Reason? {
        guard let mark else { return Reason(.pinned, "Its mark cannot be read.") }
        if mark.isPinned == true { return Reason(.pinned, "It is pinned.") }
        let area = inventory.areas[Int(candidate.area)]
        let effective = mark.purgeClass?.purgeClass ?? area.purgeClass
        guard effective <= candidate.purgeableClass.purgeClass else {
            return Reason(.changed, "It is \(effective.name) now.")
        }
        return nil
    }

    private func unlink(
        _ candidate: Candidate, _ name: EntryName, _ status: FileStatus,
        at link: DirectoryCursor.Link, holding hold: borrowing InUseCheck.Hold
    ) {
        // The bytes of a file go with its last link.
        let freed = status.freedByUnlink
        guard breaker.admits(items: 1, allocated: freed) else {
            return skip(candidate, Reason(.breaker, "More would go than was planned."))
        }
        reached(.willUnlink)
        // Asked last: whoever opens it now waits for us, and shall have it.
        // mutation: s5e-1
        guard hold.isUncontested else { return skip(candidate, Self.contestedReason) }
        do {
            try removeLink(name, at: link.descriptor, status)
        } catch {
            return skip(candidate, Self.reason(error, "removed"))
        }
        reached(.unlinked)
        breaker.countRemoved(items: 1, allocated: freed)
        recorder.addRemoved(
            candidate, bytes: freed, in: inventory.item(candidate.number).parent
        ) { path(ofItem: candidate.number) }
    }

    static let contestedReason = Reason(.inUse, "A process is just opening it.")

    /// Unlinks a file; if it has other links, learns what they have become by that.
    func removeLink(
        _ name: EntryName, at directory: Int32, _ status: FileStatus
    ) throws(Errno) {
        guard status.linkCount > 1 else {
            try calls.remove(name, at: directory, isDirectory: false)
            return links.noteGone(status)
        }
        // If it cannot be held, its other links will be found changed, and stay.
        let handle = try? InodeHandle(name, at: directory)
        try calls.remove(name, at: directory, isDirectory: false)
        links.noteGone(status)
        if let handle, let after = try? handle.status(calls) {
            links.noteUnlink(before: status, after: after, key: inventory.key)
        }
    }

    /// Items come directory by directory; going up from each costs more than its removal where it lies deep.
    func path(ofItem number: UInt32) -> FilePath {
        let directory = inventory.item(number).parent
        var bytes: [UInt8]
        if let lastPath, lastPath.directory == directory {
            bytes = lastPath.bytes
        } else {
            bytes = inventory.path(ofDirectory: directory).bytes
            if bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
            lastPath = (directory, bytes)
        }
        bytes += inventory.name(ofItem: number).owned.bytes
        return FilePath(bytes: bytes)
    }

    /// Translates the error of an operation on an item.
    static func reason(_ error: Errno, _ done: String) -> Reason {
        switch error {
        case .noSuchFileOrDirectory: Reason(.vanished, "It is not there any more.")
        case .notDirectory, .isDirectory, .directoryNotEmpty, .fileExists:
            Reason(.changed, "Something else is in its place, or in it.")
        case .resourceBusy:
            Reason(.mountPoint, "Something is mounted there, or the system uses it.")
        case .improperLink: Reason(.mountPoint, "Another file system is mounted there.")
        case .readOnlyFileSystem: Reason(.readOnly, "The file system is mounted read-only.")
        case .permissionDenied, .notPermitted:
            Reason(
                .notPermitted,
                "It could not be \(done): \(error). \(HeadroomError.permissionAdvice)")
        case .notSupported, .noFunction:
            Reason(
                .unsupported, "It could not be \(done): the file system does not support it.")
        default: Reason(.failed, "It could not be \(done): \(error).")
        }
    }

    static func reason(_ state: ParentGuard.State) -> Reason {
        switch state {
        case .heldExclusively:
            Reason(.leased, "Somebody holds its directory locked, with all below.")
        case .leasedWhole: Reason(.leased, "Its directory is leased, with all below.")
        case .undecidable:
            Reason(.leased, "The file system does not tell whether something is leased there.")
        case .exclusive, .shared, .withoutLocks:
            Reason(.failed, "Its directory could not be locked.")
        }
    }
}

extension FileStatus {
    // mutation: r8c-3
    /// What the volume gains when this link of the file goes.
    var freedByUnlink: Int64 { linkCount > 1 ? 0 : allocatedSize.bytes }
}
