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

// Databases are purged with their sidecars, in an order in which every crash point is safe, and the parts of a model or
// data set together (S6).
extension PurgeRun {
    func removeSet(
        _ candidate: Candidate, at link: DirectoryCursor.Link, _ parent: ParentGuard.State
    ) {
        let members = plan.sets[candidate.number] ?? [candidate.number]
        var statuses: [FileStatus] = []
        var outer: HeldMark?
        for id in members {
            let name = inventory.name(ofItem: id)
            switch verify(id, name, at: link, candidate, outer: outer) {
            case .failure(let reason):
                return skip(candidate, explain(reason, member: id, of: candidate))
            case .success(let status):
                statuses.append(status)
                if id == candidate.number {
                    let main = mark(of: name, status, at: link, link.held)
                    // mutation: r15d-1
                    outer = sidecarMark(members, main, at: link)
                }
            }
        }
        if let reason = unexpectedSidecar(of: candidate, members, at: link) {
            return skip(candidate, reason)
        }
        let bytes = statuses.reduce(0) { $0 + $1.allocatedSize.bytes }
        guard breaker.admits(items: members.count, allocated: bytes) else {
            return skip(candidate, Reason(.breaker, "More would go than was planned."))
        }
        var holds: [HoldBox] = []
        for (id, status) in zip(members.dropFirst(), statuses.dropFirst()) {
            let hold = HoldBox(
                inUse.hold(
                    inventory.name(ofItem: id), at: link.descriptor, status: status,
                    purgeClass: candidate.purgeableClass, parent: parent, calls: calls))
            if let reason = hold.reasonToKeep {
                return skip(candidate, explain(reason, member: id, of: candidate))
            }
            holds.append(hold)
        }
        removeGuarded(candidate, members, statuses, at: link, parent)
        withExtendedLifetime(holds) {}
    }

    /// What a sidecar without a mark of its own is: what its database is, as when it was planned. That is
    /// known by their contents, or else it is what its directory is: a mark on one file lets no other one
    /// go, whatever that is called (S1).
    ///
    /// - Parameter main: of the main file.
    /// - Returns: nil: what its directory is.
    private func sidecarMark(
        _ members: [UInt32], _ main: HeldMark?, at link: DirectoryCursor.Link
    ) -> HeldMark? {
        // Most have no other mark than their directory, and nothing is opened.
        guard let main,
            main.mark.purgeClass != link.mark.purgeClass
                || main.mark.isPinned != link.mark.isPinned
        else { return nil }
        let contents = DatabaseContents(calls: calls, hasLease: inUse.hasLease(on:))
        // mutation: s1d-2
        return contents.areDatabase(members, of: inventory, at: link.descriptor) ? main : nil
    }

    /// Takes SQLite's own locks, looks once more, and removes the main file, then the sidecars.
    private func removeGuarded(
        _ candidate: Candidate, _ members: [UInt32], _ statuses: [FileStatus],
        at link: DirectoryCursor.Link, _ parent: ParentGuard.State
    ) {
        let hold = holdMain(candidate, statuses[0], at: link, parent)
        if let reason = hold.reasonToKeep { return skip(candidate, reason) }
        // A connection may have come and gone between the first look and the lock.
        // mutation: s6e-2
        for id in members where !isStillPlanned(id, at: link) {
            let reason = Reason(.changed, "It has changed just now.")
            return skip(candidate, explain(reason, member: id, of: candidate))
        }
        if let reason = unexpectedSidecar(of: candidate, members, at: link) {
            return skip(candidate, reason)
        }
        guard hold.isUncontested else {
            return skip(candidate, Reason(.inUse, "A process is just opening it."))
        }
        removeMembers(candidate, members, statuses, at: link)
        _ = consume hold
    }

    /// Only a database has locks of SQLite; the first part of a whole is held as the others are.
    private func holdMain(
        _ candidate: Candidate, _ status: FileStatus, at link: DirectoryCursor.Link,
        _ parent: ParentGuard.State
    ) -> InUseCheck.Hold {
        let name = inventory.name(ofItem: candidate.number)
        if ShardName.matches(name) {
            return inUse.hold(
                name, at: link.descriptor, status: status, purgeClass: candidate.purgeableClass,
                parent: parent, calls: calls)
        }
        return inUse.holdDatabase(
            name, at: link.descriptor, status: status, parent: parent, calls: calls)
    }

    private func isStillPlanned(_ id: UInt32, at link: DirectoryCursor.Link) -> Bool {
        // What cannot be examined is not what was planned.
        guard let status = try? calls.status(of: inventory.name(ofItem: id), at: link.descriptor)
        else { return false }
        return isPlanned(status, id)
    }

    private func removeMembers(
        _ candidate: Candidate, _ members: [UInt32], _ statuses: [FileStatus],
        at link: DirectoryCursor.Link
    ) {
        var gone: [(item: UInt32, bytes: Int64)] = []
        for (index, id) in members.enumerated() {
            if index == 0 {
                reached(.willRemoveMain)
            } else if let reason = newOwner(ofSidecar: id, of: candidate, at: link) {
                recorder.addSkipped(inventory.path(ofItem: id), reason)
                breaker.countKept(reason)
                continue
            }
            do {
                try calls.remove(
                    inventory.name(ofItem: id), at: link.descriptor, isDirectory: false)
            } catch {
                // The main file's failure keeps the whole; a sidecar alone is worthless, and harms
                // nothing: it goes with the next purge.
                let reason = Self.reason(error, "removed")
                if index == 0 { return skip(candidate, reason) }
                recorder.addSkipped(inventory.path(ofItem: id), reason)
                breaker.countKept(reason)
                continue
            }
            gone.append((id, statuses[index].allocatedSize.bytes))
            breaker.countRemoved(items: 1, allocated: statuses[index].allocatedSize.bytes)
            reached(index == 0 ? .mainRemoved : .sidecarRemoved)
        }
        recorder.addRemoved(candidate, gone, in: inventory.item(candidate.number).parent)
    }

    /// Why a sidecar is not the removed database's any more: somebody has made a new database in
    /// its place, which uses it, or writes it again.
    private func newOwner(
        ofSidecar id: UInt32, of candidate: Candidate, at link: DirectoryCursor.Link
    ) -> Reason? {
        let main = inventory.name(ofItem: candidate.number)
        if (try? calls.status(of: main, at: link.descriptor)) != nil {
            return ShardName.matches(main)
                ? Reason(.changed, "A new file was created in place of another part.")
                : Reason(.changed, "A new database of the same name uses it.")
        }
        return isStillPlanned(id, at: link)
            ? nil : Reason(.changed, "It has changed since \(main.owned.text) was deleted.")
    }

    /// Why a single file stays that turns out to be part of a database, which it was not when it was
    /// planned: a sidecar has appeared beside it, or, if it is one, its database.
    func databaseReason(
        _ candidate: Candidate, _ name: EntryName, at link: DirectoryCursor.Link, isUntouched: Bool
    ) -> Reason? {
        if inventory.item(candidate.number).flags.contains(.looksLikeSidecar),
            let sidecar = Sidecar(name)
        {
            let main = FileName(
                unchecked: Array(name.owned.bytes.dropLast(sidecar.suffix.utf8Count)))
            let isThere = main.withEntryName { entry in
                (try? calls.status(of: entry, at: link.descriptor))?.type == .regular
            }
            if isThere { return Reason(.changed, "It belongs to the database \(main.text).") }
        }
        return isUntouched
            ? nil : unexpectedSidecar(of: candidate, [candidate.number], at: link)
    }

    /// A sidecar that has appeared since the scan means that the database is being used.
    private func unexpectedSidecar(
        of candidate: Candidate, _ members: [UInt32], at link: DirectoryCursor.Link
    ) -> Reason? {
        let main = inventory.name(ofItem: candidate.number).owned.bytes
        let known = members.count > 1 ? Set(members.map { inventory.name(ofItem: $0).owned }) : []
        for sidecar in Sidecar.allCases {
            let name = FileName(unchecked: main + sidecar.suffix.bytes)
            guard !known.contains(name) else { continue }
            let isThere = name.withEntryName { entry in
                // Whatever is there, if anything, was not planned.
                (try? calls.status(of: entry, at: link.descriptor)) != nil
            }
            if isThere {
                return Reason(.changed, "\(name.text) has appeared since it was planned.")
            }
        }
        return nil
    }

    private func explain(_ reason: Reason, member: UInt32, of candidate: Candidate) -> Reason {
        guard member != candidate.number else { return reason }
        let name = inventory.name(ofItem: member).owned.text
        return Reason(reason.code, "\(name), which belongs to it: \(reason.text)")
    }
}

/// A hold in an array: holds cannot be copied, and arrays copy.
private final class HoldBox {
    private let hold: InUseCheck.Hold

    init(_ hold: consuming InUseCheck.Hold) { self.hold = hold }

    var reasonToKeep: Reason? { hold.reasonToKeep }
}
