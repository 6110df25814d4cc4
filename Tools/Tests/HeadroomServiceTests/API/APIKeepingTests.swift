//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import HeadroomService
import HeadroomTestSupport
import Logging
import Synchronization
import SystemPackage
import Testing

/// What is kept between requests, and for how long.
struct APIKeepingTests {
    /// A wall clock that is moved by hand.
    private final class Wall: Sendable {
        private let shift = Mutex(Duration.zero)

        var now: Timestamp { .now().advanced(by: shift.withLock { $0 }) }
        func advance(by duration: Duration) { shift.withLock { $0 += duration } }
    }

    private final class Burden: Sendable {}

    /// The inventory that a purge was planned from is not kept with fifty jobs that have ended.
    @Test func aJobThatHasEndedHoldsNothing() async throws {
        let board = JobBoard()
        weak var held: Burden?
        let id: String
        do {
            let burden = Burden()
            held = burden
            id = try await board.start(
                JobWork(
                    kind: .purge, title: "test",
                    progress: { [burden] in
                        withExtendedLifetime(burden) { .init() }
                    }, cancel: {},
                    body: { [burden] in
                        withExtendedLifetime(burden) { JobOutcome(text: "done") }
                    })
            ).id
        }
        await board.wait(for: id)
        let state = try await board.look(id).job.state
        #expect(state == .done)
        #expect(held == nil)
    }

    private func workspace(_ directory: TemporaryDirectory) throws -> Workspace {
        for name in ["home/.cache", "home/tmp", "state"] as [TreePath] {
            try directory.tree.directory(name)
        }
        try directory.tree.file("home/.cache/one", text: "1")
        let home = directory.path.appending("home")
        return Workspace.open(
            environment: ["TMPDIR": home.appending("tmp").string], home: home,
            ledgerDirectory: directory.path.appending("state"), minIdle: .none, clock: { .now() })
    }

    @Test func whatIsOldIsScannedAgainForAPlan() async throws {
        let directory = try TemporaryDirectory(on: .memory)
        let wall = Wall()
        let inventories = SeenInventories(JobBoard(), now: { wall.now })
        let situation = ServedAPI.situation(try workspace(directory))
        let one = try await inventories.current(.areas, in: situation)
        let same = try await inventories.current(.areas, in: situation).id
        #expect(same == one.id)
        wall.advance(by: .seconds(601))
        let another = try await inventories.current(.areas, in: situation).id
        #expect(another != one.id)
    }

    @Test func aScanFromBeforeAChangeIsFollowedByAnother() async throws {
        let directory = try TemporaryDirectory(on: .memory)
        let inventories = SeenInventories(JobBoard())
        let situation = ServedAPI.situation(try workspace(directory))
        let scan = try await inventories.begin(.areas, in: situation)
        await inventories.markStale()
        let seen = try await inventories.current(.areas, in: situation)
        let before = try await scan.task.value
        #expect(seen.id != before.id)
    }

    /// Nobody comes any more: nobody's request lets go of what was seen.
    @Test func whatNobodyLooksAtIsLetGo() async throws {
        let directory = try TemporaryDirectory(on: .memory)
        let (clock, wall) = (ManualClock(), Wall())
        let api = ServiceAPI(
            token: APIToken(), version: "1", logger: Logger(label: "test"), clock: clock,
            now: { wall.now })
        await api.use(ServedAPI.situation(try workspace(directory)))
        let seen = try await api.inventories.current(.areas, in: try api.situation())
        let plan = KeptPlan(
            try seen.scope.plan(seen.inventory, targets: [.all]), id: "x",
            configuration: try api.situation().number, target: "all", now: wall.now,
            lifetime: PlanShelf.lifetime)
        try await api.plans.keep(plan)
        #expect(await api.inventories.state(.areas).state == "ready")
        for seconds in [1_700, 101] {
            await clock.whenAsleep(1)
            wall.advance(by: .seconds(seconds))
            clock.advance(by: .seconds(60))
        }
        await clock.whenAsleep(1)
        #expect(await api.inventories.state(.areas).state == "summary")
        #expect(await api.plans.count == 0)
        await api.end()
    }

    @Test func whatIsGivenBackIsAsOldAsItWas() async throws {
        let directory = try TemporaryDirectory(on: .memory)
        let workspace = try workspace(directory)
        let wall = Wall()
        let shelf = DisposalShelf(now: { wall.now })
        let (id, _) = await shelf.keep(workspace.select(userFiles: []))
        wall.advance(by: .seconds(1_200))
        await shelf.giveBack(try await shelf.take(id))
        wall.advance(by: .seconds(700))
        await #expect(throws: APIError.self) { _ = try await shelf.take(id) }
    }
}
