//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

extension Workspace {
    /// Whether age rules hold now (R25). They pause for a day after the wall clock was found to have been moved
    /// by more than a day, because a wrong clock makes everything old.
    ///
    /// Compares the clocks with their last recorded sample, and records a new one. If there is nothing to
    /// compare with (after a restart, without a ledger), the rules hold. Blocks.
    public func ageRulesHold() -> Bool { lookAtClocks().move == nil }

    /// How far the clocks can be trusted for ages.
    struct ClockLook {
        /// The move of the wall clock that pauses age rules; nil: they hold.
        var move: ClockMove?
        /// The time from which idle times are measured: where the clock would stand without the move, if that is
        /// earlier.
        var idleNow: Timestamp
    }

    func lookAtClocks() -> ClockLook {
        let now = sampleClocks()
        ledger.refresh()
        if let last = ledger.lastClockSample, let shift = last.wallClockShift(until: now),
            shift > Self.tolerance || shift < .zero - Self.tolerance
        {
            let move = ClockMove(sample: now, shift: shift)
            // A move that can't be recorded is found again.
            try? ledger.recordClockMove(move)
            return ClockLook(move: move, idleNow: idleNow(now, move))
        }
        if ledger.lastClockSample.map({ now.isWorthRecording(after: $0) }) ?? true {
            // As above.
            try? ledger.recordClock(now)
        }
        guard let move = ledger.lastClockMove else { return ClockLook(idleNow: now.wall) }
        // Across a restart of the system only the wall clock tells.
        let passed =
            move.sample.boot == now.boot
            ? now.sinceBoot - move.sample.sinceBoot : now.wall.duration(since: move.sample.wall)
        guard passed >= .zero, passed < Self.tolerance else { return ClockLook(idleNow: now.wall) }
        return ClockLook(move: move, idleNow: idleNow(now, move))
    }

    private func idleNow(_ now: ClockSample, _ move: ClockMove) -> Timestamp {
        now.wall.advanced(by: .zero - max(move.shift, .zero))
    }

    /// Why nothing is purged by age now; nil: age rules hold. Blocks.
    public func pauseOfAgeRules() -> Reason? {
        lookAtClocks().move.map { move in
            let direction = move.shift < .zero ? "back" : "ahead"
            let amount = move.shift < .zero ? Duration.zero - move.shift : move.shift
            return Reason(
                .clockMoved,
                "The clock was moved \(direction) by \(amount.inWords): ages can't be trusted for a day, and "
                    + "nothing is purged by age until then. Check the system's clock.")
        }
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
