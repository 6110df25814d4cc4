//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import SystemPackage
import Testing

/// What is decided in cases that a person can follow: a volume of 1,000 MB, with warning below 100 and
/// critical below 50, and 1,000 inodes likewise.
struct PolicyDecisionTests {
    private static let total = ByteCount.megabytes(1_000)

    private static func pressure(
        _ level: PressureLevel?, bytes: PressureLevel = .normal, inodes: PressureLevel = .normal,
        available: Int64, availableInodes: UInt64? = 1_000
    ) -> VolumePressure {
        var pressure = VolumePressure(mountPoint: "/data", gauge: PressureGauge(), lastRead: nil)
        pressure.level = level
        pressure.bytesLevel = bytes
        pressure.inodesLevel = inodes
        pressure.state = .answering
        pressure.figures = PressureReading.Figures(
            available: .megabytes(available), total: total, availableInodes: availableInodes,
            inodes: availableInodes == nil ? nil : 1_000)
        return pressure
    }

    private static func situation(
        _ trigger: CleaningTrigger = .levelChange, _ pressure: VolumePressure?
    ) -> PolicySituation {
        PolicySituation(trigger: trigger, pressure: pressure)
    }

    // MARK: - Levels

    @Test(
        .tags(.r24b),
        arguments: [
            // Level, available, target, wanted (MB).
            (PressureLevel.warning, Int64(99), Int64(200), Int64(101)), (.warning, 120, 200, 80),
            (.warning, 195, 200, 10), (.critical, 49, 100, 51), (.critical, 0, 100, 100),
            (.critical, 99, 100, 10),
        ])
    func freesUpToTwiceTheThresholdThatWasCrossed(
        _ level: PressureLevel, _ available: Int64, _ target: Int64, _ wanted: Int64
    ) throws {
        let decision = Policy().decide(
            Self.situation(.levelChange, Self.pressure(level, bytes: level, available: available)))
        let step = try #require(decision.steps.first)
        #expect(decision.steps.count == 1)
        #expect(step.purpose == .level(level))
        #expect(step.spending == (level == .warning ? .trash : .lastResort))
        #expect(step.through == (level == .warning ? .cache : .lastResort))
        #expect(!step.sparesLiveCaches)
        let need = try #require(step.need(.bytes))
        #expect(need.target == target * 1_000_000)
        #expect(need.wanted == wanted * 1_000_000)
        #expect(step.targets == [.free(.megabytes(wanted))])
    }

    @Test(
        .tags(.r23e),
        arguments: [(PressureLevel.warning, Int64(200)), (.critical, 100), (.warning, 900)])
    func restsAtTheTarget(_ level: PressureLevel, _ available: Int64) {
        let decision = Policy().decide(
            Self.situation(.levelChange, Self.pressure(level, bytes: level, available: available)))
        #expect(decision.isRest)
        #expect(decision.rests.map(\.code) == [.enoughAvailable])
    }

    @Test(.tags(.r24a)) func eachResourceSpendsWhatItsOwnLevelAllows() throws {
        // Inodes are at critical, bytes at warning: last resort goes for inodes alone.
        let pressure = Self.pressure(
            .critical, bytes: .warning, inodes: .critical, available: 90, availableInodes: 40)
        let steps = Policy().decide(Self.situation(.levelChange, pressure)).steps
        #expect(steps.map(\.purpose) == [.level(.warning), .level(.critical)])
        #expect(steps.map(\.spending) == [.trash, .lastResort])
        #expect(steps.map { $0.needs.map(\.resource) } == [[.bytes], [.inodes]])
        #expect(steps[1].targets == [.inodes(60)])
        #expect(steps[0].targets == [.free(.megabytes(110))])
    }

    @Test func inodesThatNeverWereShortCostNothing() throws {
        // 15 % is less than a purge would reach, and was never below the threshold.
        let pressure = Self.pressure(
            .warning, bytes: .warning, available: 90, availableInodes: 150)
        let steps = Policy().decide(Self.situation(.levelChange, pressure)).steps
        #expect(steps.map { $0.needs.map(\.resource) } == [[.bytes]])
    }

    @Test func bothGoInOneStepAtOneLevel() throws {
        let pressure = Self.pressure(
            .warning, bytes: .warning, inodes: .warning, available: 90, availableInodes: 99)
        let steps = Policy().decide(Self.situation(.levelChange, pressure)).steps
        #expect(steps.count == 1)
        #expect(steps.first?.targets == [.free(.megabytes(110)), .inodes(101)])
    }

    @Test func neverAsksForMoreThanTheVolumeHas() throws {
        var situation = Self.situation(
            .levelChange, Self.pressure(.warning, bytes: .warning, available: 700))
        situation.thresholds.warning = .init(share: 0.8, limit: nil)
        let need = try #require(Policy().decide(situation).steps.first?.need(.bytes))
        #expect(need.target == Self.total.bytes)
    }

    @Test(.tags(.r24b)) func minimumIsNoMoreThanItsLimit() throws {
        var pressure = Self.pressure(.warning, bytes: .warning, available: 0)
        pressure.figures = PressureReading.Figures(
            available: .gibibytes(16) - ByteCount(1), total: .gibibytes(1_000_000))
        let need = try #require(
            Policy().decide(Self.situation(.levelChange, pressure)).steps.first?.need(.bytes))
        #expect(need.shortage == 1)
        #expect(need.wanted == ByteCount.gibibytes(1).bytes)
    }

    @Test(arguments: [nil, Self.unanswered(.silent), Self.unanswered(.failing(.ioError))])
    func aVolumeThatDoesNotSayIsLeftAlone(_ pressure: VolumePressure?) {
        let decision = Policy().decide(Self.situation(.levelChange, pressure))
        #expect(decision.isRest)
        #expect(decision.rests.map(\.code) == [.noLevel])
    }

    private static func unanswered(_ state: PressureGauge.State) -> VolumePressure {
        var pressure = pressure(.critical, bytes: .critical, available: 1)
        pressure.state = state
        return pressure
    }

    // MARK: - Triggers

    @Test(arguments: CleaningTrigger.allCases)
    func whatIsDueGoesWithTriggersThatNobodyWaitsFor(_ trigger: CleaningTrigger) {
        let decision = Policy().decide(
            Self.situation(trigger, Self.pressure(.normal, available: 900)))
        let cleans: Set<CleaningTrigger> = [.launch, .versionChange, .interval, .byHand]
        #expect(decision.steps.map(\.purpose) == (cleans.contains(trigger) ? [.due] : []))
        for step in decision.steps {
            #expect(step.targets == [.expired, .overLimit])
            #expect(step.through == .cache && step.sparesLiveCaches)
        }
        #expect(decision.rests.map(\.code) == [.levelNormal])
    }

    @Test(arguments: CleaningTrigger.allCases)
    func aLevelAsksWhateverTheTriggerIs(_ trigger: CleaningTrigger) {
        var situation = Self.situation(
            trigger, Self.pressure(.critical, bytes: .critical, available: 10))
        situation.isOnBattery = true
        situation.minuteOfDay = 30
        var policy = Policy()
        policy.quietHours = [QuietHours(start: 1_320, end: 420)]
        #expect(policy.decide(situation).steps.last?.purpose == .level(.critical))
    }

    @Test(
        .tags(.r25d),
        arguments: [
            (Int?(1_319), false), (1_320, true), (1_439, true), (0, true), (419, true),
            (420, false),
            (nil, false),
        ])
    func whatCanWaitDoesInQuietHours(_ minute: Int?, _ isQuiet: Bool) {
        var policy = Policy()
        policy.quietHours = [QuietHours(start: 1_320, end: 420)]
        for trigger in [CleaningTrigger.launch, .versionChange, .interval] {
            var situation = Self.situation(trigger, Self.pressure(.normal, available: 900))
            situation.minuteOfDay = minute
            let decision = policy.decide(situation)
            #expect(decision.isRest == isQuiet)
            #expect(decision.isPutOff == isQuiet)
            #expect(decision.rests.contains { $0.code == .quietHours } == isQuiet)
        }
        var byHand = Self.situation(.byHand, Self.pressure(.normal, available: 900))
        byHand.minuteOfDay = minute
        #expect(!policy.decide(byHand).isPutOff)
    }

    @Test(.tags(.r25d), arguments: Policy.OnBattery.allCases, [false, true])
    func whatCanWaitDoesOnBattery(_ rule: Policy.OnBattery, _ isOnBattery: Bool) {
        var policy = Policy()
        policy.onBattery = rule
        var situation = Self.situation(.interval, Self.pressure(.normal, available: 900))
        situation.isOnBattery = isOnBattery
        let waits = rule == .waits && isOnBattery
        #expect(policy.decide(situation).isPutOff == waits)
        #expect(policy.decide(situation).rests.contains { $0.code == .onBattery } == waits)
    }

    @Test(.tags(.r25e)) func nothingGoesByAgeWhenTheClockWasMoved() throws {
        var situation = Self.situation(.interval, Self.pressure(.normal, available: 900))
        situation.ageRulesHold = false
        let decision = Policy().decide(situation)
        #expect(decision.steps.map(\.targets) == [[.overLimit]])
        #expect(decision.rests.map(\.code) == [.clockMoved, .levelNormal])
    }

    // MARK: - Ahead of time

    private static func near(_ likely: Duration) -> Forecast.Outlook {
        .expected(.init(earliest: .seconds(60), likely: likely, latest: nil))
    }

    @Test(
        .tags(.r24d),
        arguments: [
            (Self.near(.seconds(3_600)), Int64(150), true),
            (Self.near(.seconds(86_400)), 199, true),
            (Self.near(.seconds(86_401)), 150, false), (.unknown, 150, false),
            (.reached, 150, true),
            (.notExpected(within: .seconds(9), earliest: .seconds(1)), 150, false),
            // As much is available as a purge would reach.
            (Self.near(.seconds(3_600)), 200, false),
        ])
    func temporaryContentGoesWhenWarningIsNear(
        _ outlook: Forecast.Outlook, _ available: Int64, _ goes: Bool
    ) throws {
        var situation = Self.situation(
            .forecast, Self.pressure(.normal, available: available, availableInodes: nil))
        situation.bytesOutlook = outlook
        let decision = Policy().decide(situation)
        #expect(decision.isRest == !goes)
        guard goes else { return }
        let step = try #require(decision.steps.first)
        #expect(step.purpose == .aheadOfTime)
        #expect(step.through == .temporary)
        #expect(step.need(.bytes)?.target == 200_000_000)
        situation.isOnBattery = true
        #expect(Policy().decide(situation).isPutOff)
        var never = Policy()
        never.forecastHorizon = .zero
        situation.isOnBattery = false
        #expect(never.decide(situation).isRest)
    }

    @Test func inodesMayBeNearToo() throws {
        var situation = Self.situation(
            .forecast, Self.pressure(.normal, available: 900, availableInodes: 130))
        situation.inodesOutlook = Self.near(.seconds(60))
        let step = try #require(Policy().decide(situation).steps.first)
        #expect(step.needs.map(\.resource) == [.inodes])
        #expect(step.targets == [.inodes(70)])
    }

    // MARK: - More protective

    @Test(.tags(.r24a)) func spendsNoMoreThanItIsTold() {
        var policy = Policy()
        (policy.normal, policy.warning, policy.critical) = (.nothing, .temporary, .trash)
        let due = policy.decide(Self.situation(.interval, Self.pressure(.normal, available: 900)))
        #expect(due.isRest)
        #expect(due.rests.map(\.code) == [.spendsNothing, .levelNormal])
        for (level, through) in [
            (PressureLevel.warning, PurgeableClass.temporary), (.critical, .cache),
        ] {
            let steps = policy.decide(
                Self.situation(.levelChange, Self.pressure(level, bytes: level, available: 10))
            ).steps
            #expect(steps.map(\.through) == [through])
        }
    }
}
