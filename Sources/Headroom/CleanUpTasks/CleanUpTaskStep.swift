//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlatform
public import HeadroomWorkspace

/// How far a clean-up has come.
public struct CleanUpTaskStep: Hashable, Sendable {
    public var phase: CleanUpTaskPhase
    /// 0…1, of all the work, never less than before; 1 in the last step and no other, and not if the
    /// clean-up was stopped.
    public var fraction: Double
    /// What the removed items were expected to free, so far.
    public var freed: ByteCount
    /// Items that have gone so far.
    public var removed: Int
    /// What was done; in the last step only.
    public var summary: CleanUpTaskSummary?

    public init(
        phase: CleanUpTaskPhase, fraction: Double, freed: ByteCount, removed: Int,
        summary: CleanUpTaskSummary? = nil
    ) {
        self.phase = phase
        self.fraction = fraction
        self.freed = freed
        self.removed = removed
        self.summary = summary
    }
}

/// How a clean-up goes.
public struct CleanUpTaskOptions: Hashable, Sendable {
    /// The last class that may be spent. What is last resort stays unless this says otherwise.
    public var through = PurgeableClass.cache
    /// How long each action is waited for.
    public var actionTimeLimit = Duration.seconds(30)
    /// Whether the app's purgeable directories are emptied as well.
    public var emptiesPurgeableDirectories = true

    public init() {}
}
