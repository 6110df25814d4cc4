//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Measures contestants against a floor so that what else the machine does cancels out.
///
/// The floor runs before and after each contestant, in every round, and each run is compared with
/// the mean of its two neighbours. What is reported is the median of those ratios: a slow minute
/// slows both sides of it. Single absolute times mean little on a busy machine.
struct Alternation {
    /// What was measured of one contestant, an element per round.
    struct Series {
        let contestant: Contestant
        var runs: [Measurement] = []
        /// The processor time of each run over that of the floor beside it.
        var processorRatios: [Double] = []
        /// The wall time of each run over that of the floor beside it.
        var wallRatios: [Double] = []
        /// Why it was given up.
        var failure: String?
    }

    private(set) var floor: Series
    private(set) var series: [Series]

    /// - Parameters:
    ///   - run: measures one contestant, having made ready what it works on.
    init(
        floor: Contestant, contestants: [Contestant], rounds: Int,
        run: (Contestant) throws -> Measurement
    ) throws {
        self.floor = Series(contestant: floor)
        series = contestants.map { Series(contestant: $0) }
        var before = try run(floor)
        for round in 0..<rounds {
            for position in series.indices {
                // Whoever runs first in one round runs last in another.
                let index = (position + round) % series.count
                guard series[index].failure == nil else { continue }
                let measured: Measurement
                do {
                    measured = try run(series[index].contestant)
                } catch let failure as RunFailure {
                    series[index].failure = failure.text
                    continue
                }
                let after = try run(floor)
                series[index].runs.append(measured)
                series[index].processorRatios.append(
                    measured.processor * 2 / (before.processor + after.processor))
                series[index].wallRatios.append(measured.wall * 2 / (before.wall + after.wall))
                self.floor.runs.append(before)
                before = after
            }
        }
        self.floor.runs.append(before)
        self.floor.processorRatios = self.floor.neighbours(\.processor)
        self.floor.wallRatios = self.floor.neighbours(\.wall)
    }

    /// The ratios of one contestant to another in the same round, each first taken to the floor.
    func ratios(
        of name: String, to other: String, _ ratios: KeyPath<Series, [Double]>
    ) -> [Double] {
        guard
            let one = series.first(where: { $0.contestant.name == name }),
            let two = series.first(where: { $0.contestant.name == other })
        else { return [] }
        return zip(one[keyPath: ratios], two[keyPath: ratios]).map { $0 / $1 }
    }
}

extension Alternation.Series {
    /// Each run over the one before it: how far the machine itself wavered.
    fileprivate func neighbours(_ figure: KeyPath<Measurement, Double>) -> [Double] {
        zip(runs.dropFirst(), runs).map { $0[keyPath: figure] / $1[keyPath: figure] }
    }

    /// The median of a figure of the runs.
    func median(_ figure: KeyPath<Measurement, Double>) -> Double {
        runs.map { $0[keyPath: figure] }.median
    }
}
