//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// Messages after a jump of the wall clock.
struct AgePauseTests {
    private let directory: TemporaryDirectory
    private let clocks = Clocks()

    private final class Clocks: Sendable {
        let shift = Mutex<Duration>(.zero)
        let passed = Mutex<Duration>(.seconds(1_000))

        var sample: ClockSample {
            let passed = passed.withLock { $0 }
            let wall = Timestamp(seconds: 1_800_000_000).advanced(
                by: passed + shift.withLock { $0 })
            return ClockSample(wall: wall, sinceBoot: passed, boot: 1)
        }
    }

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.directory("home")
    }

    private func workspace() -> Workspace {
        let clocks = clocks
        return Workspace(
            ledger: Ledger.open(
                directory: directory.path.appending("state"), now: { clocks.sample.wall }),
            layouts: [
                Layout.xdg(
                    environment: ["TMPDIR": "/no/such"], home: directory.path.appending("home"))
            ],
            interrupted: [], clock: { clocks.sample.wall }, sampleClocks: { clocks.sample })
    }

    @Test("After a clock jump, says that age rules pause for a day")
    func saysThePause() throws {
        #expect(workspace().ageRulesHold())
        #expect(workspace().pauseOfAgeRules() == nil)
        clocks.shift.withLock { $0 += .seconds(30 * 86_400) }
        for _ in 0..<2 {
            let pause = try #require(workspace().pauseOfAgeRules())
            #expect(pause.code == .clockMoved)
            #expect(pause.text.contains("ahead"), "\(pause.text)")
        }
        #expect(!workspace().ageRulesHold())
        clocks.passed.withLock { $0 += .seconds(86_401) }
        #expect(workspace().pauseOfAgeRules() == nil)
        #expect(workspace().ageRulesHold())
    }
}
