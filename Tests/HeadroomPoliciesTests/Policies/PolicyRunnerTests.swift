//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import HeadroomPromises
import Glibc
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// What a policy does to a real volume.
@Suite(.enabled(if: Privilege.canMount, "needs root to mount a tmpfs"))
struct PolicyRunnerTests {
    private static let file = ByteCount.mebibytes(1)
    private static let warning = ByteCount.mebibytes(64).bytes / 10

    @Test(.tags(.s9a, .r24b)) func warningIsHelpedAndLastResortStays() throws {
        let volume = try PolicyVolume()
        try volume.fill("temporary", 3, of: Self.file)
        try volume.fill("cache", 20, of: Self.file)
        try volume.fill("lastResort", 8, of: Self.file)
        try volume.leave(.mebibytes(5))
        let before = try volume.available
        let results = try volume.run()
        let result = try #require(results.first)
        #expect(results.count == 1)
        #expect(result.step.purpose == .level(.warning))
        #expect(result.outcome == .purged && result.isComplete && result.reasons == [])
        let target = ByteCount(2 * Self.warning)
        #expect(try volume.available >= target)
        // No more than one item over what was missing, or the least that is worth a purge.
        #expect(try volume.available - before < target - before + Self.file)
        #expect(result.gained == (try volume.available) - before)
        #expect(result.receipt?.expected == result.gained)
        #expect(try volume.count("temporary") == 0)
        #expect(try volume.count("cache") == 20 - (result.plannedItems - 3))
        #expect(try volume.count("lastResort") == 8)
        #expect(try volume.count("essential") == 1)
        #expect(volume.image.tree.exists("cache/cache-19"), "the oldest go first")
        #expect(try volume.run().isEmpty, "the level is normal by this reading")
    }

    @Test(.tags(.r24a)) func criticalSpendsLastResortAfterAllElse() throws {
        let volume = try PolicyVolume()
        try volume.fill("temporary", 1, of: Self.file)
        try volume.fill("cache", 2, of: Self.file)
        try volume.fill("lastResort", 8, of: Self.file)
        try volume.leave(.mebibytes(1))
        let result = try #require(try volume.run().first)
        #expect(result.step.purpose == .level(.critical))
        #expect(result.isComplete)
        #expect(try volume.count("temporary") == 0 && volume.count("cache") == 0)
        let left = try volume.count("lastResort")
        #expect(left < 8 && left > 0)
        #expect(try volume.count("essential") == 1)
        #expect(try volume.available >= ByteCount(Self.warning))
        #expect(try volume.available < ByteCount(Self.warning) + Self.file)
    }

    @Test(.tags(.r24c)) func whatCannotHelpIsNotLostForNothing() throws {
        let volume = try PolicyVolume()
        try volume.fill("temporary", 1, of: Self.file)
        try volume.fill("cache", 2, of: Self.file)
        // 6.4 MiB are to be available, and 6.3 are missing.
        try volume.leave(.kilobytes(100))
        var policy = Policy.eager
        policy.warning = .caches
        policy.critical = .caches
        let results = try volume.run(.levelChange, policy)
        let result = try #require(results.first)
        #expect(results.count == 1)
        #expect(result.step.isHopeless && result.step.through == .temporary)
        #expect(try volume.count("temporary") == 0)
        #expect(try volume.count("cache") == 2, "it would not have helped")
        let plight = try #require(result.plights.first)
        #expect(plight.eligible == ByteCount.mebibytes(3).bytes)
        #expect(plight.need.level == .critical)
        #expect("\(plight)".contains("headroom clean"))
        #expect(!result.isComplete)
        #expect(result.reasons.contains { $0.code == .cannotHelp })
        #expect(result.missing.first?.target == Self.warning)
    }

    @Test(.tags(.r24c), arguments: [(4, false), (3, true)])
    func aHalfOfWhatIsMissingHelps(_ files: Int, _ isHopeless: Bool) throws {
        let volume = try PolicyVolume()
        try volume.fill("cache", files, of: Self.file)
        // With a target of 8 MiB (an eighth of the volume), 8 MiB are missing: four are the half.
        var policy = Policy.eager
        policy.targetFactor = 2
        try volume.leave(.zero)
        var situation = try volume.situation()
        situation.thresholds.critical = .init(share: 1.0 / 16, limit: nil)
        let step = try #require(policy.decide(situation).steps.first)
        #expect(step.need(.bytes)?.shortage == ByteCount.mebibytes(8).bytes)
        let proposal = try volume.runner(policy).prepare(step, trigger: .levelChange)
        #expect(proposal.plights.isEmpty != isHopeless)
        #expect(proposal.plan?.count ?? 0 == (isHopeless ? 0 : 4))
    }

    @Test func inodesGoToTheirTarget() throws {
        let volume = try PolicyVolume(inodes: 1_000)
        let used = try #require(try Volume.containing(volume.image.path).figures?.availableInodes)
        for number in 0..<Int(used) - 30 {
            let area = number % 3 == 0 ? "lastResort" : "cache"
            try volume.image.tree.file("\(area)/\(number)" as TreePath)
        }
        let results = try volume.run()
        let result = try #require(results.first)
        #expect(result.step.needs.map(\.resource) == [.inodes])
        #expect(result.isComplete)
        // 5 % were crossed: 100 of 1,000 are to be available.
        #expect(try Volume.containing(volume.image.path).figures?.availableInodes == 100)
        #expect(try volume.count("lastResort") > 300)
        #expect(result.receipt?.removedCount == 70)
    }

    /// The volume is gone, and its place is on another one.
    @Test func nothingIsDoneForAnotherVolumeThanTheOneThatIsMeant() throws {
        let volume = try PolicyVolume()
        try volume.fill("temporary", 3, of: Self.file)
        try volume.fill("cache", 20, of: Self.file)
        try volume.leave(.mebibytes(5))
        let policy = Policy.eager
        let step = try #require(policy.decide(try volume.situation()).steps.first)
        let device = try Volume.containing(volume.image.path).device
        for (meant, isDone) in [(device + 1, false), (device, true)] {
            let runner = PolicyRunner(
                volume.workspace, policy, place: volume.image.path, device: meant,
                requester: "test")
            let result = try #require(runner.run(step, trigger: .levelChange).first)
            #expect((result.outcome == .purged) == isDone)
            #expect(try volume.count("temporary") == (isDone ? 0 : 3))
        }
    }

    @Test func whatIsDueGoesAndNothingElse() throws {
        let volume = try PolicyVolume {
            $0.ageBasis = .modified
            if $0.purgeClass != .essential { $0.retention = .seconds(3_600 * 5 + 60) }
        }
        for area in ["temporary", "cache", "lastResort", "essential"] {
            try volume.fill(area, 10, of: .kilobytes(64))
        }
        let results = try volume.run(.interval)
        #expect(results.map(\.step.purpose) == [.due])
        #expect(results.first?.receipt?.removedCount == 10)
        // Modified 1…10 hours ago: five of each have expired.
        #expect(try volume.count("temporary") == 5)
        #expect(try volume.count("cache") == 5)
        #expect(try volume.count("lastResort") == 10, "only at critical")
        #expect(try volume.count("essential") == 10)
        #expect(try volume.run(.interval).map(\.outcome) == [.nothing])
    }

    @Test(.tags(.r25e)) func whatIsExpiredStaysWhileTheClocksDisagree() throws {
        let shift = Mutex(Duration.zero)
        let passed = Mutex(Duration.zero)
        let start = ContinuousClock.now
        let volume = try PolicyVolume {
            if $0.purgeClass == .cache {
                $0.retention = .seconds(3_600)
                $0.ageBasis = .modified
            }
            if $0.purgeClass == .temporary { $0.limit = .kilobytes(300) }
        } clocks: {
            let passed = passed.withLock { $0 }
            return ClockSample(
                wall: Timestamp.now().advanced(by: shift.withLock { $0 } + passed),
                sinceBoot: start.duration(to: .now) + passed, boot: 1)
        }
        try volume.fill("cache", 4, of: .kilobytes(64))
        try volume.fill("temporary", 10, of: .kilobytes(64))
        #expect(volume.workspace.ageRulesHold())
        shift.withLock { $0 = .seconds(2 * 86_400) }
        var situation = try volume.situation(.interval)
        situation.ageRulesHold = volume.workspace.ageRulesHold()
        #expect(!situation.ageRulesHold)
        for step in Policy.eager.decide(situation).steps {
            _ = volume.runner().run(step, trigger: .interval)
        }
        #expect(try volume.count("cache") == 4, "by age")
        #expect(try volume.count("temporary") < 5, "by its limit")
        passed.withLock { $0 = .seconds(86_401) }
        situation.ageRulesHold = volume.workspace.ageRulesHold()
        #expect(situation.ageRulesHold)
        for step in Policy.eager.decide(situation).steps {
            _ = volume.runner().run(step, trigger: .interval)
        }
        #expect(try volume.count("cache") < 4)
    }

    // MARK: - Others

    @Test(.tags(.r25f)) func aBusyAreaIsLeftOutAndTheOthersHelp() throws {
        let volume = try PolicyVolume()
        try volume.fill("temporary", 10, of: Self.file)
        try volume.fill("cache", 20, of: Self.file)
        try volume.leave(.mebibytes(5))
        let path = volume.image.path.appending("temporary")
        let directory = try Descriptor.openDirectory(path)
        let lock = try AreaLock.acquire(root: directory.rawValue, path: path)
        let result = try #require(try volume.run().first)
        #expect(result.outcome == .purged)
        #expect(result.missing == [])
        #expect(result.reasons.contains { $0.code == .busy })
        #expect(try volume.count("temporary") == 10)
        #expect(try volume.count("cache") < 20)
        withExtendedLifetime(lock.holdsRootDirectory) {}
        _ = consume lock
        withExtendedLifetime(directory) {}
    }

    @Test func everythingBusyIsAnOutcome() throws {
        let volume = try PolicyVolume()
        try volume.fill("cache", 20, of: Self.file)
        try volume.leave(.mebibytes(5))
        let directory = try Descriptor.openDirectory(volume.image.path)
        let lock = try AreaLock.acquire(root: directory.rawValue, path: volume.image.path)
        let result = try #require(try volume.run().first)
        guard case .busy(let message) = result.outcome else {
            Issue.record("\(result)")
            return
        }
        #expect(message.contains("\(getpid())"), "\(message)")
        #expect(try volume.count("cache") == 20)
        _ = consume lock
        withExtendedLifetime(directory) {}
    }

    @Test func saysWhyTheTargetWasMissed() throws {
        let volume = try PolicyVolume()
        try volume.fill("cache", 9, of: Self.file)
        try volume.leave(.mebibytes(5))
        // Somebody has them open: they stay, and the volume does not gain as much.
        let held = try PathCalls.open(
            volume.image.path.appending("cache/cache-0"), O_RDONLY | O_CLOEXEC)
        let result = try #require(try volume.run().first)
        #expect(result.outcome == .purged)
        #expect(result.missing.count == 1)
        #expect(result.reasons.contains { $0.code == .inUse })
        #expect("\(result)".contains("missing to the target"))
        withExtendedLifetime(held) {}
    }

    @Test func saysWhatOthersHaveWrittenMeanwhile() throws {
        let volume = try PolicyVolume()
        try volume.fill("cache", 20, of: Self.file)
        try volume.leave(.mebibytes(5))
        let tree = volume.image.tree
        let wrote = Mutex(false)
        let runner = volume.runner()
        let step = try #require(Policy.eager.decide(try volume.situation()).steps.first)
        let proposal = try runner.prepare(step, trigger: .levelChange)
        let result = runner.carryOut(proposal) { _ in
            if wrote.withLock({ was in
                defer { was = true }; return !was
            }) {
                try? tree.file("essential/written", size: .mebibytes(3))
            }
        }
        #expect(result.missing.count == 1)
        #expect(result.reasons.contains { $0.code == .othersWrote || $0.code == .notGained })
    }

    @Test func stopsBetweenTwoItems() throws {
        let volume = try PolicyVolume()
        try volume.fill("cache", 20, of: Self.file)
        try volume.leave(.mebibytes(5))
        let progress = PurgeProgress()
        let step = try #require(Policy.eager.decide(try volume.situation()).steps.first)
        let results = volume.runner().run(step, trigger: .levelChange, progress: progress) { _ in
            progress.cancel()
        }
        let receipt = try #require(results.first?.receipt)
        #expect(results.count == 1)
        #expect(receipt.outcome == .interrupted)
        #expect(receipt.removedCount < 9)
        #expect(try volume.count("cache") == 20 - receipt.removedCount)
        #expect(results.first?.reasons.contains { $0.code == .interrupted } == true)
        #expect(try volume.workspace.ledger.receipt(receipt.id)?.outcome == .interrupted)
    }

    @Test func proposesAndPurgesNothing() throws {
        let volume = try PolicyVolume()
        try volume.fill("cache", 20, of: Self.file)
        try volume.leave(.mebibytes(5))
        let step = try #require(Policy.eager.decide(try volume.situation()).steps.first)
        var paths: [FilePath] = []
        let results = volume.runner().propose(step, trigger: .levelChange) { proposal in
            paths += proposal.plan?.map(\.path) ?? []
        }
        #expect(results.map(\.outcome) == [.proposed])
        #expect(results.first?.plannedItems == paths.count && paths.count == 8)
        #expect(try volume.count("cache") == 20)
        #expect(try volume.workspace.ledger.receipts(last: 10).isEmpty)
    }

    @Test func withheldPlacesStay() throws {
        let volume = try PolicyVolume()
        try volume.fill("temporary", 10, of: Self.file)
        try volume.fill("cache", 20, of: Self.file)
        try volume.leave(.mebibytes(5))
        let step = try #require(Policy.eager.decide(try volume.situation()).steps.first)
        let runner = volume.runner(withheld: [volume.image.path.appending("temporary")])
        let result = try #require(runner.run(step, trigger: .levelChange).first)
        #expect(result.isComplete)
        #expect(try volume.count("temporary") == 10)
        #expect(try volume.count("cache") < 20)
    }

    @Test func anAreaThatIsGoneHoldsUpNoOther() throws {
        let volume = try PolicyVolume()
        try volume.fill("cache", 20, of: Self.file)
        try volume.leave(.mebibytes(5))
        let tree = volume.image.tree
        let step = try #require(Policy.eager.decide(try volume.situation()).steps.first)
        // Between the look at the directories and the scan.
        let runner = volume.runner(source: LateSource { try? tree.remove("temporary") })
        #expect(runner.run(step, trigger: .levelChange).first?.isComplete == true)
    }
}

/// Something happens just before it scans.
private struct LateSource: PlanSource {
    let happening: @Sendable () -> Void

    func basis(of scope: Scope) throws(HeadroomError) -> PlanBasis {
        happening()
        return PlanBasis(try scope.scan())
    }

    func release() {}
}
#endif
