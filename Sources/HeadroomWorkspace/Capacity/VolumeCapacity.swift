//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// What a volume has room for, and where each figure comes from.
public struct VolumeCapacity: Hashable, Sendable {
    public var total: Figure
    /// What can be written now, without deleting anything.
    public var available: Figure
    /// What could be written for something that matters, after purging up to last resort.
    public var forImportantUsage: Figure
    /// What may be written for something that could as well be left out.
    public var forOpportunisticUsage: Figure
    /// The volume's inodes; nil where it reports no total.
    public var inodes: UInt64?
    /// The inodes that can be made now; nil where they are not limited.
    public var availableInodes: UInt64?
    /// How old the inventory is that the purgeable bytes are from; nil without one.
    public var inventoryAge: Duration?

    /// An amount and its source.
    public struct Figure: Hashable, Sendable {
        /// Nil if it is not known. Missing is never 0.
        public var bytes: ByteCount?
        public var provenance: Provenance

        public init(_ bytes: ByteCount?, _ provenance: Provenance) {
            self.bytes = bytes
            self.provenance = bytes == nil ? .unknown : provenance
        }
    }

    /// Where a figure comes from.
    public enum Provenance: String, Hashable, Sendable {
        /// The operating system said so.
        case system
        /// Headroom computed it, from the system's figures and an inventory.
        case computed
        /// What it should be made from is missing; the nearest figure stands in its place.
        case fallback
        /// Nothing is known.
        case unknown
    }

    /// What an inventory found that could go.
    ///
    /// Without what is pinned, leased, or held by a link elsewhere.
    public struct Purgeable: Hashable, Sendable {
        public var temporary: ByteCount
        public var cache: ByteCount
        public var lastResort: ByteCount
        /// The part of ``cache`` that is expired or over its area's limit.
        public var expiredOrOverLimitCache: ByteCount
        /// When the inventory was made.
        public var measured: Timestamp

        public init(
            temporary: ByteCount, cache: ByteCount, lastResort: ByteCount,
            expiredOrOverLimitCache: ByteCount, measured: Timestamp
        ) {
            self.temporary = temporary
            self.cache = cache
            self.lastResort = lastResort
            self.expiredOrOverLimitCache = expiredOrOverLimitCache
            self.measured = measured
        }
    }

    /// Computes the capacities of a volume that was asked.
    ///
    /// - available: what the file system has for everybody, and no more than quotas leave, less
    ///   `reserved`;
    /// - important: available and all that can be purged, up to last resort;
    /// - opportunistic: available, temporary, and expired or over-limit caches, less the warning
    ///   threshold; 0…important.
    ///
    /// Without an inventory nothing is known to be purgeable, and both are made from available
    /// alone, as ``Provenance/fallback``.
    ///
    /// Where the system counts what it could purge itself (Apple platforms), its word stands for important
    /// and opportunistic: 0 and missing mean that it does not know, and then it is what is available, as
    /// ``Provenance/fallback``.
    ///
    /// - Parameters:
    ///   - purgeable: on this volume, by the last inventory.
    ///   - reserved: what others have reserved on the volume and not yet preallocated.
    ///   - now: for the inventory's age.
    public init(
        of volume: Volume, purgeable: Purgeable? = nil, reserved: ByteCount = .zero,
        thresholds: PressureThresholds = .standard, now: Timestamp? = nil
    ) {
        self.init(
            of: volume, system: nil, purgeable: purgeable, reserved: reserved,
            thresholds: thresholds, now: now)
    }

    /// - Parameter system: what the system says beyond the volume's figures; nil: nothing.
    package init(
        of volume: Volume, system: SystemCapacity?, purgeable: Purgeable? = nil,
        reserved: ByteCount = .zero, thresholds: PressureThresholds = .standard,
        now: Timestamp? = nil
    ) {
        inodes = volume.figures?.inodes
        availableInodes = volume.availableInodes
        inventoryAge = nil
        guard let figures = volume.figures, let free = volume.available, !volume.isPseudo else {
            let unknown = Figure(nil, .unknown)
            (total, available, forImportantUsage, forOpportunisticUsage) = (
                // mutation: r5c-1
                unknown, unknown, unknown, unknown
            )
            return
        }
        let isReduced = reserved > .zero || free != figures.available
        // mutation: r5d-1
        let room = max(.zero, free - reserved)
        total = Figure(figures.total, .system)
        available = Figure(room, isReduced ? .computed : .system)
        if let system {
            (forImportantUsage, forOpportunisticUsage) = Self.figures(
                system, available: room, reserved: reserved)
            return
        }
        let reserve = thresholds.warning.bytes(of: figures.total)
        if let purgeable {
            let all = purgeable.temporary + purgeable.cache + purgeable.lastResort
            // An inventory can be out of date; no volume has room for more than it holds.
            // mutation: r5b-2
            let important = min(room + all, max(figures.total, room))
            // mutation: r5b-1
            let soon = purgeable.temporary + purgeable.expiredOrOverLimitCache
            forImportantUsage = Figure(important, .computed)
            forOpportunisticUsage = Figure(
                min(max(room + soon - reserve, .zero), important), .computed)
            if let now { inventoryAge = max(.zero, now.duration(since: purgeable.measured)) }
        } else {
            forImportantUsage = Figure(room, .fallback)
            forOpportunisticUsage = Figure(max(room - reserve, .zero), .fallback)
        }
    }

    /// The figures of a system that counts what it could purge itself.
    private static func figures(
        _ system: SystemCapacity, available: ByteCount, reserved: ByteCount
    ) -> (important: Figure, opportunistic: Figure) {
        // What is promised to others is not there for anybody else.
        func figure(_ bytes: Int64) -> Figure {
            Figure(
                max(.zero, ByteCount(bytes) - reserved), reserved > .zero ? .computed : .system)
        }
        var important = Figure(available, .fallback)
        if let bytes = system.important, bytes > 0 { important = figure(bytes) }
        var opportunistic = Figure(available, .fallback)
        // 0 is an answer here, unless the other one was none either.
        if let bytes = system.opportunistic, bytes > 0 || important.provenance != .fallback {
            opportunistic = figure(max(0, bytes))
        }
        if let most = important.bytes, let amount = opportunistic.bytes, amount > most {
            opportunistic = Figure(most, .computed)
        }
        return (important, opportunistic)
    }
}
