//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import SystemPackage

/// What came of a step of a policy, checked with the volume afterwards.
public struct PolicyResult: Hashable, Sendable {
    public var trigger: CleaningTrigger
    public var step: PolicyStep
    /// Where the volume is mounted; nil: it was about all of them.
    public var volume: FilePath?
    public var outcome: Outcome
    /// What the plan would free, and in how many items.
    public var planned = ByteCount.zero
    public var plannedItems = 0
    /// The volume before and after.
    public var before: PressureReading.Figures?
    public var after: PressureReading.Figures?
    public var receipt: Receipt?
    /// What is missing to the target after all.
    public var missing: [PolicyNeed] = []
    /// What purging cannot give: people have to be told.
    public var plights: [PolicyPlight] = []
    /// Why the target was missed, or something left out.
    public var reasons: [Reason] = []

    public enum Outcome: Hashable, Sendable {
        /// There was nothing to purge.
        case nothing
        /// It was planned, and is not carried out.
        case proposed
        /// It was carried out, see ``PolicyResult/receipt``.
        case purged
        /// Others purge the same just now; with their names, in a sentence.
        case busy(String)
        /// It could not be done; with why and what to do.
        case failed(String)
    }

    public init(
        trigger: CleaningTrigger, step: PolicyStep, volume: FilePath? = nil, outcome: Outcome
    ) {
        self.trigger = trigger
        self.step = step
        self.volume = volume
        self.outcome = outcome
    }

    /// What the volume has gained between before and after, whoever did it; nil if it did not say.
    public var gained: ByteCount? {
        guard let before, let after else { return nil }
        return after.available - before.available
    }

    /// Whether it ended as it should: everything went that was to go, and nothing is missing.
    public var isComplete: Bool {
        switch outcome {
        case .nothing, .purged:
            missing.isEmpty && (receipt.map { $0.outcome == .completed } ?? true)
        case .proposed: missing.isEmpty
        case .busy, .failed: false
        }
    }
}

extension PolicyResult: CustomStringConvertible {
    /// `/data, critical (levelChange): freed 1.2 GB in 400 items, 3.1 GB available, 0.4 GB missing to the
    /// target. All that may go was 0.4 GB less.`
    public var description: String {
        let place = volume.map { $0.displayText + ", " } ?? ""
        let head = "\(place)\(step.purpose.name) (\(trigger.name)): "
        var said: String
        switch outcome {
        case .nothing: said = "nothing to purge"
        case .proposed: said = "would free \(planned) in \(plannedItems) items"
        case .purged:
            said = "freed \(receipt?.expected ?? planned) in \(receipt?.removedCount ?? 0) items"
        case .busy(let message), .failed(let message): return head + message
        }
        if case .purged = outcome, let gained { said += " (the volume gained \(gained))" }
        if !step.needs.isEmpty, let after { said += ", \(after.available) available" }
        for need in missing {
            said +=
                ", \(need.text(need.shortage)) missing to the target of \(need.text(need.target))"
        }
        return ([head + said + "."] + reasons.map(\.text)).joined(separator: " ")
    }
}
