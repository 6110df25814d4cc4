//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCache
import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
import HeadroomPlatform
import SystemPackage

// Values of cache stores: the purge opens the store as one more of its users, and has it give up what is
// worth least at this moment. So nothing goes under a reader, or that was pinned, and what is good stays in
// segments of which a part has to go.
extension PurgeRun {
    /// - Parameters:
    ///   - link: the store's directory, as the walk has opened and checked it.
    ///   - state: what is held on it. A lease on any file in it may be on one that values are in (S5).
    func giveUpValues(
        _ candidate: Candidate, in link: DirectoryCursor.Link, _ state: ParentGuard.State
    ) {
        guard link.mark.isPinned != true else {
            return skip(candidate, Reason(.pinned, "It is pinned."))
        }
        // mutation: r20f-3
        guard !hasPinnedFile(link.descriptor) else {
            return skip(candidate, Reason(.pinned, "A file of the store is pinned."))
        }
        guard state != .shared else {
            return skip(candidate, Reason(.leased, "Something in the store's directory is leased."))
        }
        guard let planned = inventory.stores[candidate.number] else {
            return skip(candidate, Reason(.changed, "It was no cache store when it was planned."))
        }
        let path = inventory.path(ofDirectory: candidate.number)
        do throws(HeadroomError) {
            let directory = try open(link.descriptor, path)
            guard let store = try survey(directory, candidate.number, path) else {
                return skip(candidate, Reason(.changed, "It is no cache store any more."))
            }
            guard !store.isForeign else {
                return skip(
                    candidate,
                    Reason(.foreignOwner, "It belongs to another user, who alone writes to it."))
            }
            // What it has given up by itself meanwhile need not go again.
            let gone = max(
                0, planned.allocated - store.allocated - yields[candidate.number, default: 0])
            let wanted = candidate.bytes - gone
            guard wanted > 0 else {
                return skip(candidate, Reason(.changed, "It has given up as much by itself."))
            }
            guard breaker.admits(items: 1, allocated: wanted) else {
                return skip(candidate, Reason(.breaker, "More would go than was planned."))
            }
            reached(.willUnlink)
            let yield = try StoreRelief.run(
                demand(candidate, wanted, planned), in: directory, clock: options.clock
            ) { progress.isCancelled }
            reached(.unlinked)
            yields[candidate.number, default: 0] += yield.bytes
            // A store may have to give a segment more than it was asked for: see the note.
            breaker.countRemoved(items: 1, allocated: min(yield.bytes, wanted))
            guard yield.values > 0 || yield.bytes > 0 else {
                return skip(
                    candidate,
                    Reason(.inUse, "All that might go is in use or was used since."))
            }
            recorder.addRemoved(candidate, bytes: yield.bytes, in: candidate.number) { path }
            note(yield, of: wanted, path)
        } catch {
            skip(candidate, Reason(.failed, error.message))
        }
    }

    /// As it is now. What cannot be read may be pinned.
    private func hasPinnedFile(_ directory: Int32) -> Bool {
        guard let marks = options.markSource else { return false }
        return (try? StorePins.hasPinnedFile(directory, marks, calls)) ?? true
    }

    private func note(_ yield: StoreYield, of wanted: Int64, _ path: FilePath) {
        if yield.bytes < wanted, !progress.isCancelled {
            recorder.addNote(
                "\(path.displayText) gave up \(ByteCount(yield.bytes)) of \(ByteCount(wanted)): "
                    + "the rest is in use, or has been used since it was planned.")
        } else if yield.wholeSegments > 0, yield.bytes > wanted {
            recorder.addNote(
                "\(path.displayText) gave up \(ByteCount(yield.bytes)) for \(ByteCount(wanted)): "
                    + "there was no room to move what is better together, so that "
                    + (yield.wholeSegments == 1
                        ? "a whole segment went." : "\(yield.wholeSegments) whole segments went."))
        }
    }

    private func open(
        _ descriptor: Int32, _ path: FilePath
    ) throws(HeadroomError) -> StateDirectory {
        do {
            return try StateDirectory(opening: descriptor, path: path)
        } catch {
            throw HeadroomError("open the cache store", path, error)
        }
    }

    private func survey(
        _ directory: StateDirectory, _ number: UInt32, _ path: FilePath
    ) throws(HeadroomError) -> InventoryStore? {
        do {
            return try StoreSurvey.look(directory, number, now: options.clock())
        } catch {
            throw HeadroomError("read the cache store", path, error)
        }
    }

    /// By the ages that the plan had: what is younger than what was planned stays.
    private func demand(
        _ candidate: Candidate, _ bytes: Int64, _ planned: InventoryStore
    ) -> StoreDemand {
        let classes = planned.classes(of: candidate.purgeableClass, in: inventory)
        var demand = StoreDemand(bytes: bytes, classes: classes)
        guard !candidate.flags.isDisjoint(with: [.expired, .oldEnough]) else { return demand }
        // An age was the reason: of the slices that it was true of.
        for slice in planned.slices(in: candidate.bytes, of: classes) {
            if slice.isExpired, candidate.flags.contains(.expired) {
                demand.isExpiredOnly = true
                continue
            }
            demand.isExpiredOnly = false
            demand.usedUntil = max(demand.usedUntil ?? 0, slice.latestUse)
            demand.createdUntil = max(demand.createdUntil ?? 0, slice.latestCreation)
        }
        return demand
    }
}
