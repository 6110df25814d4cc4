//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomRequests

extension ServiceAPI {
    func proposals() async throws -> [APIProposal] {
        try await situation().automation.proposed.map { APIProposal($0) }
    }

    /// The plan that a proposal's own order would carry out now: it is looked at, chosen from and confirmed
    /// as every other.
    func makePlan(ofProposal id: String) async throws -> APIPlan {
        let situation = try situation()
        guard let proposal = try await situation.automation.plan(proposal: id),
            let plan = proposal.plan
        else {
            throw APIError.conflict(
                "proposal-changed",
                "What was proposed does not wait any more: it was answered, has changed since it was "
                    + "shown, or nothing is missing any more.",
                advice: "Look at what waits now.")
        }
        let kept = try await queue.run { () -> KeptPlan in
            var kept = KeptPlan(
                plan, id: JobBoard.makeID() + JobBoard.makeID(), configuration: situation.number,
                target: proposal.spokenTarget, now: situation.workspace.clock(),
                lifetime: PlanShelf.lifetime)
            kept.answered = KeptPlan.Answered(
                proposal: id, cause: "\(proposal.step.purpose.name), \(proposal.trigger.name)")
            return kept
        }
        try await plans.keep(kept)
        return try await queue.run { APIPlan(kept) }
    }
}

extension PolicyProposal {
    /// `free 1.2 GB on /data, which is at warning`.
    fileprivate var spokenTarget: String {
        let target = step.targets.map(\.description).joined(separator: " and ")
        let place = volume.map { " on \($0.displayText.apiShort)" } ?? ""
        return switch step.purpose {
        case .due: target + place
        case .aheadOfTime: "\(target)\(place), which is expected to be at warning soon"
        case .level(let level): "\(target)\(place), which is at \(level.name)"
        }
    }
}
