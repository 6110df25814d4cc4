//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
public import HeadroomPlatform

/// How a scan goes.
public struct ScanOptions: Sendable {
    /// Enter other mounts too.
    public var crossesMounts = false
    /// Threads to start with; nil: one per processor. More join while they wait for the disk.
    public var threads: Int?
    /// The time that the scan is said to have happened at.
    public var now: Timestamp
    /// Marks are read from here; nil: no marks are read.
    package var markSource: (any MarkSource)?
    /// Takes an inode's change for its birth if that was later, and keeps files with the sticky bit: as
    /// systemd-tmpfiles sees them.
    package var agesByChange = false
    /// Creates a reader for the values of cache stores, so that plans contain values and not the stores' files; nil: the
    /// scan treats a store as ordinary files.
    package var stores: (@Sendable () -> any StoreSurveying)?
    /// Keeps when the inode of a file changed in place of when it was read: for `GrowthSurvey`, not for
    /// plans.
    public var keepsChanges = false
    /// Finds repositories outside of the scan that borrow objects; nil: none is looked for.
    package var borrowers: BorrowerSearch?
    package var usesPOSIXRoute = false
    /// The system calls to use; nil: the platform's. Tests put some that fail.
    package var calls: (any FileSystemCalls)?
    package var maximumThreads: Int?
    package var descriptorLimit: Int?
    /// The secret of the fingerprints; nil: a new one.
    package var key: FingerprintKey?

    public init(now: Timestamp) {
        self.now = now
    }
}
