//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// What the steps of a clean-up cost before anything of this run was measured, in seconds.
///
/// Of a release build on two processors of 2024, measured with `headroom-bench tasks`; what matters is their
/// proportion, since the pace of this machine is measured as soon as there is something to measure.
package struct CleanUpCosts: Hashable, Sendable {
    /// Of an entry whose name is counted, that is measured, and that is scanned for the plan.
    package var counting = 0.3e-6
    package var measuring = 1.1e-6
    package var scanning = 1.25e-6
    /// Of a member of a directory that goes whole, which is looked at before and after its rename.
    package var looking = 5e-6
    /// Of a directory among them, more than that, both looks together.
    package var wholeDirectory = 150e-6
    /// Finding out what is open on the machine; and of an item, making the plan.
    package var preparing = 0.018
    package var planning = 0.6e-6
    /// Of an item that goes, and of a byte that it frees.
    package var removing = 9e-6
    package var byte = 0.15e-9
    /// Of a directory that goes, by itself and with what it is in.
    package var removingDirectory = 15e-6
    package var removingInside = 120e-6
    /// By how many threads plain files are removed, each of which takes a directory.
    package var threads = min(WorkerThread.processorCount, 8)
    /// Of an action of which nobody has said how long it takes.
    package var action = 0.1

    /// Of a directory that is opened and read; and of each level that it lies below the root, where names are
    /// counted, and where entries are looked at.
    package var directory = 4.5e-6
    package var countingLevel = 0.08e-6
    package var level = 0.9e-6

    /// - Parameter type: of the file system: `tmpfs`, `ext4`. Where it keeps a journal an item costs more,
    ///   a directory much more, and large files have few extents.
    package init(fileSystem type: String? = nil) {
        guard let type, type != "tmpfs", type != "ramfs" else { return }
        removing = 16e-6
        byte = 0.06e-9
        removingDirectory = 320e-6
        removingInside = 360e-6
    }
}
