//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

struct PercentageTests {
    @Test(arguments: [("10%", 0.1), ("0 %", 0), ("100%", 1), ("2.5%", 0.025)])
    func reads(text: String, fraction: Double) throws {
        #expect(try Percentage(parsing: text).fraction == fraction)
    }

    @Test(arguments: ["10", "%", "101%", "100.000001%", "-1%", "10 percent", "1e1%"])
    func refuses(text: String) {
        #expect(throws: InvalidValue.self) { try Percentage(parsing: text) }
    }

    @Test func shareIsExactAndRoundedUp() throws {
        let tenth = try Percentage(parsing: "10%")
        #expect(tenth.of(ByteCount(1_000)) == ByteCount(100))
        #expect(tenth.of(ByteCount(1_001)) == ByteCount(101))
        #expect(try Percentage(parsing: "100%").of(ByteCount(.max)) == ByteCount(.max))
    }

    @Test func basisPointsAreRoundedUp() throws {
        #expect(try Percentage(parsing: "10%").basisPoints == 1_000)
        #expect(try Percentage(parsing: "2.501%").basisPoints == 251)
        #expect(try Percentage(parsing: "100%").basisPoints == 10_000)
    }

    @Test func describes() throws {
        #expect(try Percentage(parsing: "2.50%").description == "2.5 %")
        #expect(try Percentage(parsing: "10%").description == "10 %")
    }
}
