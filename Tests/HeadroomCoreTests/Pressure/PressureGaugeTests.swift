//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R23: pressure")
struct PressureGaugeTests {
    private typealias Reading = PressureModel.Reading

    private func reading(_ seconds: Double, _ available: Int64, of total: Int64 = 1000)
        -> PressureReading
    {
        PressureReading(
            time: .seconds(seconds),
            answer: .figures(.init(available: ByteCount(available), total: ByteCount(total))))
    }

    /// All sequences of six readings: ten answers, on both sides of each bound, after each of three
    /// pauses.
    @Test(.tags(.r23b)) func everySequenceOfReadingsIsAsTheModelSays() {
        let answers: [Int?] = [49, 50, 63, 99, 124, 125, nil]
        var count = 0
        func extend(_ readings: [Reading], _ gauge: PressureGauge, depth: Int) {
            for answer in answers {
                for pause in [30, 60, 200] {
                    var next = readings
                    next.append(
                        Reading(time: (readings.last?.time ?? 0) + pause, available: answer))
                    var gauge = gauge
                    let before = gauge.level
                    let change = gauge.take(PressureReading(next[next.count - 1]))
                    count += 1
                    guard check(gauge, change, before, next) else { return }
                    if depth > 1 { extend(next, gauge, depth: depth - 1) }
                }
            }
        }
        extend([], PressureGauge(settings: PressureModel.settings), depth: 4)
        #expect(count == 21 + 441 + 9_261 + 194_481)
    }

    /// Long ones, drawn at random, with read-only times and sleep.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func longSequencesAreAsTheModelSays(seed: UInt64) {
        var draw = SeededGenerator(seed: seed)
        var readings: [Reading] = []
        var gauge = PressureGauge(settings: PressureModel.settings)
        var available = 200
        for _ in 0..<150 {
            available = min(300, max(0, available + Int.random(in: -25...25, using: &draw)))
            let pause = [1, 2, 10, 30, 60, 61, 119, 86_400].randomElement(using: &draw) ?? 1
            let time = (readings.last?.time ?? 0) + pause
            switch Int.random(in: 0..<40, using: &draw) {
            case 0: readings.append(Reading(time: time, available: nil, isReadOnly: true))
            case 1...3: readings.append(Reading(time: time, available: nil))
            default: readings.append(Reading(time: time, available: available))
            }
            let before = gauge.level
            let change = gauge.take(PressureReading(readings[readings.count - 1]))
            guard check(gauge, change, before, readings) else { return }
        }
    }

    private func check(
        _ gauge: PressureGauge, _ change: PressureGauge.Change?, _ before: PressureLevel?,
        _ readings: [Reading]
    ) -> Bool {
        let level = PressureModel.level(after: readings)
        let isRight =
            gauge.level == level && (before == level || change?.level == level)
            && (change == nil || change?.previousLevel == before)
        let seconds = gauge.interval.inSeconds
        let longest = PressureModel.longestPause(after: readings)
        let isTimely = abs(seconds - longest) < 1e-6
        if !isRight || !isTimely {
            Issue.record(
                "\(readings): level \(gauge.level as Any), should be \(level as Any); next in \(seconds) s, should be \(longest)"
            )
        }
        return isRight && isTimely
    }

    /// A volume that swings about a threshold changes its level once.
    @Test(.tags(.r23b)) func doesNotFlap() {
        var gauge = PressureGauge(settings: .ofSmallNumbers)
        var changes = 0
        for number in 0..<10_000 {
            // Over a threshold, and over 1.25 times of it, but never for five minutes.
            let available: Int64 = number % 20 == 0 ? 99 : number % 2 == 0 ? 110 : 130
            if gauge.take(reading(Double(number) * 10, available)) != nil { changes += 1 }
        }
        #expect(changes == 1)
        #expect(gauge.level == .warning)
    }

    @Test func risesAtOnceAndFallsAfterFiveMinutes() {
        var gauge = PressureGauge(settings: .ofSmallNumbers)
        #expect(gauge.take(reading(0, 500))?.level == .normal)
        #expect(gauge.take(reading(1, 10))?.level == .critical)
        for second in 2...301 { #expect(gauge.take(reading(Double(second), 500)) == nil) }
        let change = gauge.take(reading(302, 500))
        #expect(change?.previousLevel == .critical)
        #expect(change?.level == .normal)
    }

    @Test func leavesCriticalForWarningWhileThatHolds() {
        var gauge = PressureGauge(settings: .ofSmallNumbers)
        _ = gauge.take(reading(0, 10))
        for second in stride(from: 10, through: 310, by: 10) {
            _ = gauge.take(reading(Double(second), 110))
        }
        #expect(gauge.level == .warning)
        for second in stride(from: 320, through: 10_000, by: 10) {
            _ = gauge.take(reading(Double(second), 110))
        }
        #expect(gauge.level == .warning)
    }

    /// Between two readings on both sides of a sleep anything may have been.
    @Test func sleepCountsForAMinuteAtMost() {
        var gauge = PressureGauge(settings: .ofSmallNumbers)
        _ = gauge.take(reading(0, 10))
        _ = gauge.take(reading(10, 500))
        _ = gauge.take(reading(100_000, 500))
        #expect(gauge.level == .critical)
        for hour in 1...4 { _ = gauge.take(reading(Double(100_000 + hour * 3600), 500)) }
        #expect(gauge.level == .normal)
    }

    @Test func aClockThatGoesBackIsTakenForOneThatStands() {
        var gauge = PressureGauge(settings: .ofSmallNumbers)
        _ = gauge.take(reading(1000, 10))
        _ = gauge.take(reading(1010, 500))
        for second in stride(from: 900, through: 0, by: -1) {
            _ = gauge.take(reading(Double(second), 500))
            #expect(gauge.level == .critical)
            #expect(gauge.due > .seconds(1010))
        }
        for second in stride(from: 1020, through: 1320, by: 10) {
            _ = gauge.take(reading(Double(second), 500))
        }
        #expect(gauge.level == .normal)
    }

    @Test(.tags(.r23b)) func inodesMakeLevelsAsBytesDo() {
        func inodes(_ time: Double, _ available: UInt64) -> PressureReading {
            PressureReading(
                time: .seconds(time),
                answer: .figures(
                    .init(
                        available: ByteCount(900), total: ByteCount(1000),
                        availableInodes: available, inodes: 1000)))
        }
        var gauge = PressureGauge(settings: .ofSmallNumbers)
        _ = gauge.take(inodes(0, 500))
        #expect(gauge.interval == .seconds(60))
        _ = gauge.take(inodes(60, 200))
        // 300 in a minute, 100 to go: 20 s, of which half.
        #expect(gauge.interval == .seconds(10))
        #expect(gauge.take(inodes(70, 99))?.level == .warning)
        #expect(gauge.take(inodes(71, 49))?.level == .critical)
        for second in stride(from: 80, through: 380, by: 10) {
            _ = gauge.take(inodes(Double(second), 124))
        }
        #expect(gauge.level == .warning)
        for second in stride(from: 390, through: 690, by: 10) {
            _ = gauge.take(inodes(Double(second), 125))
        }
        #expect(gauge.level == .normal)
    }

    /// A small volume would be full before a minute is over.
    @Test func aSmallVolumeIsReadOftenerThoughNothingWasWritten() {
        func interval(_ total: ByteCount, _ available: ByteCount, inodes: UInt64? = nil) -> Double {
            var gauge = PressureGauge()
            let figures = PressureReading.Figures(
                available: available, total: total, availableInodes: inodes, inodes: inodes)
            _ = gauge.take(PressureReading(time: .zero, answer: .figures(figures)))
            return gauge.interval.inSeconds
        }
        // 180 MB to the warning at 10 MB/s: 18 s, of which half.
        #expect(abs(interval(.megabytes(200), .megabytes(200)) - 9) < 1e-6)
        #expect(interval(.gigabytes(200), .gigabytes(200)) == 60)
        // 18,000 inodes at 1,000 a second.
        #expect(abs(interval(.gigabytes(200), .gigabytes(200), inodes: 20_000) - 9) < 1e-6)
    }

    /// R28: what is expected makes readings more frequent, and never less.
    @Test(.tags(.r28d)) func aForecastOnlyEverShortens() {
        let amounts: [Int64] = [900, 500, 101, 90, 51, 30]
        let forecasts: [Duration?] = [
            nil, .zero, .seconds(-5), .seconds(1), .seconds(30), .seconds(100), .seconds(1 << 40),
        ]
        var without = PressureGauge(settings: .ofSmallNumbers)
        for (number, available) in (amounts + amounts.reversed()).enumerated() {
            _ = without.take(reading(Double(number) * 30, available))
            let next = PressureSettings.ofSmallNumbers.interval(
                at: without.level == .normal ? .warning : .critical)
            for forecast in forecasts {
                var gauge = without
                gauge.expect(forecast)
                #expect(gauge.level == without.level)
                #expect(gauge.interval <= without.interval)
                #expect(gauge.interval >= min(without.interval, next))
            }
        }
    }

    @Test func whatIsExpectedIsReadTwiceBefore() {
        var gauge = PressureGauge(settings: .ofSmallNumbers)
        // Nothing is due later than at once before the first reading.
        gauge.expect(.seconds(1_000))
        #expect(gauge.due == .zero)
        _ = gauge.take(reading(0, 500))
        #expect(gauge.interval == .seconds(60))
        gauge.expect(.seconds(80))
        #expect(gauge.interval == .seconds(40))
        // It is that time still at the next reading: 40 s are left. No oftener than at warning, though.
        _ = gauge.take(reading(40, 500))
        #expect(gauge.interval == .seconds(20))
        _ = gauge.take(reading(70, 500))
        #expect(gauge.interval == .seconds(10))
        gauge.expect(nil)
        #expect(gauge.interval == .seconds(60))
        // With the level what was expected has come.
        gauge.expect(.seconds(6))
        _ = gauge.take(reading(1_000, 99))
        #expect(gauge.level == .warning)
        #expect(gauge.interval == .seconds(10))
        gauge.expect(.seconds(6))
        #expect(gauge.interval == .seconds(3))
    }

    @Test func whatDoesNotAnswerKeepsItsLevelAndIsShownSo() {
        var gauge = PressureGauge(settings: .ofSmallNumbers)
        _ = gauge.take(reading(0, 10))
        let change = gauge.take(PressureReading(time: .seconds(2), answer: .silent))
        #expect(change?.state == .silent)
        #expect(gauge.level == .critical)
        #expect(gauge.take(PressureReading(time: .seconds(4), answer: .silent)) == nil)
        #expect(
            gauge.take(PressureReading(time: .seconds(6), answer: .failed(.ioError)))?.state
                == .failing(.ioError))
        #expect(gauge.take(reading(8, 500))?.state == .answering)
        #expect(gauge.level == .critical)
    }

    @Test(.tags(.r23c)) func readOnlyAndPseudoFileSystemsHaveNoLevel() {
        var gauge = PressureGauge(settings: .ofSmallNumbers)
        _ = gauge.take(reading(0, 10))
        let change = gauge.take(
            PressureReading(time: .seconds(2), answer: .withoutLevel(.readOnly)))
        #expect(change?.previousLevel == .critical)
        #expect(change?.level == nil)
        #expect(gauge.interval == .seconds(60))
        // Writable again, it begins anew: nothing of before keeps it critical.
        #expect(gauge.take(reading(62, 500))?.level == .normal)
        #expect(gauge.take(reading(63, 0, of: 0))?.state == .exempt(.pseudo))
    }

    @Test(.tags(.r23f)) func everythingIsConfigured() {
        var settings = PressureSettings.ofSmallNumbers
        settings.thresholds.warning = .init(share: 0.5, limit: nil)
        settings.thresholds.leavingFactor = 1.5
        settings.dwell = .seconds(10)
        settings.warningInterval = .seconds(5)
        var gauge = PressureGauge(settings: settings)
        #expect(gauge.take(reading(0, 499))?.level == .warning)
        #expect(gauge.interval == .seconds(5))
        _ = gauge.take(reading(5, 749))
        #expect(gauge.take(reading(100, 749)) == nil)
        _ = gauge.take(reading(105, 750))
        #expect(gauge.take(reading(115, 750))?.level == .normal)
    }

    /// What is configured may be nonsense: no reading traps, and none is due at once.
    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 0, 1e300])
    func nonsenseNeitherTrapsNorSpins(value: Double) {
        var settings = PressureSettings()
        settings.thresholds.warning = .init(share: value, limit: ByteCount(.min))
        settings.thresholds.critical = .init(share: value, limit: nil)
        settings.thresholds.inodeWarning = value
        settings.thresholds.leavingFactor = value
        settings.shortestInterval = .seconds(-5)
        settings.normalInterval = .zero
        settings.warningInterval = .seconds(-1)
        settings.criticalInterval = .seconds(Int64.min)
        settings.rateWindow = .seconds(Int64.min / 4)
        settings.possibleRate = ByteCount(.min)
        var gauge = PressureGauge(settings: settings)
        for (time, available) in [(0, Int64.max), (1, .min), (2, 0), (3, .max)] as [(Double, Int64)]
        {
            _ = gauge.take(
                PressureReading(
                    time: .seconds(time),
                    answer: .figures(
                        .init(
                            available: ByteCount(available), total: ByteCount(.max),
                            availableInodes: .max, inodes: .max))))
            #expect(gauge.interval >= .milliseconds(10))
        }
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
