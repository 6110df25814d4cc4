//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning
public import HeadroomPlatform
public import SystemPackage

/// Room for something that is to be written: what there is, what could be made, and making it.
///
///     let request = RoomRequest(
///         workspace: workspace, place: "/home/ann/Videos", intent: .requested, requester: "me")
///     let room = try request.make(.gigabytes(2))
///
/// All calls block.
public struct RoomRequest: Sendable {
    let workspace: Workspace
    /// Where it is to be written; need not exist.
    public let place: FilePath
    public let intent: Intent
    /// Who asks, for receipts.
    public let requester: String
    /// Whether caches that were used a moment ago may be purged for essential files, after everything
    /// else. Only for an app, which owns these caches.
    package var mayPurgeRecentCaches = false

    /// - Parameters:
    ///   - workspace: its areas on the volume of `place` may be purged.
    ///   - place: an absolute path.
    public init(workspace: Workspace, place: FilePath, intent: Intent, requester: String) {
        self.workspace = workspace
        self.place = place
        self.intent = intent
        self.requester = requester
    }

    /// What a volume lacks, and what could be done about it.
    public struct Prospect: Sendable {
        public var volume: Volume
        /// Bytes to be freed so that what is wanted and the reserve fit; zero: they fit already.
        public var needed: ByteCount
        /// Inodes to be freed, so that a file can be created at all.
        public var neededInodes = 0
        /// Frees them, or as much as may be; nil if nothing is needed, or nobody asked.
        public var plan: Plan?
        /// Frees more than ``plan`` by also taking caches that were used a moment ago, where that is not
        /// enough and they may be taken; it is carried out after that.
        public var lastPlan: Plan?

        /// Returns the plan to carry out next.
        ///
        /// - Parameter skipsFirst: ``plan`` was carried out, or is not enough by itself.
        func next(skippingFirst skipsFirst: Bool) -> Plan? {
            skipsFirst || plan?.isEmpty == true ? lastPlan ?? plan : plan
        }

        /// Whether nothing has to be freed.
        public var isMet: Bool { needed == .zero && neededInodes == 0 }

        /// The bytes that are missing even then; at least one byte where only inodes are missing.
        public var shortBy: ByteCount {
            guard let plan = lastPlan ?? plan else { return .zero }
            return max(plan.missing, plan.missingInodes > 0 ? ByteCount(1) : .zero)
        }
    }

    /// What others have reserved on the volume of the place, and not yet written.
    var reserved: ByteCount {
        get throws(HeadroomError) {
            let figures = try figures(of: try volume)
            do {
                return try workspace.reservations.reserved(on: figures.fileSystemID)
            } catch {
                throw HeadroomError("read the reservations in", workspace.ledger.directory, error)
            }
        }
    }

    /// Looks at the volume and, only if that is too full, at what may go.
    ///
    /// - Throws: `HeadroomError` if the volume or what is on it cannot be looked at.
    public func prospect(of bytes: ByteCount) throws(HeadroomError) -> Prospect {
        try prospect(of: bytes, reserved: try reserved)
    }

    /// - Parameters:
    ///   - reserved: what others have reserved on the volume.
    ///   - planning: whether to find out what could be done about it.
    ///   - held: what has been planned and is in use: it is planned for, and more beside it.
    ///   - excludesBusy: as in ``plans(_:inodes:on:excludesBusy:)``.
    func prospect(
        of bytes: ByteCount, reserved: ByteCount, planning: Bool = true, held: ByteCount = .zero,
        excludesBusy: Bool = false
    ) throws(HeadroomError) -> Prospect {
        let volume = try self.volume
        guard let available = volume.available, let total = volume.figures?.total else {
            throw HeadroomError(
                .io,
                "The volume \(volume.mountPoint.displayText) does not say how full it is, so "
                    + "nothing can be promised. Write, and see whether it works.")
        }
        let wanted = bytes + intent.reserve(of: total)
        var prospect = Prospect(
            volume: volume, needed: max(.zero, wanted - (available - reserved)))
        guard planning else { return prospect }
        prospect.neededInodes = lacksInodes(volume) ? Self.spareInodes : 0
        guard !prospect.isMet else { return prospect }
        // mutation: r7b-2
        let bytes = prospect.needed > .zero ? prospect.needed + held : .zero
        let plans = try self.plans(
            bytes, inodes: prospect.neededInodes, on: volume, excludesBusy: excludesBusy)
        prospect.plan = plans.0
        prospect.lastPlan = plans.last
        return prospect
    }

    /// Plans what the intent may spend, on the volume of the place, to free an amount.
    func plans(_ bytes: ByteCount) throws(HeadroomError) -> (Plan, last: Plan?) {
        try plans(bytes, inodes: 0, on: try volume)
    }

    /// Plans a purge that frees bytes and inodes on a volume, within the limits of the intent.
    ///
    /// - Parameter excludesBusy: whether to leave out areas that another purge or a lease holds, if the rest is
    ///   enough.
    /// - Returns: the plan, and one that frees more by also purging caches that were used a moment ago; nil
    ///   if these are not needed, may not be purged, or do not exist.
    func plans(
        _ bytes: ByteCount, inodes: Int, on volume: Volume, excludesBusy: Bool = false
    ) throws(HeadroomError) -> (Plan, last: Plan?) {
        let whole = workspace.scope()
        if excludesBusy {
            let rest = whole.withoutBusy()
            if !rest.roots.isEmpty, rest.roots.count < whole.roots.count {
                let found = try plans(bytes, inodes, volume, in: rest)
                let best = found.last ?? found.0
                if best.missing <= .zero, best.missingInodes <= 0 { return found }
            }
        }
        return try plans(bytes, inodes, volume, in: whole)
    }

    private func plans(
        _ bytes: ByteCount, _ inodes: Int, _ volume: Volume, in scope: Scope
    ) throws(HeadroomError) -> (Plan, last: Plan?) {
        var targets = [Target.free(bytes)]
        if inodes > 0 { targets.append(.inodes(inodes)) }
        var request = try scope.request(targets: targets, through: intent.through)
        // mutation: r7a-2
        request.sparesLiveCaches = intent == .optional
        request.volume = PlanRequest.VolumeState(volume)
        let inventory = try scope.scan()
        let plan = Planner.plan(inventory, request)
        let falls = plan.missing > .zero || plan.missingInodes > 0
        guard falls, mayPurgeRecentCaches, intent == .essential, request.minIdle.cache > .zero
        else {
            return (plan, nil)
        }
        request.minIdle.cache = .zero
        let last = Planner.plan(inventory, request)
        return (plan, last.frees > plan.frees || last.count > plan.count ? last : nil)
    }

    /// How many inodes to free on a volume that has no free ones: for the new files, and for the ledger of the
    /// purge, which may lie on the same volume.
    static let spareInodes = 16

    /// Whether no file can be created at the place because its volume has no free inodes.
    ///
    /// Some file systems report none although they make them as needed: a file is created to find out,
    /// and removed.
    func lacksInodes(_ volume: Volume) -> Bool {
        guard volume.figures?.availableInodes == 0 else { return false }
        var directory = place
        while true {
            do throws(Errno) {
                _ = try NewFile(in: try DirectoryCreation.existing(directory))
                return false
            } catch .noSpace {
                return true
            } catch .noSuchFileOrDirectory where directory.depth > 0 {
                directory.removeLastComponent()
            } catch {
                // Writing will report the error.
                return false
            }
        }
    }

    /// What may go, in words.
    static func spendable(_ plan: Plan) -> String {
        plan.frees > .zero
            ? "only \(plan.frees) may be purged for it" : "nothing may be purged for it"
    }

    /// The volume of the place, asked now.
    var volume: Volume {
        get throws(HeadroomError) {
            do {
                return try Volume.containing(place)
            } catch {
                throw HeadroomError("ask the volume of", place, error)
            }
        }
    }

    func figures(of volume: Volume) throws(HeadroomError) -> VolumeFigures {
        guard let figures = volume.figures else {
            throw HeadroomError(
                .io, "The volume \(volume.mountPoint.displayText) does not say how full it is.")
        }
        return figures
    }
}
