//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform

/// When what is due is cleaned: at a start, in another version, and after a time. A value: it knows no clock.
///
/// A trigger that has come stays until it is taken, so that one that waits is not lost.
package struct TriggerSchedule: Hashable, Sendable {
    /// What has come and was not taken yet; the others go with it.
    private(set) var waiting: CleaningTrigger?
    /// By the wall clock, which goes on while nobody runs.
    package private(set) var last: Timestamp?
    /// By the clock that nobody sets.
    private var lastUptime: Duration?

    /// - Parameters:
    ///   - first: what has come already; nil: nothing.
    ///   - last: when it was last cleaned; nil: not known.
    package init(first: CleaningTrigger?, last: Timestamp?) {
        waiting = first
        self.last = last
    }

    /// What is to be done for now; nil: nothing.
    package mutating func trigger(
        at now: Timestamp, uptime: Duration, interval: Duration
    ) -> CleaningTrigger? {
        if waiting == nil, wait(at: now, uptime: uptime, interval: interval) <= .zero {
            waiting = .interval
        }
        return waiting
    }

    /// How long it is until the next.
    mutating func wait(
        at now: Timestamp, uptime: Duration, interval: Duration
    ) -> Duration {
        guard waiting == nil else { return .zero }
        // A clock that was set back must not put it off for as long as it was set back.
        let passed = last.map { now.duration(since: $0) }
        if let passed, passed < .zero { last = now }
        let byWall = passed.map { interval - max(.zero, $0) }
        let byUptime = lastUptime.map { interval - (uptime - $0) }
        if byWall == nil, byUptime == nil { lastUptime = uptime }
        return [byWall, byUptime].compactMap { $0 }.min() ?? interval
    }

    /// What had come was done.
    package mutating func take(at now: Timestamp, uptime: Duration) {
        waiting = nil
        last = now
        lastUptime = uptime
    }
}
