//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomDaemonCommands
import HeadroomEngine
import HeadroomPlatform
import Testing

struct SparklineTests {
    private func samples(_ available: [Int64]) -> [ForecastSample] {
        available.enumerated().map {
            ForecastSample(
                time: Timestamp(seconds: Int64($0) * 60), available: ByteCount($1),
                total: ByteCount(80))
        }
    }

    @Test func drawsHowFullItWas() {
        let past = samples([80, 70, 60, 50, 40, 30, 20, 10])
        #expect(Sparkline.text(past, width: 8, usesBlocks: true) == "▁▂▃▄▅▆▇█")
        #expect(Sparkline.text(past, width: 8, usesBlocks: false) == "_.-:=+*#")
    }

    @Test func showsTheFullestMomentOfEachPart() {
        let past = samples([80, 80, 0, 80, 80, 80])
        #expect(Sparkline.text(past, width: 2, usesBlocks: true) == "█▁")
        #expect(Sparkline.points(past, width: 2).map(\.available.bytes) == [0, 80])
    }

    @Test func leavesGapsWhereNothingIsKnown() {
        var past = samples([80, 80])
        past[1].time = Timestamp(seconds: 6_000)
        #expect(Sparkline.text(past, width: 5, usesBlocks: true) == "▁   ▁")
        #expect(Sparkline.text(samples([80]), usesBlocks: true).isEmpty)
    }
}
