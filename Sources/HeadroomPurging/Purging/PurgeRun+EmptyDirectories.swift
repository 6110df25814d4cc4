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

// Directories that the plan leaves empty: rmdir refuses whatever is not.
extension PurgeRun {
    func removeEmptyDirectory(_ candidate: Candidate) {
        let record = inventory.directories[Int(candidate.number)]
        let link: DirectoryCursor.Link
        switch position(at: record.parent) {
        case .refused(let reason): return skip(candidate, reason)
        case .open(let open): link = open
        }
        cursor.forget(candidate.number)
        let hold = hold(link)
        let state = hold.state
        guard state.allowsRemoval else { return skip(candidate, Self.reason(state)) }
        if let reason = record.name.withEntryName({ removeEmpty(candidate, record, $0, at: link) })
        {
            skip(candidate, reason)
        }
        _ = consume hold
    }

    /// - Returns: why it stays, if that is to be told.
    private func removeEmpty(
        _ candidate: Candidate, _ record: DirectoryRecord, _ name: EntryName,
        at link: DirectoryCursor.Link
    ) -> Reason? {
        do throws(Errno) {
            // Open, so that its own lock and mark count: it may be leased, or pinned since.
            let directory = Descriptor(
                owning: try calls.openDirectory(name, at: link.descriptor, crossingMounts: false))
            let status = try calls.status(of: directory.rawValue)
            guard status.identity == record.identity, status.mountID == record.mountID else {
                return Reason(.changed, "Something else is in its place.")
            }
            if let reason = emptyDirectoryMark(directory.rawValue, status, record, link.held) {
                return reason
            }
            if let reason = inUse.reasonToKeep(status) ?? inUse.reasonToKeep(area: candidate.area) {
                return reason
            }
            let ownGuard = ParentGuard.acquire(directory.rawValue)
            switch ownGuard.state {
            case .exclusive, .withoutLocks: break
            case .shared, .leasedWhole, .heldExclusively, .undecidable:
                return Self.reason(ownGuard.state)
            }
            try calls.remove(name, at: link.descriptor, isDirectory: true)
            _ = consume ownGuard
            breaker.countRemoved(items: 1, allocated: status.allocatedSize.bytes)
            recorder.addRemoved(
                candidate, bytes: status.allocatedSize.bytes, in: record.parent
            ) { inventory.path(ofDirectory: candidate.number) }
            return nil
        } catch .directoryNotEmpty, .fileExists {
            // Something in it was kept, which is said there, or is new: nothing to tell.
            return nil
        } catch {
            return Self.reason(error, "removed")
        }
    }

    private func emptyDirectoryMark(
        _ directory: Int32, _ status: FileStatus, _ record: DirectoryRecord, _ outer: HeldMark
    ) -> Reason? {
        let reading = options.markSource?.reading(ofDirectory: directory, status)
        if reading?.isDamaged == true { return Reason(.pinned, "Its mark cannot be read.") }
        let mark = inventory.mark(reading, status, of: record, in: outer).mark
        if mark.isPinned == true { return Reason(.pinned, "It is pinned.") }
        return PackedMark(mark) == record.mark ? nil : Reason(.changed, "Its mark has changed.")
    }
}
