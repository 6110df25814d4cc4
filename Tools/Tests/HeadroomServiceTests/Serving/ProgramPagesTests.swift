//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Foundation
import HeadroomService
import Testing

@Suite struct ProgramPagesTests {
    @Test func codeIsWhatNobodyCanWriteTo() {
        let path = "/usr/bin/headroom"
        #expect(
            ProgramPages.code("55e0a000-55e0f000 r-xp 00002000 fd:01 1234                 \(path)")
                == 0x55e0_a000..<0x55e0_f000)
        #expect(
            ProgramPages.code("7f00-8f00 r--p 00000000 fd:01 1234   /with a space/in it")
                == 0x7f00..<0x8f00)
        for other in [
            "55e0a000-55e0f000 rw-p 00002000 fd:01 1234 \(path)",
            "55e0a000-55e0f000 rw-s 00002000 fd:01 1234 \(path)",
            "55e0a000-55e0f000 r--s 00002000 fd:01 1234 \(path)",
            "55e0a000-55e0f000 r-xp 00000000 00:00 0",
            "7ffd1000-7ffd2000 r-xp 00000000 00:00 0 [vdso]",
            "55e0f000-55e0a000 r-xp 00002000 fd:01 1234 \(path)", "55e0a000 r-xp", "",
        ] {
            #expect(ProgramPages.code(other) == nil, "\(other)")
        }
    }

    /// Pages that are mapped from files, in KiB.
    private func mapped() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    /// In a process with all the tests in it, of which others run meanwhile.
    @Test func whatIsGivenBackIsNotHeld() throws {
        let before = try mapped()
        ProgramPages.giveBack()
        let after = try mapped()
        #expect(after < before)
    }
}
#endif
