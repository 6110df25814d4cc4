//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// When a volume will be short of bytes, or of inodes, if it goes on as it did.
///
///     let forecast = Forecast.ofBytes(samples, now: .now())
///     if case .expected(let time) = forecast.warning { print("in \(time.likely)") }
///
/// Made of the samples alone: the same samples give the same forecast. It looks no further ahead than
/// four times as far as it can look back, and it cannot know what never happened before.
public struct Forecast: Hashable, Sendable {
    /// When the level becomes warning.
    public var warning: Outlook
    /// When the level becomes critical.
    public var critical: Outlook
    /// When nothing is available any more.
    public var full: Outlook
    /// How far back the samples go.
    public var span: Duration

    /// The share of cases in which the time that really passes lies within the range: four of five.
    public static let rate = 0.8

    public enum Outlook: Hashable, Sendable {
        /// There are too few samples: less than eight, or of less than ten minutes.
        case unknown
        /// It is so already.
        case reached
        case expected(Expectation)
        /// The volume does not fill, or so slowly that it is not expected within a time that can be told
        /// about; yet it may be so as early as `earliest`, if there is one.
        case notExpected(within: Duration, earliest: Duration?)
    }

    /// A time from now, and the range in which it lies at ``Forecast/rate``.
    public struct Expectation: Hashable, Sendable {
        public var earliest: Duration
        /// As likely to be earlier as later.
        public var likely: Duration
        /// Nil: it may as well not happen in a time that can be told about.
        public var latest: Duration?

        public init(earliest: Duration, likely: Duration, latest: Duration?) {
            self.earliest = earliest
            self.likely = likely
            self.latest = latest
        }
    }
}

extension Forecast.Outlook {
    /// Whether it may happen within a time, by the early end of the range.
    public func isPossible(within time: Duration) -> Bool {
        switch self {
        case .unknown: false
        case .reached: true
        case .expected(let expectation): expectation.earliest <= time
        case .notExpected(_, let earliest): earliest.map { $0 <= time } ?? false
        }
    }

    /// How soon it may happen, by the early end of the range; nil: nothing is expected.
    public var earliest: Duration? {
        switch self {
        case .unknown: nil
        case .reached: .zero
        case .expected(let expectation): expectation.earliest
        case .notExpected(_, let earliest): earliest
        }
    }

    /// Whether it is likelier than not to happen within a time.
    public func isLikely(within time: Duration) -> Bool {
        switch self {
        case .reached: true
        case .expected(let expectation): expectation.likely <= time
        case .unknown, .notExpected: false
        }
    }
}

// MARK: - From samples

extension Forecast {
    /// The forecast of a volume's bytes.
    ///
    /// What the volume itself gains or loses by being resized is no trend. Samples from after `now`, by a
    /// clock that was wrong, are left out.
    ///
    /// - Parameters:
    ///   - samples: in any order; ``SampleThinning`` says how many are worth keeping.
    /// - Complexity: O(samples) and a constant part: a fraction of a millisecond for ten years' worth.
    public static func ofBytes(
        _ samples: [ForecastSample], now: Timestamp, thresholds: PressureThresholds = .standard
    ) -> Forecast {
        let samples = usable(samples, now)
        let total = samples.last?.total ?? .zero
        return Forecast(
            samples.map { ($0.time, Double((total - ($0.total - $0.available)).bytes)) },
            total: Double(total.bytes), now: now,
            warning: Double(thresholds.warning.bytes(of: total).bytes),
            critical: Double(thresholds.critical.bytes(of: total).bytes))
    }

    /// The forecast of a volume's inodes.
    ///
    /// - Returns: nil where the last sample has none.
    public static func ofInodes(
        _ samples: [ForecastSample], now: Timestamp, thresholds: PressureThresholds = .standard
    ) -> Forecast? {
        let samples = usable(samples, now)
        guard let total = samples.last?.inodes.map({ Double($0) }) else { return nil }
        let values = samples.compactMap { sample -> (Timestamp, Double)? in
            guard let inodes = sample.inodes, let available = sample.availableInodes else {
                return nil
            }
            return (sample.time, total - (Double(inodes) - Double(available)))
        }
        return Forecast(
            values, total: total, now: now, warning: total * thresholds.inodeWarning,
            critical: total * thresholds.inodeCritical)
    }

    private static func usable(
        _ samples: [ForecastSample], _ now: Timestamp
    ) -> [ForecastSample] {
        let past = samples.filter { $0.time <= now && $0.total > .zero }
        let isSorted = zip(past, past.dropFirst()).allSatisfy { $0.time <= $1.time }
        return isSorted ? past : past.sorted { $0.time < $1.time }
    }

    private init(
        _ samples: [(Timestamp, Double)], total: Double, now: Timestamp, warning: Double,
        critical: Double
    ) {
        let last = samples.last?.0 ?? now
        let end = Double(last.nanoseconds)
        let times = samples.map { (Double($0.0.nanoseconds) - end) * 1e-9 }
        span = Duration(inSeconds: -(times.first ?? 0))
        let outlooks = FillForecaster(
            times: times, values: samples.map(\.1), total: total,
            age: now.duration(since: last).inSeconds
        ).outlooks([warning, critical, 1])
        (self.warning, self.critical, full) = (outlooks[0], outlooks[1], outlooks[2])
    }
}
