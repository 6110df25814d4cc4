//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// What a purge itself has done to files with several links.
///
/// Unlinking one link changes the ctime of the file, and so the fingerprint of its other links,
/// which are then still what was planned (safety invariant S4).
struct LinkLedger {
    private struct Change {
        /// What the file was when it was planned.
        var planned: Fingerprint
        /// What it has been since our last unlink.
        var now: Fingerprint
    }

    private var changes: [FileIdentity: Change] = [:]
    /// What files occupy of which a link has gone and another is still there.
    private var held: [FileIdentity: Int64] = [:]

    /// What stays, though links of it have gone.
    var remaining: (bytes: Int64, files: Int) {
        (held.values.reduce(0, +), held.count)
    }

    /// Notes that a link has gone.
    ///
    /// - Parameter before: what the file was before.
    mutating func noteGone(_ before: FileStatus) {
        if before.linkCount > 1, before.type == .regular {
            held[before.identity] = before.allocatedSize.bytes
        } else if !held.isEmpty {
            held[before.identity] = nil
        }
    }

    /// The fingerprint that a file had when it was planned, if all that has happened to it since is
    /// our own doing; else the one it has.
    func original(_ current: Fingerprint, of identity: FileIdentity) -> Fingerprint {
        guard let change = changes[identity], change.now == current else { return current }
        return change.planned
    }

    /// Notes that a link was removed.
    ///
    /// What somebody writes between our last look and the unlink must not pass for our own doing:
    /// everything but the number of links and the ctime has to be as it was.
    ///
    /// - Parameters:
    ///   - before: what the file was before the unlink, as planned or after our last one.
    ///   - after: what it is now.
    mutating func noteUnlink(before: FileStatus, after: FileStatus, key: FingerprintKey) {
        var expected = before
        expected.linkCount -= 1
        expected.changed = after.changed
        // Looking at a file is no change of it.
        expected.accessed = after.accessed
        // mutation: s4c-1
        guard after == expected else {
            changes[before.identity] = nil
            return
        }
        let now = Fingerprint(after, key: key)
        let planned = original(Fingerprint(before, key: key), of: before.identity)
        changes[before.identity] = Change(planned: planned, now: now)
    }
}
