//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
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

    @Test("After a clock jump, says that age rules pause for a day", .tags(.r43g))
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

    /// By how much the clock is ahead of the time from which idle times are measured.
    private func correction() throws -> Duration {
        let idleNow = try workspace().scope().request(targets: [.all]).idleNow
        return clocks.sample.wall.duration(since: idleNow)
    }

    private func move(by shift: Duration) {
        clocks.passed.withLock { $0 += .seconds(60) }
        clocks.shift.withLock { $0 += shift }
    }

    @Test(
        "Measures idle times without all moves of the clock within a day", .tags(.r43g),
        arguments: [
            ([30, 30], 60), ([30, -30], 0), ([-30, 30], 30), ([30, 30, -60, 5], 5), ([-30], 0),
        ] as [([Int64], Int64)])
    func addsUpMoves(days: [Int64], corrected: Int64) throws {
        #expect(try correction() == .zero)
        for day in days {
            move(by: .seconds(day * 86_400))
            // What was recorded counts once.
            for _ in 0..<3 { _ = try correction() }
        }
        #expect(try correction() == .seconds(corrected * 86_400))
        clocks.passed.withLock { $0 += .seconds(86_401) }
        #expect(try correction() == .zero)
    }

    @Test("Measures idle times without a move of two hours, and keeps age rules")
    func correctsSmallMove() throws {
        #expect(try correction() == .zero)
        move(by: .seconds(7_200))
        #expect(try correction() == .seconds(7_200))
        #expect(workspace().ageRulesHold())
        // Not what a clock is corrected by in small steps.
        move(by: .seconds(5))
        #expect(try correction() < .seconds(7_210))
    }

    @Test("Pauses age rules when several moves within a day add up to more than a day")
    func pausesAfterSeveralMoves() throws {
        #expect(workspace().ageRulesHold())
        move(by: .seconds(20 * 3_600))
        #expect(workspace().ageRulesHold())
        move(by: .seconds(20 * 3_600))
        let pause = try #require(workspace().pauseOfAgeRules())
        #expect(pause.text.contains("ahead"), "\(pause.text)")
    }
}
