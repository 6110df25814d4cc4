//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// Which samples of a volume are kept, by their age: the lowest of each minute for two hours, of each ten
/// minutes for two days, of each hour for four weeks, of each six hours for a year, of each day for three
/// years, and of each week for ten.
///
/// The lowest, since it is the lows that make a volume full; a mean would hide them. Thinning what was
/// thinned before gives the same as thinning all at once, so that a history may be thinned as it grows.
public enum SampleThinning {
    struct Step {
        /// What is older than this…
        var age: Int64
        /// …is kept once for each span of so many seconds, counted from 1970.
        var span: Int64
    }

    private static let day: Int64 = 86_400

    /// Each span is a multiple of the one before it.
    static let steps = [
        Step(age: 0, span: 60), Step(age: 7_200, span: 600), Step(age: 2 * day, span: 3_600),
        Step(age: 28 * day, span: 21_600), Step(age: 364 * day, span: day),
        Step(age: 3 * 364 * day, span: 7 * day),
    ]
    private static let end = 3_640 * day

    /// The most samples that a volume keeps: 3,468, of ten years.
    public static let limit: Int = {
        let ages = steps.map(\.age) + [end]
        // A span that is not over yet, at each end.
        return steps.indices.reduce(0) { sum, step in
            sum + Int((ages[step + 1] - ages[step]) / steps[step].span) + 2
        }
    }()

    /// The samples that are kept, by time.
    ///
    /// - Parameter now: what is older than ten years goes; what is later than this is kept as it is.
    /// - Complexity: O(samples), and their sorting if they are not by time.
    public static func thinned(_ samples: [ForecastSample], now: Timestamp) -> [ForecastSample] {
        let samples =
            zip(samples, samples.dropFirst()).allSatisfy { $0.time <= $1.time }
            ? samples : samples.sorted { $0.time < $1.time }
        var kept: [ForecastSample] = []
        var last: (span: Int64, start: Int64)?
        for sample in samples {
            guard let place = place(of: sample.time.seconds, now: now.seconds) else { continue }
            if let last, last == place, let index = kept.indices.last {
                kept[index].merge(sample)
            } else {
                kept.append(sample)
                last = place
            }
        }
        return kept
    }

    /// The span that a time belongs to; nil: it is too old.
    private static func place(of time: Int64, now: Int64) -> (span: Int64, start: Int64)? {
        func start(_ span: Int64) -> Int64 { time - (time % span + span) % span }
        func isOver(_ step: Step) -> Bool {
            // The whole span is as old as that, else it would be parted as it ages.
            start(step.span) + step.span <= now - step.age
        }
        guard let last = steps.last, start(last.span) >= now - end else { return nil }
        let step = steps.last { isOver($0) } ?? steps[0]
        return (step.span, start(step.span))
    }
}

extension ForecastSample {
    /// Takes in a later one of the same span: the lower bytes with their time, and the lower inodes.
    fileprivate mutating func merge(_ other: ForecastSample) {
        let inodes =
            switch (availableInodes, other.availableInodes) {
            case (let mine?, let others?) where others < mine: (others, other.inodes)
            case (nil, let others?): (others, other.inodes)
            default: (availableInodes, self.inodes)
            }
        if other.available < available { self = other }
        (availableInodes, self.inodes) = inodes
    }
}
