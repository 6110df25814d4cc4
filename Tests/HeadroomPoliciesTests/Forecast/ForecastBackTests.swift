//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPromises
import HeadroomTestSupport
import Testing

/// The short form of `headroom-bench forecast`, with other seeds: fails when the method becomes worse.
@Suite("R28: forecasts of made-up volumes")
struct ForecastBackTests {
    /// How far off the likely time may be by the median, and how wide the range: late over early end.
    private static let bounds: [VolumeTrace.Kind: (error: Double, width: Double)] = [
        .steady: (1.1, 2.6), .weekly: (1.15, 4), .rateChange: (1.15, 3.2), .purges: (1.15, 2.8),
        .cleanUps: (1.4, 5), .weeklyCleanUps: (1.3, 5), .steps: (1.4, 6), .noise: (1.4, 6.5),
        .bursts: (1.7, 8), .mixed: (1.8, 14),
    ]

    @Test(.tags(.r28a), arguments: VolumeTrace.Kind.allCases)
    func whatComesLiesInTheRangeAtTheStatedRate(kind: VolumeTrace.Kind) throws {
        var score = ForecastScore()
        for seed in 0..<60 as Range<UInt64> {
            score.add(VolumeTrace(kind, seed: 9_000 + seed, stepsPerDay: 24))
        }
        #expect(score.traces >= 50)
        #expect(score.share >= Forecast.rate)
        if kind == .shrinking { #expect(score.notExpected == score.traces) }
        if kind == .idle { #expect(Double(score.cameNot) > Double(score.traces) * 0.5) }
        guard let bounds = Self.bounds[kind] else { return }
        #expect(try #require(ForecastScore.median(score.errors)) < bounds.error)
        #expect(try #require(ForecastScore.median(score.widths)) < bounds.width)
        // To say that nothing is expected is no way to be right.
        #expect(Double(score.notExpected) < Double(score.traces) * 0.5)
    }
}
