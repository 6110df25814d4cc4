//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning
import HeadroomPlatform
import HeadroomWorkspace
public import SystemPackage

/// A step of a policy with its plan: what would go, before anything does.
public struct PolicyProposal: Sendable {
    public let trigger: CleaningTrigger
    /// The step as things stand now: of what was missing, what still is.
    public let step: PolicyStep
    /// What would go; nil if nothing may, or nothing is missing any more.
    public let plan: Plan?
    /// What else is to be done after it, with a plan of its own.
    public let next: PolicyStep?
    /// What purging cannot give.
    public let plights: [PolicyPlight]
    /// Where the volume is mounted; nil: it is about all of them.
    public let volume: FilePath?
    /// The volume when the plan was made.
    public let before: PressureReading.Figures?
    /// Why something was left out.
    public let notes: [Reason]
    let scope: Scope
    /// What it was made from; nil: nothing was looked at.
    var look: PolicyLook?

    /// Whether there is nothing to purge.
    public var isEmpty: Bool { plan?.isEmpty ?? true }

    init(
        trigger: CleaningTrigger, step: PolicyStep, plan: Plan?, next: PolicyStep? = nil,
        plights: [PolicyPlight] = [], volume: Volume?, before: PressureReading.Figures?,
        notes: [Reason], scope: Scope
    ) {
        self.trigger = trigger
        self.step = step
        self.plan = plan
        self.next = next
        self.plights = plights
        self.volume = volume?.mountPoint
        self.before = before
        self.notes = notes
        self.scope = scope
    }
}

extension PressureReading.Figures {
    /// What a volume says that was asked.
    ///
    /// - Returns: nil if it does not say how full it is, or has no level.
    init?(_ volume: Volume) {
        guard case .figures(let figures) = PressureReading(time: .zero, of: volume).answer else {
            return nil
        }
        self = figures
    }

    /// What is available of something; nil where it is not limited.
    func available(_ resource: PolicyNeed.Resource) -> Int64? {
        switch resource {
        case .bytes: available.bytes
        case .inodes: availableInodes.map { Int64(clamping: $0) }
        }
    }
}
