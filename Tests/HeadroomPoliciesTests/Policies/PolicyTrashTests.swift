//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

/// R15 and R24: what of the trash goes at which level.
struct PolicyTrashTests {
    private func planned(
        _ fixture: TrashFixture, _ spending: Policy.Spending, after time: Duration,
        goesByAge: Bool = true
    ) throws -> [String] {
        let step = PolicyStep(
            .level(.warning), spending: spending,
            needs: [
                // More than there is, so that everything goes that may.
                PolicyNeed(.bytes, at: .warning, available: 0, target: .max, minimum: 0)
            ], goesByAge: goesByAge)
        var policy = Policy.eager
        policy.helpfulShare = 0
        let runner = PolicyRunner(
            fixture.workspace(after: time), policy, place: fixture.home, requester: "test")
        let plan = try runner.prepare(step, trigger: .levelChange).plan
        return plan?.filter { $0.unit != .emptyDirectory }.map {
            $0.path.lastComponent?.string ?? ""
        }.sorted() ?? []
    }

    @Test(.tags(.r24a)) func olderTrashGoesFromWarningOn() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/old", size: .kilobytes(64))
        try fixture.tree.file("home/.cache/data", size: .kilobytes(64))
        fixture.put("Documents/old")
        let day = Duration.seconds(86_400)
        // Fresh; older than a day; expired after thirty.
        for (spending, ages) in [
            (Policy.Spending.temporary, [[], [], []]), (.due, [[], [], ["old"]]),
            (.caches, [["data"], ["data"], ["data", "old"]]),
            (.trash, [["data"], ["data", "old"], ["data", "old"]]),
            (.lastResort, [["data"], ["data", "old"], ["data", "old"]]),
        ] as [(Policy.Spending, [[String]])] {
            for (time, expected) in zip([day / 2, day * 2, day * 40], ages) {
                #expect(
                    try planned(fixture, spending, after: time) == expected,
                    "\(spending) after \(time)")
            }
        }
    }

    @Test func noTrashGoesWhileTheClocksDisagree() throws {
        let fixture = try TrashFixture()
        try fixture.tree.file("home/Documents/old", size: .kilobytes(64))
        try fixture.tree.file("home/.cache/data", size: .kilobytes(64))
        fixture.put("Documents/old")
        for days in [2, 40] {
            #expect(
                try planned(
                    fixture, .lastResort, after: .seconds(86_400) * days, goesByAge: false)
                    == ["data"])
        }
    }
}
#endif
