//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

@Suite("R23: calls that hang", .timeLimit(.minutes(10)))
struct HangingWaitingTests {
    @Test func givesUpAtTheLimitAndDoesNotAskAgainMeanwhile() async throws {
        let (clock, hanging, gate) = (ManualClock(), Hanging<String>(), ThreadGate())
        let calls = Mutex(0)
        let waiting = Task {
            try await hanging.value(of: "volume", within: .seconds(2), by: clock) {
                calls.withLock { $0 += 1 }
                gate.wait()
                return 1
            }
        }
        // The thread counts as hanging once it is blocked: a machine may take its time until then.
        let advancing = Task {
            while !Task.isCancelled {
                clock.advance(by: .milliseconds(500))
                await Task.yield()
            }
        }
        #expect(try await waiting.value == nil)
        advancing.cancel()
        // Overdue: nothing is started, and nothing waited for, though the clock stands.
        let again = try await hanging.value(of: "volume", within: .seconds(2), by: clock) {
            calls.withLock { $0 += 1 }
            return 2
        }
        #expect(again == nil)
        #expect(try await hanging.value(of: "another", within: .seconds(2), by: clock) { 3 } == 3)
        gate.open()
        while try await hanging.value(of: "volume", within: .seconds(2), by: clock, { 4 }) != 4 {
            await Task.yield()
        }
        #expect(calls.withLock { $0 } == 1)
    }

    /// That its caller was cancelled says nothing about the volume.
    @Test func cancellationReturnsAtOnceAndLeavesNoSuspicion() async throws {
        let (clock, hanging, gate) = (ManualClock(), Hanging<String>(), ThreadGate())
        let waiting = Task {
            try await hanging.value(of: "volume", within: .seconds(2), by: clock) {
                gate.wait()
                return 1
            }
        }
        await clock.whenAsleep(1)
        waiting.cancel()
        #expect(try await waiting.value == nil)
        #expect(try await hanging.value(of: "volume", within: .seconds(2), by: clock) { 2 } == 2)
        clock.advance(by: .seconds(2))
        gate.open()
    }
}
