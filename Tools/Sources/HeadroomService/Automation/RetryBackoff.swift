//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

/// How long a level that purges could not help is left alone: each purge in a row that does not help
/// doubles the delay. A value: it knows no clock.
///
/// A process can keep everything purgeable locked, and can move a volume across its thresholds again and
/// again. Neither makes the daemon purge more often: a change of the level counts only if the level is worse
/// than the ones that were tried in vain, or after the volume was at the normal level for a while
/// (hysteresis).
struct RetryBackoff: Hashable, Sendable {
    /// Purges in a row that did not help.
    private(set) var failures = 0
    /// The worst level that was tried in vain.
    private var level = PressureLevel.normal
    /// No equal or lower level is tried before this.
    private(set) var end: Duration = .zero
    /// Since when the volume is at the normal level.
    private var calmSince: Duration?

    /// The delay after the first purge that did not help.
    static let shortest: Duration = .seconds(1)
    static let longest: Duration = .seconds(300)
    /// At most this part of the time is spent on purges that do not help.
    private static let share = 20
    /// How long the volume has to be at the normal level until the next shortage is a new one.
    static let calm: Duration = .seconds(30)

    /// Whether a level that has just been reached may be tried now.
    func admits(_ current: PressureLevel, at uptime: Duration) -> Bool {
        // mutation: r24c-2
        failures == 0 || current > level || uptime >= end
    }

    /// Notes the level of a volume, at each reading.
    mutating func note(_ current: PressureLevel, at uptime: Duration) {
        guard current == .normal, failures > 0 else { return calmSince = nil }
        let since = calmSince ?? uptime
        calmSince = since
        if uptime - since >= Self.calm { self = RetryBackoff() }
    }

    /// Notes that a purge has helped.
    mutating func reset() { self = RetryBackoff() }

    /// Notes that a purge did not help.
    ///
    /// - Parameter cost: how long it took.
    /// - Returns: how long to wait until the next.
    @discardableResult
    mutating func fail(_ tried: PressureLevel, cost: Duration, at uptime: Duration) -> Duration {
        // mutation: r24c-1
        let doubled = Self.shortest * (1 << min(failures, 10))
        let delay = min(max(cost * Self.share, doubled), Self.longest)
        failures += 1
        level = max(level, tried)
        end = uptime + delay
        calmSince = nil
        return delay
    }
}
