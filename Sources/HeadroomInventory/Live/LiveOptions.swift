//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
package import HeadroomPlatform
public import SystemPackage

/// How a live inventory follows changes.
public struct LiveOptions: Sendable {
    /// How changes are noticed.
    public enum Mechanism: Sendable {
        /// fanotify where the process may and the file system can, else inotify.
        case best
        /// One watch for each directory, which needs no privilege.
        case perDirectory
        /// Whole file systems; needs root.
        case perFileSystem
    }

    public var mechanism = Mechanism.best
    /// Files are looked at once more so long after they changed: what they occupy may change while
    /// the system writes them to disk, of which it says nothing.
    package var restTime = Duration.seconds(45)
    /// Makes watches; nil: the system's. Tests put some that lose events.
    package var makeWatch: (@Sendable (Int32) -> (any ChangeWatch)?)?

    public init() {}
}

/// How a root of a live inventory is followed.
public struct LiveCoverage: Hashable, Sendable {
    public var root: FilePath
    /// Why it is not followed, or only in part, and so is read again each time; nil: it is followed.
    public var shortfall: Reason?
    /// Directories that are read again each time, whatever happens.
    public var unwatchedDirectories: Int
}

/// What a live inventory has done.
public struct LiveStatistics: Hashable, Sendable {
    /// Scans of everything, the first included.
    public var scans = 0
    /// Times that the system could not keep up, so that a file system was read anew.
    public var overflows = 0
    /// Times that it was brought up to date.
    public var rounds = 0
    /// Directories that were looked into since the first scan, and entries that were asked for.
    public var directoriesRead = 0
    public var entriesRead = 0

    package init() {}
}

extension Reason.Code {
    /// Nothing is told of changes there.
    public static let notWatched = Reason.Code("not-watched")
}
