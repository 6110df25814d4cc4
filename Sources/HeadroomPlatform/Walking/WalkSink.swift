//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

/// Takes in what one worker of a walk finds. Each worker has its own; no call needs a lock.
package protocol WalkSink: AnyObject {
    /// A directory was opened, or could not be.
    ///
    /// Called once per directory, before its entries; by the time a child is entered, its parent has
    /// been. The descriptor is valid during the call and −1 if the directory could not be opened.
    func enter(_ directory: borrowing WalkDirectory) -> WalkDecision

    /// Entries of a directory that are not directories themselves, in batches, perhaps by another
    /// worker than the one that entered it, perhaps at the same time. Names live during the call.
    func take(_ entries: UnsafeBufferPointer<WalkEntry>, of directory: WalkPlace)

    /// A directory that was entered could not be read to its end; by the worker that entered it.
    func fail(_ directory: WalkPlace, _ error: Errno)

    /// Something that was left out: another file system, or an entry whose status cannot be had.
    func omit(_ name: EntryName, in directory: WalkPlace, because omission: WalkOmission)
}

package enum WalkOmission {
    case otherFileSystem
    case unreadable(Errno)
}

/// A directory as it is entered.
package struct WalkDirectory: ~Copyable {
    package let id: UInt32
    /// Nil for a root.
    package let parentID: UInt32?
    /// What ``WalkDecision/tag`` the parent was given; 0 for a root.
    package let parentTag: UInt64
    /// Empty for a root.
    package let name: EntryName
    package let status: FileStatus
    package let descriptor: Int32
    /// Why it could not be opened; its status is then taken by name.
    package let failure: Errno?

    package init(
        id: UInt32, parentID: UInt32?, parentTag: UInt64, name: EntryName, status: FileStatus,
        descriptor: Int32, failure: Errno?
    ) {
        self.id = id
        self.parentID = parentID
        self.parentTag = parentTag
        self.name = name
        self.status = status
        self.descriptor = descriptor
        self.failure = failure
    }
}

/// What becomes of a directory that was entered.
package struct WalkDecision {
    /// Handed to the calls that concern this directory or its children.
    package var tag: UInt64
    package var descends: Bool

    package init(tag: UInt64, descends: Bool = true) {
        self.tag = tag
        self.descends = descends
    }
}

/// A directory whose entries are handed over.
package struct WalkPlace {
    package let id: UInt32
    package let tag: UInt64
    package let device: UInt64
    package let descriptor: Int32
}

/// One entry that is not a directory.
package struct WalkEntry {
    package var name: EntryName
    package var status: FileStatus
}
