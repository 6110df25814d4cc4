//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
public import HeadroomPlatform
public import SystemPackage

/// What the automation sees of the world besides volumes and files.
public struct AutomationWorld: Sendable {
    /// Nobody sets it, and it goes on in sleep.
    public var clock: any Clock<Duration> = ContinuousClock()
    public var now: @Sendable () -> Timestamp = { Timestamp.now() }
    /// What the clock on the wall shows, in minutes after midnight.
    public var minuteOfDay: @Sendable (Timestamp) -> Int? = { QuietHours.minute(of: $0) }
    public var isOnBattery: @Sendable () -> Bool = { PowerSupply.isOnBattery() ?? false }
    /// What is expected, for bytes and for inodes, on the volume that is mounted there.
    public var outlooks: @Sendable (FilePath, Timestamp) -> Outlooks = { _, _ in Outlooks() }

    public struct Outlooks: Hashable, Sendable {
        /// When warning is expected.
        public var bytes = Forecast.Outlook.unknown
        public var inodes = Forecast.Outlook.unknown
        /// When critical is expected.
        public var criticalBytes = Forecast.Outlook.unknown
        public var criticalInodes = Forecast.Outlook.unknown
        /// How long ago they were made: from then on their times count.
        public var age: Duration = .zero

        public init() {}

        /// How soon the threshold after that of a level may be reached; nil: nobody expects it.
        func earliest(after level: PressureLevel) -> Duration? {
            let next: [Forecast.Outlook] =
                switch level {
                case .normal: [bytes, inodes]
                case .warning: [criticalBytes, criticalInodes]
                case .critical: []
                }
            return next.compactMap(\.earliest).min().map { max(.zero, $0 - age) }
        }
    }

    /// This machine.
    public init() {}
}

/// A volume on which there are areas.
public struct WatchedVolume: Hashable, Sendable {
    public var mountPoint: FilePath
    /// A place on it.
    public var place: FilePath
    /// The name of the file-system type: `ext4`, `tmpfs`.
    public var type: String
    /// Tells it from what is mounted there later, or around it; nil: not known.
    public var device: UInt64?
    /// How its pressure is watched.
    public var settings: PressureSettings

    public init(
        mountPoint: FilePath, place: FilePath, type: String = "", device: UInt64? = nil,
        settings: PressureSettings = .standard
    ) {
        self.mountPoint = mountPoint
        self.place = place
        self.type = type
        self.device = device
        self.settings = settings
    }

    /// Whether it is the same file system, mounted there or in another place.
    func isSame(as other: WatchedVolume) -> Bool {
        mountPoint == other.mountPoint || device != nil && device == other.device
    }
}

/// The pressure of one volume, as it is read by somebody else.
public protocol PressureSource: Sendable {
    /// As it was last read; nil: not yet.
    var pressure: VolumePressure? { get }
    /// Its changes from now on, the first of which says how it is.
    func changes() -> AsyncStream<PressureChange>
    /// Reads it now.
    func read() async
    /// Takes how soon a forecast expects the next threshold: it is read in time for that.
    func expect(_ earliest: Duration?)
}

/// What looks, plans and purges for the automation.
public protocol PolicyWork: Sendable {
    /// The volumes on which there are areas now, each file system once.
    func volumes() async -> [WatchedVolume]
    /// A value that changes with each mount and unmount. Cheap.
    func mounts() async -> Int
    /// Whether a volume is still mounted where it was. One that does not answer is.
    func isMounted(_ volume: WatchedVolume) async -> Bool
    /// How a volume is watched.
    func watch(_ volume: WatchedVolume, _ settings: PressureSettings) -> any PressureSource
    /// Whether what goes by age may go.
    func ageRulesHold() async -> Bool
    /// The reason for a pause of age rules, and its end, in a sentence; nil: they hold.
    func agePause() async -> String?
    /// Does one step.
    func run(_ order: PolicyOrder) async -> [PolicyResult]
}

/// One step that is to be done on a volume.
public struct PolicyOrder: Sendable {
    public var step: PolicyStep
    public var trigger: CleaningTrigger
    public var volume: WatchedVolume
    public var policy: Policy
    /// Places in which nothing goes.
    public var withheld: Set<FilePath>
    public var requester: String
    /// Told of each plan that is not carried out; nil: it is.
    public var propose: (@Sendable (PolicyProposal) -> Void)?
    /// Cancelled when it is to end.
    public var progress = PurgeProgress()
}

extension PolicyWork {
    /// Work on volumes that do not change.
    public func mounts() async -> Int { 0 }

    /// Work that knows no end of the pause.
    public func agePause() async -> String? {
        await ageRulesHold()
            ? nil : "The system clock was moved by more than a day. Age rules pause."
    }
}
