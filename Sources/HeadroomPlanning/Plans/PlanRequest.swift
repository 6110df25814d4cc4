//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform

/// What a plan is asked to do, and all it may know besides the inventory.
///
/// Planning is a pure function of the inventory and this value: no clock, no file system.
public struct PlanRequest: Sendable {
    public var targets: [Target]
    /// The last class that may be spent.
    public var through: PurgeableClass
    public var now: Timestamp
    /// The volume that bytes are to be freed on, for targets that count bytes or inodes: what lies
    /// on another volume does not help. Nil: wherever the areas are.
    public var volume: VolumeState?
    /// The user on whose behalf: in directories shared by all, only what is the user's may go.
    public var user: UInt32
    /// Whether of caches only that may be spent which is expired, or in an area over its limit.
    public var sparesLiveCaches = false
    /// What stays, whatever the targets are.
    public var sparing = Sparing.nothing
    /// Whether files are chosen although deleting them frees nothing: they have hard links that the plan
    /// keeps. Otherwise they are kept with the reason `linked-elsewhere`.
    public var includesUnprofitable = false
    /// What of some areas it is about, by name; nil: all of all areas.
    package var entries: EntryChoice?
    /// When what lies in trash directories was thrown away.
    package var trash = TrashDates()
    /// Whether trash may go that is younger than 24 hours: a person empties it by hand.
    package var includesFreshTrash = false
    /// Whether trash older than 24 hours may go although last resort may not.
    package var spendsOlderTrash = false
    /// Nothing counts as expired, no trash as old enough to go, and nothing as unused for long: the wall
    /// clock was moved, or what was recorded of the use of files was lost, and what looks old may not be.
    package var pausesAgeRules = false
    /// What a person has chosen; nothing else may go. Nil: everything may.
    package var selection: ItemSelection?
    /// Uses and first sightings that the ledger has recorded.
    package var usage: (any UsageSource)?
    /// How long items have to be unused.
    public var minIdle = MinIdle.none
    /// The time from which idle times are measured: ``now``, or earlier after the wall clock was moved ahead, so
    /// that recently used files don't look old.
    package var idleNow: Timestamp
    /// The paths that processes, mounts, sessions and locks keep.
    package var kept = KeptPaths.none
    /// Mounts that can't be written to, as in ``VolumeState/mountIDs``.
    package var readOnlyMounts: Set<UInt64> = []

    public init(
        targets: [Target], through: PurgeableClass = .cache, now: Timestamp,
        volume: VolumeState? = nil, user: UInt32 = User.effective
    ) {
        self.targets = targets
        self.through = through
        self.now = now
        idleNow = now
        self.volume = volume
        self.user = user
    }

    /// What a plan has to know of a volume.
    public struct VolumeState: Hashable, Sendable {
        /// As in `FileIdentity.device`.
        public var device: UInt64
        /// The mounts by which it is reached; empty: its device tells. Subvolumes of btrfs have
        /// devices of their own.
        package var mountIDs: Set<UInt64> = []
        public var total: ByteCount
        public var available: ByteCount
        /// Available bytes from which on the level is normal.
        public var normalFrom: ByteCount

        public init(
            device: UInt64, total: ByteCount, available: ByteCount, normalFrom: ByteCount
        ) {
            self.device = device
            self.total = total
            self.available = available
            self.normalFrom = normalFrom
        }

        /// The state of a volume as it was when it was asked.
        ///
        /// - Parameter normalFrom: nil: the standard warning threshold.
        /// - Returns: nil if it did not say how full it is.
        public init?(_ volume: Volume, normalFrom: ByteCount? = nil) {
            guard let figures = volume.figures, let available = volume.available else { return nil }
            let threshold = PressureThresholds.standard.warning.bytes(of: figures.total)
            self.init(
                device: volume.device, total: figures.total, available: available,
                normalFrom: normalFrom ?? threshold)
            mountIDs = volume.mountIDs
        }

        /// Whether a directory lies on the volume.
        package func contains(device: UInt64, mountID: UInt64) -> Bool {
            mountIDs.isEmpty || mountID == 0 ? device == self.device : mountIDs.contains(mountID)
        }
    }
}

/// What the ledger knows of the use of files, beyond what their times tell.
package protocol UsageSource: Sendable {
    /// Seconds since 1970 of the last recorded use; nil: none.
    func lastUse(device: UInt64, inode: UInt64, created: UInt32) -> UInt32?

    /// Seconds since 1970 when the file was first seen, for file systems without birth times.
    func firstSeen(device: UInt64, inode: UInt64) -> UInt32?

    /// The inodes that a use is recorded of; nil: not known, any may be.
    var usedInodes: Set<UInt64>? { get }
}

extension UsageSource {
    package var usedInodes: Set<UInt64>? { nil }
}
