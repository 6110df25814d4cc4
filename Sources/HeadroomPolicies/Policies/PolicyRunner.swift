//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform
public import HeadroomPurging
public import HeadroomWorkspace
public import SystemPackage

/// Carries the steps of a policy out on a volume: plans, purges, and looks at what the volume says then.
///
/// Blocks; run it on a thread of its own. Two runners never purge the same area at once, nor do others of
/// the machine: the later one leaves it out, and says so.
///
///     let runner = PolicyRunner(workspace, policy, place: "/data", requester: "headroom serve")
///     for step in policy.decide(situation).steps {
///         for result in runner.run(step, trigger: situation.trigger) { print(result) }
///     }
public struct PolicyRunner: Sendable {
    let workspace: Workspace
    let policy: Policy
    /// On the volume that it is about; nil: all areas, whatever they lie on.
    let place: FilePath?
    /// Of that volume; nil: whichever is mounted there.
    private let device: UInt64?
    let requester: String
    /// Places in which nothing goes, though something is declared there.
    let withheld: Set<FilePath>
    /// What plans are made from; nil: a scan for each.
    private let source: (any PlanSource)?

    /// - Parameters:
    ///   - place: a path on the volume whose areas it is about; nil: all areas. A step with needs has
    ///     one.
    ///   - device: of that volume: nothing is done for another one, which is there after it is unmounted; nil: for
    ///     whichever is there.
    ///   - requester: who asks, for the receipts.
    ///   - withheld: places in which nothing goes, though something is declared there.
    ///   - source: what plans are made from; nil: a scan for each.
    public init(
        _ workspace: Workspace, _ policy: Policy, place: FilePath?, device: UInt64? = nil,
        requester: String, withheld: Set<FilePath> = [], source: (any PlanSource)? = nil
    ) {
        self.workspace = workspace
        self.policy = policy
        self.place = place
        self.device = device
        self.requester = requester
        self.withheld = withheld
        self.source = source
    }

    /// Plans a step and carries it out, and what it leaves to be done after it.
    ///
    /// - Parameters:
    ///   - progress: cancelling it stops the purge before its next item; the receipt is whole.
    ///   - report: told of each item as it goes or stays.
    /// - Returns: a result for each purge; never empty.
    public func run(
        _ step: PolicyStep, trigger: CleaningTrigger, progress: PurgeProgress = PurgeProgress(),
        report: (@Sendable (PurgeEvent) -> Void)? = nil
    ) -> [PolicyResult] {
        results(of: step, trigger, progress) { carryOut($0, progress: progress, report: report) }
    }

    /// Plans a step, and what comes after it as if that were all, and purges nothing.
    ///
    /// - Parameter propose: told of each plan.
    /// - Returns: a result for each plan; never empty.
    public func propose(
        _ step: PolicyStep, trigger: CleaningTrigger, to propose: (PolicyProposal) -> Void
    ) -> [PolicyResult] {
        results(of: step, trigger, PurgeProgress()) { proposal in
            propose(proposal)
            return proposal.result
        }
    }

    private func results(
        of step: PolicyStep, _ trigger: CleaningTrigger, _ progress: PurgeProgress,
        _ body: (PolicyProposal) -> PolicyResult
    ) -> [PolicyResult] {
        var results: [PolicyResult] = []
        var next: PolicyStep? = step
        while let step = next, results.isEmpty || !progress.isCancelled {
            do throws(HeadroomError) {
                let proposal = try prepare(step, trigger: trigger)
                results.append(body(proposal))
                next = proposal.next
                // Afterwards: what a level asks for does not wait for figures.
                if let look = proposal.look { workspace.showLook?(look) }
            } catch {
                var result = PolicyResult(
                    trigger: trigger, step: step, outcome: .failed(error.message))
                result.missing = step.needs
                results.append(result)
                next = nil
            }
        }
        return results
    }

    // MARK: - Planning

    /// Plans a step as if a volume had other figures, and what comes after it. Purges nothing.
    ///
    /// - Parameter figures: in place of what the volume says.
    /// - Returns: a plan for each purge; never empty.
    /// - Throws: `HeadroomError` if the volume, or what is on it, cannot be looked at.
    public func simulate(
        _ step: PolicyStep, trigger: CleaningTrigger, with figures: PressureReading.Figures
    ) throws(HeadroomError) -> [PolicyProposal] {
        let volume = try self.volume()
        let all = workspace.scope().withholding(withheld)
        let scope = volume.map { all.on($0) } ?? all.openable()
        let basis = scope.roots.isEmpty ? nil : try look(at: scope)
        var proposals: [PolicyProposal] = []
        var next: PolicyStep? = step
        while let step = next {
            let proposal = try judge(step, trigger, volume, scope, basis: basis, with: figures)
            proposals.append(proposal)
            next = proposal.next
        }
        return proposals
    }

    /// Plans a step, as things stand now.
    ///
    /// - Throws: `HeadroomError` if the volume, or what is on it, cannot be looked at.
    public func prepare(
        _ step: PolicyStep, trigger: CleaningTrigger
    ) throws(HeadroomError) -> PolicyProposal {
        let volume = try self.volume()
        let all = workspace.scope().withholding(withheld)
        return try prepare(step, trigger, volume, volume.map { all.on($0) } ?? all.openable())
    }

    private func prepare(
        _ step: PolicyStep, _ trigger: CleaningTrigger, _ volume: Volume?, _ scope: Scope
    ) throws(HeadroomError) -> PolicyProposal {
        guard step.through != nil else {
            return try judge(step, trigger, volume, scope, basis: nil)
        }
        guard !scope.roots.isEmpty else {
            // What it keeps of them is of no use any more.
            source?.release()
            return try judge(step, trigger, volume, scope, basis: nil)
        }
        do throws(HeadroomError) {
            return try look(step, trigger, scope)
        } catch  where error.code == .notFound {
            // One of them has just gone.
            let rest = scope.openable()
            guard !rest.roots.isEmpty else {
                return try judge(step, trigger, volume, rest, basis: nil)
            }
            return try look(step, trigger, rest)
        }
    }

    private func look(
        _ step: PolicyStep, _ trigger: CleaningTrigger, _ scope: Scope
    ) throws(HeadroomError) -> PolicyProposal {
        let start = ContinuousClock.now
        let basis = try look(at: scope)
        let duration = ContinuousClock.now - start
        scope.rememberNew(in: basis.inventory)
        // To look takes its time: what is missing is asked for anew.
        let volume = try self.volume()
        var proposal = try judge(step, trigger, volume, scope, basis: basis)
        guard workspace.showLook != nil else { return proposal }
        proposal.look = PolicyLook(
            volume: volume?.mountPoint, scope: scope, inventory: basis.inventory,
            duration: duration)
        return proposal
    }

    private func look(at scope: Scope) throws(HeadroomError) -> PlanBasis {
        if let source { return try source.basis(of: scope) }
        return PlanBasis(try scope.scan())
    }

    /// - Parameter basis: nil: there is nothing that may go.
    private func judge(
        _ step: PolicyStep, _ trigger: CleaningTrigger, _ volume: Volume?, _ scope: Scope,
        basis: PlanBasis?, with assumed: PressureReading.Figures? = nil
    ) throws(HeadroomError) -> PolicyProposal {
        var step = step
        let figures = assumed ?? volume.flatMap(PressureReading.Figures.init)
        if let figures {
            step.needs = step.needs.compactMap { need in
                figures.available(need.resource).map { need.updated(available: $0) } ?? need
            }
        }
        func propose(_ step: PolicyStep, _ plan: Plan?) -> PolicyProposal {
            PolicyProposal(
                trigger: trigger, step: step, plan: plan, volume: volume, before: figures,
                notes: scope.notes, scope: scope)
        }
        // It has been helped meanwhile.
        if step.purpose != .due, step.needs.isEmpty { return propose(step, nil) }
        let state = volume.flatMap { volume in
            var state = PlanRequest.VolumeState(volume)
            if let assumed { state?.available = assumed.available }
            return state
        }
        let whole = try plan(step, basis, state, scope)
        let judgement = PolicyJudgement(step, share: policy.helpfulShare) { need in
            whole.map { need.wanted - $0.missing(of: need.resource) } ?? 0
        }
        guard let hopeless = judgement.hopeless else { return propose(step, whole) }
        let mountPoint = volume?.mountPoint ?? place ?? FilePath("/")
        return PolicyProposal(
            trigger: trigger, step: hopeless,
            plan: try plan(hopeless, basis, state, scope),
            next: judgement.helpful,
            plights: hopeless.needs.map {
                PolicyPlight(
                    volume: mountPoint, need: $0, eligible: judgement.eligible[$0] ?? 0)
            }, volume: volume, before: figures, notes: scope.notes, scope: scope)
    }

    /// - Returns: nil if nothing may go.
    private func plan(
        _ step: PolicyStep, _ basis: PlanBasis?, _ volume: PlanRequest.VolumeState?,
        _ scope: Scope
    ) throws(HeadroomError) -> Plan? {
        guard let basis, let through = step.through else { return nil }
        var request = scope.request(through: through, of: step.targets)
        request.volume = volume
        // mutation: s5d-1
        request.minIdle = policy.minIdle
        request.idleNow = scope.workspace.lookAtClocks(measuring: policy.minIdle).idleNow
        request.spend(step)
        return try basis.plan(request)
    }

    private func volume() throws(HeadroomError) -> Volume? {
        guard let place else { return nil }
        let volume: Volume
        do {
            volume = try Volume.containing(place)
        } catch {
            throw HeadroomError("ask the volume of", place, error)
        }
        guard device == nil || volume.device == device else {
            throw HeadroomError(
                .notFound, "The volume of \(place.displayText) is not mounted any more.")
        }
        return volume
    }

    // MARK: - Purging

    /// Carries out what was proposed, and asks the volume afterwards.
    ///
    /// Each item is verified once more as it goes. Areas in which others purge just then are left out.
    public func carryOut(
        _ proposal: PolicyProposal, progress: PurgeProgress = PurgeProgress(),
        report: (@Sendable (PurgeEvent) -> Void)? = nil
    ) -> PolicyResult {
        var result = proposal.result
        guard let plan = proposal.plan, !plan.isEmpty else {
            result.outcome = .nothing
            return result
        }
        let step = proposal.step
        do throws(HeadroomError) {
            result.receipt = try purge(
                plan, proposal.scope, step, proposal.trigger, progress, report)
            result.outcome = .purged
        } catch  where error.code == .busy {
            // mutation: r25f-1
            return withoutBusy(proposal, error, progress, report)
        } catch {
            result.outcome = .failed(error.message)
        }
        // Unknown is unknown: the result then has no gain, and what is missing is that of before.
        let after = try? volume()
        result.settle(after: after.flatMap(PressureReading.Figures.init), plan: plan)
        return result
    }

    private func purge(
        _ plan: Plan, _ scope: Scope, _ step: PolicyStep, _ trigger: CleaningTrigger,
        _ progress: PurgeProgress, _ report: (@Sendable (PurgeEvent) -> Void)?
    ) throws(HeadroomError) -> Receipt {
        try scope.purge(
            plan, requester: "\(requester): \(step.purpose.name), \(trigger.name)",
            progress: progress, reportsRemoved: report != nil, unusableArea: .failsIfBusy,
            report: report)
    }

    /// Plans and purges once more, without the areas in which others do.
    private func withoutBusy(
        _ proposal: PolicyProposal, _ refusal: HeadroomError, _ progress: PurgeProgress,
        _ report: (@Sendable (PurgeEvent) -> Void)?
    ) -> PolicyResult {
        var result = proposal.result
        result.outcome = .busy(refusal.message)
        let rest = proposal.scope.withoutBusy().openable()
        guard !rest.roots.isEmpty, rest.roots.count < proposal.scope.roots.count else {
            return result
        }
        do throws(HeadroomError) {
            // Of those that are left a scan tells: what is kept of all is for the next time.
            let again = try judge(
                proposal.step, proposal.trigger, try volume(), rest,
                basis: PlanBasis(try rest.scan()))
            guard let plan = again.plan, !plan.isEmpty else { return result }
            var purged = again.result
            purged.receipt = try purge(plan, rest, again.step, again.trigger, progress, report)
            purged.outcome = .purged
            let after = try? volume()
            purged.settle(after: after.flatMap(PressureReading.Figures.init), plan: plan)
            return purged
        } catch {
            // Others were faster once more: they make the room.
            if error.code != .busy { result.outcome = .failed(error.message) }
            return result
        }
    }
}

extension Plan {
    /// What is missing to the target when everything that may go is gone.
    func missing(of resource: PolicyNeed.Resource) -> Int64 {
        switch resource {
        case .bytes: missing.bytes
        case .inodes: Int64(missingInodes)
        }
    }
}
