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

// Directory units go whole or not at all (S6): all members are checked, the unit is renamed within
// its parent, then emptied and removed; what cannot go is renamed back. Stopping takes effect between
// any two members: before the first one has gone the unit is whole again, after that the rest keeps
// its reserved name, and is finished by the next purge like that of one which was killed.
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
        switch inspect(unit.rawValue, candidate, outer: link.held) {
        case .failure(let refusal) where refusal.reason.code == .interrupted: unreached += 1
        case .failure(let refusal): skip(candidate, refusal.reason)
        case .success(let contents):
            let planned = plan.evidence(ofUnit: candidate.number)
            // mutation: s4d-1
            guard contents.memberCount == planned.members, contents.sum == planned.sum else {
                return skip(
                    candidate, Reason(.changed, "What is in it has changed since the plan."))
            }
            guard breaker.admits(items: contents.memberCount, allocated: contents.freed) else {
                return skip(candidate, Reason(.breaker, "More would go than was planned."))
            }
            // mutation: s6d-1
            guard !candidate.isLeftover(in: inventory) else {
                return finish(
                    UnitRemoval(
                        unit: unit.rawValue, reserved: record.name, original: nil,
                        contents: contents, link: link), candidate)
            }
            rename(candidate, record, contents, at: link, isRetry: isRetry)
        }
    }

    // MARK: - The rename, and after

    private func rename(
        _ candidate: Candidate, _ record: DirectoryRecord, _ contents: UnitContents,
        at link: DirectoryCursor.Link, isRetry: Bool
    ) {
        unitNumber += 1
        let reserved = ReservedName.make(receipt: recorder.receipt.id, number: unitNumber)
        let directory = inventory.path(ofDirectory: record.parent)
        journal(
            going: [
                PurgeBatch.Rename(directory: directory, original: record.name, reserved: reserved)
            ])
        reached(.willRenameUnit)
        do {
            try rename(record.name, to: reserved, at: link)
        } catch {
            return renameFailed(error, candidate, isRetry: isRetry)
        }
        reached(.unitRenamed)
        // Opened anew, by the new name: what was renamed may not be what was inspected. Everything
        // is asked again, now that nobody finds it by its name any more: whoever came between the
        // first look and the rename is seen now, before anything has gone.
        let opened: Int32
        do {
            opened = try reserved.withEntryName { (name) throws(Errno) in
                try calls.openDirectory(name, at: link.descriptor, crossingMounts: false)
            }
        } catch {
            return putBack(reserved, record.name, candidate, Self.reason(error, "opened"), at: link)
        }
        let unit = Descriptor(owning: opened)
        switch inspect(opened, candidate, outer: link.held) {
        case .failure(let refusal):
            putBack(reserved, record.name, candidate, refusal.reason, at: link)
        case .success(let again):
            // mutation: s6b-1
            guard again.isSameExceptName(as: contents) else {
                let reason = Reason(.changed, "What is in it has changed just now.")
                return putBack(reserved, record.name, candidate, reason, at: link)
            }
            finish(
                UnitRemoval(
                    unit: unit.rawValue, reserved: reserved, original: record.name,
                    contents: again, link: link), candidate)
        }
    }

    private func rename(
        _ name: FileName, to newName: FileName, at link: DirectoryCursor.Link
    ) throws(Errno) {
        try name.withEntryName { (old) throws(Errno) in
            try newName.withEntryName { (new) throws(Errno) in
                try calls.rename(old, to: new, at: link.descriptor)
            }
        }
    }

    /// Empties and removes a unit that bears its reserved name and was just inspected.
    private func finish(_ removal: UnitRemoval, _ candidate: Candidate) {
        var work = removal
        let record = inventory.directories[Int(candidate.number)]
        empty(&work, candidate)
        var kept = work.keptBy
        if kept == nil {
            reached(.unitEmptied)
            do {
                try work.reserved.withEntryName { (name) throws(Errno) in
                    try calls.remove(name, at: work.link.descriptor, isDirectory: true)
                }
            } catch {
                kept = Self.reason(error, "removed")
            }
        }
        guard let kept else {
            reached(.unitRemoved)
            cursor.forget(candidate.number)
            return recorder.addRemoved(candidate, bytes: work.contents.freed, in: record.parent) {
                inventory.path(ofDirectory: candidate.number)
            }
        }
        if work.removedCount > 0 {
            recorder.addPartlyRemoved(
                inventory.path(ofDirectory: candidate.number), members: work.removedCount,
                bytes: work.removedBytes, because: kept)
            // Half of it is not presented as the whole (S7): the next purge finishes it.
            if kept.code == .interrupted {
                unitsLeftBehind += 1
                return skip(candidate, leftBehind(work))
            }
        }
        putBack(work.reserved, work.original, candidate, kept, at: work.link)
    }

    /// What is said of a unit of which a part had gone when the purge was stopped.
    private func leftBehind(_ work: UnitRemoval) -> Reason {
        let rest = work.contents.memberCount - work.removedCount
        return Reason(
            .interruptedPurge,
            "The purge was stopped while it was emptied. What is left, \(rest) of "
                + "\(work.contents.memberCount) members, is called \(work.reserved.text) and goes "
                + "with the next purge.")
    }

    private func renameFailed(_ error: Errno, _ candidate: Candidate, isRetry: Bool) {
        switch error {
        case .noSpace where !isRetry, .diskQuotaExceeded where !isRetry,
            .permissionDenied where !isRetry:
            // Once more when single files have gone, and never again (S6).
            // mutation: s6c-1
            postponed.append(candidate)
        case .noSpace, .diskQuotaExceeded:
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

    /// Renames what is left of a unit back; if its name is taken meanwhile it stays, and is named.
    private func putBack(
        _ reserved: FileName, _ original: FileName?, _ candidate: Candidate, _ reason: Reason,
        at link: DirectoryCursor.Link
    ) {
        guard let original else { return skip(candidate, reason) }
        do {
            try rename(reserved, to: original, at: link)
            skip(candidate, reason)
        } catch {
            skip(
                candidate,
                Reason(
                    reason.code,
                    "\(reason.text) It could not be renamed back (\(error)) and is now called "
                        + "\(reserved.text)."))
        }
    }
}
