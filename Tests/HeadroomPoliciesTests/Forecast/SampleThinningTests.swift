//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Testing

@Suite("R28: what is kept of a history")
struct SampleThinningTests {
    private func sample(_ seconds: Int64, _ available: Int64, inodes: UInt64? = nil)
        -> ForecastSample
    {
        ForecastSample(
            time: Timestamp(seconds: seconds), available: ByteCount(available),
            total: ByteCount(1000), availableInodes: inodes, inodes: inodes == nil ? nil : 1000)
    }

    private func random(
        _ count: Int, from start: Int64, every step: Int64, _ draw: inout SeededGenerator
    ) -> [ForecastSample] {
        (0..<count).map { index in
            sample(
                start + Int64(index) * step + Int64.random(in: 0..<step, using: &draw),
                Int64.random(in: 0..<1000, using: &draw),
                inodes: UInt64.random(in: 0..<1000, using: &draw))
        }
    }

    /// So that a history may be thinned as often as one likes.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func thinningTwiceIsThinningOnce(seed: UInt64) {
        var draw = SeededGenerator(seed: seed)
        let step = [61, 607, 4_000, 30_000][Int(seed % 4)] as Int64
        let all = random(3_000, from: 1_700_000_123, every: step, &draw)
        let cut = Int.random(in: 1..<all.count, using: &draw)
        let first = SampleThinning.thinned(Array(all[..<cut]), now: all[cut - 1].time)
        let now = all[all.count - 1].time
        #expect(
            SampleThinning.thinned(first + all[cut...], now: now)
                == SampleThinning.thinned(all, now: now))
    }

    @Test func keepsTheLowestOfEachSpan() {
        let day: Int64 = 86_400
        let now = 20_000 * day
        let hour = now - 3 * day
        let kept = SampleThinning.thinned(
            [
                sample(hour, 500, inodes: 9), sample(hour + 600, 300, inodes: 20),
                sample(hour + 1_800, 400, inodes: 30), sample(now - 30, 900), sample(now - 20, 800),
            ], now: Timestamp(seconds: now))
        #expect(kept.map(\.available) == [ByteCount(300), ByteCount(800)])
        #expect(kept[0].time == Timestamp(seconds: hour + 600))
        #expect(kept[0].availableInodes == 9)
    }

    @Test func tenYearsOfMinutesAreFewerThanTheLimit() {
        let end: Int64 = 1_800_000_000
        // Thinned as it grows, as a history is.
        var kept: [ForecastSample] = []
        var time = end - 11 * 365 * 86_400
        while time < end - 4 * 86_400 {
            kept.append(sample(time, 1))
            time += 3_600
            if kept.count > 20_000 {
                kept = SampleThinning.thinned(kept, now: Timestamp(seconds: time))
            }
        }
        while time < end {
            kept.append(sample(time, 1))
            time += 30
        }
        kept = SampleThinning.thinned(kept, now: Timestamp(seconds: end))
        #expect(kept.count <= SampleThinning.limit)
        #expect(kept.count > SampleThinning.limit - 50)
        #expect(SampleThinning.limit == 3_468)
        #expect(kept[0].time > Timestamp(seconds: end - 3_660 * 86_400))
    }

    @Test func orderAndTimesToComeAreNoMatter() {
        var draw = SeededGenerator(seed: 7)
        let samples = random(500, from: 1_700_000_000, every: 100, &draw)
        let now = Timestamp(seconds: 1_700_020_000)
        let kept = SampleThinning.thinned(samples, now: now)
        #expect(SampleThinning.thinned(samples.reversed(), now: now).count == kept.count)
        #expect(kept.map(\.time) == kept.map(\.time).sorted())
        #expect(kept.last!.time > now)
    }
}
