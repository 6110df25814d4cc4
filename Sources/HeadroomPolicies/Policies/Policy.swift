//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning
public import HeadroomPlatform

/// How storage is kept within budget: what each level may spend, towards what, and when.
///
/// The defaults are the standard policy. What a level may spend can be made less, never more:
///
///     var policy = Policy()
///     policy.critical = .trash  // last resort only by hand
///     try policy.validate()
public struct Policy: Hashable, Sendable {
    // MARK: How much

    /// What is to be available after a purge, as a multiple of the threshold that was crossed; 2.
    public var targetFactor = 2.0
    /// A purge for a level frees at least this share of the volume: many small ones cost more than one;
    /// 1 %.
    public var minimumReclaimShare = 0.01
    /// The most that ``minimumReclaimShare`` asks for; 1 GiB. Inodes have no such limit.
    public var minimumReclaimLimit: ByteCount = .gibibytes(1)
    /// What everything that may go has to be of what is missing, at least, for it to be spent. If it is
    /// less, nothing but temporary goes, and people are told: it would be lost for nothing; a half.
    public var helpfulShare = 0.5

    // MARK: What

    /// What may go while the level is normal: what has expired or is over its area's limit, and other
    /// temporary content when warning is near, see ``forecastHorizon``.
    public var normal = Spending.due
    /// What may go at warning: everything but last resort.
    public var warning = Spending.trash
    /// What may go at critical: everything but what is essential.
    public var critical = Spending.lastResort

    /// How long items have to be unused before an automatic purge takes them; one hour for temporary items and ten
    /// minutes for caches, or longer.
    public var minIdle = MinIdle.standard

    // MARK: When

    /// The time between two clean-ups without another reason; 24 hours.
    public var interval: Duration = .seconds(86_400)
    /// Warning is near if the forecast expects it sooner than this: temporary content then goes ahead of
    /// time. 24 hours, the time to the next regular clean-up; zero: never.
    public var forecastHorizon: Duration = .seconds(86_400)
    /// When clean-ups that nobody waits for do not start; what a level asks for does.
    public var quietHours: [QuietHours] = []
    /// What happens while the machine runs on battery.
    public var onBattery = OnBattery.waits
    /// How long a module may take, unless it says so itself; 30 seconds.
    public var moduleTimeLimit: Duration = .seconds(30)
    /// While a level cannot be helped, people are told again after this; 1 hour.
    public var reminderInterval: Duration = .seconds(3_600)

    /// What may go, each with all before it.
    public enum Spending: UInt8, Hashable, Comparable, Sendable, CaseIterable {
        case nothing
        case temporary
        /// Caches and trash that have expired, and caches in areas over their limit.
        case due
        /// All caches.
        case caches
        /// Trash older than 24 hours.
        case trash
        case lastResort
    }

    /// A rule for machines that run on battery.
    public enum OnBattery: UInt8, Hashable, Sendable, CaseIterable {
        /// Clean-ups that nobody waits for wait for the mains; what a level asks for does not.
        case waits
        /// As on the mains.
        case runs
    }

    /// The standard policy.
    public init() {}

    public static let standard = Policy()

    /// What may go at a level.
    public func spending(at level: PressureLevel) -> Spending {
        switch level {
        case .normal: normal
        case .warning: warning
        case .critical: critical
        }
    }

    /// The most that may ever go at a level.
    public static func mostSpending(at level: PressureLevel) -> Spending {
        standard.spending(at: level)
    }
}

extension Policy.Spending {
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The name in configuration and messages: `nothing`, `temporary`, `due`, `caches`, `trash`,
    /// `lastResort`.
    public var name: String {
        switch self {
        case .nothing: "nothing"
        case .temporary: "temporary"
        case .due: "due"
        case .caches: "caches"
        case .trash: "trash"
        case .lastResort: "lastResort"
        }
    }

    /// The value of a name; also accepts `last-resort`.
    public init?(name: String) {
        let name = name == "last-resort" ? "lastResort" : name
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

extension Policy.OnBattery {
    /// The name in configuration: `waits`, `runs`.
    public var name: String {
        switch self {
        case .waits: "waits"
        case .runs: "runs"
        }
    }

    /// The rule of a name.
    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}
