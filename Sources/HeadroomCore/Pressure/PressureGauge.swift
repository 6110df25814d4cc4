//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

/// The pressure of one volume over time: takes readings, and says the level, when it changes, and when
/// the next reading is due.
///
/// A level rises with the reading that shows it. It falls when as much as
/// ``PressureThresholds/leavingFactor`` times its threshold has stayed available for
/// ``PressureSettings/dwell``, of bytes and inodes alike. A pure value: no clock, no file system.
///
///     var gauge = PressureGauge()
///     if let change = gauge.take(reading) { print(change.level) }
///     sleep(until: gauge.due)
public struct PressureGauge: Hashable, Sendable {
    public let settings: PressureSettings
    /// Nil before the first figures, and for what has none.
    public private(set) var level: PressureLevel?
    /// The worst threshold that the bytes have crossed since the level was last below it: who holds the
    /// level, and with which target. Never worse than ``level``.
    public private(set) var bytesLevel = PressureLevel.normal
    /// The same of the inodes.
    public private(set) var inodesLevel = PressureLevel.normal
    public private(set) var state: State = .unread
    /// The last figures that there were; of a volume that does not answer, those of before.
    public private(set) var figures: PressureReading.Figures?
    /// The time of the last reading, whatever came of it; nil before the first.
    public private(set) var lastReading: Duration?
    /// How long after the last reading the next is due.
    public private(set) var interval: Duration = .zero

    /// Whether the level is that of now.
    public enum State: Hashable, Sendable {
        /// Nothing was read yet.
        case unread
        case answering
        /// The volume does not answer; the level is the last that is known.
        case silent
        /// Asking it fails; the level is the last that is known.
        case failing(Errno)
        /// It has no level.
        case exempt(PressureReading.Exemption)
    }

    /// What a reading has changed.
    public struct Change: Hashable, Sendable {
        public var previousLevel: PressureLevel?
        public var level: PressureLevel?
        public var previousState: State
        public var state: State
    }

    /// How long it has been possible to leave a level; nil while it is not.
    private var warningHeld: Duration?
    private var criticalHeld: Duration?
    /// The time of the last reading, if it had figures.
    private var lastFigures: Duration?
    private var fallingBytes = FastestRate()
    private var fallingInodes = FastestRate()
    /// When the next threshold is expected at the soonest, by the clock of the readings.
    private var expected: Duration?

    public init(settings: PressureSettings = .standard) {
        self.settings = settings
    }

    /// When the next reading is due, by the clock of the readings; at once before the first.
    public var due: Duration { (lastReading ?? .zero) + interval }

    /// Takes a reading.
    ///
    /// One from before the last, by a clock that went back, counts as made at the time of the last.
    ///
    /// - Returns: what it changed in level or state; nil: nothing.
    /// - Complexity: O(1) amortized.
    public mutating func take(_ reading: PressureReading) -> Change? {
        var change = Change(
            previousLevel: level, level: level, previousState: state, state: state)
        let time = max(reading.time, lastReading ?? reading.time)
        lastReading = time
        switch reading.answer {
        case .figures(let figures): take(figures, at: time)
        case .withoutLevel(let exemption):
            // It begins anew when it has one.
            self = PressureGauge(settings: settings)
            (lastReading, state) = (time, .exempt(exemption))
        case .silent: miss(.silent)
        case .failed(let error): miss(.failing(error))
        }
        interval = nextInterval()
        (change.level, change.state) = (level, state)
        return change.level == change.previousLevel && change.state == change.previousState
            ? nil : change
    }

    /// Takes how soon a forecast expects the next threshold: the next reading is due after half of that at the
    /// latest, though no sooner than readings follow on each other at the level that would begin there.
    ///
    /// It only ever makes readings more frequent. It holds until another is given, or the level changes.
    ///
    /// - Parameter earliest: the early end of what is expected, from the last reading on; nil: nothing is.
    public mutating func expect(_ earliest: Duration?) {
        guard let lastReading else { return }
        // What is further away changes nothing.
        expected = earliest.map { lastReading + min(max($0, .zero), .seconds(86_400)) }
        interval = nextInterval()
    }

    private mutating func miss(_ state: State) {
        self.state = state
        // Nobody knows what is available meanwhile.
        lastFigures = nil
        fallingBytes.interrupt()
        fallingInodes.interrupt()
    }

    private mutating func take(_ figures: PressureReading.Figures, at time: Duration) {
        guard figures.total > .zero else {
            self = PressureGauge(settings: settings)
            (lastReading, state) = (time, .exempt(.pseudo))
            return
        }
        let gap = lastFigures.map { min(time - $0, settings.countedGap) } ?? .zero
        let thresholds = settings.thresholds
        func held(_ level: PressureLevel, _ before: Duration?) -> Duration? {
            thresholds.allowsLeaving(level, figures) ? before.map { $0 + gap } ?? .zero : nil
        }
        warningHeld = held(.warning, warningHeld)
        criticalHeld = held(.critical, criticalHeld)

        var next = thresholds.level(of: figures)
        if let level {
            for (kept, held) in [
                (PressureLevel.warning, warningHeld), (.critical, criticalHeld),
                // mutation: r23b-1
            ] where kept <= level && held.map({ $0 < settings.dwell }) ?? true {
                next = max(next, kept)
            }
        }
        let (bytes, inodes) = (
            thresholds.level(ofBytes: figures), thresholds.level(ofInodes: figures)
        )
        bytesLevel = min(max(bytesLevel, bytes), next)
        inodesLevel = min(max(inodesLevel, inodes), next)
        // What was expected then was the threshold that was next.
        if next != level { expected = nil }
        (level, state, self.figures, lastFigures) = (next, .answering, figures, time)
        let (window, span) = (settings.rateWindow, settings.floor)
        fallingBytes.add(
            Double(figures.available.bytes), at: time, window: window, span: span)
        if figures.inodes != nil, let available = figures.availableInodes {
            fallingInodes.add(Double(available), at: time, window: window, span: span)
        }
    }

    /// By the level, half of what the fastest of late, or what is always possible, needs to the next
    /// threshold, and half of what a forecast leaves.
    private func nextInterval() -> Duration {
        let longest = settings.interval(at: level)
        guard state == .answering, let figures else { return longest }
        let thresholds = settings.thresholds
        var interval = longest
        let fall = max(fallingBytes.fastest ?? 0, Double(settings.possibleRate.bytes))
        if fall > 0 {
            let next = [PressureLevel.warning, .critical]
                .map { thresholds.bytes($0, of: figures.total) }
                .first { $0 <= figures.available }
            let way = Double((figures.available - (next ?? .zero)).bytes)
            // mutation: r23d-1
            interval = min(interval, Duration(inSeconds: way / fall / 2))
        }
        let inodeFall = max(fallingInodes.fastest ?? 0, Double(settings.possibleInodeRate))
        if inodeFall > 0, let inodes = figures.inodes, let available = figures.availableInodes {
            let next = [PressureLevel.warning, .critical]
                .map { Double(inodes) * thresholds.inodeShare($0) }
                .first { $0 <= Double(available) }
            interval = min(
                interval, Duration(inSeconds: (Double(available) - (next ?? 0)) / inodeFall / 2))
        }
        if let expected, let lastReading {
            let left = max(.zero, expected - lastReading)
            interval = min(interval, max(left / 2, settings.interval(at: level?.worse)))
        }
        return max(interval, settings.floor)
    }
}
