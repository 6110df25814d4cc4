//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import Testing

struct TriggerScheduleTests {
    private let start = Timestamp(seconds: 1_800_000_000)
    private let day: Duration = .seconds(86_400)

    private func trigger(
        _ schedule: inout TriggerSchedule, wall: Duration, uptime: Duration
    ) -> CleaningTrigger? {
        schedule.trigger(at: start.advanced(by: wall), uptime: uptime, interval: day)
    }

    @Test func whatHasComeStaysUntilItIsTaken() {
        var schedule = TriggerSchedule(first: .launch, last: nil)
        #expect(trigger(&schedule, wall: .zero, uptime: .zero) == .launch)
        #expect(trigger(&schedule, wall: day * 9, uptime: day * 9) == .launch)
        schedule.take(at: start.advanced(by: day * 9), uptime: day * 9)
        #expect(trigger(&schedule, wall: day * 9, uptime: day * 9) == nil)
        #expect(trigger(&schedule, wall: day * 10, uptime: day * 10) == .interval)
    }

    @Test func theTimeGoesOnWhileNobodyRuns() {
        var schedule = TriggerSchedule(first: nil, last: start)
        #expect(trigger(&schedule, wall: day / 2, uptime: .zero) == nil)
        #expect(trigger(&schedule, wall: day, uptime: .seconds(60)) == .interval)
    }

    @Test func aClockThatIsSetBackDoesNotPutItOff() {
        var schedule = TriggerSchedule(first: nil, last: start)
        #expect(trigger(&schedule, wall: .zero - day * 100, uptime: .zero) == nil)
        #expect(trigger(&schedule, wall: .zero - day * 99, uptime: day) == .interval)
        var running = TriggerSchedule(first: .launch, last: nil)
        running.take(at: start, uptime: .zero)
        // Standing still, by the wall: the other clock tells.
        #expect(trigger(&running, wall: .zero, uptime: day) == .interval)
    }

    @Test func withoutAnyPastItIsAfterOneInterval() {
        var schedule = TriggerSchedule(first: nil, last: nil)
        #expect(trigger(&schedule, wall: .zero, uptime: .seconds(5)) == nil)
        #expect(trigger(&schedule, wall: .zero, uptime: day) == nil)
        #expect(trigger(&schedule, wall: .zero, uptime: day + .seconds(5)) == .interval)
    }
}
