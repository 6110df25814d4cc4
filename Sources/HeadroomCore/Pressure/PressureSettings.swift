//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// How the pressure of one volume is watched. Every volume may have its own.
public struct PressureSettings: Hashable, Sendable {
    /// Where the levels begin.
    public var thresholds = PressureThresholds.standard
    /// How long ``PressureThresholds/leavingFactor`` times a level's threshold has to stay available
    /// before the level is left; 5 minutes.
    public var dwell: Duration = .seconds(300)
    /// The longest time between two readings while the level is normal; 60 seconds.
    public var normalInterval: Duration = .seconds(60)
    /// The same while it is warning; 10 seconds.
    public var warningInterval: Duration = .seconds(10)
    /// The same while it is critical; 2 seconds.
    public var criticalInterval: Duration = .seconds(2)
    /// However fast the volume fills, it is not read more often than this; half a second.
    public var shortestInterval: Duration = .milliseconds(500)
    /// The fastest filling of so long ago still counts; 10 minutes.
    public var rateWindow: Duration = .seconds(600)
    /// As if it could begin to fill so fast at any moment, each second: a small volume is read more often
    /// than every minute, though nothing was written so far; 10 MB.
    public var possibleRate: ByteCount = .megabytes(10)
    /// The same in inodes; 1,000.
    public var possibleInodeRate: UInt64 = 1_000
    /// A volume that has not answered by then is shown so; 2 seconds.
    public var timeLimit: Duration = .seconds(2)

    /// The settings that hold where nothing else is configured.
    public init() {}

    public static let standard = PressureSettings()

    /// The longest time between two readings at a level; never under ``shortestInterval``.
    public func interval(at level: PressureLevel?) -> Duration {
        let interval =
            switch level {
            case nil, .normal: normalInterval
            case .warning: warningInterval
            case .critical: criticalInterval
            }
        return max(interval, floor)
    }

    /// Whatever is configured, a loop of readings must not keep a processor busy.
    var floor: Duration { max(shortestInterval, .milliseconds(10)) }

    /// The most that the time between two readings counts towards ``dwell``: of what was between
    /// readings that lie further apart, after a sleep of the machine say, nothing is known.
    var countedGap: Duration {
        max(normalInterval, warningInterval, criticalInterval, floor)
    }
}
