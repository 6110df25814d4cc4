//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomPlanning
public import HeadroomPlatform
public import HeadroomPurging
public import SystemPackage

extension RoomRequest {
    /// Makes room and keeps it: purges, in order, what the intent may spend until the bytes and the
    /// intent's reserve fit, and reserves them.
    ///
    /// - Parameters:
    ///   - destination: the file that is to be written. If there is one, the blocks are really
    ///     taken, in a file beside it that becomes it with ``Reservation/publish(isDurable:)``; on a file
    ///     system that cannot do that the room is reserved as without it.
    ///   - freesWhatItCan: purge also if the goal is out of reach. It throws then all the same.
    ///   - progress: of the purges; cancelling it ends in `short` with what was freed.
    /// - Throws: `short`, before anything is deleted if the plan cannot reach the goal; and after a
    ///   purge, with its receipt, if the volume has gained less than it should have.
    public func make(
        _ bytes: ByteCount, at destination: FilePath? = nil, freesWhatItCan: Bool = false,
        progress: PurgeProgress = PurgeProgress()
    ) throws(RoomError) -> Reservation {
        guard bytes >= .zero else {
            throw .failed(
                HeadroomError(.invalid, "\(bytes) is no amount to write. Ask for 0 or more."))
        }
        var making = RoomMaking(
            request: self, bytes: bytes, destination: destination, freesWhatItCan: freesWhatItCan,
            progress: progress)
        return try making.run()
    }

    /// Reserves what is free already, and purges nothing.
    ///
    /// - Returns: nil if there is not room enough, with the intent's reserve.
    package func keepFree(_ bytes: ByteCount) throws(HeadroomError) -> Reservation? {
        let making = RoomMaking(
            request: self, bytes: bytes, destination: nil, freesWhatItCan: false,
            progress: PurgeProgress())
        do throws(HeadroomError) {
            return try making.takeSlot().map { Reservation($0, bytes, file: nil, receipt: nil) }
        } catch  where error.isFullVolume {
            // There is not even space for the table of reservations.
            return nil
        }
    }

    /// Whether bytes and the intent's reserve fit beside what others have reserved.
    ///
    /// - Parameter own: what is reserved for the bytes already.
    package func fits(_ bytes: ByteCount, own: ByteCount) throws(HeadroomError) -> Bool {
        let others = max(.zero, try reserved - own)
        return try prospect(of: bytes, reserved: others, planning: false).needed == .zero
    }
}

/// Purges and reserves until both hold at once.
private struct RoomMaking {
    let request: RoomRequest
    let bytes: ByteCount
    let destination: FilePath?
    let freesWhatItCan: Bool
    let progress: PurgeProgress
    /// What was planned and did not go: in use, above all. It would be planned again, in the same
    /// order, so that as much has to be planned beside it.
    private var held = ByteCount.zero
    /// How often the file system has refused the blocks although it says that there is room: for a
    /// quota that nobody can be asked about, say.
    private var refusals = 0
    /// How many purges the volume has gained next to nothing from.
    private var disappointments = 0
    /// How often the table of reservations could not be created because its volume is full.
    private var tableFailures = 0
    /// Whether everything else was purged that may be, so that recently used caches are next.
    private var isFirstPlanDone = false
    /// How many purges were made because the volume had no free inodes.
    private var inodePurges = 0
    /// Whether areas that others hold are left out, if the rest is enough: others have held one.
    private var excludesBusy = false
    /// Whether others make room or hold some: what a purge has gained they may have written since.
    private var hasCompany = false

    init(
        request: RoomRequest, bytes: ByteCount, destination: FilePath?, freesWhatItCan: Bool,
        progress: PurgeProgress
    ) {
        self.request = request
        self.bytes = bytes
        self.destination = destination
        self.freesWhatItCan = freesWhatItCan
        self.progress = progress
    }

    /// Others take room while we make some: after so many rounds they are faster than we are.
    private static let rounds = 8
    private static let patience: Duration = .seconds(60)

    mutating func run() throws(RoomError) -> Reservation {
        var receipt: Receipt?
        var rounds = 0
        let madeBefore = made
        // Waiting for others is no round of ours; a purge of theirs ends.
        let deadline = ContinuousClock.now.advanced(by: Self.patience)
        while true {
            if let room = try reserve(receipt) { return room }
            guard rounds < Self.rounds, ContinuousClock.now < deadline else { break }
            var prospect = try prospect()
            if prospect.plan == nil, refusals > 0 { prospect = try refused(prospect, receipt) }
            if tableFailures > 0, prospect.shortBy == .zero {
                let done = try makeRoomForTable(receipt)
                rounds += 1
                receipt = done ?? receipt
                continue
            }
            let isShort = prospect.shortBy > .zero
            guard let plan = prospect.next(skippingFirst: isFirstPlanDone || isShort) else {
                // Somebody has given room back just now.
                Pause.milliseconds(5)
                continue
            }
            // mutation: r7g-1
            guard prospect.shortBy == .zero || freesWhatItCan && plan.frees > .zero else {
                throw .short(outOfReach(prospect, plan, receipt))
            }
            if prospect.neededInodes > 0 {
                guard inodePurges < 2 else {
                    throw .short(outOfReach(prospect, plan, receipt))
                }
                inodePurges += 1
            }
            let reservedBefore = try reserved()
            if reservedBefore > .zero { hasCompany = true }
            guard let done = try carryOut(plan) else { continue }
            rounds += 1
            if prospect.lastPlan != nil { isFirstPlanDone = true }
            let taken = max(.zero, try reserved() - reservedBefore)
            if taken > .zero || made != madeBefore { hasCompany = true }
            receipt = done
            // mutation: r7e-1
            held = max(.zero, plan.frees - done.expected)
            if prospect.shortBy > .zero {
                // It was known before that this would not do.
                throw .short(outOfReach(try self.prospect(), plan, receipt))
            }
            if let shortage = disappointment(done, taken, try self.prospect().needed) {
                throw .short(shortage)
            }
        }
        let missing = max(ByteCount(1), try prospect().needed)
        throw .short(
            RoomShortage(
                "Room for \(bytes) was made, and taken by others each time"
                    + (receipt.map { " (receipt \($0.id))" } ?? "")
                    + ". \(missing) are missing. Try again later.",
                shortBy: missing, receipt: receipt))
    }

    /// Frees space for the table of reservations, which may lie on another volume than the bytes.
    ///
    /// - Returns: nil if another process was purging the same: it may have freed the space.
    private mutating func makeRoomForTable(_ receipt: Receipt?) throws(RoomError) -> Receipt? {
        let directory = request.workspace.ledger.directory
        let plan: Plan
        let volume: Volume
        do throws(HeadroomError) {
            do throws(Errno) {
                volume = try Volume.containing(directory)
            } catch {
                throw HeadroomError("ask the volume of", directory, error)
            }
            let inodes = volume.figures?.availableInodes.map { max(0, 4 - Int(clamping: $0)) } ?? 0
            let plans = try request.plans(
                Self.tableBytes + held, inodes: inodes, on: volume, excludesBusy: excludesBusy)
            plan = plans.0.isEmpty ? plans.last ?? plans.0 : plans.0
        } catch {
            throw .failed(error)
        }
        guard !plan.isEmpty, tableFailures < 3 else {
            throw .short(
                RoomShortage(
                    "Could not reserve \(bytes): the volume \(volume.mountPoint.displayText) is too "
                        + "full for Headroom's table of reservations in \(directory.displayText), and "
                        + "\(RoomRequest.spendable(plan)). Free \(Self.tableBytes) there.",
                    shortBy: Self.tableBytes, receipt: receipt))
        }
        return try carryOut(plan)
    }

    /// The size of the table of reservations, with the directories that have to be created for it.
    private static let tableBytes = ByteCount(64 << 10)

    /// Plans for a volume that refuses an allocation without reporting a shortage: frees all requested
    /// bytes, once.
    private func refused(
        _ prospect: RoomRequest.Prospect, _ receipt: Receipt?
    ) throws(RoomError) -> RoomRequest.Prospect {
        guard refusals == 1 else {
            let volume = prospect.volume.mountPoint.displayText
            throw .short(
                RoomShortage(
                    "\(volume) says that there is room for \(bytes), and refuses to keep it: a quota, "
                        + "or too little in one piece. Free \(bytes), or write less.",
                    shortBy: bytes, receipt: receipt))
        }
        do {
            let plans = try request.plans(bytes + held)
            return RoomRequest.Prospect(
                volume: prospect.volume, needed: bytes, plan: plans.0, lastPlan: plans.last)
        } catch {
            throw .failed(error)
        }
    }

    /// What others hold.
    private func reserved() throws(RoomError) -> ByteCount {
        do {
            return try request.reserved
        } catch {
            throw .failed(error)
        }
    }

    /// Changes when anybody reserves; who cannot be asked is no company.
    private var made: UInt64 { (try? request.workspace.reservations.made) ?? 0 }

    private func prospect() throws(RoomError) -> RoomRequest.Prospect {
        do {
            return try request.prospect(
                of: bytes, reserved: try request.reserved, held: held,
                excludesBusy: excludesBusy)
        } catch {
            throw .failed(error)
        }
    }

    /// - Returns: nil if another process was purging the same: it may have made the room.
    private mutating func carryOut(_ plan: Plan) throws(RoomError) -> Receipt? {
        do {
            return try request.workspace.scope().purge(
                plan, requester: "\(request.requester): room for \(bytes)", progress: progress,
                reportsRemoved: false, unusableArea: .failsIfBusy)
        } catch  where error.code == .busy {
            hasCompany = true
            request.waitForOtherPurge()
            // A lease may be held for hours: the next plan is made from what is left.
            excludesBusy = true
            return nil
        } catch {
            throw .failed(error)
        }
    }

    // MARK: - Too little

    private func outOfReach(
        _ prospect: RoomRequest.Prospect, _ plan: Plan, _ receipt: Receipt?
    ) -> RoomShortage {
        let place = "There is no room for \(bytes) on \(prospect.volume.mountPoint.displayText)"
        if prospect.neededInodes > 0, prospect.needed == .zero {
            return RoomShortage(
                "\(place): it has no free inodes"
                    + (receipt.map { " even after a purge (receipt \($0.id))" }
                        ?? ", and \(RoomRequest.spendable(plan))")
                    + ". Delete a file on it, or write elsewhere.",
                shortBy: ByteCount(1), receipt: receipt)
        }
        if let receipt {
            return RoomShortage(
                "\(place) even after freeing \(receipt.volumeGained ?? receipt.expected) (receipt "
                    + "\(receipt.id)). Free \(prospect.needed) more, or write less.",
                shortBy: max(ByteCount(1), prospect.needed), receipt: receipt)
        }
        return RoomShortage(
            "\(place): \(prospect.needed) would have to be freed, and "
                + "\(RoomRequest.spendable(prospect.lastPlan ?? plan)). Free \(prospect.shortBy) more, or write less.",
            shortBy: prospect.shortBy)
    }

    /// Purges after which going on would only delete more for the same nothing: snapshots, or files
    /// that are still open, keep the blocks. Once it may have been others who wrote meanwhile, and
    /// oftener where some are known who do.
    ///
    /// - Parameter taken: what others have reserved meanwhile, whose blocks the volume has not gained.
    private mutating func disappointment(
        _ receipt: Receipt, _ taken: ByteCount, _ missing: ByteCount
    ) -> RoomShortage? {
        guard missing > .zero else { return nil }
        let gained = (receipt.volumeGained ?? receipt.expected) + taken
        if receipt.expected > .zero, gained.bytes < receipt.expected.bytes / 4 {
            disappointments += 1
        }
        // mutation: r7f-1
        guard receipt.outcome != .completed || disappointments > (hasCompany ? 4 : 1)
        else { return nil }
        let reasons = receipt.differences.joined(separator: " ")
        return RoomShortage(
            "The purge for \(bytes) freed \(receipt.expected) by its own count, and the volume "
                + "gained \(gained) (receipt \(receipt.id)). "
                + (reasons.isEmpty ? "" : reasons + " ") + "\(missing) are missing.",
            shortBy: missing, receipt: receipt)
    }

    // MARK: - Reserving

    /// - Returns: nil if there is not room enough.
    private mutating func reserve(_ receipt: Receipt?) throws(RoomError) -> Reservation? {
        do throws(HeadroomError) {
            if request.lacksInodes(try request.volume) { return nil }
            let taken: ReservationSlot?
            do throws(HeadroomError) {
                taken = try takeSlot()
                // mutation: r7c-1
            } catch  where error.isFullVolume {
                tableFailures += 1
                return nil
            }
            tableFailures = 0
            guard let slot = taken else { return nil }
            guard let destination else {
                return Reservation(slot, bytes, file: nil, receipt: receipt)
            }
            return try preallocate(slot, destination, receipt)
        } catch {
            throw .failed(error)
        }
    }

    func takeSlot() throws(HeadroomError) -> ReservationSlot? {
        let request = request
        let bytes = bytes
        let fileSystem = try request.figures(of: try request.volume).fileSystemID
        do {
            return try request.workspace.reservations.reserve(bytes, on: fileSystem) {
                (others) throws(Errno) -> Bool in
                do throws(HeadroomError) {
                    // Asked anew while nobody else can reserve.
                    return try request.prospect(of: bytes, reserved: others, planning: false)
                        .needed == .zero
                } catch {
                    throw error.cause ?? .ioError
                }
            }
        } catch {
            throw HeadroomError("reserve room in", request.workspace.ledger.directory, error)
        }
    }

    /// - Returns: nil if others were faster to take the blocks.
    private mutating func preallocate(
        _ slot: ReservationSlot, _ destination: FilePath, _ receipt: Receipt?
    ) throws(HeadroomError) -> Reservation? {
        do throws(Errno) {
            let file = try ReservedFile(for: destination)
            do throws(Errno) {
                try file.reserve(bytes)
            } catch .notSupported {
                return Reservation(slot, bytes, file: file, receipt: receipt)
            }
            // From now on the volume itself counts them as used.
            return Reservation(nil, bytes, file: file, receipt: receipt)
        } catch .noSpace {
            refusals += 1
            return nil
        } catch .diskQuotaExceeded {
            refusals += 1
            return nil
        } catch {
            throw HeadroomError("make room for", destination, error)
        }
    }
}

extension HeadroomError {
    /// Whether the volume is full, or a quota is exhausted.
    fileprivate var isFullVolume: Bool { cause == .noSpace || cause == .diskQuotaExceeded }
}
