//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What is done for one volume, and when: a value that is asked after each look at the volume, and told
/// what came of it. It knows no clock and no file system.
struct VolumeLane: Sendable {
    /// Where the volume is mounted.
    let volume: FilePath
    var schedule: TriggerSchedule
    /// The level for which something was last decided.
    private var level: PressureLevel?
    /// Before this, a level is not tried again: the last time did not help.
    private var retry: Duration = .zero
    /// What was missing when the last time was over, if it freed something and did not help: what others write on
    /// from there is not waited for.
    private var leftovers: [PolicyNeed] = []
    private var backoff = RetryBackoff()
    /// Before this, nothing goes ahead of time.
    private var nextForecast: Duration = .zero
    /// What cannot be helped, and when people were last told; nil: everything can.
    private var plights: [PolicyPlight] = []
    private var told: Duration?
    /// How often in a row it could not be helped.
    private var misses = 0
    /// Why something waits, so that it is said once.
    private(set) var putOff: Reason?

    /// The forecast goes by hours and days.
    private static let forecastPause: Duration = .seconds(3_600)

    init(_ volume: FilePath, schedule: TriggerSchedule) {
        self.volume = volume
        self.schedule = schedule
    }

    /// What is to be done now.
    struct Work {
        var trigger: CleaningTrigger
        var decision: PolicyDecision
    }

    /// - Parameter situation: how things stand; its trigger does not matter.
    mutating func work(
        _ situation: PolicySituation, _ policy: Policy, now: Timestamp, uptime: Duration
    ) -> Work? {
        if let trigger = schedule.trigger(at: now, uptime: uptime, interval: policy.interval) {
            let decision = policy.decide(situation.with(trigger))
            if !decision.isPutOff {
                putOff = nil
                return Work(trigger: trigger, decision: decision)
            }
            putOff = decision.rests.first { $0.code == .quietHours || $0.code == .onBattery }
        }
        guard let pressure = situation.pressure, let current = pressure.level else { return nil }
        backoff.note(current, at: uptime)
        if current == .normal {
            level = current
            if told == nil { misses = 0 }
            return forecastWork(situation, policy, uptime)
        }
        let decision = policy.decide(situation.with(.levelChange))
        let isNew = current != level && backoff.admits(current, at: uptime)
        let mayRetry = uptime >= retry || hasWorsened(decision)
        guard isNew || mayRetry && lasts(decision, policy, situation.thresholds) else { return nil }
        guard !decision.isRest else {
            if pressure.state == .answering { level = current }
            return nil
        }
        return Work(trigger: .levelChange, decision: decision)
    }

    private mutating func forecastWork(
        _ situation: PolicySituation, _ policy: Policy, _ uptime: Duration
    ) -> Work? {
        guard uptime >= nextForecast else { return nil }
        let decision = policy.decide(situation.with(.forecast))
        guard !decision.isRest else { return nil }
        return Work(trigger: .forecast, decision: decision)
    }

    /// Whether so little is available that the level is not left by itself.
    private func lasts(
        _ decision: PolicyDecision, _ policy: Policy, _ thresholds: PressureThresholds
    ) -> Bool {
        decision.steps.flatMap(\.needs).contains { need in
            Double(need.available)
                < Double(need.target) / policy.targetFactor * thresholds.leavingFactor
        }
    }

    /// Whether a quarter as much again is missing of something as when the last time was over.
    private func hasWorsened(_ decision: PolicyDecision) -> Bool {
        let needs = decision.steps.flatMap(\.needs)
        return leftovers.contains { left in
            needs.contains { need in
                need.resource == left.resource
                    && Double(left.available - need.available) >= Double(left.shortage) / 4
            }
        }
    }

    // MARK: - Afterwards

    /// Takes in what came of the work.
    ///
    /// - Parameters:
    ///   - cost: how long it took.
    ///   - patience: how often others, who help beside it, may have their turn before people are told.
    ///   - rest: how long to wait at least before the same is tried again where it did not help.
    ///   - wasStopped: it was ended in its midst: what is due stays due.
    /// - Returns: what people have to be told.
    mutating func finish(
        _ work: Work, _ results: [PolicyResult], level current: PressureLevel?, cost: Duration,
        rest: Duration, patience: Int = 0, wasStopped: Bool, now: Timestamp, uptime: Duration
    ) -> [AutomationEvent] {
        let isDue = work.decision.steps.contains { $0.purpose == .due } || work.trigger.isDue
        if isDue, !wasStopped { schedule.take(at: now, uptime: uptime) }
        if work.trigger == .forecast { nextForecast = uptime + max(rest, Self.forecastPause) }
        let forLevel = results.filter { $0.step.purpose.isLevel }
        guard !forLevel.isEmpty else { return [] }
        let isNew = level != current
        level = current
        let helped = forLevel.allSatisfy(Self.helped)
        if helped, rest == .zero {
            backoff.reset()
            retry = uptime
        } else {
            let delay = backoff.fail(current ?? .normal, cost: cost, at: uptime)
            retry = uptime + max(rest, delay)
        }
        leftovers =
            helped || rest > .zero ? [] : forLevel.filter(Self.freedSomething).flatMap(\.missing)
        return tell(forLevel.flatMap(\.plights), patience, isNew: isNew, uptime)
    }

    /// Whether it was worth it: where others write as fast as it is freed, it is done again. A volume that recovered
    /// without the purge can be short again at once, and then counts as not helped.
    private static func helped(_ result: PolicyResult) -> Bool {
        guard result.outcome == .purged else { return false }
        if result.isComplete { return true }
        return result.missing.allSatisfy { left in
            let before = result.step.need(left.resource)?.shortage ?? 0
            return left.shortage <= before / 2
        }
    }

    private static func freedSomething(_ result: PolicyResult) -> Bool {
        result.outcome == .purged && result.receipt.map { $0.removedCount > 0 } ?? true
    }

    /// Once for each level, and then by reminders.
    private mutating func tell(
        _ found: [PolicyPlight], _ patience: Int, isNew: Bool, _ uptime: Duration
    ) -> [AutomationEvent] {
        plights = found
        guard !found.isEmpty else {
            misses = 0
            defer { told = nil }
            return told != nil ? [.relieved(volume)] : []
        }
        misses += 1
        guard misses > patience, isNew || told == nil else { return [] }
        told = uptime
        return found.map { .plight($0, isReminder: false) }
    }

    /// What people have to be told again, and that a level is over.
    mutating func reminders(
        level current: PressureLevel?, every interval: Duration, uptime: Duration
    ) -> [AutomationEvent] {
        guard let told else { return [] }
        if current == .normal {
            plights = []
            misses = 0
            self.told = nil
            return [.relieved(volume)]
        }
        // mutation: r24e-1
        guard uptime - told >= interval else { return [] }
        self.told = uptime
        return plights.map { .plight($0, isReminder: true) }
    }

    /// How long nothing can be to do, unless the volume changes.
    mutating func pause(
        _ pressure: VolumePressure?, _ policy: Policy, now: Timestamp, uptime: Duration
    ) -> Duration {
        var pause = Self.longestPause
        let due = schedule.wait(at: now, uptime: uptime, interval: policy.interval)
        // What waits is asked for again soon.
        pause = min(pause, max(due, putOff == nil ? .zero : Self.longestPause))
        if let told { pause = min(pause, told + policy.reminderInterval - uptime) }
        if let pressure, let level = pressure.level, level > .normal {
            let wait = leftovers.isEmpty ? max(retry, backoff.end) - uptime : .zero
            pause = min(pause, max(pressure.interval, wait))
        }
        return max(pause, .milliseconds(100))
    }

    private static let longestPause: Duration = .seconds(60)
}

extension PolicySituation {
    fileprivate func with(_ trigger: CleaningTrigger) -> PolicySituation {
        var situation = self
        situation.trigger = trigger
        return situation
    }
}

extension CleaningTrigger {
    /// Whether it is one of those for which what is due goes.
    fileprivate var isDue: Bool {
        self == .launch || self == .versionChange || self == .interval
    }
}

extension PolicyStep.Purpose {
    /// Whether a level asks for it.
    package var isLevel: Bool {
        if case .level = self { return true }
        return false
    }
}
