//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
package import HeadroomPlanning
public import HeadroomPlatform
public import SystemPackage

/// Which files are in use at this moment, as a purge would find them: open, mapped, executed, locked,
/// leased, or named by a process.
///
/// For people who ask; a purge looks again by itself. What processes of other users have open is
/// not seen without privilege.
public struct InUseNow: Sendable {
    private let monitor: OpenFileMonitor

    /// Files that are kept because of their paths.
    private let kept: KeptPaths

    /// Examines all processes and locks. Blocks for some milliseconds.
    public init() {
        self.init(below: [], kept: .none)
    }

    /// Examines all processes and locks. Blocks for some milliseconds.
    ///
    /// - Parameters:
    ///   - roots: plain paths of directories. A file in them is in use even if a process only names it.
    ///   - kept: the paths that are known to be kept.
    package init(below roots: [FilePath], kept: KeptPaths) {
        monitor = OpenFileMonitor(own: OwnDescriptors(), below: roots)
        self.kept = kept
    }

    /// Why a file, or a directory that is purged as a whole, would be kept; nil if nothing speaks against
    /// its removal. The reason names the rule: an open file, a process, a mount, a session, a lock, a
    /// line of tmpfiles.d.
    ///
    /// - Parameter path: its plain path; for something in a directory unit, the unit's.
    public func reason(for identity: FileIdentity, path: FilePath) -> Reason? {
        reason(for: identity) ?? kept.reason(forUnit: path)
    }

    /// Why a file or directory would stay; nil if nothing speaks against its removal.
    public func reason(for identity: FileIdentity) -> Reason? {
        InUseCheck(monitor: monitor).reasonToKeep(identity)
    }
}
