//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Whether what may go helps with what is missing (R24): what is less than a share of it would be lost
/// for nothing.
struct PolicyJudgement: Hashable {
    /// What is worth being spent for; nil: nothing.
    var helpful: PolicyStep?
    /// What gets temporary content only; nil: nothing.
    var hopeless: PolicyStep?
    /// What of each hopeless need might go.
    var eligible: [PolicyNeed: Int64] = [:]

    /// - Parameter eligible: all that the step may spend, of what a need wants; more than that does not
    ///   matter.
    init(_ step: PolicyStep, share: Double, eligible: (PolicyNeed) -> Int64) {
        let level: Bool
        if case .level = step.purpose { level = true } else { level = false }
        // Of temporary content nothing is too good.
        let needs = level && !step.isHopeless ? step.needs : []
        let lost = needs.filter { !$0.isHelped(by: eligible($0), share: share) }
        guard !lost.isEmpty else {
            helpful = step
            return
        }
        for need in lost { self.eligible[need] = eligible(need) }
        var rest = step
        rest.needs = step.needs.filter { !lost.contains($0) }
        if !rest.needs.isEmpty { helpful = rest }
        var alone = step
        alone.needs = lost
        // mutation: r24c-3
        alone.spending = min(step.spending, .temporary)
        alone.isHopeless = true
        hopeless = alone
    }
}
