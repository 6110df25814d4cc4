//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import SystemPackage

// Directories that the plan leaves empty: rmdir refuses whatever is not.
extension PurgeRun {
    func removeEmptyDirectory(_ candidate: Candidate) {
        let record = inventory.directories[Int(candidate.number)]
        let link: DirectoryCursor.Link
        switch position(at: record.parent) {
        case .refused(let reason): return skip(candidate, reason)
        case .open(let open): link = open
        }
        cursor.forget(candidate.number)
        let parentGuard = ParentGuard.acquire(link.descriptor)
        guard parentGuard.state.allowsRemoval else {
            return skip(candidate, Self.reason(parentGuard.state))
        }
        record.name.withEntryName { name in
            let status: FileStatus
            do throws(Errno) {
                status = try calls.status(of: name, at: link.descriptor)
            } catch {
                return skip(candidate, Self.reason(error, "examined"))
            }
            guard status.identity == record.identity, status.type == .directory else {
                return skip(candidate, Reason(.changed, "Something else is in its place."))
            }
            if let reason = inUse.reasonToKeep(status) { return skip(candidate, reason) }
            let hold = inUse.hold(
                name, at: link.descriptor, status: status, purgeClass: candidate.purgeableClass,
                parent: parentGuard.state, calls: calls)
            if let reason = hold.reasonToKeep { return skip(candidate, reason) }
            do throws(Errno) {
                try calls.remove(name, at: link.descriptor, isDirectory: true)
            } catch .directoryNotEmpty, .fileExists {
                // Something in it was kept, which is said there, or is new: nothing to tell.
                return
            } catch {
                return skip(candidate, Self.reason(error, "removed"))
            }
            _ = consume hold
            breaker.countRemoved(items: 1, allocated: status.allocatedSize.bytes)
            recorder.addRemoved(
                candidate, bytes: status.allocatedSize.bytes, in: record.parent
            ) { inventory.path(ofDirectory: candidate.number) }
        }
    }
}
