//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// The pressure of one volume, as it was last read.
public struct VolumePressure: Hashable, Sendable {
    /// Where the volume is mounted; of one that has never answered, the place that was asked.
    public var mountPoint: FilePath
    /// Nil before the first answer, and for what has no level.
    public var level: PressureLevel?
    /// What the bytes have contributed to it: see ``PressureGauge/bytesLevel``.
    public var bytesLevel: PressureLevel
    /// What the inodes have contributed to it.
    public var inodesLevel: PressureLevel
    /// Whether the level is that of now.
    public var state: PressureGauge.State
    /// What there was at the last answer.
    public var figures: PressureReading.Figures?
    /// When it was last asked, by the wall clock; nil: not yet.
    public var lastRead: Timestamp?
    /// How long after that it is asked again, while somebody listens.
    public var interval: Duration

    public init(mountPoint: FilePath, gauge: PressureGauge, lastRead: Timestamp?) {
        self.mountPoint = mountPoint
        level = gauge.level
        bytesLevel = gauge.bytesLevel
        inodesLevel = gauge.inodesLevel
        state = gauge.state
        figures = gauge.figures
        self.lastRead = lastRead
        interval = gauge.interval
    }
}

/// A volume's level has changed, or whether it has one, or whether it answers.
public struct PressureChange: Hashable, Sendable {
    /// The volume as it is now.
    public var volume: VolumePressure
    /// Nil if there was none, or none is known: the first change of each volume says what it is.
    public var previousLevel: PressureLevel?

    /// The level now; nil for what has none. Of a volume that has stopped answering, the last.
    public var level: PressureLevel? { volume.level }

    /// Whether the level is worse than before, or the first that is known and not normal.
    public var isWorse: Bool { (level ?? .normal) > (previousLevel ?? .normal) }

    public init(volume: VolumePressure, previousLevel: PressureLevel?) {
        self.volume = volume
        self.previousLevel = previousLevel
    }
}
