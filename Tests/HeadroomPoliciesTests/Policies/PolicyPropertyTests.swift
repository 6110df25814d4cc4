//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

/// Any policy in any situation, against rules that are said once more, in whole numbers and for each class
/// by itself.
struct PolicyPropertyTests {
    private struct Draw {
        var generator: SeededGenerator

        mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
            .random(in: range, using: &generator)
        }
        mutating func one<Value>(of values: [Value]) -> Value {
            values[Int.random(in: values.indices, using: &generator)]
        }
        mutating func flag() -> Bool { .random(using: &generator) }
    }

    private static func policy(_ draw: inout Draw) -> Policy {
        var policy = Policy()
        policy.normal = draw.one(of: [.nothing, .temporary, .due])
        policy.warning = draw.one(of: [.nothing, .temporary, .due, .caches, .trash])
        policy.critical = max(policy.warning, draw.one(of: Policy.Spending.allCases))
        policy.targetFactor = Double(draw.number(5...12)) / 4
        policy.minimumReclaimLimit = .megabytes(draw.number(0...50))
        policy.onBattery = draw.one(of: [.waits, .runs])
        if draw.flag() {
            policy.quietHours = [
                QuietHours(start: Int(draw.number(0...1439)), end: Int(draw.number(0...1440)))
            ]
        }
        return policy
    }

    private static func situation(_ draw: inout Draw) -> PolicySituation {
        // Readings make the levels, so that only what can be is asked.
        var gauge = PressureGauge()
        var time: Duration = .zero
        let total = draw.number(1...4) * 1_000_000_000
        for _ in 0...draw.number(0...6) {
            time += .seconds(draw.number(1...400))
            let figures = PressureReading.Figures(
                available: ByteCount(total / 1_000 * draw.number(0...400)), total: ByteCount(total),
                availableInodes: UInt64(draw.number(0...300)), inodes: draw.flag() ? 1_000 : nil)
            _ = gauge.take(
                PressureReading(
                    time: time,
                    answer: draw.number(0...9) == 0 ? .silent : .figures(figures)))
        }
        var situation = PolicySituation(
            trigger: draw.one(of: CleaningTrigger.allCases),
            pressure: VolumePressure(mountPoint: "/data", gauge: gauge, lastRead: nil))
        situation.minuteOfDay = Int(draw.number(0...1439))
        situation.isOnBattery = draw.flag()
        situation.ageRulesHold = draw.number(0...3) > 0
        situation.bytesOutlook = draw.one(
            of: [
                .unknown, .expected(.init(earliest: .zero, likely: .seconds(60), latest: nil)),
                .expected(.init(earliest: .zero, likely: .seconds(90_000), latest: nil)),
            ])
        return situation
    }

    @Test(.tags(.r24a), arguments: [UInt64(1), 2, 3, 4])
    func holdsInAnySituation(_ seed: UInt64) {
        var draw = Draw(generator: SeededGenerator(seed: seed))
        for round in 0..<20_000 {
            let policy = Self.policy(&draw)
            let situation = Self.situation(&draw)
            let decision = policy.decide(situation)
            let comment = Comment("seed \(seed), round \(round)")
            #expect(policy.problems() == [], comment)
            Self.check(decision, policy, situation, comment)
        }
    }

    private static func check(
        _ decision: PolicyDecision, _ policy: Policy, _ situation: PolicySituation,
        _ comment: Comment
    ) {
        let level = situation.pressure?.level ?? .normal
        let answers = situation.pressure?.state == .answering
        let figures = situation.pressure?.figures
        for step in decision.steps {
            // Last resort only at critical, live caches and older trash from warning on.
            if step.spending == .lastResort { #expect(level == .critical, comment) }
            if step.spending >= .caches { #expect(level >= .warning, comment) }
            if step.purpose != .due { #expect(answers, comment) }
            #expect(step.needs.isEmpty == (step.purpose == .due), comment)
            #expect(
                step.targets.contains(.expired)
                    == (step.purpose == .due && situation.ageRulesHold), comment)
            for need in step.needs {
                let available =
                    need.resource == .bytes
                    ? figures?.available.bytes : figures?.availableInodes.map { Int64($0) }
                #expect(need.available == available, comment)
                #expect(need.available < need.target, comment)
                #expect(need.wanted >= need.shortage && need.shortage > 0, comment)
            }
        }
        let waits = isWaiting(policy, situation)
        if waits {
            #expect(!decision.steps.contains { $0.purpose == .due }, comment)
            #expect(!decision.steps.contains { $0.purpose == .aheadOfTime }, comment)
        }
        #expect(decision.isPutOff <= waits, comment)
        #expect(Set(decision.steps.map(\.purpose)).count == decision.steps.count, comment)
        guard answers, level > .normal, let figures else { return }
        // Of each resource that has crossed a threshold, exactly what is missing to its target.
        for (resource, crossed) in [
            (PolicyNeed.Resource.bytes, situation.pressure?.bytesLevel),
            (.inodes, situation.pressure?.inodesLevel),
        ] {
            let need = decision.steps.lazy.compactMap { $0.need(resource) }.first
            let expected = shortage(resource, crossed ?? .normal, policy, figures)
            #expect(need?.shortage ?? 0 == expected, comment)
        }
    }

    /// In tenths of a percent and quarters of the threshold.
    private static func shortage(
        _ resource: PolicyNeed.Resource, _ crossed: PressureLevel, _ policy: Policy,
        _ figures: PressureReading.Figures
    ) -> Int64 {
        guard crossed > .normal else { return 0 }
        let share: Int64 = crossed == .warning ? 100 : 50
        let quarters = Int64(policy.targetFactor * 4)
        switch resource {
        case .bytes:
            return max(
                0, figures.total.bytes / 1_000 * share * quarters / 4 - figures.available.bytes)
        case .inodes:
            guard figures.inodes != nil, let available = figures.availableInodes else { return 0 }
            // 1,000 inodes; halves are rounded up.
            return max(0, (share * quarters + 2) / 4 - Int64(available))
        }
    }

    private static func isWaiting(_ policy: Policy, _ situation: PolicySituation) -> Bool {
        if situation.trigger == .byHand { return false }
        if policy.onBattery == .waits, situation.isOnBattery { return true }
        guard let range = policy.quietHours.first, let now = situation.minuteOfDay else {
            return false
        }
        // Minute by minute from the start.
        var minute = range.start
        repeat {
            if minute == now { return true }
            minute = (minute + 1) % 1440
        } while minute != range.end % 1440
        return false
    }
}

extension Bool {
    /// Implies.
    fileprivate static func <= (left: Bool, right: Bool) -> Bool { !left || right }
}
