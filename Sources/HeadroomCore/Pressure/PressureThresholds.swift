//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// Where the levels of a volume begin.
public struct PressureThresholds: Hashable, Sendable {
    /// Below it, the level is warning; 10 % and at most 8 GiB.
    public var warning = Threshold(share: 0.10, limit: .gibibytes(8))
    /// Below it, the level is critical; 5 % and at most 2 GiB.
    public var critical = Threshold(share: 0.05, limit: .gibibytes(2))
    /// The share of the inodes below which the level is warning.
    public var inodeWarning = 0.10
    /// The share of the inodes below which the level is critical.
    public var inodeCritical = 0.05
    /// A level is left when this many times its threshold is available.
    public var leavingFactor = 1.25

    /// A share of the volume, and an amount it never exceeds.
    public struct Threshold: Hashable, Sendable {
        /// 0…1, of the volume's total.
        public var share: Double
        /// Nil: the share alone counts.
        public var limit: ByteCount?

        public init(share: Double, limit: ByteCount?) {
            self.share = share
            self.limit = limit
        }

        /// The bytes it means on a volume of a size.
        public func bytes(of total: ByteCount) -> ByteCount {
            // Exact to 2^53; a petabyte more or less is of no importance to a share.
            let bytes = ByteCount(Int64(clampingOrZero: Double(total.bytes) * share))
            // mutation: r23a-1
            return limit.map { min($0, bytes) } ?? bytes
        }
    }

    /// The thresholds that hold where nothing else is configured.
    public init() {}

    public static let standard = PressureThresholds()

    /// The level of one reading of bytes. What lasts is not for one reading to tell.
    public func level(available: ByteCount, total: ByteCount) -> PressureLevel {
        if available < critical.bytes(of: total) { return .critical }
        return available < warning.bytes(of: total) ? .warning : .normal
    }

    /// The level of one reading of inodes.
    public func level(availableInodes: UInt64, inodes: UInt64) -> PressureLevel {
        let share = inodes == 0 ? 1 : Double(availableInodes) / Double(inodes)
        if share < inodeCritical { return .critical }
        return share < inodeWarning ? .warning : .normal
    }

    /// The level of one reading of a volume: the worse of bytes and inodes.
    ///
    /// - Returns: nil for read-only and pseudo file systems, which have none, and for a volume that
    ///   did not answer.
    public func level(of volume: Volume) -> PressureLevel? {
        guard !volume.isReadOnly, !volume.isPseudo, let figures = volume.figures,
            let available = volume.available
        else { return nil }
        let level = level(available: available, total: figures.total)
        guard let inodes = figures.inodes, let availableInodes = volume.availableInodes else {
            return level
        }
        return max(level, self.level(availableInodes: availableInodes, inodes: inodes))
    }

    /// The bytes that must be available for the level to be left for normal: what
    /// `--until normal` reaches.
    public func normal(of total: ByteCount) -> ByteCount { leaving(.warning, of: total) }

    /// The inodes that must be available for the level to be left for normal.
    public func normal(ofInodes inodes: UInt64) -> UInt64 { leaving(.warning, ofInodes: inodes) }
}

extension PressureThresholds {
    /// The bytes below which a level begins; of normal as many as can be.
    package func bytes(_ level: PressureLevel, of total: ByteCount) -> ByteCount {
        switch level {
        case .normal: ByteCount(.max)
        case .warning: warning.bytes(of: total)
        case .critical: critical.bytes(of: total)
        }
    }

    /// The share of the inodes below which a level begins.
    package func inodeShare(_ level: PressureLevel) -> Double {
        switch level {
        case .normal: 1
        case .warning: inodeWarning
        case .critical: inodeCritical
        }
    }

    /// The bytes that must stay available for a level to be left.
    func leaving(_ level: PressureLevel, of total: ByteCount) -> ByteCount {
        let threshold = bytes(level, of: total)
        return max(
            threshold,
            ByteCount(Int64(clampingOrZero: Double(threshold.bytes) * leavingFactor)))
    }

    /// The inodes that must stay available for a level to be left.
    func leaving(_ level: PressureLevel, ofInodes inodes: UInt64) -> UInt64 {
        let share = inodeShare(level)
        return UInt64(
            max(0, Int64(clampingOrZero: Double(inodes) * max(share, share * leavingFactor))))
    }
}

extension Int64 {
    /// A configured share may be anything; no number of it may trap.
    package init(clampingOrZero value: Double) {
        if value.isNaN {
            self = 0
        } else {
            self = Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
        }
    }
}
