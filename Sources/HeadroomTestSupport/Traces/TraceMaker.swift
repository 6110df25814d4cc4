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

/// Random numbers of several kinds.
struct TraceDraw {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }
    mutating func normal() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
    }
    /// Mean 1.
    mutating func exponential() -> Double { -log(1 - unit()) }
}

/// Makes a trace, step by step.
struct TraceMaker {
    private let kind: VolumeTrace.Kind
    private let threshold: Double
    private var level = 0.0
    private var levels: [Double] = []
    /// Temporary files: when each goes, and how large it is.
    private var temporaries: [(end: Int, size: Double)] = []
    private let startHour: Double
    /// In a day.
    private let steps: Double
    private let changeStep: Int
    private let change: Double
    private let share: Double
    private let scale: Double
    private let noise: Double
    private var written = 0.0

    init(
        _ kind: VolumeTrace.Kind, _ draw: inout TraceDraw, way: Double, threshold: Double,
        history: Double, stepsPerDay: Int
    ) {
        steps = Double(stepsPerDay)
        self.kind = kind
        self.threshold = threshold
        startHour = (draw.unit() * 168).rounded()
        changeStep = Int(draw.between(0.2, 0.8) * history * steps)
        change = exp(draw.between(log(0.3), log(3)))
        share = draw.between(0, 0.6)
        scale = exp(draw.between(log(0.5), log(2)))
        noise = max(0.3, way * draw.between(0.02, 0.1))
        if kind == .purges { level = threshold + way }
    }

    /// Without what comes and goes.
    func levelAt(_ step: Int) -> Double { levels[step] }

    mutating func next(_ step: Int, _ draw: inout TraceDraw) -> Double {
        let rate = rate(step)
        var amount = rate * max(0, 1 + 0.5 * draw.normal()) / steps
        amount += extra(step, &draw)
        level -= amount
        written += amount
        level += cleanUp(step, &draw)
        levels.append(level)
        return level - temporary(step, &draw)
    }

    private func hours(_ step: Int) -> Double {
        (startHour + Double(step) * 24 / steps).truncatingRemainder(dividingBy: 168)
    }

    /// Mean 1 over a week.
    private func workRhythm(_ step: Int) -> Double {
        let hours = hours(step)
        let hour = hours.truncatingRemainder(dividingBy: 24)
        let isWork = hours < 120 && hour >= 9 && hour < 18
        // 45 of 168 hours make 90 per cent.
        return isWork ? 0.9 * 168 / 45 : 0.1 * 168 / 123
    }

    private func rate(_ step: Int) -> Double {
        switch kind {
        case .steady, .cleanUps, .noise, .weeklyCleanUps, .purges: 1
        case .weekly: workRhythm(step)
        case .steps: 0.6
        case .rateChange: step < changeStep ? change : 1
        case .bursts: 0.1
        case .shrinking: -0.5
        case .idle: 0
        case .mixed: 0.5 * workRhythm(step)
        }
    }

    private func extra(_ step: Int, _ draw: inout TraceDraw) -> Double {
        func event(every days: Double) -> Bool { draw.unit() < 1 / days / steps }
        switch kind {
        case .steps: return event(every: 15 * scale) ? 6 * scale * draw.exponential() : 0
        case .bursts:
            // Pareto: the mean is 0.9 a day.
            return event(every: 1) ? 0.9 * 0.8 / 1.8 * pow(1 - draw.unit(), -1 / 1.8) : 0
        case .mixed:
            return (event(every: 3) ? 0.9 * draw.exponential() : 0)
                + (event(every: 20) ? 5 * draw.exponential() : 0)
        default: return 0
        }
    }

    private mutating func cleanUp(_ step: Int, _ draw: inout TraceDraw) -> Double {
        switch kind {
        case .cleanUps, .mixed:
            guard draw.unit() < 1 / (20 * scale) / steps else { return 0 }
            return 8 * scale * draw.between(0.3, 1.5)
        case .weeklyCleanUps:
            guard step > 0, hours(step - 1) < 36, hours(step) >= 36 else { return 0 }
            defer { written = 0 }
            return written * (1 - share)
        case .purges:
            guard level < threshold - 0.3 else { return 0 }
            return threshold * draw.between(0.3, 1)
        default: return 0
        }
    }

    private mutating func temporary(_ step: Int, _ draw: inout TraceDraw) -> Double {
        guard kind == .noise || kind == .idle || kind == .mixed else { return 0 }
        if draw.unit() < 4 / steps {
            let hours = 0.5 + 6 * draw.exponential()
            let size = (kind == .mixed ? 0.3 : 1) * noise * draw.exponential()
            temporaries.append((step + Int(hours * steps / 24), size))
        }
        temporaries.removeAll { $0.end <= step }
        return temporaries.reduce(0) { $0 + $1.size }
    }
}
