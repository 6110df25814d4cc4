//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomPlatform
import HeadroomPromises
import SystemPackage
import Testing

struct TerminalTests {
    @Test(.tags(.r37f)) func aPipeIsNoTerminal() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer {
            try? reading.close()
            try? writing.close()
        }
        let terminal = Terminal(writing) { $0 == "TERM" ? "xterm" : nil }
        #expect(!terminal.isTerminal)
        #expect(!terminal.allowsColor)
        #expect(terminal.width == nil)
    }

    @Test(
        arguments: [
            ([:], true), (["LANG": "C"], false), (["LANG": "C.UTF-8"], true),
            (["LC_ALL": "de_DE.utf8", "LANG": "C"], true),
            (["LC_ALL": "", "LANG": "POSIX"], false),
        ] as [([String: String], Bool)])
    func localeDecidesAboutBlocks(environment: [String: String], blocks: Bool) {
        #expect(Terminal(.standardOutput) { environment[$0] }.usesBlocks == blocks)
    }

    @Test(arguments: [
        ("y", true), ("Y\r", true), (" yes ", true), ("", false), ("n", false), ("yep", false),
    ])
    func onlyYesMeansYes(line: String, yes: Bool) {
        #expect(Confirmation.meansYes(line) == yes)
        #expect(!Confirmation.meansYes(nil))
    }

    @Test func nobodyIsAskedThroughAPipe() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer {
            try? reading.close()
            try? writing.close()
        }
        #expect(Confirmation(input: reading, output: writing).ask("Purge?") == .nobody)
    }
}
