//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
import HeadroomPlatform

extension VolumeTrace {
    /// A unit is a gigabyte.
    private static let unit = 1e9

    /// What a history would have kept of it until now.
    public var samples: [ForecastSample] {
        let step = 86_400 / Double(stepsPerDay)
        let all = (0..<known).map { index in
            ForecastSample(
                time: Timestamp(seconds: Int64(1.7e9 + Double(index) * step)),
                available: ByteCount(Int64(available[index] * Self.unit)),
                total: ByteCount(Int64(total * Self.unit)))
        }
        return all.last.map { SampleThinning.thinned(all, now: $0.time) } ?? []
    }

    /// Warning at its threshold, and never critical.
    public var thresholds: PressureThresholds {
        var thresholds = PressureThresholds()
        thresholds.warning = .init(share: 1, limit: ByteCount(Int64(threshold * Self.unit)))
        thresholds.critical = .init(share: 0, limit: nil)
        return thresholds
    }
}

/// How well forecasts of traces agree with what came.
public struct ForecastScore: Sendable {
    /// The traces whose level was above the threshold at first.
    public private(set) var traces = 0
    /// What came lay within the range, or after it was said not to be expected.
    public private(set) var inside = 0
    /// It came before the range.
    public private(set) var early = 0
    /// It came after the range, or not at all.
    public private(set) var late = 0
    /// It was said not to be expected.
    public private(set) var notExpected = 0
    /// Of those, it did not come as long as the trace goes on.
    public private(set) var cameNot = 0
    /// Likely time and true time, the greater over the lesser, where there are both.
    public private(set) var errors: [Double] = []
    /// Late and early end of the range, the one over the other, where there are both.
    public private(set) var widths: [Double] = []

    public init() {}

    public var share: Double { Double(inside) / Double(max(1, traces)) }

    public mutating func add(_ trace: VolumeTrace) {
        let samples = trace.samples
        guard let now = samples.last?.time,
            trace.available[trace.known - 1] >= trace.threshold
        else { return }
        let outlook = Forecast.ofBytes(samples, now: now, thresholds: trace.thresholds).warning
        let truth = trace.days
        switch outlook {
        case .unknown, .reached: return
        case .expected(let expectation):
            let latest = expectation.latest.map(Self.days)
            judge(truth, from: Self.days(expectation.earliest), to: latest, trace.future)
            let likely = max(Self.days(expectation.likely), 1e-3)
            if let truth { errors.append(max(likely / truth, truth / likely)) }
            if let latest {
                widths.append(latest / max(Self.days(expectation.earliest), 1e-3))
            }
        case .notExpected(let horizon, let earliest):
            notExpected += 1
            if truth == nil { cameNot += 1 }
            judge(truth, from: Self.days(earliest ?? horizon), to: nil, trace.future)
        }
        traces += 1
    }

    private mutating func judge(
        _ truth: Double?, from earliest: Double, to latest: Double?, _ future: Double
    ) {
        if let truth, truth < earliest {
            early += 1
        } else if let latest, truth ?? future > latest {
            late += 1
        } else {
            inside += 1
        }
    }

    private static func days(_ duration: Duration) -> Double {
        Double(duration.components.seconds) / 86_400
    }

    public static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}
