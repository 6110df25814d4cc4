//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What it takes to have room for something at its place.
struct RoomRequest {
    let core: StorageCore
    let content: ContentClass
    let intent: Intent

    /// What a volume lacks, and what could be done about it.
    struct Prospect {
        var volume: Volume
        /// Bytes to be freed so that what is wanted and the reserve fit; zero: they fit already.
        var needed: ByteCount
        /// Frees them, or as much as may be; nil if nothing is needed.
        var plan: Plan?

        /// What is missing even then.
        var shortBy: ByteCount { plan?.missing ?? .zero }
    }

    /// Looks at the volume and, only if that is too full, at what may go. Blocks.
    ///
    /// - Parameters:
    ///   - reserved: what others have reserved on the volume.
    ///   - planning: whether to find out what could be done about it.
    func prospect(
        of bytes: ByteCount, reserved: ByteCount = .zero, planning: Bool = true
    ) throws(StorageError) -> Prospect {
        // As in ``free(forWriting:of:)``.
        _ = core.workspace
        let volume = try self.volume
        guard let available = volume.available else {
            throw StorageError(
                .io,
                "The volume \(volume.mountPoint.displayText) does not say how full it is, so "
                    + "nothing can be promised. Save, and see whether it works.")
        }
        let wanted = bytes + reserve(of: volume)
        let needed = max(.zero, wanted - (available - reserved))
        guard needed > .zero, planning else { return Prospect(volume: volume, needed: needed) }
        return Prospect(volume: volume, needed: needed, plan: try plan(needed))
    }

    /// Plans what the intent may spend, on the volume of the place, to free an amount.
    func plan(_ bytes: ByteCount) throws(StorageError) -> Plan {
        do {
            let scope = core.workspace.scope()
            var request = try scope.request(targets: [.free(bytes)], through: through)
            request.sparesLiveCaches = intent == .optional
            request.volume = try state(of: try volume)
            return Planner.plan(try scope.scan(), request)
        } catch let error as StorageError {
            throw error
        } catch let error as HeadroomError {
            throw StorageError(error)
        } catch {
            throw StorageError(.io, "\(error)")
        }
    }

    /// Frees room for a file that could not be written.
    ///
    /// - Throws: `insufficientSpace`, before anything is removed, if all that may go is not enough.
    func free(forWriting size: Int64, of what: String) throws(StorageError) {
        // Opened first: a ledger that is made on this volume takes room of it.
        _ = core.workspace
        let volume = try self.volume
        // At least a little, so that a directory's new block does not fail next.
        let missing = max(
            ByteCount(1 << 20), ByteCount(size) - (volume.available ?? .zero) + ByteCount(1 << 16))
        let plan = try plan(missing)
        guard plan.missing == .zero || plan.frees >= ByteCount(size) else {
            let shortBy = max(ByteCount(1), ByteCount(size) - (volume.available ?? .zero))
            throw StorageError(
                .insufficientSpace,
                "Could not save \(what): the volume \(volume.mountPoint.displayText) has "
                    + "\(volume.available ?? .zero) left and \(spendable(plan)). "
                    + "Free \(shortBy), or save it elsewhere.", shortBy: shortBy)
        }
        _ = try carryOut(plan, requester: "\(core.owner.text): save \(what)")
    }

    /// Carries a plan out.
    func carryOut(_ plan: Plan, requester: String) throws(StorageError) -> Receipt {
        do {
            return try core.workspace.scope().purge(
                plan, requester: requester, reportsRemoved: false)
        } catch {
            throw StorageError(error)
        }
    }

    /// What may go, in words.
    func spendable(_ plan: Plan) -> String {
        plan.frees > .zero
            ? "only \(plan.frees) may be purged for it" : "nothing that may be purged for it"
    }

    // MARK: - Rules

    /// What has to stay free beside what is written (R7).
    private func reserve(of volume: Volume) -> ByteCount {
        guard let total = volume.figures?.total else { return .zero }
        switch intent {
        case .essential: return .zero
        case .requested: return PressureThresholds.standard.critical.bytes(of: total)
        case .optional: return PressureThresholds.standard.warning.bytes(of: total)
        }
    }

    private var through: PurgeableClass {
        intent == .essential ? .lastResort : .cache
    }

    /// The volume of the place, which need not exist yet.
    var volume: Volume {
        get throws(StorageError) {
            let path = core.places.directory(for: content)
            do {
                return try Volume.containing(path)
            } catch {
                throw StorageError(HeadroomError("ask the volume of", path, error))
            }
        }
    }

    private func state(of volume: Volume) throws(StorageError) -> PlanRequest.VolumeState {
        guard let figures = volume.figures, let available = volume.available else {
            throw StorageError(
                .io, "The volume \(volume.mountPoint.displayText) does not say how full it is.")
        }
        return PlanRequest.VolumeState(
            device: volume.device, total: figures.total, available: available,
            normalFrom: PressureThresholds.standard.warning.bytes(of: figures.total))
    }
}
