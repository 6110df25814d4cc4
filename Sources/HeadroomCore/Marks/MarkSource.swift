//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

/// Where a scan and a purge learn the marks of files and directories from.
package protocol MarkSource: Sendable {
    /// What an open directory carries; nil: nothing.
    func reading(ofDirectory descriptor: Int32, _ status: FileStatus) -> MarkReading?

    /// What a file carries; nil: nothing.
    func reading(
        ofFile name: EntryName, at directory: Int32, _ status: FileStatus
    ) -> MarkReading?

    /// Whether the ledger may know a mark of a file in a directory that is not flagged. Cheap: it is
    /// asked for every file of a scan.
    func isKnown(inode: UInt64) -> Bool

    /// Whether ``isKnown(inode:)`` needs to be asked at all.
    var knowsFiles: Bool { get }

    /// The users whose marks set classes for their own files alone.
    var grantors: GrantorTable { get }
}

/// What the attribute of a file or directory says.
package struct MarkReading: Hashable, Sendable {
    package var mark: Mark
    /// On a directory: files in it may carry marks of their own.
    package var hasMarkedFiles: Bool
    /// The attribute cannot be understood: what carries it is treated as pinned.
    package var isDamaged: Bool
    /// Whose files its class, or its lifted pin, can permit to purge.
    package var permission: MarkPermission

    package init(
        mark: Mark, hasMarkedFiles: Bool = false, isDamaged: Bool = false,
        permission: MarkPermission = .everybody
    ) {
        self.mark = mark
        self.hasMarkedFiles = hasMarkedFiles
        self.isDamaged = isDamaged
        self.permission = permission
    }
}
