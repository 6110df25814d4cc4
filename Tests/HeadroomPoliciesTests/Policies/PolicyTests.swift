//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import Testing

struct PolicyTests {
    @Test func standardIsValid() throws {
        try Policy.standard.validate()
        #expect(Policy.standard.spending(at: .warning) == .trash)
        #expect(Policy.standard.targetFactor == 2)
    }

    @Test(arguments: PressureLevel.allCases, Policy.Spending.allCases)
    func spendsLessAndNeverMore(_ level: PressureLevel, _ spending: Policy.Spending) {
        var policy = Policy()
        switch level {
        case .normal: policy.normal = spending
        case .warning: policy.warning = spending
        case .critical:
            policy.warning = min(policy.warning, spending)
            policy.critical = spending
        }
        let most: Policy.Spending =
            level == .normal ? .due : level == .warning ? .trash : .lastResort
        #expect(policy.problems().isEmpty == (spending <= most))
    }

    @Test func spendsAtCriticalWhatItDoesAtWarning() {
        var policy = Policy()
        policy.critical = .caches
        #expect(policy.problems().map(\.property) == ["critical"])
        policy.warning = .caches
        #expect(policy.problems() == [])
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var property: String
        var make: @Sendable (inout Policy) -> Void
        var testDescription: String { property }
    }

    static let mistakes = [
        Mistake(property: "targetFactor") { $0.targetFactor = 1.2 },
        Mistake(property: "targetFactor") { $0.targetFactor = .nan },
        Mistake(property: "targetFactor") { $0.targetFactor = .infinity },
        Mistake(property: "minimumReclaimShare") { $0.minimumReclaimShare = -0.1 },
        Mistake(property: "minimumReclaimShare") { $0.minimumReclaimShare = .nan },
        Mistake(property: "minimumReclaimLimit") { $0.minimumReclaimLimit = ByteCount(-1) },
        Mistake(property: "helpfulShare") { $0.helpfulShare = 1.01 },
        Mistake(property: "helpfulShare") { $0.helpfulShare = .nan },
        Mistake(property: "interval") { $0.interval = .zero },
        Mistake(property: "forecastHorizon") { $0.forecastHorizon = .seconds(-1) },
        Mistake(property: "quietHours") { $0.quietHours = [QuietHours(start: 1440, end: 10)] },
        Mistake(property: "quietHours") { $0.quietHours = [QuietHours(start: 3, end: 1441)] },
        Mistake(property: "moduleTimeLimit") { $0.moduleTimeLimit = .zero },
        Mistake(property: "moduleTimeLimit") { $0.moduleTimeLimit = .seconds(3601) },
        Mistake(property: "reminderInterval") { $0.reminderInterval = .seconds(59) },
    ]

    @Test(arguments: mistakes)
    func namesWhatIsOutOfRange(_ mistake: Mistake) {
        var policy = Policy()
        mistake.make(&policy)
        #expect(policy.problems().map(\.property) == [mistake.property])
        do throws(HeadroomError) {
            try policy.validate()
            Issue.record("It was accepted.")
        } catch {
            #expect(error.code == .invalid)
            #expect(error.message.contains(mistake.property))
        }
    }

    @Test func targetLiesWhereALevelIsLeft() {
        var thresholds = PressureThresholds()
        thresholds.leavingFactor = 2.5
        #expect(Policy().problems(thresholds: thresholds).map(\.property) == ["targetFactor"])
    }

    @Test func namesAreReadBack() {
        for spending in Policy.Spending.allCases {
            #expect(Policy.Spending(name: spending.name) == spending)
        }
        for rule in Policy.OnBattery.allCases { #expect(Policy.OnBattery(name: rule.name) == rule) }
        #expect(Policy.Spending(name: "last-resort") == .lastResort)
        #expect(Policy.Spending(name: "essential") == nil)
    }
}
