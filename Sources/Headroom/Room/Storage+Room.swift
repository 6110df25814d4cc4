//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlanning
public import HeadroomPlatform
public import HeadroomWorkspace
import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Storage {
    /// What the volume of a class's place has room for, asked at this moment; each figure with its source. Blocks.
    ///
    /// - Parameters:
    ///   - content: the volume that things of this class go to; it need not have a directory yet.
    ///   - countingPurgeable: whether to look at what could be purged, which takes a scan of the
    ///     app's own areas; without, the figures for important and opportunistic use are what is
    ///     available.
    /// - Throws: ``StorageError`` if the volume cannot be asked. A figure that is missing is unknown,
    ///   never 0.
    public func capacity(
        for content: ContentClass = .essential(.appData), countingPurgeable: Bool = true
    ) throws(StorageError) -> VolumeCapacity {
        try capacity(of: core.places.directory(for: content), countingPurgeable)
    }

    /// The same without blocking.
    public func capacity(
        for content: ContentClass = .essential(.appData), countingPurgeable: Bool = true
    ) async throws(StorageError) -> VolumeCapacity {
        try await BlockingPool.shared.run { () throws(StorageError) -> VolumeCapacity in
            try capacity(for: content, countingPurgeable: countingPurgeable)
        }
    }

    /// What the volume of any path has room for, of whoever's; otherwise as
    /// `capacity(for:countingPurgeable:)`. What could be purged is the app's own there. Blocks.
    ///
    /// - Parameter place: it need not exist yet: then the volume is that of the nearest directory around it
    ///   that does.
    public func capacity(
        at place: URL, countingPurgeable: Bool = true
    ) throws(StorageError) -> VolumeCapacity {
        try capacity(of: FilePath(place.path), countingPurgeable)
    }

    /// The same without blocking.
    public func capacity(
        at place: URL, countingPurgeable: Bool = true
    ) async throws(StorageError) -> VolumeCapacity {
        try await BlockingPool.shared.run { () throws(StorageError) -> VolumeCapacity in
            try capacity(at: place, countingPurgeable: countingPurgeable)
        }
    }

    private func capacity(
        of place: FilePath, _ countingPurgeable: Bool
    ) throws(StorageError) -> VolumeCapacity {
        let volume = try core.volume(of: place)
        let reserved = core.reserved(on: volume)
        // Where the system counts what could be purged, nobody has to look through directories.
        let system = SystemCapacity.of(place)
        guard countingPurgeable, system == nil else {
            return VolumeCapacity(
                of: volume, system: system, reserved: reserved, now: core.clock())
        }
        let summary: PlanSummary
        do {
            let scope = core.workspace.scope()
            summary = try scope.plan(try scope.scan(), targets: [.all], through: .lastResort)
                .summary()
        } catch {
            throw StorageError(error)
        }
        let purgeable = summary.purgeable(measured: core.clock()) { area in
            // What cannot be asked lies on no volume that is known.
            (try? Volume.containing(area.root))?.device == volume.device
        }
        return VolumeCapacity(
            of: volume, purgeable: purgeable, reserved: reserved, now: core.clock())
    }

    /// Whether something would fit, before it is written. Deletes nothing. Blocks; scans the app's
    /// own areas if the volume alone has not room enough.
    ///
    /// - Parameters:
    ///   - bytes: what is to be written.
    ///   - intent: why, and so what may be spent and what has to stay free: for requested the
    ///     critical threshold, for optional the warning threshold, for essential nothing.
    ///   - content: what it is; nil: as usual for the intent.
    ///   - allowDemotion: whether a lower class may be proposed if it fits there.
    public func advise(
        _ bytes: ByteCount, for intent: Intent, as content: ContentClass? = nil,
        allowDemotion: Bool = false
    ) throws(StorageError) -> Advice {
        let wanted = content ?? intent.usualClass
        let advice = try judge(bytes, intent, wanted)
        guard allowDemotion, case .doesNotFit = advice.verdict else { return advice }
        for (lower, lowerIntent) in wanted.demotions {
            let other = try judge(bytes, lowerIntent, lower)
            if case .doesNotFit = other.verdict { continue }
            return other
        }
        return advice
    }

    /// The same without blocking.
    public func advise(
        _ bytes: ByteCount, for intent: Intent, as content: ContentClass? = nil,
        allowDemotion: Bool = false
    ) async throws(StorageError) -> Advice {
        try await BlockingPool.shared.run { () throws(StorageError) -> Advice in
            try advise(bytes, for: intent, as: content, allowDemotion: allowDemotion)
        }
    }

    private func judge(
        _ bytes: ByteCount, _ intent: Intent, _ content: ContentClass
    ) throws(StorageError) -> Advice {
        guard bytes >= .zero else {
            throw StorageError(.refused, "\(bytes) is no amount to write. Ask for 0 or more.")
        }
        let prospect: RoomRequest.Prospect
        do {
            prospect = try core.room(for: content, intent).prospect(of: bytes)
        } catch {
            throw StorageError(error)
        }
        let verdict: Advice.Verdict =
            prospect.isMet
            ? .fits
            : prospect.shortBy > .zero
                ? .doesNotFit(shortBy: prospect.shortBy)
                : .fitsAfterFreeing((prospect.lastPlan ?? prospect.plan)?.frees ?? prospect.needed)
        var fits = true
        if case .doesNotFit = verdict { fits = false }
        return Advice(
            verdict: verdict, content: content, directory: directory(for: content),
            // mutation: r6b-1
            mayProceed: fits || intent == .essential)
    }
}

extension Intent {
    /// What is usually written with it.
    var usualClass: ContentClass {
        switch self {
        case .essential: .essential(.appData)
        // mutation: r6a-1
        case .requested: .lastResort
        case .optional: .cache
        }
    }
}

extension ContentClass {
    /// The lower classes, with the intent of each.
    fileprivate var demotions: [(ContentClass, Intent)] {
        switch self {
        // mutation: r6c-1
        case .essential: []  // What cannot be had again is never made purgeable to make it fit.
        case .lastResort: [(.cache, .requested), (.temporary, .requested)]
        case .cache: [(.temporary, .optional)]
        case .temporary: []
        }
    }
}
