//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore

/// What a policy decides by: why it is asked, and how things stand.
public struct PolicySituation: Hashable, Sendable {
    public var trigger: CleaningTrigger
    /// The volume; nil where it is not known, or has no level: nothing is done for its sake then.
    public var pressure: VolumePressure?
    public var thresholds: PressureThresholds
    /// When warning is expected for bytes.
    public var bytesOutlook: Forecast.Outlook
    /// When warning is expected for inodes.
    public var inodesOutlook: Forecast.Outlook
    /// What the clock on the wall shows, in minutes after midnight; nil if it cannot be told: no hours
    /// are quiet then.
    public var minuteOfDay: Int?
    public var isOnBattery: Bool
    /// Whether what goes by age may go: not while wall and monotonic clocks disagree.
    public var ageRulesHold: Bool

    public init(
        trigger: CleaningTrigger, pressure: VolumePressure?,
        thresholds: PressureThresholds = .standard, bytesOutlook: Forecast.Outlook = .unknown,
        inodesOutlook: Forecast.Outlook = .unknown, minuteOfDay: Int? = nil,
        isOnBattery: Bool = false, ageRulesHold: Bool = true
    ) {
        self.trigger = trigger
        self.pressure = pressure
        self.thresholds = thresholds
        self.bytesOutlook = bytesOutlook
        self.inodesOutlook = inodesOutlook
        self.minuteOfDay = minuteOfDay
        self.isOnBattery = isOnBattery
        self.ageRulesHold = ageRulesHold
    }
}
