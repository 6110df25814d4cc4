//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomPlanning
import HeadroomPlatform

extension Policy {
    /// A property with a value that is out of its range.
    public struct Problem: Hashable, Sendable {
        /// The property's name.
        public var property: String
        /// A sentence: what is wrong, and what may be instead.
        public var message: String
    }

    /// Everything that is out of its range; empty: the policy can be used.
    ///
    /// - Parameter thresholds: of the volumes that the policy is for.
    public func problems(thresholds: PressureThresholds = .standard) -> [Problem] {
        var problems: [Problem] = []
        func check(_ isRight: Bool, _ property: String, _ message: String) {
            if !isRight { problems.append(Problem(property: property, message: message)) }
        }
        let least = max(1, thresholds.leavingFactor)
        check(
            targetFactor >= least && targetFactor <= 10, "targetFactor",
            "It is \(targetFactor). Give a number from \(least) to 10: with less than \(least) times "
                + "its threshold available, no level is left.")
        check(
            (0...0.5).contains(minimumReclaimShare), "minimumReclaimShare",
            "It is \(minimumReclaimShare). Give a share of the volume from 0 to 0.5.")
        check(
            minimumReclaimLimit >= .zero, "minimumReclaimLimit",
            "It is \(minimumReclaimLimit). Give 0 or more.")
        check(
            (0...1).contains(helpfulShare), "helpfulShare",
            "It is \(helpfulShare). Give a share of what is missing from 0 to 1.")
        for level in PressureLevel.allCases {
            let (own, most) = (spending(at: level), Self.mostSpending(at: level))
            check(
                own <= most, level.name,
                "It is \(own.name). At the level \(level.name) no more than \(most.name) may be "
                    + "spent.")
        }
        check(
            critical >= warning, "critical",
            "It is \(critical.name), less than at warning (\(warning.name)). Give as much, or more."
        )
        for purgeClass in PurgeableClass.allCases {
            let (idle, least) = (minIdle[purgeClass], MinIdle.standard[purgeClass])
            check(
                idle >= least, "minIdle.\(purgeClass.purgeClass.name)",
                "It is \(idle). Give \(least.inWords) or more: automatic purges never take items that were used "
                    + "more recently.")
        }
        check(
            interval >= .seconds(60), "interval",
            "It is \(interval). Give a minute or more.")
        check(
            forecastHorizon >= .zero, "forecastHorizon",
            "It is \(forecastHorizon). Give 0 or more; 0 means never ahead of time.")
        for range in quietHours where !range.isValid {
            check(
                false, "quietHours",
                "A range is from minute \(range.start) to \(range.end) of the day. Give times from "
                    + "0:00 to 24:00.")
        }
        check(
            moduleTimeLimit > .zero && moduleTimeLimit <= .seconds(3_600), "moduleTimeLimit",
            "It is \(moduleTimeLimit). Give more than 0, and no more than an hour.")
        check(
            reminderInterval >= .seconds(60), "reminderInterval",
            "It is \(reminderInterval). Give a minute or more.")
        return problems
    }

    /// Checks that every property is in its range.
    ///
    /// - Throws: `HeadroomError` `invalid`, with all that is not.
    public func validate(thresholds: PressureThresholds = .standard) throws(HeadroomError) {
        let problems = problems(thresholds: thresholds)
        guard !problems.isEmpty else { return }
        throw HeadroomError(
            .invalid,
            "The policy cannot be used. "
                + problems.map { "\($0.property): \($0.message)" }.joined(separator: " "))
    }
}
