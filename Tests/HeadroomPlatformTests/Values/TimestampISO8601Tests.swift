//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

struct TimestampISO8601Tests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (1_795_265_090, "2026-11-21T12:44:50Z"),
            (4_102_444_799, "2099-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func matchesTheCalendar(seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).iso8601 == text)
    }

    @Test(
        "Fractions of a second are cut off",
        arguments: [(-1, 59), (999_999_999, 0)] as [(Int64, Int)])
    func cutsFractionsOff(nanoseconds: Int64, second: Int) {
        #expect(
            Timestamp(nanoseconds: nanoseconds).iso8601.hasSuffix(":\(second == 0 ? "00" : "59")Z"))
    }
}
