//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
package import HeadroomPlanning
package import HeadroomPlatform

extension Workspace {
    /// Whether age rules hold now (R25). They pause for a day after the wall clock was found to have been moved
    /// by more than a day, because a wrong clock makes everything old.
    ///
    /// Compares the clocks with their last recorded sample, and records a new one. Moves within a day add up. If
    /// there is nothing to compare with (after a restart, without a ledger), the rules hold. Blocks.
    public func ageRulesHold() -> Bool { lookAtClocks().move == nil }

    /// How far the clocks can be trusted for ages.
    package struct ClockLook {
        /// The move of the wall clock that pauses age rules; nil: they hold.
        var move: ClockMove?
        /// The time from which idle times are measured: where the clock would stand without the moves of the last
        /// day, if that is earlier.
        package var idleNow: Timestamp
    }

    /// Compares the clocks with their last recorded sample, and records a new one.
    ///
    /// - Parameter minIdle: the idle times that are measured; nil: the workspace's.
    package func lookAtClocks(measuring minIdle: MinIdle? = nil) -> ClockLook {
        let now = sampleClocks()
        ledger.refresh()
        var moves = ledger.clockMoves
        if let last = ledger.lastClockSample, let shift = last.wallClockShift(until: now),
            shift > Self.noticeable || shift < .zero - Self.noticeable
        {
            let move = ClockMove(sample: now, shift: shift)
            moves.append(move)
            // A move that can't be recorded is found again.
            try? ledger.recordClockMove(move)
        } else if ledger.lastClockSample.map({ now.isWorthRecording(after: $0) }) ?? true {
            // As above.
            try? ledger.recordClock(now)
        }
        return look(at: moves, now, minIdle ?? self.minIdle)
    }

    /// Adds up the moves. A file may have been written before any of them, so each one counts with all that followed.
    private func look(
        at moves: [ClockMove], _ now: ClockSample, _ minIdle: MinIdle
    ) -> ClockLook {
        // Files that were written before an older move are older than this, whatever the clock shows.
        let limit = max(Self.tolerance, minIdle.temporary, minIdle.cache, minIdle.lastResort)
        var look = ClockLook(idleNow: now.wall)
        var total = Duration.zero
        var ahead = Duration.zero
        for move in moves.reversed() {
            // By the clocks themselves within one boot: two processes may have recorded the same move.
            total = (move.sample.wallClockShift(until: now) ?? total) + move.shift
            // Across a restart of the system only the wall clock tells.
            let passed =
                move.sample.boot == now.boot
                ? now.sinceBoot - move.sample.sinceBoot : now.wall.duration(since: move.sample.wall)
            guard passed >= .zero, passed < limit else { continue }
            ahead = max(ahead, total)
            guard passed < Self.tolerance, total.magnitude > Self.tolerance else { continue }
            if let known = look.move, known.shift.magnitude >= total.magnitude { continue }
            look.move = ClockMove(sample: move.sample, shift: total)
        }
        look.idleNow = now.wall.advanced(by: .zero - ahead)
        return look
    }

    /// Why nothing is purged by age now; nil: age rules hold. Blocks.
    public func pauseOfAgeRules() -> Reason? {
        lookAtClocks().move.map { move in
            let direction = move.shift < .zero ? "back" : "ahead"
            return Reason(
                .clockMoved,
                "The clock was moved \(direction) by \(move.shift.magnitude.inWords): ages can't be trusted for a day, and "
                    + "nothing is purged by age until then. Check the system's clock.")
        }
    }

    /// More than clocks are off by themselves, and more than a time zone.
    private static let tolerance: Duration = .seconds(86400)
    /// More than a clock is corrected by in small steps.
    private static let noticeable: Duration = .seconds(60)
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}

extension ClockSample {
    /// Often enough to notice, seldom enough that the log does not grow by it.
    fileprivate func isWorthRecording(after last: ClockSample) -> Bool {
        boot != last.boot || sinceBoot - last.sinceBoot > .seconds(3600)
    }
}
