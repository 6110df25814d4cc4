//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import Synchronization
import Testing

/// R26: who measures and who cleans does not get into the other's way.
struct ModuleTurnTests {
    /// Measures, and cleans, for as long as its gate is shut.
    private final class Gate: StorageModule {
        let id = "gate"
        let isShut = Mutex(true)
        let calls = Mutex<[String]>([])

        private func pass(_ name: String) async throws {
            calls.withLock { $0.append(name) }
            while isShut.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        }

        func usage() async throws -> ByteCount {
            try await pass("usage")
            return .megabytes(10)
        }

        func clean(_ request: CleaningRequest) async throws { try await pass("clean") }

        func waitForCalls(_ count: Int) async throws {
            while calls.withLock({ $0.count }) < count {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// A run that begins while somebody looks at a module waits for that, and does not take the module for one that hangs.
    @Test(.timeLimit(.minutes(10)))
    func aRunWaitsForWhoeverMeasures() async throws {
        let group = ModuleGroup()
        let gate = Gate()
        group.register(gate)
        let looking = Task { await group.usage() }
        try await gate.waitForCalls(1)
        let running = Task {
            await group.clean(freeing: .megabytes(4), level: .critical, trigger: .byHand)
        }
        while !group.isCleaning { try await Task.sleep(for: .milliseconds(1)) }
        // It is on its way; nothing of it has come to the module.
        try await Task.sleep(for: .milliseconds(20))
        #expect(gate.calls.withLock { $0 } == ["usage"])
        gate.isShut.withLock { $0 = false }
        #expect(await looking.value.map(\.outcome) == [.notNeeded])
        let run = try #require(await running.value)
        #expect(run.modules.map(\.outcome) == [.cleaned])
    }

    /// Who looks while a run is under way waits as well.
    @Test(.timeLimit(.minutes(10)))
    func whoeverMeasuresWaitsForARun() async throws {
        let group = ModuleGroup()
        let gate = Gate()
        group.register(gate)
        let running = Task { await group.cleanChosen(["gate": .megabytes(4)]) }
        try await gate.waitForCalls(1)
        let looking = Task { await group.usage() }
        let idle = Task { await group.waitUntilIdle() }
        try await Task.sleep(for: .milliseconds(20))
        #expect(group.isCleaning)
        gate.isShut.withLock { $0 = false }
        #expect(await looking.value.map(\.before) == [.megabytes(10)])
        await idle.value
        #expect(!group.isCleaning)
        #expect(await running.value?.modules.map(\.outcome) == [.cleaned])
        #expect(gate.calls.withLock { $0 } == ["usage", "clean", "usage", "usage"])
    }

    /// Who is told to stop does not wait any longer, and calls nothing.
    @Test(.timeLimit(.minutes(10)))
    func whoIsCancelledDoesNotWait() async throws {
        let group = ModuleGroup()
        let gate = Gate()
        group.register(gate)
        let looking = Task { await group.usage() }
        try await gate.waitForCalls(1)
        let running = Task {
            await group.clean(freeing: .megabytes(4), level: .normal, trigger: .byHand)
        }
        let never = Task { await group.usage() }
        try await Task.sleep(for: .milliseconds(5))
        running.cancel()
        never.cancel()
        #expect(await running.value?.modules.map(\.outcome) == [.cancelled])
        #expect(await never.value.map(\.outcome) == [.cancelled])
        #expect(!group.isCleaning)
        #expect(gate.calls.withLock { $0 } == ["usage"])
        gate.isShut.withLock { $0 = false }
        #expect(await looking.value.map(\.outcome) == [.notNeeded])
        // The turn was not lost with them.
        #expect(await group.usage().map(\.outcome) == [.notNeeded])
    }
}
