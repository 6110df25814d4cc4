//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The past of a volume, and its outlook.
struct APIHistory: Encodable, Sendable {
    struct Sample: Encodable, Sendable {
        var time: String
        var availableBytes: Int64
        var totalBytes: Int64
        var availableInodes: UInt64?
        var inodes: UInt64?

        init(_ sample: ForecastSample) {
            time = sample.time.iso8601
            availableBytes = sample.available.apiSize
            totalBytes = sample.total.apiSize
            availableInodes = sample.availableInodes
            inodes = sample.inodes
        }
    }

    struct Thresholds: Encodable, Sendable {
        var warningBytes: Int64
        var criticalBytes: Int64
    }

    struct Purge: Encodable, Sendable {
        var time: String
        var receipt: String
        var gainedBytes: Int64
        var items: Int
    }

    var volume: String
    var volumeBytes: String?
    var from: String
    var to: String
    var samples: [Sample]
    var thresholds: Thresholds
    var forecast: APIForecast?
    var inodeForecast: APIForecast?
    var fan: [ForecastFan.Point]
    var purges: [Purge]
    var events: [APIEvent]

    /// Of each of so many spans of time the lowest: peaks of use are what matters.
    static func thinned(_ samples: [ForecastSample], to count: Int) -> [ForecastSample] {
        guard samples.count > count, let first = samples.first, let last = samples.last else {
            return samples
        }
        let span = max(1, last.time.seconds - first.time.seconds + 1)
        // The last is as things are, and is kept besides.
        let spans = Int64(max(1, count - 1))
        var kept: [ForecastSample] = []
        var current: Int64 = -1
        for sample in samples.dropLast() {
            let place = (sample.time.seconds - first.time.seconds) * spans / span
            if place != current {
                kept.append(sample)
                current = place
            } else if let lowest = kept.last, sample.available < lowest.available {
                kept[kept.count - 1] = sample
            }
        }
        kept.append(last)
        return kept
    }
}

/// Where the available bytes of a volume are expected: between the early and the late end of what the
/// forecast says of each level, as straight lines from one to the next.
struct ForecastFan {
    struct Point: Encodable, Hashable, Sendable {
        var time: String
        var lowBytes: Int64
        var likelyBytes: Int64
        var highBytes: Int64
    }

    /// A time from now and the bytes that are available then.
    private typealias Corner = (seconds: Double, bytes: Double)

    private let now: Timestamp
    private var low: [Corner]
    private var likely: [Corner]
    private var high: [Corner]

    init(
        _ forecast: Forecast, available: ByteCount, warning: ByteCount, critical: ByteCount,
        now: Timestamp
    ) {
        self.now = now
        let start: Corner = (0, Double(available.bytes))
        (low, likely, high) = ([start], [start], [start])
        for (outlook, bytes) in [
            (forecast.warning, warning), (forecast.critical, critical), (forecast.full, .zero),
        ] {
            let bytes = Double(bytes.bytes)
            switch outlook {
            case .expected(let expected):
                low.append((expected.earliest.inSeconds, bytes))
                likely.append((expected.likely.inSeconds, bytes))
                if let latest = expected.latest { high.append((latest.inSeconds, bytes)) }
            case .notExpected(_, let earliest?): low.append((earliest.inSeconds, bytes))
            case .notExpected, .unknown, .reached: break
            }
        }
    }

    /// - Parameter horizon: how far ahead.
    func points(horizon: Duration, count: Int = 30) -> [Point] {
        guard low.count > 1 else { return [] }
        return (0...count).map { number in
            let seconds = horizon.inSeconds * Double(number) / Double(count)
            let values = [low, likely, high].map { Self.value(at: seconds, of: $0) }.sorted()
            return Point(
                time: now.advanced(by: .seconds(seconds)).iso8601, lowBytes: Int64(values[0]),
                likelyBytes: Int64(values[1]), highBytes: Int64(values[2]))
        }
    }

    /// After its last corner a line goes on as it was; one with no corner but the first is level.
    private static func value(at seconds: Double, of line: [Corner]) -> Double {
        let corners = line.sorted { $0.seconds < $1.seconds }
        guard let first = corners.first, corners.count > 1 else { return line[0].bytes }
        var (left, right) = (first, corners[1])
        for next in corners.dropFirst(2) where right.seconds < seconds {
            (left, right) = (right, next)
        }
        let width = right.seconds - left.seconds
        guard width > 0 else { return max(0, right.bytes) }
        let value = left.bytes + (right.bytes - left.bytes) * (seconds - left.seconds) / width
        return max(0, min(value, first.bytes))
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
