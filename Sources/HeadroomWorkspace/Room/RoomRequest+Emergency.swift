//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
import HeadroomPlanning
package import HeadroomPlatform
import HeadroomPurging
package import SystemPackage

// Room that is needed at once, for a file that the system has refused to take.
extension RoomRequest {
    /// Frees room for a file that could not be written, and keeps it.
    ///
    /// If another process purges the same just then, waits until it is done: the room is there then.
    ///
    /// - Parameters:
    ///   - size: what is still to be written.
    ///   - desired: what would be good to have free, if there is so much to be had.
    ///   - cause: `ENOSPC` or `EDQUOT`.
    ///   - task: what could not be done, as it stands in a sentence: `save a.txt (2 MB)`.
    /// - Returns: what keeps other savers from the room; nil if nothing can be kept, or they have been
    ///   faster each time.
    /// - Throws: `short`, before anything is removed, if all that may go is not enough.
    package func free(
        forWriting size: ByteCount, desired: ByteCount, after cause: Errno, to task: String
    ) throws(RoomError) -> Reservation? {
        // What was planned and did not go, as where room is made without haste.
        var held = ByteCount.zero
        // After a wait, the next plans are made from what is left.
        var excludesBusy = false
        for round in 0..<Self.emergencyRounds {
            let plan = try emergencyPlan(
                size, max(size, desired), held, cause, task, round, excludesBusy: excludesBusy)
            var receipt: Receipt?
            do throws(HeadroomError) {
                let done = try workspace.scope().purge(
                    plan, requester: "\(requester): \(task)", reportsRemoved: false,
                    unusableArea: .failsIfBusy)
                held = max(.zero, plan.frees - done.expected)
                receipt = done
            } catch  where error.code == .busy {
                waitForOtherPurge()
                excludesBusy = true
            } catch {
                throw .failed(error)
            }
            // Without a table of reservations no space can be reserved: creating one now would use the
            // space that was freed for the file.
            if workspace.ledger.isPersistent, let slot = try? reserveWithoutReserve(size) {
                return Reservation(slot, size, file: nil, receipt: receipt)
            }
            // The freed space is available all the same.
            if isFree(size) { return nil }
        }
        return nil
    }

    /// Whether this much is free beside the reservations of others; false if the volume can't be read.
    private func isFree(_ size: ByteCount) -> Bool {
        guard let volume = try? self.volume, let available = volume.available,
            let others = try? reserved
        else { return false }
        return available - others >= size && !lacksInodes(volume)
    }

    /// How often others may be faster to take what was freed.
    private static let emergencyRounds = 4

    /// Reserves what is to be written now, and nothing beside it.
    private func reserveWithoutReserve(_ size: ByteCount) throws -> ReservationSlot? {
        let volume = try self.volume
        return try workspace.reservations.reserve(
            size, on: try figures(of: volume).fileSystemID
        ) { (others) throws(Errno) -> Bool in
            guard let available = try Volume.containing(place).available else { return false }
            return available - others >= size
        }
    }

    private func emergencyPlan(
        _ size: ByteCount, _ desired: ByteCount, _ held: ByteCount, _ cause: Errno,
        _ task: String, _ round: Int, excludesBusy: Bool
    ) throws(RoomError) -> Plan {
        let volume: Volume
        let available: ByteCount
        let (first, last): (Plan, Plan?)
        do throws(HeadroomError) {
            volume = try self.volume
            available = Self.available(volume, cause, reserved: try reserved)
            // At least a little, so that a directory's new block does not fail next; a file and its
            // directories take inodes, too.
            let inodes =
                volume.figures?.availableInodes.map { max(0, Self.spareInodes - Int(clamping: $0)) }
                ?? 0
            (first, last) = try self.plans(
                held + max(.mebibytes(1), desired - available + ByteCount(1 << 16)),
                inodes: inodes, on: volume, excludesBusy: excludesBusy)
        } catch {
            throw .failed(error)
        }
        let plan = last ?? first
        let frees = plan.frees - held
        guard frees > .zero, plan.missing == .zero || frees + available >= size else {
            let shortBy = max(ByteCount(1), size - available - max(.zero, frees))
            throw .short(
                RoomShortage(
                    "Could not \(task): the volume \(volume.mountPoint.displayText) has "
                        + "\(available) left and \(Self.spendable(plan)). Free \(shortBy), or write "
                        + "it elsewhere.", shortBy: shortBy))
        }
        // Recently used caches are next when everything else was purged.
        return round == 0 && !first.isEmpty ? first : plan
    }

    /// What can be written now. A limit that nobody can be asked about (a quota of btrfs) leaves
    /// nothing.
    private static func available(
        _ volume: Volume, _ cause: Errno, reserved: ByteCount
    ) -> ByteCount {
        if cause == .diskQuotaExceeded, volume.quotaBytes == nil { return .zero }
        return max(.zero, (volume.available ?? .zero) - reserved)
    }

    /// Returns when no other process purges what may be spent here, after ten seconds at the latest.
    func waitForOtherPurge() {
        let deadline = ContinuousClock.now.advanced(by: .seconds(10))
        repeat {
            Pause.milliseconds(20)
        } while isBusy && ContinuousClock.now < deadline
    }

    private var isBusy: Bool {
        workspace.scope().roots.contains { root in
            guard let directory = try? Descriptor.openDirectory(root.path) else { return false }
            do throws(HeadroomError) {
                _ = try AreaLock.attempt(
                    root: directory.rawValue, path: root.path, purpose: "purge", books: nil,
                    allowsFallback: false)
                return false
            } catch {
                return error.code == .busy
            }
        }
    }
}
