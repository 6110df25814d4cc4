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
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
            (1_795_265_090, "2026-11-21T12:44:50.000Z"),
        ] as [(Int64, String)])
    func matchesTheCalendar(seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).iso8601 == text)
    }
}
