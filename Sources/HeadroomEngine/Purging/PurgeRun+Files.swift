//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

// Single files: verified, asked about, unlinked by the descriptor of their directory.
extension PurgeRun {
    func removeFile(
        _ candidate: Candidate, at link: DirectoryCursor.Link, _ parent: ParentGuard.State
    ) {
        let name = inventory.name(ofItem: candidate.number)
        switch verify(candidate.number, name, at: link, candidate) {
        case .failure(let reason): skip(candidate, reason)
        case .success(let status):
            let hold = inUse.hold(
                name, at: link.descriptor, status: status, purgeClass: candidate.purgeableClass,
                parent: parent, calls: calls)
            if let reason = hold.reasonToKeep { return skip(candidate, reason) }
            if !hold.isUncontested {
                return skip(candidate, Reason(.inUse, "A process is just opening it."))
            }
            unlink(candidate, name, status, at: link)
            _ = consume hold
        }
    }

    enum Verdict {
        case success(FileStatus)
        case failure(Reason)
    }

    /// Makes sure that an item is what was planned (S4), carries no mark that keeps it, and is not
    /// known to be in use (S5). Opens nothing.
    func verify(
        _ number: UInt32, _ name: EntryName, at link: DirectoryCursor.Link, _ candidate: Candidate
    ) -> Verdict {
        let status: FileStatus
        do {
            status = try calls.status(of: name, at: link.descriptor)
        } catch {
            return .failure(Self.reason(error, "examined"))
        }
        let item = inventory.item(number)
        var expected = Fingerprint(rawValue: item.fingerprint)
        if item.linkCount > 1, let since = touched[status.identity] { expected = since }
        guard Fingerprint(status, key: inventory.key) == expected else {
            return .failure(Reason(.changed, "It has changed since it was planned."))
        }
        if status.isMountRoot {
            return .failure(Reason(.mountPoint, "Something is mounted there."))
        }
        if status.isImmutable {
            return .failure(Reason(.immutable, "It is immutable or append-only."))
        }
        if let reason = markReason(name, status, at: link, candidate) { return .failure(reason) }
        if let reason = inUse.reasonToKeep(status) { return .failure(reason) }
        return .success(status)
    }

    /// Reads the mark of a file once more: it may have been moved here, pinned, from elsewhere.
    private func markReason(
        _ name: EntryName, _ status: FileStatus, at link: DirectoryCursor.Link,
        _ candidate: Candidate
    ) -> Reason? {
        var mark = link.mark
        if let reading = options.markSource?.reading(ofFile: name, at: link.descriptor, status) {
            if reading.isDamaged { return Reason(.pinned, "Its mark cannot be read.") }
            mark = reading.mark.inheriting(link.mark)
        }
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
        at link: DirectoryCursor.Link
    ) {
        guard breaker.allows(items: 1, allocated: status.allocatedSize.bytes) else {
            return skip(candidate, Reason(.breaker, "More would go than was planned."))
        }
        let other = keepOpen(name, at: link.descriptor, status)
        reached(.willUnlink)
        do {
            try calls.remove(name, at: link.descriptor, isDirectory: false)
        } catch {
            if let other { OpenFileCloser.close(other) }
            return skip(candidate, Self.reason(error, "removed"))
        }
        reached(.unlinked)
        noteRemovedLink(other, status)
        breaker.countRemoved(items: 1, allocated: status.allocatedSize.bytes)
        // The bytes of a file go with its last link.
        let freed = status.linkCount > 1 ? 0 : status.allocatedSize.bytes
        recorder.addRemoved(
            candidate, bytes: freed, in: inventory.item(candidate.number).parent
        ) { inventory.path(ofItem: candidate.number) }
    }

    /// Keeps a file with several links open across the removal of one of them, which changes the
    /// ctime of the others.
    func keepOpen(_ name: EntryName, at directory: Int32, _ status: FileStatus) -> Descriptor? {
        guard status.linkCount > 1, status.type == .regular else { return nil }
        // If it cannot be opened, its other links will be found changed, and stay.
        guard let opened = try? calls.openFile(name, at: directory, writing: false) else {
            return nil
        }
        return Descriptor(owning: opened)
    }

    /// Learns the fingerprint that the other links of a file have now.
    func noteRemovedLink(_ other: consuming Descriptor?, _ status: FileStatus) {
        guard let other = other.take() else { return }
        // If its status cannot be had, its other links will be found changed, and stay.
        if let since = try? calls.status(of: other.rawValue), since.identity == status.identity {
            if plannedFingerprint[status.identity] == nil {
                plannedFingerprint[status.identity] = Fingerprint(status, key: inventory.key)
            }
            touched[status.identity] = Fingerprint(since, key: inventory.key)
        }
        OpenFileCloser.close(other)
    }

    /// Translates the error of an operation on an item.
    static func reason(_ error: Errno, _ done: String) -> Reason {
        switch error {
        case .noSuchFileOrDirectory: Reason(.vanished, "It is not there any more.")
        case .notDirectory, .isDirectory, .directoryNotEmpty, .fileExists:
            Reason(.changed, "Something else is in its place, or in it.")
        case .resourceBusy:
            Reason(.mountPoint, "Something is mounted there, or the system uses it.")
        case .readOnlyFileSystem: Reason(.readOnly, "The file system is mounted read-only.")
        case .permissionDenied, .notPermitted:
            Reason(.notPermitted, "It could not be \(done): \(error). Run as its owner or as root.")
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
