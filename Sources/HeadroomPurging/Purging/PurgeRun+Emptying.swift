//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

// A unit that has been renamed and checked again is emptied from its leaves up. What turns up in it
// now, by a descriptor that somebody has kept, stays: `rmdir` refuses to remove what holds anything.
extension PurgeRun {
    /// A unit while it goes.
    struct UnitRemoval {
        let unit: Int32
        let reserved: FileName
        /// Nil for what an interrupted purge has left.
        let original: FileName?
        let contents: UnitContents
        let link: DirectoryCursor.Link
        /// What has gone so far.
        var removedCount = 0
        var removedBytes: Int64 = 0
        /// Why it does not become empty, the first reason.
        var keptBy: Reason?
        var isStopped = false

        /// Once something has gone the rest goes too, unless the purge is stopped: a unit of which one file
        /// stays is no better for being half full.
        var goesOn: Bool { !isStopped && (keptBy == nil || removedCount > 0) }

        mutating func keep(_ reason: Reason) { keptBy = keptBy ?? reason }
    }

    /// Removes what was planned of a renamed unit, as long as it goes on.
    func empty(_ work: inout UnitRemoval, _ candidate: Candidate) {
        for number in work.contents.directories.indices.reversed() {
            guard work.goesOn else { return }
            do {
                let directory = Descriptor(
                    owning: try calls.openDirectory(
                        beneath: work.unit, path: work.contents.path(to: number)))
                try empty(directory.rawValue, number, &work, candidate)
            } catch {
                work.keep(Self.reason(error, "emptied"))
            }
        }
    }

    private func empty(
        _ directory: Int32, _ number: Int, _ work: inout UnitRemoval, _ candidate: Candidate
    ) throws(Errno) {
        let status = try calls.status(of: directory)
        guard status.identity == work.contents.directories[number].identity else {
            return work.keep(Reason(.changed, "A directory in it was exchanged."))
        }
        let parentGuard = ParentGuard.acquire(directory)
        guard parentGuard.state == .exclusive || parentGuard.state == .withoutLocks else {
            return work.keep(Reason(.leased, "Something in it is leased."))
        }
        var isMadeWritable = false
        for entry in try DirectoryListing(directory, calls: calls).entries {
            if progress.isCancelled {
                work.isStopped = true
                work.keep(Self.stoppedReason)
            }
            guard work.goesOn else { break }
            let reason = entry.name.withEntryName { name in
                removeMember(name, at: directory, status, &work, candidate, &isMadeWritable)
            }
            if let reason { work.keep(reason) }
        }
        // Only matters if something has kept it, and then it matters.
        // mutation: s6f-1
        if isMadeWritable { DirectoryMode.restore(directory, status) }
        _ = consume parentGuard
    }

    /// - Returns: why it stays.
    private func removeMember(
        _ name: EntryName, at directory: Int32, _ parent: FileStatus, _ work: inout UnitRemoval,
        _ candidate: Candidate, _ isMadeWritable: inout Bool
    ) -> Reason? {
        do {
            let status = try calls.status(of: name, at: directory)
            var freed = status.allocatedSize.bytes
            if status.type == .directory {
                // Emptied before: parents come after their children. Whatever is new in it keeps it.
                try makingWritable(directory, parent, &isMadeWritable) { () throws(Errno) in
                    try calls.remove(name, at: directory, isDirectory: true)
                }
            } else {
                guard work.contents.members.contains(mix(status, parent: parent.identity.inode))
                else { return Reason(.changed, "Something in it is new or has changed.") }
                let hold = inUse.hold(
                    name, at: directory, status: status, purgeClass: candidate.purgeableClass,
                    parent: .exclusive, calls: calls)
                if let reason = hold.reasonToKeep { return inside(reason) }
                reached(.willUnlink)
                guard hold.isUncontested else { return inside(Self.contestedReason) }
                try makingWritable(directory, parent, &isMadeWritable) { () throws(Errno) in
                    try removeLink(name, at: directory, status)
                }
                _ = consume hold
                // mutation: s10c-2
                freed = status.freedByUnlink
            }
            work.removedCount += 1
            work.removedBytes &+= freed
            progress.addMember(freed, isDirectory: status.type == .directory)
            breaker.countRemoved(items: 1, allocated: freed)
            if work.removedCount == work.contents.memberCount / 2 { reached(.unitHalfEmptied) }
            return nil
        } catch .noSuchFileOrDirectory {
            return nil
        } catch .directoryNotEmpty, .fileExists {
            return Reason(.changed, "Something new appeared in it.")
        } catch {
            return Self.reason(error, "removed")
        }
    }

    /// Removes an entry; where our own directory is read-only, as in Go's module cache, it is made
    /// writable first, by its descriptor.
    private func makingWritable(
        _ directory: Int32, _ parent: FileStatus, _ isMadeWritable: inout Bool,
        _ remove: () throws(Errno) -> Void
    ) throws(Errno) {
        do {
            try remove()
        } catch .permissionDenied {
            guard parent.owner == User.effective, !isMadeWritable else { throw .permissionDenied }
            try DirectoryMode.makeWritable(directory, parent)
            isMadeWritable = true
            try remove()
        }
    }
}
