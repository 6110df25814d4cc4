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
import Logging
import Synchronization
import SystemPackage
import Testing

/// The cost of a day in which purges do not help: purges, lines of the log, and bytes.
struct RetryStormTests {
    private let machine = ImaginaryMachine()
    private let lines = Lines()

    private final class Lines: Sendable {
        let texts = Mutex<[String]>([])

        func logger() -> Logger {
            Logger(label: "test") { StreamLogHandler(label: $0, stream: Stream(lines: self)) }
        }

        var bytes: Int { texts.withLock { $0.reduce(0) { $0 + $1.utf8.count } } }

        private struct Stream: TextOutputStream, Sendable {
            let lines: Lines

            func write(_ string: String) { lines.texts.withLock { $0.append(string) } }
        }
    }

    private func settings() -> AutomationSettings {
        var settings = AutomationSettings()
        settings.mode = .act
        return settings
    }

    /// Lets the automation run for a time.
    ///
    /// - Parameter step: called each time that it sleeps.
    private func run(
        _ settings: AutomationSettings, for time: Duration, step: () -> Void = {}
    ) async {
        let automation = machine.automation(settings)
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        let end = machine.clock.now.offset + time
        while true {
            await machine.clock.whenAsleep(2)
            let left = end - machine.clock.now.offset
            guard left > .zero else { break }
            machine.clock.advance(by: min(left, machine.clock.nextWake ?? left))
            step()
        }
        task.cancel()
        await task.value
    }

    private var levelRuns: [ImaginaryMachine.Run] {
        machine.runs.filter { $0.order.step.purpose.isLevel }
    }

    @Test("A purge that frees nothing is tried less and less often", .tags(.r24c))
    func backsOff() async {
        machine.change {
            $0.available = .megabytes(20)
            $0.frees = .zero
            $0.cost = .milliseconds(30)
        }
        let release: Duration = .seconds(86_400)
        await run(settings(), for: .seconds(87_000)) {
            // The locks are released.
            if machine.clock.now.offset >= release { machine.change { $0.frees = nil } }
        }
        let began = levelRuns.map(\.began).filter { $0 < release }
        #expect(began.count > 200 && began.count < 320, "\(began.count) in a day")
        let pauses = zip(began, began.dropFirst()).map { $1 - $0 }
        #expect(pauses.prefix(4).allSatisfy { $0 < .seconds(12) })
        for (one, next) in zip(pauses, pauses.dropFirst()) where one < .seconds(240) {
            #expect(next >= one)
        }
        let later = levelRuns.map(\.began).filter { $0 > release + .seconds(1) }
        #expect(later.count == 1 && later[0] < release + .seconds(310), "\(later)")
    }

    @Test("A volume that crosses its thresholds again and again causes no storm of purges")
    func flapping() async {
        machine.change {
            $0.available = .megabytes(20)
            $0.frees = .zero
            $0.cost = .milliseconds(30)
        }
        var isShort = true
        var ticks = 0
        await run(settings(), for: .seconds(6 * 3_600)) {
            ticks += 1
            isShort.toggle()
            machine.change { $0.available = .megabytes(isShort ? 20 : 300) }
        }
        #expect(ticks > 500)
        #expect(levelRuns.count < 6 * 3_600 / 30 * 2, "\(levelRuns.count)")
        let minutes = Dictionary(grouping: levelRuns) { Int($0.began / .seconds(60)) }
        #expect(minutes.values.allSatisfy { $0.count <= 6 })
    }

    @Test("A critical level after a calm time is answered at once")
    func calmEndsTheBackoff() async {
        machine.change {
            $0.available = .megabytes(20)
            $0.frees = .zero
        }
        let automation = machine.automation(settings())
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        func pass(_ time: Duration) async {
            let end = machine.clock.now.offset + time
            while machine.clock.now.offset < end {
                await machine.clock.whenAsleep(2)
                machine.clock.advance(by: machine.clock.nextWake ?? .seconds(1))
            }
            await machine.clock.whenAsleep(2)
        }
        await pass(.seconds(3_600))
        #expect(levelRuns.count > 10)
        machine.change { $0.available = .megabytes(900) }
        await pass(.seconds(600))
        let before = levelRuns.count
        machine.change { $0.frees = nil }
        let (reads, now) = (machine.reads, machine.clock.now.offset)
        #expect(machine.push(available: .megabytes(20)))
        while machine.reads == reads { await Task.yield() }
        await machine.clock.whenAsleep(2)
        #expect(levelRuns.count == before + 1)
        #expect(levelRuns.last?.began == now)
        task.cancel()
        await task.value
    }

    /// The volume may leave a level at once here: by default it takes longer than the delays.
    @Test("A level that comes back after a short recovery waits for its turn", .tags(.r24c))
    func shortRecoveryKeepsTheDelay() async {
        var pressure = PressureSettings()
        pressure.dwell = .zero
        let gauge = PressureGauge(settings: pressure)
        machine.change {
            $0.gauge = gauge
            $0.available = .megabytes(20)
            $0.frees = .zero
        }
        let automation = machine.automation(settings())
        // Cancelled and awaited below.
        let task = Task { await automation.run() }
        func step() async {
            await machine.clock.whenAsleep(2)
            machine.clock.advance(by: machine.clock.nextWake ?? .seconds(1))
        }
        // By then, the delay is the longest.
        while levelRuns.count < 12 || levelRuns.last?.ended == nil { await step() }
        await machine.clock.whenAsleep(2)
        let runs = levelRuns.count
        machine.change { $0.available = .megabytes(900) }
        let before = machine.reads
        while machine.reads == before { await step() }
        await machine.clock.whenAsleep(2)
        let reads = machine.reads
        #expect(machine.push(available: .megabytes(20)))
        while machine.reads == reads { await Task.yield() }
        await machine.clock.whenAsleep(2)
        #expect(levelRuns.count == runs)
        for _ in 0..<400 where levelRuns.count == runs { await step() }
        #expect(levelRuns.count == runs + 1)
        task.cancel()
        await task.value
    }

    @Test("A day of purges in vain writes few lines to the log, with their number", .tags(.r24e))
    func logOfADay() async {
        machine.change {
            $0.available = .megabytes(20)
            $0.frees = .zero
            $0.cost = .milliseconds(30)
        }
        let log = AutomationLog(lines.logger(), clock: machine.clock)
        var seen = 0
        await run(settings(), for: .seconds(86_400)) {
            let events = machine.events
            for event in events[seen...] { log.note(event) }
            seen = events.count
        }
        #expect(lines.bytes > 0 && lines.bytes < 100_000, "\(lines.bytes) bytes in a day")
        #expect(lines.texts.withLock { $0.contains { $0.contains("repeated=") } })
    }

    @Test(
        "Of a proposal of 20,000 items the log lists ten, and says how many there are", .tags(.r24e)
    )
    func proposalIsListedInPart() throws {
        let directory = try TemporaryDirectory(on: .memory)
        try directory.tree.files(300, in: "cache", size: .kilobytes(4))
        let area = Area(
            root: directory.path.appending("cache"), purgeClass: .cache, origin: "test")
        let inventory = try Scanner.scan(
            [ScanRoot(path: area.root)], areas: [area], options: ScanOptions(now: .now()))
        let later = Timestamp.now().advanced(by: .seconds(86_400))
        let plan = Planner.plan(inventory, PlanRequest(targets: [.all], now: later))
        let entries = Array(plan)
        #expect(entries.count == 300)
        let log = AutomationLog(lines.logger(), clock: machine.clock)
        for round in 0..<3 {
            for entry in entries { log.note(.wouldRemove(entry, volume: "/data")) }
            var result = PolicyResult(
                trigger: .interval, step: PolicyStep(.due, spending: .due), volume: "/data",
                outcome: .proposed)
            result.plannedItems = 300 + round
            log.note(.ended(result))
        }
        let texts = lines.texts.withLock { $0 }
        #expect(texts.filter { $0.contains("would remove") }.count == 10)
        #expect(texts.filter { $0.contains("unlisted=290") }.count == 3)
    }
}
