//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// What two clocks showed at one moment.
///
/// Age rules pause when the wall clock moved by more than a day against the other since the last
/// sample. The two can be compared only within one boot.
public struct ClockSample: Hashable, Sendable {
    public var wall: Timestamp
    /// Time since the system started, sleep included (`CLOCK_BOOTTIME`).
    public var sinceBoot: Duration
    /// Tells one boot from another; 0 if unknown.
    public var boot: UInt64

    public init(wall: Timestamp, sinceBoot: Duration, boot: UInt64) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.boot = boot
    }

    /// The time of a wall clock, and what the system says of its start now.
    package init(wall: Timestamp) {
        self.init(
            wall: wall, sinceBoot: SystemBoot.elapsed,
            boot: SystemBoot.identifier.map(Self.number) ?? 0)
    }

    /// Enough of the identifier to tell one boot from another.
    private static func number(_ identifier: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a
        for byte in identifier.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    /// By how much the wall clock was moved between this sample and a later one.
    ///
    /// - Returns: positive if it was moved ahead; nil if the samples are of different boots.
    public func wallClockShift(until later: ClockSample) -> Duration? {
        guard boot == later.boot, later.sinceBoot >= sinceBoot else { return nil }
        return later.wall.duration(since: wall) - (later.sinceBoot - sinceBoot)
    }
}

/// That the wall clock was found to have been moved.
public struct ClockMove: Hashable, Sendable {
    /// The clocks when the move was found.
    public var sample: ClockSample
    /// By how much the wall clock was moved; positive if ahead.
    public var shift: Duration

    public init(sample: ClockSample, shift: Duration) {
        self.sample = sample
        self.shift = shift
    }
}
