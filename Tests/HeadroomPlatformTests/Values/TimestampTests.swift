//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

struct TimestampTests {
    @Test(
        arguments: [
            (0, 0), (1, 0), (-1, -1), (-1_000_000_000, -1), (-1_000_000_001, -2),
            (1_999_999_999, 1), (.max, 9_223_372_036), (.min, -9_223_372_037),
        ] as [(Int64, Int64)])
    func roundsSecondsDownAlsoAtTheEnds(nanoseconds: Int64, seconds: Int64) {
        #expect(Timestamp(nanoseconds: nanoseconds).seconds == seconds)
    }
}
