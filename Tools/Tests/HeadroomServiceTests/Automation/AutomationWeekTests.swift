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
import Synchronization
import SystemPackage
import Testing

/// R25 in fast motion: a week of starts, stops, crashes, clock jumps, quiet hours, battery, forecasts and a volume
/// that fills, slowly or so fast that its monitor says so.
struct AutomationWeekTests {
    private static let quiet = QuietHours(start: 22 * 60, end: 7 * 60)

    /// What happens at a moment, at random.
    fileprivate enum Happening: CaseIterable {
        case fills, empties, battery, mains, stop, crash, update, jumpAhead, jumpBack, clockIsRight,
            helpless, helpful, warningIsNear, warningIsFar
    }

    @Test(.tags(.r25b), arguments: [UInt64(1), 2, 3])
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
        var pushes = 0
        var crashes = 0
        var check = RuleCheck(seed: seed, quiet: Self.quiet, interval: settings.policy.interval)

        while clock.now.offset < week {
            starts.append(clock.now.offset)
            let isUpdate = settings.version != "" && settings.version != "\(version)"
            check.start(machine, isUpdate ? .versionChange : .launch)
            settings.version = "\(version)"
            machine.change { $0.listener = nil }
            let automation = machine.automation(settings, memory: memory)
            // Cancelled and awaited below.
            let task = Task { await automation.run() }
            var isOver = false
            // What is on the disk when it ends without a word.
            var left: [UInt8]?
            while !isOver, clock.now.offset < week {
                // The search for volumes, and the lane: it pauses or works.
                await clock.whenAsleep(2)
                check.look(machine)
                if check.isCalm(machine), Int.random(in: 0..<200, using: &generator) == 0,
                    await Self.push(to: machine, seed, &generator)
                {
                    pushes += 1
                    check.look(machine)
                }
                let wake = clock.nextWake ?? .seconds(1)
                clock.advance(by: max(wake, .milliseconds(1)))
                guard Int.random(in: 0..<31, using: &generator) == 0 else { continue }
                let happening = Happening.allCases.randomElement(using: &generator) ?? .fills
                isOver = [.stop, .crash, .update].contains(happening)
                if happening == .update { version += 1 }
                if happening == .crash { left = try memory.read() }
                Self.apply(happening, to: machine, &generator)
                check.noteClock(after: happening, at: clock.now.offset)
            }
            task.cancel()
            await task.value
            // What it has written in ending has never been.
            if let left {
                crashes += 1
                try memory.replace(with: left) { _ in true }
            }
        }
        check.finish(machine)
        let runs = machine.runs
        #expect(starts.count > 5, "seed \(seed)")
        #expect(runs.filter { $0.order.step.purpose == .due }.count > 20, "seed \(seed)")
        #expect(runs.filter { $0.order.step.purpose.isLevel }.count > 20, "seed \(seed)")
        #expect(runs.contains { !$0.order.step.goesByAge }, "seed \(seed)")
        #expect(version > 1, "seed \(seed)")
        #expect(runs.contains { $0.order.trigger == .versionChange }, "seed \(seed)")
        #expect(runs.contains { $0.order.trigger == .forecast }, "seed \(seed)")
        #expect(pushes > 3, "seed \(seed)")
        #expect(crashes > 3, "seed \(seed)")
        let troubles = machine.events.compactMap { event -> String? in
            if case .trouble(let text) = event { return text }
            return nil
        }
        #expect(troubles.isEmpty, "seed \(seed)")
    }

    /// The volume becomes critical, and its monitor says it: that is answered without a moment going by, also in
    /// quiet hours and on battery.
    ///
    /// - Returns: false if nobody listens yet.
    private static func push(
        to machine: ImaginaryMachine, _ seed: UInt64, _ generator: inout SeededGenerator
    ) async -> Bool {
        let available = Int64.random(in: 5...45, using: &generator)
        let before = machine.runs.count
        let reads = machine.reads
        guard machine.push(available: .megabytes(available)) else { return false }
        // The lane was asleep; it is awakened, and reads.
        while machine.reads == reads { await Task.yield() }
        await machine.clock.whenAsleep(2)
        let now = machine.clock.now.offset
        let first = machine.runs.dropFirst(before).first
        #expect(first?.began == now, "seed \(seed) at \(now)")
        #expect(first?.order.step.purpose == .level(.critical), "seed \(seed) at \(now)")
        return true
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
            case .stop, .crash, .update: break
            case .jumpAhead:
                state.wallShift += jump
                state.ageRulesHold = false
            case .jumpBack:
                state.wallShift -= jump
                state.ageRulesHold = false
            case .clockIsRight: state.ageRulesHold = true
            case .helpless: state.frees = .megabytes(1)
            case .helpful: state.frees = nil
            case .warningIsNear:
                state.available = .megabytes(100 + amount / 2)
                state.likely = .seconds(amount * 600)
            case .warningIsFar: state.likely = amount < 70 ? nil : Duration.seconds(100_000)
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
    /// How it was each time that everything was at rest.
    private var moments: [Moment] = []
    /// Since when the level is normal.
    private var normalSince: Duration?
    /// When something last went for the forecast alone.
    private var lastForecast: Duration?
    /// Since when something could go ahead of time.
    private var earlySince: Duration?
    /// Whether age rules hold, from each moment on at which that was set.
    private var clocks: [(time: Duration, holds: Bool)] = []

    private struct Moment {
        var time: Duration
        /// What nobody waits for does.
        var waits: Bool
        /// Warning is expected within a day.
        var isNear: Bool
    }

    init(seed: UInt64, quiet: QuietHours, interval: Duration) {
        (self.seed, self.quiet, self.interval) = (seed, quiet, interval)
    }

    mutating func start(_ machine: ImaginaryMachine, _ trigger: CleaningTrigger) {
        // A start is a trigger, and what began in the moment of an end is none of its runs.
        first = trigger
        checked = machine.runs.count
        lastDue = nil
        couldSince = nil
        askedSince = nil
        normalSince = nil
        lastForecast = nil
        earlySince = nil
    }

    /// Whether nobody is at work, and the level has been normal for so long that the lane knows it.
    func isCalm(_ machine: ImaginaryMachine) -> Bool {
        let isWorking = machine.runs.last.map { $0.ended == nil } ?? false
        guard let normalSince, !isWorking else { return false }
        return machine.clock.now.offset - normalSince > .seconds(120)
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
        let isNear = isNear(machine)
        moments.append(Moment(time: now, waits: waits, isNear: isNear))
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
                #expect(seen(before: run).contains { !$0.waits }, comment)
                let trigger = first ?? .interval
                #expect(run.order.trigger == trigger, comment)
                first = nil
                lastDue = now
            }
            #expect(run.order.step.purpose != .due || run.order.step.needs.isEmpty, comment)
            if run.order.step.purpose.isLevel { askedSince = nil }
            checkEarly(run, comment)
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
        lookAhead(machine, waits: waits, isNear: isNear, isWorking: isWorking, comment)
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

    /// What goes ahead of time is temporary, and goes while the level is normal, when what is due might; for the
    /// forecast alone at most once an hour.
    private mutating func checkEarly(_ run: ImaginaryMachine.Run, _ comment: Comment) {
        let isEarly = run.order.step.purpose == .aheadOfTime
        if run.order.trigger == .forecast {
            #expect(isEarly, comment)
            if let lastForecast {
                #expect(run.began - lastForecast >= .seconds(3_600), comment)
            }
            lastForecast = run.began
            earlySince = nil
        }
        guard isEarly else { return }
        #expect(run.order.step.spending == .temporary, comment)
        let need = run.order.step.need(.bytes)
        #expect(need?.level == .normal, comment)
        let isShort = need.map { $0.available >= 100_000_000 && $0.available < $0.target }
        #expect(isShort == true, comment)
        let seen = seen(before: run)
        #expect(seen.contains { !$0.waits }, comment)
        #expect(seen.contains { $0.isNear }, comment)
    }

    /// What may have been seen when a run was decided: where it changed in just that moment, either.
    private func seen(before run: ImaginaryMachine.Run) -> [Moment] {
        let before = moments.last { $0.time < workBegan }
        let meanwhile = moments.filter { $0.time >= workBegan && $0.time <= run.began }
        return meanwhile + [before].compactMap(\.self)
    }

    /// Where warning is near and less than its target is available, something goes within two looks, unless it
    /// has within the hour.
    private mutating func lookAhead(
        _ machine: ImaginaryMachine, waits: Bool, isNear: Bool, isWorking: Bool, _ comment: Comment
    ) {
        let now = machine.clock.now.offset
        let pressure = machine.pressure()
        let isNormal = pressure.level == .normal
        normalSince = isNormal ? normalSince ?? now : nil
        let available = pressure.figures?.available ?? .zero
        let isPaused = lastForecast.map { now - $0 < .seconds(3_700) } ?? false
        guard isNormal, isNear, available < .megabytes(180), !waits, !isWorking, !isPaused else {
            earlySince = nil
            return
        }
        earlySince = earlySince ?? now
        #expect(now - (earlySince ?? now) <= .seconds(130), comment)
    }

    private func isNear(_ machine: ImaginaryMachine) -> Bool {
        var likely: Duration?
        machine.change { likely = $0.likely }
        return likely.map { $0 <= .seconds(86_400) } ?? false
    }

    private func waits(_ machine: ImaginaryMachine) -> Bool {
        var isOnBattery = false
        machine.change { isOnBattery = $0.isOnBattery }
        return isOnBattery || quiet.contains(minute: machine.minuteOfDay(machine.now))
    }
}
