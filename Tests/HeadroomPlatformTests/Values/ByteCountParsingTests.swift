//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

struct ByteCountParsingTests {
    @Test(
        arguments: [
            ("0", 0), ("512", 512), ("500MB", 500_000_000), ("500 mb", 500_000_000),
            ("2GiB", 2_147_483_648), ("2gib", 2_147_483_648), ("1.5GB", 1_500_000_000),
            ("1.5KiB", 1_536),
            ("5G", 5_000_000_000), ("1Ki", 1_024), ("7 bytes", 7), ("0.0000001GB", 100),
            ("9.223372036854775807EB", Int64.max), ("9223372036854775807", Int64.max),
            ("9007199254740993B", 9_007_199_254_740_993), ("000000000000000000001MB", 1_000_000),
        ] as [(String, Int64)])
    func reads(text: String, bytes: Int64) throws {
        #expect(try ByteCount(parsing: text) == ByteCount(bytes))
    }

    @Test(arguments: [
        "", " ", "MB", "-5MB", "+5MB", "5 apples", "5MBB", "1,5GB", "1.GB", ".5GB", "1e3", "0x10",
        "5KiiB", "5%", "10d", "5 G B", "1.2.3GB", "0.1234567890123456789GB", "∞", "٣MB",
    ])
    func refusesNonsense(text: String) {
        let error = #expect(throws: InvalidValue.self) { try ByteCount(parsing: text) }
        #expect(error?.message.contains("500MB") == true)
    }

    @Test(arguments: ["9.3EB", "9223372036854775808", "8EiB", "99999999999999999999", "16384PiB"])
    func refusesWhatDoesNotFit(text: String) {
        #expect(throws: InvalidValue.self) { try ByteCount(parsing: text) }
    }

    @Test func doesNotEchoControlCharacters() {
        let error = #expect(throws: InvalidValue.self) { try ByteCount(parsing: "\u{1B}[31m5") }
        #expect(error?.message.contains("\u{1B}") == false)
    }
}
