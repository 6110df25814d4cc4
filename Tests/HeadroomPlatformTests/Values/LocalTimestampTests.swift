//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

struct LocalTimestampTests {
    @Test(arguments: ["2026-11-20", "2026-11-20 00:00", "2026-11-20T00:00:00"])
    func readsDaysAndTimes(_ text: String) throws {
        let time = try #require(Timestamp(local: text))
        #expect(time.localDescription == "2026-11-20 00:00")
    }

    @Test func readsMinutes() throws {
        let day = try #require(Timestamp(local: "2026-11-20"))
        let time = try #require(Timestamp(local: "2026-11-20 09:30"))
        #expect(time.duration(since: day) == .seconds(9 * 3_600 + 30 * 60))
    }

    @Test(
        arguments: [
            "", "2d", "2026-11", "2026-13-01", "2026-02-30", "2026-11-20 25:00", "2026/11/20",
            "20-11-2026", "2026-11-20 09:30:00Z", "２０２６-11-20",
        ])
    func refusesWhatIsNoTime(_ text: String) { #expect(Timestamp(local: text) == nil) }
}
