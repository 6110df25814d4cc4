//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

struct GrowthAnomalyTests {
    private let start = Timestamp(seconds: 1_800_000_000)
    private let area = UsageSubject.area("/srv/cache")

    /// A sample each hour.
    private func samples(_ megabytes: [Int64]) -> [UsageSample] {
        megabytes.enumerated().map {
            UsageSample(
                time: start.advanced(by: .seconds(3_600 * $0)), bytes: .megabytes($1), items: 1)
        }
    }

    private func find(
        _ megabytes: [Int64], newItems: [GrowthAnomaly.Item] = []
    ) -> GrowthAnomaly? {
        let samples = samples(megabytes)
        return GrowthAnomaly.find(
            area, samples: samples, newItems: newItems, now: samples.last?.time ?? start)
    }

    /// Ten megabytes an hour, for two weeks.
    private let steady = (0..<14 * 24).map { Int64($0) * 10 }

    @Test(.tags(.r41b)) func saysNothingOfSteadyGrowth() {
        #expect(find(steady) == nil)
        #expect(find(steady.map { $0 * 100 }) == nil)
        #expect(find(steady.map { 99_999 - $0 }) == nil)
        #expect(find(Array(repeating: 5, count: 400)) == nil)
    }

    @Test(.tags(.r41b)) func noticesAJumpWithinAnHour() throws {
        let anomaly = try #require(find(steady + [steady.count64 * 10 + 5_000]))
        #expect(anomaly.window == .seconds(3_600))
        #expect(anomaly.growth == .megabytes(5_010))
        #expect(anomaly.usual == .megabytes(10))
    }

    @Test func noticesADayOfMuch() throws {
        let end = steady.count64 * 10
        // Each hour so little that none is worth a word.
        let day = (0..<24).map { end + Int64($0) * 100 }
        let anomaly = try #require(find(steady + day))
        #expect(anomaly.window == .seconds(86_400))
        #expect(anomaly.usual == .megabytes(240))
        #expect(anomaly.growth > .megabytes(2_000))
    }

    @Test func isUsedToWhatHappensOften() {
        // Every night 20 GB come, and go the next noon.
        let days = (0..<28).flatMap { _ in
            (0..<24).map { hour -> Int64 in hour < 12 ? 20_000 : 100 }
        }
        #expect(find(days + [20_000]) == nil)
        #expect(find(days + [90_000]) != nil)
        // Every week.
        let weeks = (0..<4).flatMap { _ in
            (0..<7 * 24).map { hour -> Int64 in (50..<60).contains(hour) ? 20_000 : 100 }
        }
        #expect(find(weeks + weeks.prefix(51)) == nil)
    }

    @Test func isNotUsedToWhatHappenedOnce() {
        var past = Array(repeating: Int64(100), count: 28 * 24)
        past[300] = 20_000
        #expect(find(past + [20_000]) != nil)
    }

    @Test func knowsNothingOfWhatIsNew() {
        #expect(find([]) == nil)
        #expect(find([90_000]) == nil)
        #expect(find([0, 90_000]) == nil)
        #expect(find(Array(repeating: 0, count: 40) + [90_000]) == nil)
    }

    @Test func saysNothingOfLittle() {
        #expect(find(Array(repeating: 0, count: 400) + [499]) == nil)
        #expect(find(Array(repeating: 0, count: 400) + [501]) != nil)
    }

    @Test func saysNothingOfWhatIsLongPast() {
        let samples = samples(steady + [99_999])
        let later = start.advanced(by: .seconds(60 * 86_400))
        #expect(GrowthAnomaly.find(area, samples: samples, now: later) == nil)
    }

    @Test func namesTheLargestNewItems() throws {
        let items = (1...9).map {
            GrowthAnomaly.Item(path: FilePath("/srv/cache/\($0)"), bytes: .megabytes(Int64($0)))
        }
        let anomaly = try #require(
            find(Array(repeating: 0, count: 400) + [5_000], newItems: items.shuffled()))
        #expect(anomaly.largest == Array(items.reversed().prefix(5)))
        let notice = anomaly.notice(at: start, volume: "/srv")
        #expect(notice.kind == .anomaly)
        #expect(notice.subject == "/srv/cache")
        #expect(notice.text.contains("/srv/cache grew by 5.00 GB in an hour"))
        #expect(notice.text.contains("/srv/cache/9 (9.00 MB), /srv/cache/8"))
        #expect(notice.figures["growthBytes"] == 5_000_000_000)
    }

    @Test func namesOnlyWhatIsOfThatTime() throws {
        let samples = samples(Array(repeating: 0, count: 400) + [5_000])
        let now = try #require(samples.last?.time)
        let items = [-90, -30].map { minutes in
            GrowthAnomaly.Item(
                path: FilePath("/srv/cache/\(minutes)"), bytes: .megabytes(9),
                written: now.advanced(by: .seconds(60 * minutes)))
        }
        let anomaly = try #require(
            GrowthAnomaly.find(area, samples: samples, newItems: items, now: now))
        #expect(anomaly.largest.map(\.path) == ["/srv/cache/-30"])
    }

    @Test func saysNothingOfAnHourInWhichNobodyLooked() throws {
        // Once a day, and each day 100 MB more.
        let days = (0..<20).map { day in
            UsageSample(
                time: start.advanced(by: .seconds(86_400 * day)),
                bytes: .megabytes(100 * Int64(day)))
        }
        let last = UsageSample(
            time: start.advanced(by: .seconds(86_400 * 20 + 5)), bytes: .gigabytes(9))
        let anomaly = try #require(
            GrowthAnomaly.find(area, samples: days + [last], now: last.time))
        #expect(anomaly.window == .seconds(86_400))
        #expect(anomaly.usual == .megabytes(100))
        let late = UsageSample(
            time: start.advanced(by: .seconds(86_400 * 23)), bytes: .gigabytes(9))
        #expect(GrowthAnomaly.find(area, samples: days + [late], now: late.time) == nil)
    }

    /// Random walks: an anomaly always says what the rule says.
    @Test(arguments: 0..<200)
    func keepsItsRule(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var usage: Int64 = 1_000
        let walk = (0..<Int.random(in: 1...900, using: &generator)).map { _ in
            let step = Int64.random(in: -50...60, using: &generator)
            let leap = Int.random(in: 0..<200, using: &generator) == 0 ? Int64(9_000) : 0
            usage = max(0, usage + step + leap)
            return usage
        }
        guard let anomaly = find(walk) else { return }
        #expect(anomaly.growth >= GrowthRule.standard.least)
        #expect(Double(anomaly.growth.bytes) > 3 * Double(anomaly.usual.bytes))
        #expect(anomaly.usage == .megabytes(walk.last ?? 0))
    }
}

extension [Int64] {
    fileprivate var count64: Int64 { Int64(count) }
}
