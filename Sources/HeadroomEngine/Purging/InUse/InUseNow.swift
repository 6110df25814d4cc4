//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform

/// Which files are in use at this moment, as a purge would find them: open, mapped, executed,
/// locked or leased.
///
/// For people who ask; a purge looks again by itself. What processes of other users have open is
/// not seen without privilege.
public struct InUseNow: Sendable {
    private let monitor: OpenFileMonitor

    /// Looks at all processes and locks. Blocks for some milliseconds.
    public init() {
        monitor = OpenFileMonitor(own: OwnDescriptors())
    }

    /// Why a file or directory would stay; nil if nothing speaks against its removal.
    public func reason(for identity: FileIdentity) -> Reason? {
        InUseCheck(monitor: monitor).reasonToKeep(identity)
    }
}
