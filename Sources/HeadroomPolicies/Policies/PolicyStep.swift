//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning

/// One purge that a policy asks for: what for, what it may spend, and how much is missing.
public struct PolicyStep: Hashable, Sendable {
    public var purpose: Purpose
    public var spending: Policy.Spending
    /// What is missing; none for ``Purpose/due``.
    public var needs: [PolicyNeed]
    /// Whether what goes by age may go: not while the clocks disagree.
    public var goesByAge: Bool
    /// All that may go would not help: only temporary content goes, and people are told.
    public var isHopeless = false

    /// Why something goes.
    public enum Purpose: Hashable, Sendable {
        /// It has expired, or its area is over its limit.
        case due
        /// The forecast expects warning soon.
        case aheadOfTime
        /// The volume's level asks for it.
        case level(PressureLevel)

        /// The name in messages: `due`, `aheadOfTime`, `warning`, `critical`.
        public var name: String {
            switch self {
            case .due: "due"
            case .aheadOfTime: "aheadOfTime"
            case .level(let level): level.name
            }
        }
    }

    public init(
        _ purpose: Purpose, spending: Policy.Spending, needs: [PolicyNeed] = [],
        goesByAge: Bool = true
    ) {
        self.purpose = purpose
        self.spending = spending
        self.needs = needs
        self.goesByAge = goesByAge
    }

    /// What is missing of bytes or inodes; nil: nothing was asked for.
    public func need(_ resource: PolicyNeed.Resource) -> PolicyNeed? {
        needs.first { $0.resource == resource }
    }

    /// What a plan of it has to reach.
    public var targets: [Target] {
        switch purpose {
        case .due: goesByAge ? [.expired, .overLimit] : [.overLimit]
        case .aheadOfTime, .level: needs.map(\.planTarget)
        }
    }

    /// The last class that it may spend; nil: nothing may go.
    public var through: PurgeableClass? { spending.through }

    /// Whether of caches only that may go which has expired or is over its area's limit.
    public var sparesLiveCaches: Bool { spending == .due }
}

extension Policy.Spending {
    /// The last class of a plan; nil: there is none to be made.
    var through: PurgeableClass? {
        switch self {
        case .nothing: nil
        case .temporary: .temporary
        case .due, .caches, .trash: .cache
        case .lastResort: .lastResort
        }
    }
}

extension PlanRequest {
    /// Makes it spend what a step may, and nothing else.
    mutating func spend(_ step: PolicyStep) {
        sparesLiveCaches = step.sparesLiveCaches
        // mutation: r24a-1
        spendsOlderTrash = step.spending == .trash
        if !step.goesByAge { pausesAgeRules = true }
    }
}
