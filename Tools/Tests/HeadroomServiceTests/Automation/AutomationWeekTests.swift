//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// R25 in fast motion: a week of starts, kills, clock jumps, quiet hours, battery and a volume that fills.
struct AutomationWeekTests {
    private static let quiet = QuietHours(start: 22 * 60, end: 7 * 60)

    /// What happens at a moment, at random.
    fileprivate enum Happening: CaseIterable {
        case fills, empties, battery, mains, kill, update, jumpAhead, jumpBack, clockIsRight,
            helpless, helpful
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func everyTriggerFiresAsTheRulesSay(_ seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let directory = try TemporaryDirectory()
        let memory = StateFile("automation.json", in: directory.path)
        let machine = ImaginaryMachine()
        var settings = AutomationSettings()
        settings.mode = .act
        settings.policy.quietHours = [Self.quiet]
        settings.policy.interval = .seconds(6 * 3_600)
        let clock = machine.clock
        let week: Duration = .seconds(7 * 86_400)
        var starts: [Duration] = []
        var version = 1
        var check = RuleCheck(seed: seed, quiet: Self.quiet, interval: settings.policy.interval)

        while clock.now.offset < week {
            starts.append(clock.now.offset)
            let isUpdate = settings.version != "" && settings.version != "\(version)"
            check.start(machine, isUpdate ? .versionChange : .launch)
            settings.version = "\(version)"
            let automation = machine.automation(settings, memory: memory)
            // Cancelled and awaited below.
            let task = Task { await automation.run() }
            var isKilled = false
            while !isKilled, clock.now.offset < week {
                // The search for volumes, and the lane: it pauses or works.
                await clock.whenAsleep(2)
                check.look(machine)
                let wake = clock.nextWake ?? .seconds(1)
                clock.advance(by: max(wake, .milliseconds(1)))
                guard Int.random(in: 0..<40, using: &generator) == 0 else { continue }
                let happening = Happening.allCases.randomElement(using: &generator) ?? .fills
                isKilled = happening == .kill || happening == .update
                if happening == .update { version += 1 }
                Self.apply(happening, to: machine, &generator)
                check.noteClock(after: happening, at: clock.now.offset)
            }
            task.cancel()
            await task.value
        }
        check.finish(machine)
        let runs = machine.runs
        #expect(starts.count > 5, "seed \(seed)")
        #expect(runs.filter { $0.order.step.purpose == .due }.count > 20, "seed \(seed)")
        #expect(runs.filter { $0.order.step.purpose.isLevel }.count > 20, "seed \(seed)")
        #expect(runs.contains { !$0.order.step.goesByAge }, "seed \(seed)")
        #expect(version > 1, "seed \(seed)")
        #expect(runs.contains { $0.order.trigger == .versionChange }, "seed \(seed)")
    }

    private static func apply(
        _ happening: Happening, to machine: ImaginaryMachine,
        _ generator: inout SeededGenerator
    ) {
        let amount = Int64.random(in: 5...140, using: &generator)
        let jump = Duration.seconds(Int64.random(in: 100_000...1_000_000, using: &generator))
        machine.change { state in
            switch happening {
            case .fills: state.available = .megabytes(amount)
            case .empties: state.available = .megabytes(900)
            case .battery: state.isOnBattery = true
            case .mains: state.isOnBattery = false
            case .kill, .update: break
            case .jumpAhead:
                state.wallShift += jump
                state.ageRulesHold = false
            case .jumpBack:
                state.wallShift -= jump
                state.ageRulesHold = false
            case .clockIsRight: state.ageRulesHold = true
            case .helpless: state.frees = .megabytes(1)
            case .helpful: state.frees = nil
            }
        }
    }
}

/// What R23 to R25 say, looked at from outside each time that everything is at rest.
private struct RuleCheck {
    let seed: UInt64
    let quiet: QuietHours
    let interval: Duration
    private var checked = 0
    private var lastDue: Duration?
    /// Since when what is due could have gone.
    private var couldSince: Duration?
    /// Since when a level asks for something.
    private var askedSince: Duration?
    /// What the start is for what is due; nil: it was taken.
    private var first: CleaningTrigger?
    /// When the work began that the last run belongs to.
    private var workBegan: Duration = .zero
    /// Whether age rules hold, from each moment on at which that was set.
    private var clocks: [(time: Duration, holds: Bool)] = []

    init(seed: UInt64, quiet: QuietHours, interval: Duration) {
        (self.seed, self.quiet, self.interval) = (seed, quiet, interval)
    }

    mutating func start(_ machine: ImaginaryMachine, _ trigger: CleaningTrigger) {
        // A start is a trigger, and what began in the moment of a kill is none of its runs.
        first = trigger
        checked = machine.runs.count
        lastDue = nil
        couldSince = nil
        askedSince = nil
    }

    /// What is due by the wall clock after a jump is not for this model to say; by the other it still is. But
    /// what goes by age stays until the clocks agree.
    mutating func noteClock(after happening: AutomationWeekTests.Happening, at time: Duration) {
        switch happening {
        case .jumpAhead, .jumpBack: clocks.append((time, false))
        case .clockIsRight: clocks.append((time, true))
        default: break
        }
    }

    /// Whether work of that time may go by age: where the clock was set in just that moment, either.
    private func holdings(from began: Duration, to end: Duration) -> Set<Bool> {
        let before = clocks.last { $0.time < began }?.holds ?? true
        let meanwhile = clocks.filter { $0.time >= began && $0.time <= end }.map(\.holds)
        return Set(meanwhile + [before])
    }

    mutating func look(_ machine: ImaginaryMachine) {
        let now = machine.clock.now.offset
        let comment: Comment = "seed \(seed) at \(now)"
        let runs = machine.runs
        let waits = waits(machine)
        for (index, run) in runs.enumerated().dropFirst(checked) {
            #expect(run.began == now || run.ended != nil, comment)
            // The steps of one work follow on each other, and go by what was seen at its beginning.
            if index == 0 || runs[index - 1].ended != run.began
                || runs[index - 1].order.trigger != run.order.trigger
            {
                workBegan = run.began
            }
            let holdings = holdings(from: workBegan, to: run.began)
            #expect(holdings.contains(run.order.step.goesByAge), comment)
            if run.order.step.purpose == .due {
                #expect(!waits, comment)
                let trigger = first ?? .interval
                #expect(run.order.trigger == trigger, comment)
                first = nil
                lastDue = now
            }
            #expect(run.order.step.purpose != .due || run.order.step.needs.isEmpty, comment)
            if run.order.step.purpose.isLevel { askedSince = nil }
        }
        checked = runs.count
        // Never twice at once.
        #expect(runs.filter { $0.ended == nil }.count <= 1, comment)
        let isWorking = runs.last.map { $0.ended == nil } ?? false

        // What is due, and does not wait, has begun within a minute.
        let isDue = lastDue.map { now - $0 >= interval } ?? true
        if isDue, !waits, !isWorking {
            couldSince = couldSince ?? now
            #expect(now - (couldSince ?? now) <= .seconds(61), comment)
        } else {
            couldSince = nil
        }
        // A level that has just been reached has been answered within a minute, whatever the hour.
        let pressure = machine.pressure()
        let available = pressure.figures?.available ?? .zero
        let isShort =
            switch pressure.level {
            case .critical: available < .megabytes(50)
            case .warning: available < .megabytes(100)
            case .normal, nil: false
            }
        if isShort, !isWorking {
            askedSince = askedSince ?? now
            // One that did not help is not tried again at once: no sooner than 20 times as long.
            #expect(now - (askedSince ?? now) <= .seconds(130), comment)
        } else {
            askedSince = nil
        }
    }

    func finish(_ machine: ImaginaryMachine) {
        let runs = machine.runs
        for (one, next) in zip(runs, runs.dropFirst()) {
            let ended = one.ended ?? .zero
            #expect(ended <= next.began, "seed \(seed)")
        }
    }

    private func waits(_ machine: ImaginaryMachine) -> Bool {
        var isOnBattery = false
        machine.change { isOnBattery = $0.isOnBattery }
        return isOnBattery || quiet.contains(minute: machine.minuteOfDay(machine.now))
    }
}
