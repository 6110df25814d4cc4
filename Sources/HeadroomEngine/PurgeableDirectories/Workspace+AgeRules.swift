//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

extension Workspace {
    /// Whether rules that go by age hold now (R25): not for a day after the wall clock was found to
    /// have been moved by more than a day, since a clock that is wrong makes everything old.
    ///
    /// Compares with what was recorded last, and records what the clocks show now. Where nothing can
    /// be compared (after a restart, without a ledger) they hold.
    public func ageRulesHold() -> Bool {
        let now = sampleClocks()
        ledger.refresh()
        if let last = ledger.lastClockSample, let shift = last.wallClockShift(until: now),
            shift > Self.tolerance || shift < .zero - Self.tolerance
        {
            // Unrecorded, it will be found again.
            try? ledger.recordClockMove(now)
            return false
        }
        if ledger.lastClockSample.map({ now.isWorthRecording(after: $0) }) ?? true {
            try? ledger.recordClock(now)
        }
        guard let moved = ledger.lastClockMove else { return true }
        // Of another start of the system only the wall clock tells.
        let passed =
            moved.boot == now.boot
            ? now.sinceBoot - moved.sinceBoot : now.wall.duration(since: moved.wall)
        return passed < .zero || passed >= Self.tolerance
    }

    /// More than clocks are off by themselves, and more than a time zone.
    private static let tolerance: Duration = .seconds(86400)
}

extension ClockSample {
    /// Often enough to notice, seldom enough that the log does not grow by it.
    fileprivate func isWorthRecording(after last: ClockSample) -> Bool {
        boot != last.boot || sinceBoot - last.sinceBoot > .seconds(3600)
    }
}
