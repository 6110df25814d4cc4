//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomPromises
import Testing

struct GivenTextTests {
    @Test(arguments: ["", "/tmp/caf\u{E9}", "/tmp/\u{FFFD}", "\u{1F5D1}"])
    func textIsTaken(text: String) {
        let variable = GivenText.Variable(name: "HOME", value: Array(text.utf8))
        #expect(
            GivenText.problem(arguments: [Array(text.utf8)], variables: [variable]) == nil)
    }

    /// A byte that begins nothing, a beginning without an end, `/` in two bytes, and half of a pair of UTF-16.
    @Test(
        .tags(.s2d),
        arguments: [
            ([0xFF], "\\xFF"), ([0xC3], "\\xC3"), ([0xC0, 0xAF], "\\xC0\\xAF"),
            ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
        ] as [([UInt8], String)])
    func whatIsNoneIsShownAndRefused(bytes: [UInt8], shown: String) throws {
        let path = Array("/tmp/caf".utf8) + bytes
        let argument = try #require(
            GivenText.problem(arguments: [Array("purge".utf8), path], variables: []))
        #expect(argument.contains("/tmp/caf" + shown))
        let variable = GivenText.Variable(name: "XDG_CACHE_HOME", value: path)
        let other = try #require(GivenText.problem(arguments: [], variables: [variable]))
        #expect(other.contains("/tmp/caf" + shown))
        #expect(other.contains("XDG_CACHE_HOME"))
    }

    @Test(
        arguments: [
            ("HOME", true), ("PATH", true), ("TMPDIR", true), ("XDG_DATA_HOME", true),
            ("HEADROOM_TRASH_VOLUMES", true), ("CARGO_HOME", true), ("PWD", false),
            ("OLDPWD", false), ("LESS_TERMCAP_md", false), ("HOMEWARD", false),
        ])
    func onlySomeVariablesSayWhereSomethingIs(name: String, saysWhere: Bool) {
        #expect(GivenText.saysWhere(name) == saysWhere)
    }
}
