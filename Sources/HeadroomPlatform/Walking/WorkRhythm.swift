//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Tells a worker that waits for the disk from one that has the processor's full attention.
///
/// Counted by voluntary context switches: a thread that shares a processor with others is switched
/// against its will, one that waits for a block gives the processor up by itself. Elapsed against
/// processor time would mistake the one for the other on a busy machine.
struct WorkRhythm {
    private static let window = 512
    /// More waits than this in a window of entries mean a cold cache.
    private static let coldWaits = 8

    private var nextCheck = WorkRhythm.window
    private var lastWaits = 0

    /// Leaves out what the calling thread has waited until now: before its first work, and for work.
    mutating func skipWaits() {
        lastWaits = WorkerThread.waitCount ?? 0
    }

    /// Whether a window has passed since the last check.
    @inline(__always)
    func isDue(after entries: Int) -> Bool { entries >= nextCheck }

    /// Closes the window.
    ///
    /// - Returns: whether the thread mostly waited in it, though no colleague is out of work.
    mutating func isWaiting(after entries: Int, queue: WalkQueue) -> Bool {
        nextCheck = entries + Self.window
        guard let waits = WorkerThread.waitCount else { return false }
        defer { lastWaits = waits }
        return waits - lastWaits > Self.coldWaits && queue.idle.load(ordering: .relaxed) == 0
    }
}
