//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The moments of a save at which tests kill the process.
///
/// A storage says that a save has reached one through its `step` hook, which is nil but for tests.
package enum SaveStep: Int, CaseIterable, Sendable {
    /// There is an empty file under a name that nobody looks at.
    case made = 1
    /// Its blocks are taken, where the file system can do that.
    case reserved
    /// A piece of the content is in it.
    case written
    /// It has permissions and marks of the file that it replaces.
    case handedOn
    /// What is in it is on disk.
    case synchronized
    /// It has its name.
    case renamed
    /// The ledger knows that the mark of the name is another file's now.
    case markRecorded
    /// Its name is on disk.
    case directorySynchronized
}
