//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

/// The mode `ask`: what waits for a person, for how long, and what it is planned by.
struct AutomationAskingTests {
    private let machine = ImaginaryMachine()

    init() {
        machine.change { state in
            state.available = .megabytes(40)
            state.proposes = 3
            state.cost = .zero
        }
    }

    private func settings() -> AutomationSettings {
        var settings = AutomationSettings()
        settings.mode = .ask
        return settings
    }

    /// Runs while a body moves the clock.
    private func running(
        _ settings: AutomationSettings, _ body: (Automation) async throws -> Void
    ) async rethrows {
        let automation = machine.automation(settings, memory: nil)
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        defer { task.cancel() }
        try await body(automation)
        task.cancel()
        await task.value
    }

    private func pass(_ time: Duration) async {
        let end = machine.clock.now.offset + time
        while true {
            await machine.clock.whenAsleep(2)
            let left = end - machine.clock.now.offset
            guard left > .zero else { return }
            machine.clock.advance(by: min(left, machine.clock.nextWake ?? left))
        }
    }

    private func purposes(_ automation: Automation) async -> Set<PolicyStep.Purpose> {
        Set(await automation.proposed.map(\.result.step.purpose))
    }

    @Test func eachPurposeWaitsByItselfUntilItIsAnswered() async throws {
        try await running(settings()) { automation in
            await pass(.seconds(100))
            let proposed = await automation.proposed
            #expect(proposed.map(\.volume) == ["/data", "/data"])
            #expect(proposed.map(\.result.step.purpose) == [.level(.critical), .due])
            #expect(Set(proposed.map(\.id)).count == 2)
            #expect(machine.runs.allSatisfy { $0.order.propose != nil })
            #expect(machine.pressure().figures?.available == .megabytes(40))
            let before = machine.runs.count
            await automation.settle(proposal: "another")
            #expect(try await automation.plan(proposal: "another")?.step == nil)
            #expect(machine.runs.count == before)

            let due = try #require(proposed.last)
            await automation.settle(proposal: due.id)
            #expect(await purposes(automation) == [.level(.critical)])
            #expect(try await automation.plan(proposal: due.id)?.step == nil)
            #expect(machine.runs.count == before)
        }
    }

    @Test func itIsPlannedAsItsOrderSaysAndNothingPurged() async throws {
        try await running(settings()) { automation in
            await pass(.seconds(100))
            let proposed = await automation.proposed
            let level = try #require(proposed.first)
            let before = machine.runs.count
            // On this machine nothing may go any more by then: what nothing may go for waits no longer.
            #expect(try await automation.plan(proposal: level.id)?.step == nil)
            let orders = machine.runs.dropFirst(before).map(\.order)
            #expect(orders.map(\.step) == [level.result.step])
            #expect(orders.allSatisfy { $0.propose != nil && $0.trigger == level.result.trigger })
            #expect(await purposes(automation) == [.due])
            #expect(machine.pressure().figures?.available == .megabytes(40))
        }
    }

    /// Between the question and the answer the clock was set wrong: all would seem old.
    @Test(.tags(.r29b)) func aProposalIsPlannedByTheClockOfNow() async throws {
        var settings = settings()
        settings.areas = [Area(root: "/data/cache", purgeClass: .cache, origin: "test")]
        settings.grace = .seconds(10)
        try await running(settings) { automation in
            await pass(.seconds(100))
            let proposed = await automation.proposed
            #expect(proposed.count == 2)
            let before = machine.runs.count
            machine.change { $0.ageRulesHold = false }
            for proposal in proposed { _ = try await automation.plan(proposal: proposal.id) }
            let planned = machine.runs.dropFirst(before)
            #expect(planned.count == proposed.count)
            for run in planned {
                #expect(run.order.propose != nil)
                #expect(!run.order.step.goesByAge)
                #expect(run.order.withheld == ["/data/cache"])
            }
        }
    }

    @Test(.tags(.r29b)) func whatNothingIsMissingForAnyMoreWaitsNoLonger() async throws {
        machine.change { $0.available = .megabytes(90) }
        await running(settings()) { automation in
            await pass(.seconds(100))
            #expect(await purposes(automation) == [.level(.warning), .due])
            let ids = Set(await automation.proposed.map(\.id))
            // A worse level asks for all that is missing.
            machine.change { $0.available = .megabytes(40) }
            await pass(.seconds(100))
            #expect(await purposes(automation) == [.level(.critical), .due])
            // Others have made room, so that the level is another: less is asked for.
            machine.change { $0.available = .megabytes(70) }
            await pass(.seconds(500))
            #expect(await purposes(automation) == [.level(.warning), .due])
            #expect(ids.intersection(await automation.proposed.map(\.id)).count == 1)
            // As much as the proposal would reach: it does not wait for the five minutes of the level.
            machine.change { $0.available = .megabytes(210) }
            await pass(.seconds(70))
            #expect(machine.pressure().level == .warning)
            #expect(await purposes(automation) == [.due])
        }
    }
}
