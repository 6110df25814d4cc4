//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

// Databases go with their sidecars, in an order in which every crash point is safe (S6).
extension PurgeRun {
    func removeSet(
        _ candidate: Candidate, at link: DirectoryCursor.Link, _ parent: ParentGuard.State
    ) {
        let members = plan.sets[candidate.number] ?? [candidate.number]
        var statuses: [FileStatus] = []
        for id in members {
            switch verify(id, inventory.name(ofItem: id), at: link, candidate) {
            case .failure(let reason):
                return skip(candidate, explain(reason, member: id, of: candidate))
            case .success(let status): statuses.append(status)
            }
        }
        if let reason = unexpectedSidecar(of: candidate, members, at: link) {
            return skip(candidate, reason)
        }
        let bytes = statuses.reduce(0) { $0 + $1.allocatedSize.bytes }
        guard breaker.allows(items: members.count, allocated: bytes) else {
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

    /// Takes SQLite's own locks and removes the main file, then the sidecars.
    private func removeGuarded(
        _ candidate: Candidate, _ members: [UInt32], _ statuses: [FileStatus],
        at link: DirectoryCursor.Link, _ parent: ParentGuard.State
    ) {
        let name = inventory.name(ofItem: candidate.number)
        let opened: Int32
        do {
            opened = try calls.openFile(name, at: link.descriptor, writing: true)
        } catch {
            return skip(candidate, Self.reason(error, "opened to lock it"))
        }
        let main = Descriptor(owning: opened)
        // The status of an open file cannot fail for a reason that would make it the planned one.
        guard (try? calls.status(of: opened))?.identity == statuses[0].identity else {
            OpenFileCloser.close(main)
            return skip(candidate, Reason(.changed, "Another file is in its place."))
        }
        if parent == .shared, FileLock.tryExclusive(main.rawValue) == .refused {
            OpenFileCloser.close(main)
            return skip(candidate, Reason(.leased, "It is leased, or locked with flock."))
        }
        switch SQLiteGuard.acquire(main) {
        case .inUse: skip(candidate, Reason(.inUse, "A connection to the database is open."))
        case .unsupported(let error):
            skip(candidate, Reason(.failed, "The database could not be locked: \(error)."))
        case .granted(let held):
            guard held.isUncontested else {
                return skip(candidate, Reason(.inUse, "A process is just opening it."))
            }
            removeMembers(candidate, members, statuses, at: link)
            _ = consume held
        }
    }

    private func removeMembers(
        _ candidate: Candidate, _ members: [UInt32], _ statuses: [FileStatus],
        at link: DirectoryCursor.Link
    ) {
        var freed: Int64 = 0
        for (index, id) in members.enumerated() {
            reached(index == 0 ? .willRemoveMain : .mainRemoved)
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
            freed &+= statuses[index].allocatedSize.bytes
            breaker.countRemoved(items: 1, allocated: statuses[index].allocatedSize.bytes)
            reached(index == 0 ? .mainRemoved : .sidecarRemoved)
        }
        recorder.addRemoved(
            candidate, bytes: freed, in: inventory.item(candidate.number).parent
        ) { inventory.path(ofItem: candidate.number) }
    }

    /// A sidecar that has appeared since the scan means that the database is being used.
    private func unexpectedSidecar(
        of candidate: Candidate, _ members: [UInt32], at link: DirectoryCursor.Link
    ) -> Reason? {
        let main = inventory.name(ofItem: candidate.number).owned.bytes
        let known = Set(members.map { inventory.name(ofItem: $0).owned })
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
