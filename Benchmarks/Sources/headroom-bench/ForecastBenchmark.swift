//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport

/// How often what comes lies within the range of a forecast, and what a forecast costs.
struct ForecastBenchmark {
    let bench: Bench

    /// Seeds that nothing was chosen by.
    private static let firstSeed: UInt64 = 5_000_000

    func run() {
        let count = bench.options.isQuick ? 50 : Int(500 * bench.options.scale)
        bench.say(
            """

            ### forecast

            \(count) traces of each kind, from seeds \(Self.firstSeed) on.

            """)
        var table = Table([
            "trace", "in range", "came before", "came after", "not expected", "came never",
            "median error", "90 % error", "width",
        ])
        var all = ForecastScore()
        let only = bench.options.only
        for kind in VolumeTrace.Kind.allCases {
            guard only.isEmpty || only.contains(kind.rawValue) else { continue }
            bench.progress("forecast: \(kind.rawValue)")
            var score = ForecastScore()
            for seed in 0..<UInt64(count) {
                let trace = VolumeTrace(kind, seed: Self.firstSeed + seed)
                score.add(trace)
                all.add(trace)
            }
            table.rows.append(row(kind.rawValue, score))
        }
        table.rows.append(row("all", all))
        bench.say(table.text)
        measure()
    }

    private func row(_ name: String, _ score: ForecastScore) -> [String] {
        func share(_ count: Int, of whole: Int) -> String {
            whole == 0 ? "–" : (Double(count) / Double(whole) * 100).text(1)
        }
        func factor(_ values: [Double], _ place: Double) -> String {
            let sorted = values.sorted()
            return sorted.isEmpty ? "–" : "×" + sorted[Int(Double(sorted.count - 1) * place)].text()
        }
        return [
            name, share(score.inside, of: score.traces), share(score.early, of: score.traces),
            share(score.late, of: score.traces), share(score.notExpected, of: score.traces),
            share(score.cameNot, of: score.notExpected), factor(score.errors, 0.5),
            factor(score.errors, 0.9), factor(score.widths, 0.5),
        ]
    }

    /// The least of several, of each of some traces.
    private func measure() {
        var times: [(samples: Int, microseconds: Double)] = []
        for kind in VolumeTrace.Kind.allCases {
            for seed in 0..<UInt64(20) {
                let trace = VolumeTrace(kind, seed: seed)
                let samples = trace.samples
                guard let now = samples.last?.time else { continue }
                var least = Double.infinity
                for _ in 0..<7 {
                    let start = ContinuousClock.now
                    let forecast = Forecast.ofBytes(samples, now: now, thresholds: trace.thresholds)
                    let passed = start.duration(to: .now).components.attoseconds / 1_000_000_000_000
                    precondition(forecast.span >= .zero)
                    least = min(least, Double(passed))
                }
                times.append((samples.count, least))
            }
        }
        let sorted = times.map(\.microseconds).sorted()
        guard let most = times.max(by: { $0.samples < $1.samples }), let worst = sorted.last else {
            return
        }
        bench.say(
            "A forecast takes \(sorted[sorted.count / 2].text(0)) µs (median), \(worst.text(0)) µs at "
                + "worst; of \(most.samples) samples \(most.microseconds.text(0)) µs.\n")
    }
}
