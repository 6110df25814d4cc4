//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What is available on a made-up volume at equal intervals, before and after a moment from which its
/// future is to be told; made from a seed.
///
/// One unit is what is written in a day, on average.
public struct VolumeTrace: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// The same at all times, but for a little.
        case steady
        /// By day, and hardly at weekends.
        case weekly
        /// Now and then something large, once.
        case steps
        /// It became faster or slower at one time in the past.
        case rateChange = "rate change"
        /// Hardly anything, and then much: a few days make most of it.
        case bursts
        /// Somebody cleans up now and then.
        case cleanUps = "clean-ups"
        /// Something cleans up at the same time every week, and leaves a part.
        case weeklyCleanUps = "weekly clean-ups"
        /// Something cleans up whenever it has gone below the threshold.
        case purges
        /// There is more available from day to day.
        case shrinking
        /// Large temporary files come and go; nothing stays.
        case idle
        /// The same, and slowly there is less.
        case noise
        /// By day and week, with bursts, steps, temporary files, and somebody who cleans up.
        case mixed
    }

    public let kind: Kind
    /// Of the days that are known and then of those that are not.
    public let available: [Double]
    /// How many of them are known.
    public let known: Int
    /// The level whose crossing is to be told.
    public let threshold: Double
    public let total: Double

    /// How many values a day has.
    public let stepsPerDay: Int

    /// When less than the threshold is available for the first time, in days from now.
    ///
    /// - Returns: nil: not within the trace.
    public var days: Double? {
        available[known...].firstIndex { $0 < threshold }
            .map { Double($0 - known + 1) / Double(stepsPerDay) }
    }

    /// For how many days the future is known here.
    public var future: Double { Double(available.count - known) / Double(stepsPerDay) }

    /// A trace with 4 to 250 days of past, and 1.5 to 150 units to the threshold.
    public init(_ kind: Kind, seed: UInt64, stepsPerDay: Int = 144) {
        self.stepsPerDay = stepsPerDay
        var draw = TraceDraw(seed: seed &* 1_000_003 &+ UInt64(kind.hashSeed))
        let history = exp(draw.between(log(4), log(250)))
        let way = exp(draw.between(log(1.5), log(150)))
        let future = min(700, max(10, 4 * way))
        self.kind = kind
        threshold = 20
        var maker = TraceMaker(
            kind, &draw, way: way, threshold: threshold, history: history,
            stepsPerDay: stepsPerDay)
        known = max(2, Int(history * Double(stepsPerDay)))
        let count = known + Int(future * Double(stepsPerDay))
        var values: [Double] = []
        values.reserveCapacity(count)
        for step in 0..<count { values.append(maker.next(step, &draw)) }
        // The level of now is what the way says, whatever was before; what depends on the level stays.
        if kind != .purges {
            let shift = threshold + way - maker.levelAt(known - 1)
            for index in values.indices { values[index] += shift }
        }
        total = (values.max() ?? 0) * 1.2 + 10
        available = values
    }
}

extension VolumeTrace.Kind {
    var hashSeed: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
