//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why something was planned, kept or refused: a stable code for programs, a sentence for people.
public struct Reason: Hashable, Sendable {
    public var code: Code
    /// A sentence without the path, in plain words.
    public var text: String

    public init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }

    /// A documented code: `in-use`, `changed`, `expired`. New codes may appear in any release.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        public init(_ description: String) {
            self.description = description
        }
    }
}

extension Reason.Code {
    // MARK: Why planned

    /// Older than its area's retention.
    public static let expired = Reason.Code("expired")
    /// Its area is over its limit.
    public static let overLimit = Reason.Code("over-limit")
    /// Older than the age that was asked for.
    public static let olderThan = Reason.Code("older-than")
    /// The next in purge order, needed to reach the target.
    public static let inOrder = Reason.Code("in-order")
    /// Everything was asked for.
    public static let all = Reason.Code("all")

    /// A directory that the plan leaves empty.
    public static let leftEmpty = Reason.Code("left-empty")

    // MARK: Why kept or skipped

    public static let essential = Reason.Code("essential")
    public static let pinned = Reason.Code("pinned")
    /// Of a class that this request may not spend.
    public static let classNotAllowed = Reason.Code("class-not-allowed")
    /// The target is reached without it.
    public static let notNeeded = Reason.Code("not-needed")
    /// A lease or a lock is held on it or on a directory around it.
    public static let leased = Reason.Code("leased")
    /// Open, mapped, executed, a working directory, a loop or a swap file.
    public static let inUse = Reason.Code("in-use")
    /// Not the file that was planned: size, times, identity, members or marks differ.
    public static let changed = Reason.Code("changed")
    /// Not there any more.
    public static let vanished = Reason.Code("vanished")
    /// A link of the file lies outside the plan, so that deleting this one frees nothing.
    public static let linkedElsewhere = Reason.Code("linked-elsewhere")
    /// Another file system or bind mount is mounted there.
    public static let mountPoint = Reason.Code("mount-point")
    /// Neither a regular file, a symbolic link nor a directory.
    public static let special = Reason.Code("special-file")
    public static let unreadable = Reason.Code("unreadable")
    public static let notPermitted = Reason.Code("not-permitted")
    public static let immutable = Reason.Code("immutable")
    public static let readOnly = Reason.Code("read-only")
    /// The file system has no such operation or attribute.
    public static let unsupported = Reason.Code("unsupported")
    /// A system call failed in another way; the text says which.
    public static let failed = Reason.Code("failed")
    /// The directory unit could not be renamed or emptied as a whole.
    public static let unitBusy = Reason.Code("unit-busy")
    /// Another purge is at work there.
    public static let busy = Reason.Code("busy")
    /// The run was stopped before it came to this item.
    public static let interrupted = Reason.Code("interrupted")
    /// The circuit breaker stopped the run before it came to this item.
    public static let breaker = Reason.Code("circuit-breaker")
    /// An area of its own lies in the directory unit, which cannot go whole.
    public static let nestedArea = Reason.Code("nested-area")
    /// Belongs to another user.
    public static let foreignOwner = Reason.Code("foreign-owner")
    /// Thrown away less than 24 hours ago: a person may still want it back.
    public static let freshTrash = Reason.Code("fresh-trash")
    /// Its name, or that of a directory around it, begins with a dot.
    public static let hidden = Reason.Code("hidden")
    /// Among the newest, so many of which were to stay.
    public static let newest = Reason.Code("newest")
    /// Not among what was chosen.
    public static let notSelected = Reason.Code("not-selected")
    /// A `CACHEDIR.TAG`, without which backups would take in its directory.
    public static let directoryTag = Reason.Code("directory-tag")
    /// What a cache store needs, and what it holds beside its values.
    public static let cacheStore = Reason.Code("cache-store")
}

extension Reason.Code {
    // MARK: Why kept by default rules

    /// A process uses something in the unit: as its program or working directory, or by name on its command line or in
    /// its environment.
    public static let process = Reason.Code("process")
    /// Mounted elsewhere, as the private `/tmp` of a service is.
    public static let mountSource = Reason.Code("mount-source")
    /// A file of a display server or a session.
    public static let session = Reason.Code("session")
    /// A process holds a lock that its tool takes while it works in the area.
    public static let areaLocked = Reason.Code("area-locked")
    /// A line of tmpfiles.d excludes it from cleaning.
    public static let tmpfilesExcluded = Reason.Code("tmpfiles-excluded")

    /// Whether the reason can end by itself.
    package var isTemporary: Bool {
        switch self {
        case .recentlyUsed, .process, .mountSource, .areaLocked, .inUse, .leased, .busy, .readOnly:
            true
        default: false
        }
    }
}
