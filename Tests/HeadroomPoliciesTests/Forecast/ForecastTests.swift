//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Testing

@Suite("R28: forecast")
struct ForecastTests {
    private static let start: Int64 = 1_700_000_000
    private static let day = 86_400.0

    /// Hourly samples of a volume of 1 TB, in gigabytes, of the hours since the start.
    private func samples(
        days: Double, every hours: Double = 1, total: Double = 1000,
        _ available: (Double) -> Double
    ) -> [ForecastSample] {
        stride(from: 0, through: days * 24, by: hours).map { hour in
            ForecastSample(
                time: Timestamp(seconds: Self.start + Int64(hour * 3600)),
                available: ByteCount(Int64(available(hour) * 1e9)),
                total: ByteCount(Int64(total * 1e9)))
        }
    }

    private func forecast(_ samples: [ForecastSample], later: Duration = .zero) -> Forecast {
        let now = samples.map(\.time).max() ?? Timestamp(seconds: Self.start)
        return Forecast.ofBytes(samples, now: now.advanced(by: later), thresholds: thresholds)
    }

    /// 100 and 50 GB.
    private var thresholds: PressureThresholds {
        var thresholds = PressureThresholds()
        thresholds.warning.limit = nil
        thresholds.critical.limit = nil
        return thresholds
    }

    private func days(_ duration: Duration) -> Double {
        Double(duration.components.seconds) / Self.day
    }

    private func likely(_ outlook: Forecast.Outlook) -> Double? {
        guard case .expected(let expectation) = outlook else { return nil }
        return days(expectation.likely)
    }

    @Test(.tags(.r28a)) func aSteadyVolumeFillsWhenTheLineSays() throws {
        let forecast = forecast(samples(days: 20) { 400 - $0 / 24 * 10 })
        // 200 left: 100 to warning, 150 to critical, 200 to full.
        for (outlook, truth) in [
            (forecast.warning, 10.0), (forecast.critical, 15), (forecast.full, 20),
        ] {
            guard case .expected(let time) = outlook else {
                Issue.record("\(outlook)")
                continue
            }
            #expect(abs(days(time.likely) - truth) < truth * 0.1)
            #expect(days(time.earliest) < truth)
            #expect(try days(#require(time.latest)) > truth)
        }
        #expect(forecast.warning.isLikely(within: .seconds(12 * 86_400)))
        #expect(!forecast.warning.isPossible(within: .seconds(2 * 86_400)))
    }

    @Test(.tags(.r28b)) func tooFewSamplesAreUnknown() {
        #expect(forecast([]).warning == .unknown)
        #expect(forecast(samples(days: 0.25) { 400 - $0 }).warning == .unknown)
        #expect(forecast(samples(days: 1.0 / 240, every: 0.01) { 400 - $0 }).warning == .unknown)
        #expect(forecast(samples(days: 0.5) { 400 - $0 }).warning != .unknown)
        #expect(!forecast([]).warning.isPossible(within: .seconds(1_000_000)))
    }

    /// A volume that is filled in minutes has a forecast too.
    @Test func tellsMinutesFromMinutes() throws {
        let all = samples(days: 20.0 / 1440, every: 1.0 / 60) { 400 - $0 * 60 * 10 }
        let minutes = try #require(likely(forecast(all).warning)) * 1440
        #expect(abs(minutes - 10) < 1)
    }

    @Test func whatIsBelowIsReached() {
        let forecast = forecast(samples(days: 10) { 300 - $0 })
        #expect(forecast.warning == .reached)
        #expect(forecast.critical != .reached)
        #expect(forecast.warning.isLikely(within: .zero))
    }

    @Test func notFillingIsAnAnswer() {
        for rate in [0.0, 0.5] {
            let outlook = forecast(samples(days: 30) { 200 + $0 * rate }).warning
            #expect(outlook == .notExpected(within: .seconds(120 * 86_400), earliest: nil))
        }
        // Nothing is told about times that are further off than four times what is known.
        let slow = forecast(samples(days: 10) { 400 - $0 / 24 }).warning
        #expect(likely(slow) == nil)
    }

    @Test func aCleanUpDoesNotRuinTheTrend() throws {
        let all = samples(days: 40) { ($0 < 700 ? 600 : 900) - $0 / 24 * 15 }
        let time = try #require(likely(forecast(all).warning))
        #expect(abs(time - 200.0 / 15) < 2)
    }

    /// It may come again, or not: 40 days without, half of that if it comes as often as it did.
    @Test(.tags(.r28b)) func oneLargeFileMakesTheRangeWide() throws {
        let all = samples(days: 40) { ($0 < 700 ? 700 : 500) - $0 / 24 * 5 }
        guard case .expected(let time) = forecast(all).warning else {
            Issue.record("not expected")
            return
        }
        #expect(days(time.earliest) < 20)
        #expect(try days(#require(time.latest)) > 40)
        #expect(days(time.likely) > 12)
    }

    /// From Friday evening on nothing is written until Monday.
    @Test func knowsTheWeek() throws {
        func written(_ hour: Double) -> Double {
            let week = (hour / 168).rounded(.down)
            return week * 50 + min(50, hour.truncatingRemainder(dividingBy: 168) / 120 * 50)
        }
        // 8 weeks and 5 days: 15 more are written by the evening of the second day of the week.
        let all = samples(days: 61) { 565 - written($0) }
        let time = try #require(likely(forecast(all).warning))
        #expect(abs(time - 3.5) < 0.6)
    }

    @Test func aChangeOfRateCountsAndWhatWasBeforeDoesNot() throws {
        let all = samples(days: 60) { 800 - $0 / 24 - max(0, $0 - 960) / 24 * 19 }
        // 800 − 60 − 380 = 360, and 20 a day since 20 days.
        let time = try #require(likely(forecast(all).warning))
        #expect(abs(time - 13) < 1.5)
    }

    @Test func resizingTheVolumeIsNoTrend() throws {
        var all = samples(days: 30) { 300 - $0 / 24 * 5 }
        for index in all.indices where index >= 360 {
            all[index].total = ByteCount(1_100_000_000_000)
            all[index].available += .gigabytes(100)
        }
        // 250 left, 110 is the threshold now.
        let time = try #require(likely(forecast(all).warning))
        #expect(abs(time - 28) < 3)
    }

    @Test func theSameSamplesGiveTheSameInAnyOrder() {
        let trace = VolumeTrace(.mixed, seed: 3, stepsPerDay: 24)
        let samples = trace.samples
        let now = samples[samples.count - 1].time
        func make(_ samples: [ForecastSample]) -> Forecast {
            Forecast.ofBytes(samples, now: now, thresholds: trace.thresholds)
        }
        #expect(make(samples) == make(samples))
        #expect(make(samples) == make(samples.reversed()))
        // What a clock that was wrong has left behind.
        var wrong = samples
        wrong.append(
            ForecastSample(
                time: now.advanced(by: .seconds(86_400 * 365)), available: .zero,
                total: samples[0].total))
        #expect(make(samples) == make(wrong))
    }

    /// While nobody reads, time goes on.
    @Test(.tags(.r28a)) func countsFromNowAndNotFromTheLastSample() throws {
        let all = samples(days: 20) { 400 - $0 / 24 * 10 }
        let first = try #require(likely(forecast(all).warning))
        let later = try #require(likely(forecast(all, later: .seconds(3 * 86_400)).warning))
        #expect(abs(first - later - 3) < 0.01)
        guard case .expected(let time) = forecast(all, later: .seconds(50 * 86_400)).warning else {
            Issue.record("not expected")
            return
        }
        // Never shown as no time at all.
        #expect(time.earliest == .seconds(1))
        #expect(time.likely == .seconds(1))
    }

    @Test func inodesHaveAForecastOfTheirOwn() throws {
        var all = samples(days: 20) { _ in 500 }
        #expect(Forecast.ofInodes(all, now: all[all.count - 1].time) == nil)
        for index in all.indices {
            all[index].inodes = 1_000_000
            all[index].availableInodes = 400_000 - UInt64(index) * 10_000 / 24
        }
        let forecast = try #require(Forecast.ofInodes(all, now: all[all.count - 1].time))
        #expect(abs(try #require(likely(forecast.warning)) - 10) < 1)
        #expect(likely(self.forecast(all).warning) == nil)
    }

    /// Samples come from a file that anything may have happened to.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func nonsenseDoesNotTrap(seed: UInt64) {
        var draw = SeededGenerator(seed: seed)
        let odd: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 40, .max - 1, .max]
        func any() -> Int64 { odd.randomElement(using: &draw) ?? 0 }
        for _ in 0..<50 {
            let all = (0..<20).map { _ in
                ForecastSample(
                    time: Timestamp(nanoseconds: any()), available: ByteCount(any()),
                    total: ByteCount(any()), availableInodes: UInt64(bitPattern: any()),
                    inodes: UInt64(bitPattern: any()))
            }
            var thresholds = PressureThresholds()
            thresholds.inodeWarning = [.nan, .infinity, -1, 2].randomElement(using: &draw) ?? 0
            let now = Timestamp(nanoseconds: any())
            _ = Forecast.ofBytes(all, now: now, thresholds: thresholds)
            _ = Forecast.ofInodes(all, now: now, thresholds: thresholds)
            _ = SampleThinning.thinned(all, now: now)
        }
    }
}
