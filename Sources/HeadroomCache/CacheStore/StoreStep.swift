//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The moments of a cache store's work at which tests kill the process.
///
/// The store says that it has reached one through its `step` hook, which is nil but for tests.
package enum StoreStep: Int, CaseIterable, Sendable {
    // Putting.
    case recordReserved = 1
    case recordWritten
    case fileMade
    case fileWritten
    /// The entry is in the index of this process.
    case entered
    /// The log has been told, if it was due.
    case told
    case oldRetired
    // Removing.
    case removalTold
    case removalRetired
    // Evicting.
    case evicted
    case victimRetired
    // Segments.
    case segmentTold
    case segmentMade
    case segmentSealed
    case segmentRemoved
    // Moving.
    case recordCopied
    case recordMoved
    case moveTold
    // The log.
    /// What the log is about to tell that it is gone is marked.
    case marked
    case logAppended
    case snapshotWritten
    case logCompacted
    // Opening, and taking over from the dead.
    case sessionBegun
    case leftoversTaken
    case leftoversTold
    case filesListed
    case fileSwept
    // Closing.
    case closing
    case closed
}
