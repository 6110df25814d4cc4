//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// What a policy says is to be done now.
public struct PolicyDecision: Hashable, Sendable {
    /// What to purge, one after another; empty: nothing.
    public var steps: [PolicyStep] = []
    /// Why nothing, or not everything, is done.
    public var rests: [Reason] = []
    /// Something is to be done that waits for quiet hours to end, or for the mains: ask again then.
    public var isPutOff = false

    /// Whether there is nothing to do.
    public var isRest: Bool { steps.isEmpty }

    public init() {}

    mutating func rest(_ code: Reason.Code, _ text: String) { rests.append(Reason(code, text)) }

    mutating func putOff(_ reason: Reason) {
        isPutOff = true
        if !rests.contains(reason) { rests.append(reason) }
    }
}

extension Reason.Code {
    // MARK: Why a policy rests

    /// As much is available as a purge would reach.
    public static let enoughAvailable = Reason.Code("enough-available")
    /// The level is normal, and warning is not near.
    public static let levelNormal = Reason.Code("level-normal")
    /// The volume is not known, does not answer, or has no level.
    public static let noLevel = Reason.Code("no-level")
    /// It waits for quiet hours to end.
    public static let quietHours = Reason.Code("quiet-hours")
    /// It waits for the mains.
    public static let onBattery = Reason.Code("on-battery")
    /// The policy lets nothing go at this level.
    public static let spendsNothing = Reason.Code("spends-nothing")

    // MARK: Why a policy does not reach its target

    /// All that may go is less than what is missing.
    public static let notEnough = Reason.Code("not-enough")
    /// So little of what is missing may go that only temporary content does.
    public static let cannotHelp = Reason.Code("cannot-help")
    /// What went has not made the volume as much emptier.
    public static let notGained = Reason.Code("not-gained")
    /// Others have written while the purge was at work.
    public static let othersWrote = Reason.Code("others-wrote")
}
