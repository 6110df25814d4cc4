//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Many ways in which an amount may go on: each is made of parts of its past, drawn at random, that begin
/// at the same hour of the day (of the week) as now.
struct FillSimulation {
    private static let ways = 160
    /// How much faster or slower than the past the future may be: so much after a day of past, and less
    /// the longer that is.
    private static let doubt = 0.5
    /// By how much the pace may change in a day.
    private static let drift = 0.03
    /// What never happened counts as if it had happened half a time: a part in which much more goes.
    private static let surprise = 0.5

    let course: FillCourse
    /// The steps of a part; no more than the course has.
    let length: Int
    /// The most steps of a way.
    let horizon: Int
    /// Nothing rises above it.
    let total: Double

    private struct Step {
        var fall: Double
        var rise: Double
        var dip: Double
    }

    /// What becomes of a level by a whole part, where nothing but falling happens in it.
    private struct Part {
        var fall = 0.0
        /// By how much it is below its start at most.
        var depth = 0.0
        var hasRise = false

        init(_ steps: ArraySlice<Step>) {
            for index in steps.indices {
                fall += steps[index].fall
                depth = max(depth, fall + steps[index].dip)
                if steps[index].rise > 0 { hasRise = true }
            }
        }
    }

    /// When each way first is below each threshold, in seconds from the last sample, sorted; infinite: not
    /// within the horizon.
    ///
    /// - Parameter thresholds: falling.
    func crossings(_ thresholds: [Double]) -> [[Double]] {
        let parts = course.falls.count / length
        let steps = steps(parts)
        let whole = (0..<parts).map { Part(steps[$0 * length..<($0 + 1) * length]) }
        let days = course.step * Double(length) / 86_400
        let doubt = Self.doubt / (days * Double(parts) + 1).squareRoot()
        let drift = Self.drift * days.squareRoot()
        let start = start(steps)
        let usual = abs(steps.reduce(0) { $0 + $1.fall }) / Double(parts)
        var random = Draw()
        var drawn: [Int] = []
        drawn.reserveCapacity(horizon / length + 1)
        var crossings = [[Double]](
            repeating: [Double](repeating: .infinity, count: Self.ways), count: thresholds.count)
        for way in 0..<Self.ways {
            drawn.removeAll(keepingCapacity: true)
            // A low may be a dip, of which there are as many as before.
            var level = start.level + (start.isLow ? steps[random.below(steps.count)].dip : 0)
            var pace = max(0.05, 1 + doubt * random.bell())
            var (next, now) = (0, 0)
            while now < horizon, next < thresholds.count {
                // What was drawn once is the likelier to be drawn again, since it is not known how well
                // the past stands for the future (Pólya's urn).
                let draw = random.below(parts + drawn.count)
                let part = draw < parts ? draw : drawn[draw - parts]
                drawn.append(part)
                pace = max(0.05, pace * (1 + drift * random.bell()))
                let isSurprise =
                    random.unit() * Double(parts + drawn.count) < Self.surprise
                let extra =
                    isSurprise ? usual * 6 * random.unit() / Double(length) : 0
                // Far from the next threshold nobody needs to look closer.
                let deepest = whole[part].depth * max(1, pace) + extra * Double(length)
                if !whole[part].hasRise, level - deepest > thresholds[next] {
                    level = min(level - whole[part].fall * pace - extra * Double(length), total)
                    now += length
                    continue
                }
                for index in part * length..<(part + 1) * length {
                    let (step, before) = (steps[index], level)
                    level -= step.fall * pace + extra
                    while next < thresholds.count, level - step.dip < thresholds[next] {
                        let share = Self.share(before, level, thresholds[next])
                        crossings[next][way] = (Double(now) + share) * course.step
                        next += 1
                    }
                    if step.rise > 0, level <= course.cleanUpLevel { level += step.rise }
                    level = min(level, total)
                    now += 1
                }
            }
        }
        for index in crossings.indices { crossings[index].sort() }
        return crossings
    }

    /// The steps of the last parts.
    private func steps(_ parts: Int) -> [Step] {
        let start = course.falls.count - parts * length
        return course.falls.indices[start...].map { index in
            // A dip is of the level that the step ends with.
            Step(
                fall: course.falls[index], rise: course.rises[index], dip: course.dips[index + 1])
        }
    }

    /// The lowest of late; what is now if it was cleaned up since.
    private func start(_ steps: [Step]) -> (level: Double, isLow: Bool) {
        let least = steps.lazy.map(\.rise).filter { $0 > 0 }.min() ?? .infinity
        guard let low = course.lows.last, course.current - low <= least / 2 else {
            return (course.current, false)
        }
        return (low, true)
    }

    /// Where in a step the threshold lies on the way from one level to the next.
    private static func share(_ before: Double, _ after: Double, _ threshold: Double) -> Double {
        guard after < threshold, before > after else { return 0.5 }
        return max(0, min(1, (before - threshold) / (before - after)))
    }

    /// The same numbers each time (SplitMix64): the same samples give the same forecast.
    private struct Draw {
        private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

        private mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }

        mutating func below(_ count: Int) -> Int {
            Int(((next() >> 32) &* UInt64(count)) >> 32)
        }

        mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

        /// Mean 0, deviation 1, nearly normal: the sum of four.
        mutating func bell() -> Double {
            let bits = next()
            let sum =
                (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
            return (Double(sum) * 0x1p-16 - 2) * 1.7320508
        }
    }
}
