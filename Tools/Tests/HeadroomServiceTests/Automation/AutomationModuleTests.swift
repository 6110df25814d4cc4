//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import Synchronization
import Testing

/// Modules that more than one calls: a person, and automations one after the other.
struct AutomationModuleTests {
    /// Cleans, and measures, for as long as its gate is shut.
    private final class Gate: StorageModule {
        let id: String
        let isShut = Mutex(false)
        let cleanings = Mutex(0)
        let calls = Mutex(0)
        /// What it was asked for.
        let wanted = Mutex<[ByteCount]>([])

        init(_ id: String) { self.id = id }

        func usage() async throws -> ByteCount {
            calls.withLock { $0 += 1 }
            // Whoever cancels it is not heard, as with what hangs: a sleep of its own would end at once.
            while isShut.withLock({ $0 }) {
                await Task.detached { try? await Task.sleep(for: .milliseconds(1)) }.value
            }
            return .megabytes(10)
        }

        func clean(_ request: CleaningRequest) async throws {
            wanted.withLock { $0.append(request.bytesWanted) }
            cleanings.withLock { $0 += 1 }
        }
    }

    private func settings(_ modules: [any StorageModule]) -> AutomationSettings {
        var settings = AutomationSettings()
        settings.mode = .act
        settings.modules = modules
        return settings
    }

    /// Whether something holds before long.
    private func soon(_ condition: () -> Bool) async -> Bool {
        for _ in 0..<20_000 {
            if condition() { return true }
            // Cancelled: it is asked at once.
            try? await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    @Test func anotherConfigurationLeavesNoModuleOfTheOneBefore() {
        let group = ModuleGroup()
        let machine = ImaginaryMachine()
        _ = machine.automation(settings([Gate("gone"), Gate("kept")]), modules: group)
        #expect(group.modules.map(\.id) == ["gone", "kept"])
        _ = machine.automation(settings([Gate("new"), Gate("kept")]), modules: group)
        #expect(Set(group.modules.map(\.id)) == ["new", "kept"])
    }

    /// A call that has not returned by one configuration is not repeated by the next.
    @Test(.timeLimit(.minutes(10)))
    func whatHangsIsNotCalledAgainByTheNextConfiguration() async throws {
        let group = ModuleGroup()
        let machine = ImaginaryMachine()
        let gate = Gate("gate")
        gate.isShut.withLock { $0 = true }
        _ = machine.automation(settings([gate]), modules: group)
        #expect(await group.usage(timeLimit: .milliseconds(1)).map(\.outcome) == [.timedOut])
        let next = Gate("gate")
        _ = machine.automation(settings([next]), modules: group)
        #expect(await group.usage().map(\.outcome) == [.stillRunning])
        #expect(next.calls.withLock { $0 } == 0)
        gate.isShut.withLock { $0 = false }
    }

    /// A level asks a module while a person's run of it is under way, which then ends.
    ///
    /// - Parameter meanwhile: called when it has asked for the 99 MB that are missing of 100.
    /// - Returns: the module, which has been asked for both, and what came of the person's run.
    private func levelBehindAPersonsRun(
        _ meanwhile: (ImaginaryMachine, Gate) throws -> Void
    ) async throws -> (gate: Gate, outcomes: [ModuleReport.Outcome]?) {
        let group = ModuleGroup()
        let machine = ImaginaryMachine()
        machine.change { state in
            state.available = .megabytes(1)
            state.frees = .zero
            state.cost = .zero
        }
        let gate = Gate("gate")
        gate.isShut.withLock { $0 = true }
        let automation = machine.automation(settings([gate]), modules: group)
        let person = Task {
            await group.cleanChosen(["gate": .megabytes(4)], timeLimit: .seconds(3_000))
        }
        #expect(await soon { gate.calls.withLock { $0 > 0 } })
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        #expect(await soon { !machine.runs.isEmpty })
        try await Task.sleep(for: .milliseconds(50))
        try meanwhile(machine, gate)
        gate.isShut.withLock { $0 = false }
        let outcomes = await person.value?.modules.map(\.outcome)
        // No time goes by on the machine's clock: nothing else can have asked.
        #expect(await soon { gate.cleanings.withLock { $0 > 1 } })
        task.cancel()
        await task.value
        return (gate, outcomes)
    }

    /// It is asked after it, not never.
    @Test(.timeLimit(.minutes(10)))
    func aLevelWaitsForAPersonsRun() async throws {
        let (_, outcomes) = try await levelBehindAPersonsRun { _, gate in
            #expect(gate.cleanings.withLock { $0 } == 0)
        }
        #expect(outcomes == [.cleaned])
    }

    /// While it waits for its turn others free some of it: that is not freed twice.
    @Test(.timeLimit(.minutes(10)))
    func whatWaitedIsAskedForAsMuchAsIsMissingThen() async throws {
        let (gate, _) = try await levelBehindAPersonsRun { machine, _ in
            machine.change { $0.available = .megabytes(97) }
        }
        #expect(gate.wanted.withLock { $0 }.prefix(2) == [.megabytes(4), .megabytes(3)])
    }
}
