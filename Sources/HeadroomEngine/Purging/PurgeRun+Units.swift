//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

// Directory units go whole or not at all (S6): all members are checked, the unit is renamed within
// its parent, then emptied and removed; what cannot go is renamed back.
extension PurgeRun {
    func removeUnit(
        _ candidate: Candidate, at link: DirectoryCursor.Link, _ parent: ParentGuard.State,
        isRetry: Bool = false
    ) {
        let record = inventory.directories[Int(candidate.number)]
        let opened: Int32
        do {
            opened = try record.name.withEntryName { (name) throws(Errno) in
                try calls.openDirectory(name, at: link.descriptor, crossingMounts: false)
            }
        } catch {
            return skip(candidate, DirectoryCursor.reason(error))
        }
        let unit = Descriptor(owning: opened)
        // Where some child of the parent is leased, the unit itself is probed, and held.
        var itemLock: Descriptor?
        if parent == .shared {
            do {
                let own = Descriptor(
                    owning: try calls.openDirectory(beneath: unit.rawValue, path: []))
                guard FileLock.tryExclusive(own.rawValue) == .granted else {
                    return skip(candidate, Reason(.leased, "It is leased, or locked with flock."))
                }
                // Released before it is walked: the walk locks each directory itself.
                FileLock.unlock(own.rawValue)
                itemLock = consume own
            } catch {
                return skip(candidate, Self.reason(error, "locked"))
            }
        }
        defer { _ = itemLock.take() }
        switch inspect(unit.rawValue, candidate, outer: link.mark) {
        case .failure(let refusal): skip(candidate, refusal.reason)
        case .success(let contents):
            let planned = plan.evidence(ofUnit: candidate.number)
            guard contents.memberCount == planned.members, contents.sum == planned.sum else {
                return skip(
                    candidate, Reason(.changed, "What is in it has changed since the plan."))
            }
            guard breaker.allows(items: contents.memberCount, allocated: contents.allocated) else {
                return skip(candidate, Reason(.breaker, "More would go than was planned."))
            }
            rename(candidate, record, unit.rawValue, contents, at: link, isRetry: isRetry)
        }
    }

    // MARK: - Before the rename

    struct Refusal: Error {
        let reason: Reason
    }

    /// Walks a unit: its fingerprint, and whether anything in it is a reason to keep it.
    private func inspect(
        _ unit: Int32, _ candidate: Candidate, outer: Mark
    ) -> Result<UnitContents, Refusal> {
        var contents = UnitContents()
        var marks: [Mark] = []
        do {
            let status = try calls.status(of: unit)
            guard status.identity == inventory.directories[Int(candidate.number)].identity else {
                return .failure(
                    Refusal(reason: Reason(.changed, "Another directory is in its place.")))
            }
            contents.addDirectory(
                parent: 0, name: inventory.directories[Int(candidate.number)].name, status,
                mix: mix(status, parent: 0))
            marks.append(outer)
            var next = 0
            while next < contents.directories.count {
                try inspectDirectory(next, of: unit, candidate, &contents, &marks)
                next += 1
            }
            return .success(contents)
        } catch let refusal as Refusal {
            return .failure(refusal)
        } catch let error as Errno {
            return .failure(Refusal(reason: Self.reason(error, "examined")))
        } catch {
            return .failure(Refusal(reason: Reason(.failed, "It could not be examined.")))
        }
    }

    private func inspectDirectory(
        _ number: Int, of unit: Int32, _ candidate: Candidate, _ contents: inout UnitContents,
        _ marks: inout [Mark]
    ) throws {
        let directory = Descriptor(
            owning: try calls.openDirectory(beneath: unit, path: contents.path(to: number)))
        let status = try calls.status(of: directory.rawValue)
        guard status.identity == contents.directories[number].identity else {
            throw Refusal(reason: Reason(.changed, "A directory in it was exchanged."))
        }
        marks[number] = try checkDirectory(directory.rawValue, status, marks[number], candidate)
        let parentGuard = ParentGuard.acquire(directory.rawValue)
        switch parentGuard.state {
        case .exclusive, .withoutLocks: break
        case .shared: throw Refusal(reason: Reason(.leased, "Something in it is leased."))
        case .leasedWhole, .heldExclusively, .undecidable:
            throw Refusal(reason: Self.reason(parentGuard.state))
        }
        for entry in try DirectoryListing(directory.rawValue, calls: calls).entries {
            try entry.name.withEntryName { name in
                let member = try calls.status(of: name, at: directory.rawValue)
                let memberMix = mix(member, parent: status.identity.inode)
                if member.type == .directory {
                    guard member.mountID == status.mountID, !member.isMountRoot else {
                        throw Refusal(
                            reason: Reason(.mountPoint, "Something is mounted in it."))
                    }
                    contents.addDirectory(
                        parent: number, name: entry.name, member, mix: memberMix)
                    marks.append(marks[number])
                    return
                }
                let isExact = try checkFile(
                    name, member, at: directory.rawValue, outer: marks[number], candidate,
                    parentGuard.state)
                contents.addFile(member, mix: memberMix, isExact: isExact, in: number, name: name)
            }
        }
    }

    private func mix(_ status: FileStatus, parent: UInt64) -> UInt64 {
        var fingerprint = Fingerprint(status, key: inventory.key)
        // A link that went with an earlier item has changed the ctime of this one: it stands for
        // the state that was planned.
        if status.linkCount > 0, let since = touched[status.identity], since == fingerprint,
            let planned = plannedFingerprint[status.identity]
        {
            fingerprint = planned
        }
        return UnitSurvey.mix(fingerprint.rawValue, parent: parent, key: inventory.key)
    }

    /// - Returns: the effective mark of the directory.
    private func checkDirectory(
        _ descriptor: Int32, _ status: FileStatus, _ outer: Mark, _ candidate: Candidate
    ) throws -> Mark {
        if let reason = inUse.reasonToKeep(status) { throw Refusal(reason: inside(reason)) }
        guard DirectoryMode.isWritable(descriptor, status) else {
            throw Refusal(
                reason: Reason(.notPermitted, "A directory in it belongs to another user."))
        }
        if status.isImmutable {
            throw Refusal(reason: Reason(.immutable, "A directory in it is immutable."))
        }
        guard let reading = options.markSource?.reading(ofDirectory: descriptor, status) else {
            return outer
        }
        return try admit(reading, outer, candidate)
    }

    /// - Returns: whether the file is one that is checked with the kernel.
    private func checkFile(
        _ name: EntryName, _ status: FileStatus, at directory: Int32, outer: Mark,
        _ candidate: Candidate, _ state: ParentGuard.State
    ) throws -> Bool {
        guard status.type == .regular || status.type == .symbolicLink else {
            throw Refusal(
                reason: Reason(.special, "It holds a socket, a FIFO or a device."))
        }
        if status.isImmutable || status.isMountRoot {
            throw Refusal(reason: Reason(.immutable, "A file in it cannot be removed."))
        }
        if let reading = options.markSource?.reading(ofFile: name, at: directory, status) {
            _ = try admit(reading, outer, candidate)
        }
        if let reason = inUse.reasonToKeep(status) { throw Refusal(reason: inside(reason)) }
        guard InUseCheck.isCheckedExactly(status, candidate.purgeableClass) else { return false }
        let hold = inUse.hold(
            name, at: directory, status: status, purgeClass: candidate.purgeableClass,
            parent: state, calls: calls)
        if let reason = hold.reasonToKeep { throw Refusal(reason: inside(reason)) }
        _ = consume hold
        return true
    }

    private func admit(
        _ reading: MarkReading, _ outer: Mark, _ candidate: Candidate
    ) throws -> Mark {
        if reading.isDamaged {
            throw Refusal(reason: Reason(.pinned, "A mark in it cannot be read."))
        }
        let mark = reading.mark.inheriting(outer)
        if mark.isPinned == true {
            throw Refusal(reason: Reason(.pinned, "Something in it is pinned."))
        }
        if let nearer = mark.purgeClass, nearer > candidate.purgeableClass {
            throw Refusal(
                reason: Reason(.changed, "Something in it is marked \(nearer.spokenName) now."))
        }
        return mark
    }

    private func inside(_ reason: Reason) -> Reason {
        Reason(reason.code, "Something in it is in use. \(reason.text)")
    }

    // MARK: - The rename, and after

    private func rename(
        _ candidate: Candidate, _ record: DirectoryRecord, _ unit: Int32,
        _ contents: UnitContents, at link: DirectoryCursor.Link, isRetry: Bool
    ) {
        let isLeftover = record.name.withEntryName { ReservedName.matches($0) }
        var reserved = record.name
        if !isLeftover {
            unitNumber += 1
            reserved = ReservedName.make(receipt: recorder.receipt.id, number: unitNumber)
            let directory = inventory.path(ofDirectory: record.parent)
            journal(
                going: [
                    PurgeBatch.Rename(
                        directory: directory, original: record.name, reserved: reserved)
                ])
            reached(.willRenameUnit)
            do {
                try record.name.withEntryName { (old) throws(Errno) in
                    try reserved.withEntryName { (new) throws(Errno) in
                        try calls.rename(old, to: new, at: link.descriptor)
                    }
                }
            } catch {
                return renameFailed(error, candidate, isRetry: isRetry)
            }
            reached(.unitRenamed)
        }
        let unitWork = UnitRemoval(
            unit: unit, reserved: reserved, original: isLeftover ? nil : record.name,
            contents: contents, link: link)
        if let reason = recheck(unitWork, candidate) ?? empty(unitWork, candidate) {
            return putBack(unitWork, candidate, reason)
        }
        reached(.unitEmptied)
        do {
            try reserved.withEntryName { (name) throws(Errno) in
                try calls.remove(name, at: link.descriptor, isDirectory: true)
            }
        } catch {
            return putBack(unitWork, candidate, Self.reason(error, "removed"))
        }
        reached(.unitRemoved)
        cursor.forget(candidate.number)
        recorder.addRemoved(candidate, bytes: contents.freed, in: record.parent) {
            inventory.path(ofDirectory: candidate.number)
        }
    }

    struct UnitRemoval {
        let unit: Int32
        let reserved: FileName
        /// Nil for what an interrupted purge has left.
        let original: FileName?
        let contents: UnitContents
        let link: DirectoryCursor.Link
    }

    private func renameFailed(_ error: Errno, _ candidate: Candidate, isRetry: Bool) {
        switch error {
        case .noSpace, .diskQuotaExceeded:
            guard isRetry else { return postponed.append(candidate) }
            skip(
                candidate,
                Reason(.unitBusy, "The volume has no room to rename it: \(error)."))
        case .improperLink:
            skip(
                candidate,
                Reason(
                    .unitBusy,
                    "It lies in a lower layer of an overlay, where directories cannot be renamed."))
        default:
            skip(candidate, Self.reason(error, "renamed"))
        }
    }

    /// Asks again who uses the unit, now that nobody can find it by its name any more.
    private func recheck(_ work: UnitRemoval, _ candidate: Candidate) -> Reason? {
        for identity in work.contents.identities {
            if let reason = inUse.reasonToKeep(identity) { return inside(reason) }
        }
        for (number, name, status) in work.contents.exact {
            do {
                let directory = Descriptor(
                    owning: try calls.openDirectory(
                        beneath: work.unit, path: work.contents.path(to: number)))
                let kept: Reason? = name.withEntryName { entry in
                    let hold = inUse.hold(
                        entry, at: directory.rawValue, status: status,
                        purgeClass: candidate.purgeableClass, parent: .exclusive, calls: calls)
                    if let reason = hold.reasonToKeep { return reason }
                    return nil
                }
                if let kept { return inside(kept) }
            } catch {
                return Self.reason(error, "examined")
            }
        }
        return nil
    }

    /// Removes what was planned of a renamed unit, from its leaves up.
    ///
    /// - Returns: why it did not become empty.
    private func empty(_ work: UnitRemoval, _ candidate: Candidate) -> Reason? {
        var half = work.contents.memberCount / 2
        for number in work.contents.directories.indices.reversed() {
            do {
                let directory = Descriptor(
                    owning: try calls.openDirectory(
                        beneath: work.unit, path: work.contents.path(to: number)))
                if let reason = try empty(
                    directory.rawValue, number, work, candidate, &half)
                {
                    return reason
                }
            } catch {
                return Self.reason(error, "emptied")
            }
        }
        return nil
    }

    private func empty(
        _ directory: Int32, _ number: Int, _ work: UnitRemoval, _ candidate: Candidate,
        _ half: inout Int
    ) throws(Errno) -> Reason? {
        let status = try calls.status(of: directory)
        guard status.identity == work.contents.directories[number].identity else {
            return Reason(.changed, "A directory in it was exchanged.")
        }
        let parentGuard = ParentGuard.acquire(directory)
        guard parentGuard.state == .exclusive || parentGuard.state == .withoutLocks else {
            return Reason(.leased, "Something in it is leased.")
        }
        for entry in try DirectoryListing(directory, calls: calls).entries {
            let reason = entry.name.withEntryName { name in
                removeMember(name, at: directory, status, work, candidate)
            }
            if let reason { return reason }
            half -= 1
            if half == 0 { reached(.unitHalfEmptied) }
        }
        return nil
    }

    /// - Returns: why it stays.
    private func removeMember(
        _ name: EntryName, at directory: Int32, _ parent: FileStatus, _ work: UnitRemoval,
        _ candidate: Candidate
    ) -> Reason? {
        do {
            let status = try calls.status(of: name, at: directory)
            if status.type == .directory {
                // Emptied before: parents come after their children. Whatever is new in it keeps it.
                try removeWritably(name, at: directory, parent, isDirectory: true)
                breaker.countRemoved(items: 1, allocated: status.allocatedSize.bytes)
                return nil
            }
            guard work.contents.members.contains(mix(status, parent: parent.identity.inode)) else {
                return Reason(.changed, "Something in it is new or has changed.")
            }
            let hold = inUse.hold(
                name, at: directory, status: status, purgeClass: candidate.purgeableClass,
                parent: .exclusive, calls: calls)
            if let reason = hold.reasonToKeep { return inside(reason) }
            let other = keepOpen(name, at: directory, status)
            try removeWritably(name, at: directory, parent, isDirectory: false)
            noteRemovedLink(other, status)
            _ = consume hold
            breaker.countRemoved(items: 1, allocated: status.allocatedSize.bytes)
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
    private func removeWritably(
        _ name: EntryName, at directory: Int32, _ parent: FileStatus, isDirectory: Bool
    ) throws(Errno) {
        do {
            try calls.remove(name, at: directory, isDirectory: isDirectory)
        } catch .permissionDenied {
            guard parent.owner == User.effective else { throw .permissionDenied }
            try DirectoryMode.makeWritable(directory, parent)
            try calls.remove(name, at: directory, isDirectory: isDirectory)
        }
    }

    /// Renames what is left of a unit back; if its name is taken meanwhile it stays, and is named.
    private func putBack(_ work: UnitRemoval, _ candidate: Candidate, _ reason: Reason) {
        guard let original = work.original else { return skip(candidate, reason) }
        do {
            try work.reserved.withEntryName { (old) throws(Errno) in
                try original.withEntryName { (new) throws(Errno) in
                    try calls.rename(old, to: new, at: work.link.descriptor)
                }
            }
            skip(candidate, reason)
        } catch {
            skip(
                candidate,
                Reason(
                    reason.code,
                    "\(reason.text) It could not be renamed back (\(error)) and is now called "
                        + "\(work.reserved.text)."))
        }
    }
}
