//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

/// Tells which directories have changed since it was asked last.
///
/// A directory is watched before it is read: then nothing that happens to it is missed. It tells that
/// something changed, never what it is now; that is looked at by whoever asks.
package protocol ChangeWatch: AnyObject, Sendable {
    /// How it learns of changes.
    var mechanism: WatchMechanism { get }

    /// Watches an open directory, not what lies below. From any thread.
    ///
    /// - Parameter id: what changes of it are told as.
    /// - Throws: `ENOSPC` if no more directories can be watched, `EACCES` for one that may not be
    ///   read; then it has to be looked at again and again.
    func watch(_ directory: Int32, as id: UInt32) throws(Errno)

    /// Ends watching a directory; what is known of it may still be told once.
    func forget(_ id: UInt32)

    /// Takes what has changed: everything that was done before the call.
    func take() -> ChangeBatch

    /// Ends it, and the thread that it has. Nothing is told any more.
    func close()
}

/// How changes are noticed.
package enum WatchMechanism: String, Sendable {
    /// Whole file systems, by root.
    case fanotify
    /// One directory at a time.
    case inotify
}

/// What has changed since a watch was asked last.
package struct ChangeBatch: Sendable {
    package var directories: [UInt32: DirectoryChange] = [:]
    /// The system could not keep up: anything may have changed.
    package var isIncomplete = false

    package init() {}

    package var isEmpty: Bool { directories.isEmpty && !isIncomplete }
}

/// What has changed in one directory.
package struct DirectoryChange: Sendable {
    /// The entries that changed, by name.
    package var names: [FileName: EntryChange] = [:]
    /// More files changed than are worth being told by name: any of them may have.
    package var concernsAllFiles = false
    /// So many directories came and went in it that everything below it may have changed.
    package var concernsTree = false

    package init() {}
}

/// What happened to an entry.
package struct EntryChange: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Something about it.
    package static let touched = EntryChange(rawValue: 1)
    /// A directory of this name came or went: one that is there now is another one.
    package static let replacedDirectory = EntryChange(rawValue: 2)
}
