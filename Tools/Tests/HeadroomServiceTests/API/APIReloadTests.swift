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
import Synchronization
import SystemPackage
import Testing

/// What was seen, planned or begun by one configuration is nothing by which another acts.
@Suite(.enabled(if: Privilege.has(program: "curl"), "needs curl"))
struct APIReloadTests {
    private static func fill(_ tree: Tree) throws {
        for number in 0..<20 {
            try tree.file("home/.cache/app/\(number)" as TreePath, size: .kibibytes(4))
        }
    }

    /// The same home, in which one more directory is declared.
    private func other(_ served: ServedAPI) -> APISituation {
        ServedAPI.situation(
            served.workspace.declaring([
                Area(
                    root: served.home.appending(".cache/app"), purgeClass: .essential,
                    origin: "the configuration")
            ]))
    }

    @Test func aPlanOfTheConfigurationBeforeCannotBeConfirmed() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let plan = try await served.ask("POST", "/plans", #"{"target":{"kind":"all"}}"#)
            #expect(try plan.value("items") == "20")
            await served.api.use(other(served))
            let purge = try await served.ask(
                "POST", "/purges",
                #"{"plan":"\#(try plan.value("id"))","selection":"\#(try plan.value("selection.digest"))"}"#
            )
            #expect(purge.status == 409)
            let again = try await served.ask("POST", "/plans", #"{"target":{"kind":"all"}}"#)
            #expect(try again.value("items") == "0")
        }
    }

    /// A scan that was under way says what the areas were.
    @Test func aScanThatBeganBeforeIsNotTaken() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let api = served.api
            let before = try api.situation()
            await api.inventories.markStale()
            _ = try await api.inventories.begin(.areas, in: before)
            let other = other(served)
            await api.use(other)
            let seen = try await api.inventories.current(.areas, in: try api.situation())
            #expect(seen.scope.areas.contains { $0.origin == "the configuration" })
            let plan = try await served.ask("POST", "/plans", #"{"target":{"kind":"all"}}"#)
            #expect(try plan.value("items") == "0")
        }
    }

    /// A request whose body came slowly still has the situation that it began with.
    @Test func whoComesLateWithTheOneBeforeIsSentBack() async throws {
        try await ServedAPI.serving(fill: Self.fill) { served async throws in
            let api = served.api
            let before = try api.situation()
            let seen = try await api.inventories.current(.areas, in: before)
            await api.use(other(served))
            await #expect(throws: APIError.reconfigured) {
                try await api.inventories.current(.areas, in: before)
            }
            let plan = KeptPlan(
                try seen.scope.plan(seen.inventory, targets: [.all]), id: "x",
                configuration: before.number, target: "all", now: .now(),
                lifetime: PlanShelf.lifetime)
            await #expect(throws: APIError.reconfigured) { try await api.plans.keep(plan) }
            await api.plans.giveBack(plan)
            await #expect(throws: APIError.self) { try await api.plans.plan("x") }
        }
    }

    @Test func whatWasBegunEndsAndNothingOfItBeginsAnyMore() async throws {
        let board = JobBoard()
        func work(_ configuration: Int?, _ kind: APIJob.Kind) -> JobWork {
            let progress = PurgeProgress()
            let (stream, ended) = AsyncStream.makeStream(of: Void.self)
            return JobWork(
                kind: kind, title: "test", configuration: configuration,
                progress: { .init(progress) },
                cancel: {
                    progress.cancel()
                    ended.finish()
                },
                body: {
                    for await _ in stream {}
                    return JobOutcome(text: "done", wasCancelled: progress.isCancelled)
                })
        }
        let purge = try await board.start(work(1, .purge))
        let audit = try await board.start(work(nil, .audit))
        await board.endWork(before: 2)
        let ended = try await board.look(purge.id).job.state
        #expect(ended == .cancelled)
        let unconcerned = try await board.look(audit.id).job.state
        #expect(unconcerned == .running)
        await #expect(throws: APIError.reconfigured) { try await board.start(work(1, .purge)) }
        let next = try await board.start(work(2, .purge))
        await board.endWork(before: 2)
        let ofNow = try await board.look(next.id).job.state
        #expect(ofNow == .running)
        await board.end()
    }
}
