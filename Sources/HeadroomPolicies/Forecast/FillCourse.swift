//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How an amount went down and up in equal steps of time, with what comes and goes set apart from what
/// stays.
struct FillCourse {
    /// The length of a step, in seconds.
    let step: Double
    /// The lowest of each step, oldest first; the last ends with the last sample.
    private(set) var lows: [Double] = []
    /// The same without what was gone again soon (a median of five).
    private(set) var levels: [Double] = []
    /// By how much each step was lower than its level.
    private(set) var dips: [Double] = []
    /// By how much the level fell from each step to the next; 0 where it rose by a clean-up.
    private(set) var falls: [Double] = []
    /// By how much it rose where somebody cleaned up; else 0.
    private(set) var rises: [Double] = []
    /// Clean-ups happened at this level or below: who cleans up when little is left does not before.
    private(set) var cleanUpLevel = -Double.infinity
    /// What is now.
    let current: Double

    /// - Parameters:
    ///   - times: in seconds, rising.
    ///   - limit: how many of the latest steps are taken, at most.
    init(times: [Double], values: [Double], step: Double, limit: Int = 4000) {
        self.step = step
        current = values.last ?? 0
        guard let first = times.first, let last = times.last, step > 0 else { return }
        let count = min(Double(limit), max(1, (last - first) / step))
        lows = Self.lows(times, values, step, Int(count))
        smooth()
        separate()
    }

    private static func lows(
        _ times: [Double], _ values: [Double], _ step: Double, _ count: Int
    ) -> [Double] {
        var lows = [Double](repeating: .infinity, count: count)
        let last = times[times.count - 1]
        for index in times.indices.reversed() {
            let place = Int((last - times[index]) / step)
            guard place < count else { break }
            lows[count - 1 - place] = min(lows[count - 1 - place], values[index])
        }
        // Steps without a sample lie on the line between those with one.
        var before: Int?
        for index in lows.indices where lows[index] < .infinity {
            if let before, index - before > 1 {
                for gap in before + 1..<index {
                    let share = Double(gap - before) / Double(index - before)
                    lows[gap] = lows[before] + (lows[index] - lows[before]) * share
                }
            }
            before = index
        }
        let start = lows.firstIndex { $0 < .infinity } ?? 0
        return Array(lows[start...])
    }

    private mutating func smooth() {
        levels = lows
        let count = lows.count
        for index in lows.indices {
            // Shorter at the ends, where it would lag behind.
            switch min(2, index, count - 1 - index) {
            case 2:
                levels[index] = Self.median(
                    lows[index - 2], lows[index - 1], lows[index], lows[index + 1],
                    lows[index + 2])
            case 1:
                let (left, right) = (lows[index - 1], lows[index])
                levels[index] = max(
                    min(left, right), min(max(left, right), lows[index + 1]))
            default: break
            }
        }
        dips = zip(levels, lows).map { $0 - $1 }
    }

    private mutating func separate() {
        guard levels.count > 1 else { return }
        falls = zip(levels, levels.dropFirst()).map { $0 - $1 }
        rises = [Double](repeating: 0, count: falls.count)
        var sizes = falls.map(abs)
        var noise = dips.map(abs)
        let least = max(8 * Self.median(&sizes), 6 * Self.median(&noise))
        for index in falls.indices where -falls[index] > least {
            rises[index] = -falls[index]
            falls[index] = 0
            cleanUpLevel = max(
                cleanUpLevel, lows[max(0, index - 2)...index].min() ?? lows[index])
        }
    }

    /// How many steps it has been since the falls became larger or smaller all of a sudden, by the test of
    /// Pettitt: by ranks, so that bursts count for no more than they are.
    var stepsSinceChange: Int {
        var start = 0
        while falls.count - start >= 8 {
            let part = Array(falls[start...])
            let count = part.count
            let ranks = Self.ranks(part)
            // Of the greatest score of many places, by chance, hardly one in a hundred is as great.
            var best = (score: 4.2, index: 0)
            var sum = 0.0
            for index in 1..<count {
                sum += ranks[index - 1]
                guard index >= 3, count - index >= 3 else { continue }
                let size = Double(index)
                let deviation =
                    (size * Double(count - index) * Double(count + 1) / 12).squareRoot()
                let score = abs(sum - size * Double(count + 1) / 2) / deviation
                if score > best.score { best = (score, index) }
            }
            guard best.index > 0 else { break }
            start += best.index
        }
        return max(1, falls.count - start)
    }

    /// The place of each by size, from 1; what is as good as equal has the same.
    private static func ranks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        let alike = (values.map(abs).max() ?? 0) * 1e-6
        var ranks = [Double](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, values[order[end]] - values[order[start]] <= alike { end += 1 }
            for place in start..<end { ranks[order[place]] = Double(start + 1 + end) / 2 }
            start = end
        }
        return ranks
    }

    private static func median(
        _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double
    ) -> Double {
        let low = max(min(a, b), min(c, d))
        let high = min(max(a, b), max(c, d))
        return max(min(low, high), min(max(low, high), e))
    }

    static func median(_ values: inout [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        values.sort()
        return values[values.count / 2]
    }
}
