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

// A directory unit is walked immediately before it goes: is it what was planned (S4), and is nothing
// in it a reason to keep it (S5)? Its sub-directories are reached by descriptor from the unit.
extension PurgeRun {
    struct Refusal: Error {
        let reason: Reason
    }

    /// Why a unit stays whole that was being looked at when the purge was stopped.
    static let stoppedReason = Reason(.interrupted, "The purge was stopped.")
    private static let pinnedReason = Reason(.pinned, "Something in it is pinned.")

    /// Walks a unit: its fingerprint, and whether anything in it is a reason to keep it.
    func inspect(
        _ unit: Int32, _ candidate: Candidate, outer: HeldMark
    ) -> Result<UnitContents, Refusal> {
        var contents = UnitContents()
        var marks: [HeldMark] = []
        do {
            let status = try calls.status(of: unit)
            guard status.identity == inventory.directories[Int(candidate.number)].identity else {
                return .failure(
                    Refusal(reason: Reason(.changed, "Another directory is in its place.")))
            }
            contents.addDirectory(
                parent: 0, name: inventory.directories[Int(candidate.number)].name, status,
                mix: UnitSurvey.mix(
                    Fingerprint(status, key: inventory.key).rawValue, parent: 0, key: inventory.key)
            )
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
        _ marks: inout [HeldMark]
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
            if progress.isCancelled { throw Refusal(reason: Self.stoppedReason) }
            progress.meter?.noteLook()
            try entry.name.withEntryName { name in
                let member = try calls.status(of: name, at: directory.rawValue)
                let memberMix = mix(member, parent: status.identity.inode)
                if let reason = othersReason(member, in: status) { throw Refusal(reason: reason) }
                if member.type == .directory {
                    guard member.mountID == status.mountID, !member.isMountRoot,
                        member.identity.device == status.identity.device
                    else {
                        throw Refusal(
                            reason: Reason(.mountPoint, "Something is mounted in it."))
                    }
                    contents.addDirectory(
                        parent: number, name: entry.name, member, mix: memberMix)
                    marks.append(marks[number])
                    return
                }
                try checkFile(
                    name, member, at: directory.rawValue, outer: marks[number], candidate,
                    parentGuard.state)
                contents.addFile(member, mix: memberMix)
            }
        }
        _ = consume parentGuard
    }

    /// What a member adds to the fingerprint of its unit. A link that went with an earlier item, or
    /// with this one, has changed the ctime of the others: they stand for what was planned.
    func mix(_ status: FileStatus, parent: UInt64) -> UInt64 {
        let current = Fingerprint(status, key: inventory.key)
        let planned =
            status.type == .directory ? current : links.original(current, of: status.identity)
        return UnitSurvey.mix(planned.rawValue, parent: parent, key: inventory.key)
    }

    /// - Returns: the effective mark of the directory.
    private func checkDirectory(
        _ descriptor: Int32, _ status: FileStatus, _ outer: HeldMark, _ candidate: Candidate
    ) throws -> HeldMark {
        if let reason = inUse.reasonToKeep(status) { throw Refusal(reason: inside(reason)) }
        guard DirectoryMode.isWritable(descriptor, status) else {
            throw Refusal(
                reason: Reason(.notPermitted, "A directory in it belongs to another user."))
        }
        if status.isImmutable {
            throw Refusal(reason: Reason(.immutable, "A directory in it is immutable."))
        }
        let reading = options.markSource?.reading(ofDirectory: descriptor, status)
        return try admit(reading, status, outer, candidate)
    }

    private func checkFile(
        _ name: EntryName, _ status: FileStatus, at directory: Int32, outer: HeldMark,
        _ candidate: Candidate, _ state: ParentGuard.State
    ) throws {
        // What is not regular is never opened (S12).
        // mutation: s12b-2
        guard status.type == .regular || status.type == .symbolicLink else {
            throw Refusal(
                reason: Reason(.special, "It holds a socket, a FIFO or a device."))
        }
        if status.isImmutable || status.isMountRoot {
            throw Refusal(reason: Reason(.immutable, "A file in it cannot be removed."))
        }
        let reading = options.markSource?.reading(ofFile: name, at: directory, status)
        if reading != nil || outer.grantor != nil {
            _ = try admit(reading, status, outer, candidate)
        }
        if let reason = recentUse(status, candidate) {
            throw Refusal(reason: Reason(reason.code, "Something in it was \(reason.text)."))
        }
        if let reason = inUse.reasonToKeep(status) { throw Refusal(reason: inside(reason)) }
        guard InUseCheck.isCheckedExactly(status, candidate.purgeableClass) else { return }
        let hold = inUse.hold(
            name, at: directory, status: status, purgeClass: candidate.purgeableClass,
            parent: state, calls: calls)
        if let reason = hold.reasonToKeep { throw Refusal(reason: inside(reason)) }
        // Whoever opens it from now on is met when it is looked at again, or when it goes.
        _ = consume hold
    }

    /// In a sticky directory only the owners of an entry and of the directory may remove it: to be
    /// known before the unit is half gone.
    private func othersReason(_ member: FileStatus, in directory: FileStatus) -> Reason? {
        let user = User.effective
        guard directory.permissions & 0o1000 != 0, !User.isRoot, member.owner != user,
            directory.owner != user
        else { return nil }
        return Reason(.foreignOwner, "It holds something of another user in a sticky directory.")
    }

    private func admit(
        _ reading: MarkReading?, _ status: FileStatus, _ outer: HeldMark, _ candidate: Candidate
    ) throws -> HeldMark {
        if reading?.isDamaged == true {
            throw Refusal(reason: Reason(.pinned, "A mark in it cannot be read."))
        }
        let area = inventory.areas[Int(candidate.area)]
        let held = outer.entering(reading, status, in: HeldMark.AreaClass(area))
        if held.mark.isPinned == true { throw Refusal(reason: Self.pinnedReason) }
        if let nearer = held.mark.purgeClass, nearer > candidate.purgeableClass {
            throw Refusal(
                reason: Reason(.changed, "Something in it is marked \(nearer.spokenName) now."))
        }
        if held.mark.purgeClass == nil, outer.mark.purgeClass != nil,
            area.purgeClass > candidate.purgeableClass.purgeClass
        {
            throw Refusal(
                reason: Reason(
                    .foreignOwner,
                    "Something in it belongs to another user than the one who marked it."))
        }
        return held
    }

    func inside(_ reason: Reason) -> Reason {
        Reason(reason.code, "Something in it is in use. \(reason.text)")
    }
}
