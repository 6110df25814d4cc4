//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Testing

struct PercentEncodingTests {
    @Test func unreservedBytesAndSlashesStandForThemselves() {
        let text = "/AZ/az/09-._~"
        #expect(PercentEncoding.encoded(text.utf8) == text)
    }

    @Test func allOtherBytesAreTwoDigits() {
        #expect(PercentEncoding.encoded([0x00, 0x20, 0x25, 0x2B, 0xFF]) == "%00%20%25%2B%FF")
        #expect(PercentEncoding.encoded("é*".utf8) == "%C3%A9%2A")
    }

    @Test func everyByteComesBack() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(PercentEncoding.decoded(PercentEncoding.encoded(bytes).utf8) == bytes)
    }

    @Test func digitsMayBeOfEitherCase() {
        #expect(PercentEncoding.decoded("%c3%A9%Ff".utf8) == [0xC3, 0xA9, 0xFF])
    }

    @Test func whatIsNotEncodedStandsForItself() {
        #expect(PercentEncoding.decoded([0x61, 0xFF, 0x20]) == [0x61, 0xFF, 0x20])
    }

    @Test func aPlusIsASpaceWhereItIsSaidToBe() {
        #expect(PercentEncoding.decoded("a+b%2B".utf8) == Array("a+b+".utf8))
        #expect(PercentEncoding.decoded("a+b%2B".utf8, plusIsSpace: true) == Array("a b+".utf8))
    }

    @Test(arguments: ["%", "a%4", "%4", "%%", "%g0", "%0g", "%+F", "% F", "%-1"])
    func refusesWhatIsNoEscape(text: String) {
        #expect(PercentEncoding.decoded(text.utf8) == nil)
    }
}
