//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

/// What a directory unit holds, as it is walked immediately before it goes.
///
/// The unit's directories are opened by their path below the unit's own descriptor, one at a time:
/// depth costs neither stack nor descriptors (safety invariant S13).
struct UnitContents {
    /// A directory of the unit; number 0 is the unit itself. Parents come before their children.
    struct Directory {
        let parent: Int
        let name: FileName
        let identity: FileIdentity
    }

    private(set) var directories: [Directory] = []
    /// Each member's state and place, as in ``UnitSurvey/mix(_:parent:key:)``.
    private(set) var members: Set<UInt64> = []
    private(set) var memberCount = 0
    private(set) var sum: UInt64 = 0
    /// Where it changes with the unit's name: see ``isSameExceptName(as:)``.
    private var unitMix: UInt64 = 0
    private var unitModified: Timestamp?
    /// What the volume gains if all of it goes.
    private(set) var freed: Int64 = 0
    private var linkCounts: [FileIdentity: UInt32] = [:]

    mutating func addDirectory(parent: Int, name: FileName, _ status: FileStatus, mix: UInt64) {
        if directories.isEmpty {
            unitMix = mix
            unitModified = status.modified
        }
        directories.append(Directory(parent: parent, name: name, identity: status.identity))
        add(mix)
        freed &+= status.allocatedSize.bytes
    }

    mutating func addFile(_ status: FileStatus, mix: UInt64) {
        add(mix)
        guard status.linkCount > 1 else {
            freed &+= status.allocatedSize.bytes
            return
        }
        linkCounts[status.identity, default: 0] += 1
        // mutation: s10c-1
        if linkCounts[status.identity] == status.linkCount {
            freed &+= status.allocatedSize.bytes
        }
    }

    private mutating func add(_ mix: UInt64) {
        members.insert(mix)
        memberCount += 1
        sum &+= mix
    }

    /// Whether it is the same unit, unchanged but for its name: renaming a directory changes its
    /// ctime, and nothing else of it.
    func isSameExceptName(as other: UnitContents) -> Bool {
        memberCount == other.memberCount && sum &- unitMix == other.sum &- other.unitMix
            && directories.first?.identity == other.directories.first?.identity
            && unitModified == other.unitModified
    }

    /// The names from the unit down to one of its directories.
    func path(to directory: Int) -> [FileName] {
        var names: [FileName] = []
        var current = directory
        while current != 0 {
            names.append(directories[current].name)
            current = directories[current].parent
        }
        return names.reversed()
    }
}
