//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import Synchronization

/// Which directories the threads of one purge hold exclusively.
///
/// flock(2) does not tell our own threads from strangers: a thread on its way through a directory
/// that a colleague works in would find it locked. A directory that is claimed here is held by us,
/// so nobody else has any lock on it; whether it is leased as a whole is asked all the same.
final class DirectoryClaims: Sendable {
    private let held = Mutex<Set<UInt32>>([])

    /// Locks a directory, while no colleague asks about it.
    func acquire(_ number: UInt32, _ descriptor: Int32) -> ParentGuard {
        held.withLock { held in
            let parentGuard = ParentGuard.acquire(descriptor)
            if parentGuard.state == .exclusive { held.insert(number) }
            return parentGuard
        }
    }

    /// After the lock was released.
    func release(_ number: UInt32) {
        held.withLock { _ = $0.remove(number) }
    }

    /// Why a directory on the way may not be entered; see ``DirectoryCursor/lockReason(_:)``.
    func lockReason(_ number: UInt32, _ descriptor: Int32) -> Reason? {
        held.withLock { held in
            guard held.contains(number) else { return DirectoryCursor.lockReason(descriptor) }
            return FileLock.isMarkedWhole(descriptor)
                ? Reason(.leased, "It is leased, with all below.") : nil
        }
    }
}
