//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

struct DurationAgeTests {
    @Test(
        arguments: [
            ("10d", 864000), ("36h", 129600), ("1w", 604800), ("90min", 5_400),
            ("0s", 0), ("2mo", 5184000), ("1y", 31536000), ("1.5d", 129600),
            ("3 Days", 259200), ("290y", 9145440000),
        ] as [(String, Int64)])
    func reads(text: String, seconds: Int64) throws {
        #expect(try Duration(parsingAge: text) == .seconds(seconds))
    }

    @Test(arguments: ["", "10", "d", "-1d", "5m", "10 parsecs", "1d12h", "1e9d"])
    func refusesNonsense(text: String) {
        let error = #expect(throws: InvalidValue.self) { try Duration(parsingAge: text) }
        #expect(error?.message.contains("36h") == true)
    }

    @Test(arguments: ["291y", "9223372036854775807d", "99999999999999999s"])
    func refusesWhatDoesNotFit(text: String) {
        #expect(throws: InvalidValue.self) { try Duration(parsingAge: text) }
    }

    @Test(
        arguments: [
            (-5, "0 s"), (59, "59 s"), (60, "1 min"), (3_600, "1 h"), (169200, "47 h"),
            (172800, "2 d"), (1123200, "13 d"), (1209600, "2 w"), (5184000, "2 mo"),
            (36720000, "14 mo"), (63072000, "2 y"),
        ] as [(Int64, String)])
    func describes(seconds: Int64, text: String) {
        #expect(Duration.seconds(seconds).ageDescription == text)
    }
}
