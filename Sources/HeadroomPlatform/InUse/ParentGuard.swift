//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What the purger holds on a directory while it removes entries of it (safety invariant S5).
///
/// A lease is a shared flock on the item and one on its parent. An exclusive flock on the parent is
/// therefore proof that none of its entries is leased, and as long as it is held none can be: one
/// system call for a directory instead of two and an open for each file.
///
/// A value releases the lock at the end of its life, which comes before the descriptor's.
package struct ParentGuard: ~Copyable {
    /// What the attempt has found.
    package enum State: Hashable, Sendable {
        /// No entry is leased, and none can be while the guard lives.
        case exclusive
        /// Some entry is leased, or somebody else shares a lock on the directory: each child is
        /// probed with ``ItemGuard`` and held across its removal.
        case shared
        /// The directory itself is leased: it stays, with all below.
        case leasedWhole
        /// Somebody holds the directory with `LOCK_EX`: it is left alone, with all below.
        case heldExclusively
        /// The file system has no flocks, so there can be no leases on it either.
        case withoutLocks
        /// The file system grants shared flocks and not exclusive ones (NFS, for a descriptor that
        /// is not open for writing): leases cannot be seen, so all below is left alone.
        case undecidable

        /// Whether anything in the directory may be removed, after a probe of each child if
        /// ``shared``.
        package var allowsRemoval: Bool {
            switch self {
            case .exclusive, .shared, .withoutLocks: true
            case .leasedWhole, .heldExclusively, .undecidable: false
            }
        }
    }

    package let state: State
    private let descriptor: Int32

    /// Locks a directory, without waiting: one system call if nobody else uses it.
    ///
    /// Not with a descriptor that already holds a flock of its owner's: it would be replaced, and
    /// released with the guard.
    ///
    /// - Parameter directory: open for reading; stays open for as long as the guard lives.
    package static func acquire(_ directory: Int32) -> ParentGuard {
        let exclusive = FileLock.tryExclusive(directory)
        // mutation: s5b-1
        // mutation: s5a-4
        if exclusive == .granted { return ParentGuard(state: .exclusive, descriptor: directory) }
        switch (exclusive, FileLock.tryShared(directory)) {
        case (_, .refused):
            return ParentGuard(state: .heldExclusively, descriptor: directory)
        case (_, .unsupported):
            return ParentGuard(state: .withoutLocks, descriptor: directory)
        case (.unsupported, .granted):
            // mutation: s5i-1
            return ParentGuard(state: .undecidable, descriptor: directory)
        case (_, .granted):
            // A lease on the directory marks it before it counts as taken, so that a mark we do
            // not see belongs to one that will find us, or our rename, when it checks again.
            let whole = FileLock.isMarkedWhole(directory)
            return ParentGuard(state: whole ? .leasedWhole : .shared, descriptor: directory)
        }
    }

    deinit {
        FileLock.unlock(descriptor)
    }
}

/// A child of a directory whose guard is ``ParentGuard/State/shared``, proven not to be leased, and
/// held so across its removal.
package struct ItemGuard: ~Copyable {
    private let descriptor: Descriptor

    /// Locks a child exclusively, without waiting.
    ///
    /// - Parameter item: opened for this; closed at the end of the guard's life.
    /// - Returns: nil if it is leased or locked: it stays, a directory with all below.
    package static func acquire(_ item: consuming Descriptor) -> ItemGuard? {
        switch FileLock.tryExclusive(item.rawValue) {
        case .granted: return ItemGuard(descriptor: item)
        case .refused, .unsupported:
            OpenFileCloser.close(item)
            return nil
        }
    }

    private init(descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    deinit {
        FileLock.unlock(descriptor.rawValue)
    }
}
