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

/// Volumes that are unmounted and come back while the service runs.
struct AutomationAbsenceTests {
    private let machine = ImaginaryMachine()

    private func advance(_ times: Int) async {
        for _ in 0..<times {
            await machine.clock.whenAsleep(2)
            machine.clock.advance(by: machine.clock.nextWake ?? .seconds(1))
        }
        await machine.clock.whenAsleep(2)
    }

    /// Advances the clock until an event is reported, but not forever.
    private func wait(for isMeant: @escaping (AutomationEvent) -> Bool) async throws {
        for _ in 0..<500 where !machine.events.contains(where: isMeant) {
            // The search for volumes, at least.
            await machine.clock.whenAsleep(1)
            machine.clock.advance(by: machine.clock.nextWake ?? .seconds(1))
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(machine.events.contains(where: isMeant))
    }

    private var readings: Int {
        machine.events.count { if case .read = $0 { true } else { false } }
    }

    /// The table of mounts tells it, or the place is on another volume, which is nearly full.
    @Test(arguments: [true, false])
    func aLaneEndsWithItsVolumeAndOpensAgainWithIt(isToldByTheTable: Bool) async throws {
        var settings = AutomationSettings()
        settings.mode = .act
        let automation = machine.automation(settings)
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        await advance(3)
        #expect(readings > 0)
        machine.change { state in
            state.events = []
            state.available = .megabytes(10)
            state.volumes = []
            if isToldByTheTable { state.isMounted = false } else { state.readMountPoint = "/" }
        }
        try await wait { if case .gone("/data") = $0 { true } else { false } }
        await automation.tellAgain()
        #expect(readings == 0, "figures of another volume under its name")
        machine.change { state in
            state.gauge = PressureGauge()
            state.available = .megabytes(900)
            state.volumes = [ImaginaryMachine.volume]
            state.isMounted = true
            state.readMountPoint = "/data"
        }
        try await wait { if case .watching("/data") = $0 { true } else { false } }
        await machine.clock.whenAsleep(2)
        #expect(readings > 0)
        // That it is back is no start, and nothing was done for the other one.
        #expect(machine.runs.map(\.order.trigger) == [.launch])
        task.cancel()
        await task.value
    }

    @Test func twoMountsOfOneFileSystemHaveOneLane() async {
        machine.change { state in
            state.volumes = (["/data", "/srv"] as [FilePath]).map {
                WatchedVolume(mountPoint: $0, place: $0, device: 7)
            }
        }
        var settings = AutomationSettings()
        settings.mode = .act
        let automation = machine.automation(settings)
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        await advance(3)
        let watching = machine.events.count { if case .watching = $0 { true } else { false } }
        #expect(watching == 1)
        #expect(machine.runs.map(\.order.volume.mountPoint) == ["/data"])
        task.cancel()
        await task.value
    }

    @Test func plansForAVolumeThatIsGoneWaitNoLonger() async throws {
        var settings = AutomationSettings()
        settings.mode = .ask
        machine.change { state in
            state.available = .megabytes(40)
            state.proposes = 3
        }
        let automation = machine.automation(settings)
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        await advance(4)
        let waiting = await automation.proposed
        #expect(!waiting.isEmpty)
        machine.change { state in
            state.volumes = []
            state.isMounted = false
        }
        try await wait { if case .gone = $0 { true } else { false } }
        let left = await automation.proposed
        #expect(left.isEmpty)
        task.cancel()
        await task.value
    }

    @Test("A volume that is mounted is watched within a minute", .tags(.r23d))
    func newMountIsNoticed() async throws {
        let machine = ImaginaryMachine()
        machine.change { $0.volumes = [] }
        var settings = AutomationSettings()
        settings.mode = .act
        let automation = machine.automation(settings)
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        await machine.clock.whenAsleep(1)
        machine.clock.advance(by: .seconds(35))
        await machine.clock.whenAsleep(1)
        machine.change {
            $0.volumes = [ImaginaryMachine.volume]
            $0.mounts += 1
        }
        machine.clock.advance(by: .seconds(60))
        func isWatched() -> Bool {
            machine.events.contains { if case .watching("/data") = $0 { true } else { false } }
        }
        // The clock stands still: a search that comes later is never awaited.
        for _ in 0..<500 where !isWatched() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isWatched())
        task.cancel()
        await task.value
    }

    @Test(
        "Says when a jump of the clock pauses age rules, and when the pause is over", .tags(.r25e))
    func tellsThePause() async {
        let machine = ImaginaryMachine()
        var settings = AutomationSettings()
        settings.mode = .act
        let automation = machine.automation(settings)
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        for holds in [true, false, false, true] {
            await machine.clock.whenAsleep(2)
            machine.change { $0.ageRulesHold = holds }
            machine.clock.advance(by: .seconds(61))
        }
        await machine.clock.whenAsleep(2)
        let told = machine.events.compactMap { event -> Bool? in
            if case .agePause(let text) = event { return text != nil }
            return nil
        }
        #expect(told == [true, false])
        task.cancel()
        await task.value
    }
}
