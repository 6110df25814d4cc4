//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform

extension PolicyProposal {
    /// The result, as long as nothing is carried out.
    var result: PolicyResult {
        var result = PolicyResult(
            trigger: trigger, step: step, volume: volume, outcome: isEmpty ? .nothing : .proposed)
        result.planned = plan?.frees ?? .zero
        result.plannedItems = plan?.count ?? 0
        result.before = before
        result.plights = plights
        result.reasons = notes
        result.missing = step.needs.compactMap { need in
            let eligible = plan.map { need.wanted - $0.missing(of: need.resource) } ?? 0
            return need.updated(available: need.available + eligible)
        }
        if !result.missing.isEmpty { result.explainShortage() }
        return result
    }
}

extension PolicyResult {
    /// Takes in what the volume says after the purge, and why that is less than it should be.
    mutating func settle(after: PressureReading.Figures?, plan: Plan) {
        self.after = after
        guard let after else { return }
        let planned = missing
        missing = step.needs.compactMap { need in
            after.available(need.resource).flatMap { need.updated(available: $0) }
        }
        if planned.isEmpty { reasons.removeAll { $0.code == .notEnough || $0.code == .cannotHelp } }
        guard !missing.isEmpty || receipt.map({ $0.outcome != .completed }) ?? false else { return }
        explainReceipt()
    }

    /// Says of what is planned why it is less than what is missing.
    mutating func explainShortage() {
        for need in missing {
            let eligible = need.available - (before?.available(need.resource) ?? need.available)
            reasons.append(
                step.isHopeless
                    ? Reason(
                        .cannotHelp,
                        "All that may go is less than what would help with "
                            + "\(need.text(need.shortage + max(0, eligible))): only temporary "
                            + "content goes.")
                    : Reason(
                        .notEnough,
                        "All that may go is \(need.text(need.shortage)) less than what is missing.")
            )
        }
    }

    private mutating func explainReceipt() {
        guard let receipt else { return }
        switch receipt.outcome {
        case .completed, .started, .crashed: break
        case .interrupted:
            reasons.append(Reason(.interrupted, "The purge was stopped before its end."))
        case .broken:
            reasons.append(
                Reason(.breaker, "The purge was stopped, since too much of it went wrong."))
        }
        explainSkipped(receipt)
        reasons += receipt.differences.map { Reason(.notGained, $0) }
        guard let gained, receipt.differences.isEmpty else { return }
        let lost = receipt.expected - gained
        if lost > .zero {
            reasons.append(Reason(.othersWrote, "Others have written \(lost) meanwhile."))
        }
    }

    /// The most frequent reason first.
    private mutating func explainSkipped(_ receipt: Receipt) {
        var counts: [Reason.Code: (count: Int, text: String)] = [:]
        for skipped in receipt.skipped {
            counts[skipped.reason.code, default: (0, skipped.reason.text)].count += 1
        }
        let sorted = counts.sorted {
            ($1.value.count, $0.key.description) < ($0.value.count, $1.key.description)
        }
        for (code, kept) in sorted {
            let items = kept.count == 1 ? "1 item" : "\(kept.count) items"
            reasons.append(Reason(code, "\(items) stayed (\(code)): \(kept.text)"))
        }
    }
}
