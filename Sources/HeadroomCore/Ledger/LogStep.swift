//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The moments of a log's work at which tests kill the process.
///
/// The log says that it has reached one through its `step` hook, which is nil but for tests.
package enum LogStep: Int, CaseIterable, Sendable {
    // Making a log where there is none.
    case emptyMade = 1
    /// Its header is on disk, under the name of what is to become a log.
    case emptyWritten
    case emptyNamed
    // Appending.
    case appended
    case appendSynchronized
    // Compacting.
    /// There is an empty file for the next generation.
    case snapshotMade
    /// All of it is on disk.
    case snapshotWritten
    /// The old file has the name under which it is kept; only of a damaged one.
    case setAside
    /// The next generation has the name.
    case renamed
    /// And will have it after a crash of the machine.
    case nameSynchronized
}
