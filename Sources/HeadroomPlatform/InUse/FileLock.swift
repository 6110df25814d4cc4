//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// flock(2) and the mark of a leased directory, tried without waiting.
///
/// A flock belongs to the open file description: it goes when the last descriptor that was made
/// from one open(2), by dup(2) or fork(2), is closed. It is bound to the inode, so it works across
/// mounts, mount and PID namespaces, on btrfs subvolumes and on overlayfs.
package enum FileLock {
    package enum Outcome: Hashable, Sendable {
        case granted
        /// Somebody else's lock stands in the way. A lock that the description had before may be
        /// gone: changing one is releasing and taking.
        case refused
        /// The file system knows no such locks.
        case unsupported(Errno)
    }

    package static func tryExclusive(_ descriptor: Int32) -> Outcome {
        attempt(descriptor, LOCK_EX | LOCK_NB)
    }

    package static func tryShared(_ descriptor: Int32) -> Outcome {
        attempt(descriptor, LOCK_SH | LOCK_NB)
    }

    /// Releases the lock of an open file description, whoever else has descriptors of it: closing
    /// does that only with the last, which a child just forked may have until it calls exec.
    package static func unlock(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
    }

    private static func attempt(_ descriptor: Int32, _ operation: Int32) -> Outcome {
        do throws(Errno) {
            _ = try retrying { flock(descriptor, operation) }
            return .granted
        } catch .resourceTemporarilyUnavailable {
            return .refused
        } catch {
            return .unsupported(error)
        }
    }

    // MARK: - Whole directories

    /// Marks a directory as leased itself, rather than only one of its children: both leave a
    /// shared flock on it. The mark is a read lock on its first byte, of the open file description.
    ///
    /// Where there are no such locks (Darwin), the shared flock alone must do.
    package static func markWhole(_ directory: Int32) throws(Errno) {
        #if os(Linux)
        _ = try retrying { hr_ofd_set_lock(directory, Int16(F_RDLCK), 0, 1) }
        #endif
    }

    /// Takes the mark away, if there is one.
    package static func unmarkWhole(_ directory: Int32) {
        #if os(Linux)
        _ = hr_ofd_set_lock(directory, Int16(F_UNLCK), 0, 1)
        #endif
    }

    /// Whether a directory is marked by somebody else.
    ///
    /// Where there are no marks (Darwin), any flock that keeps us from an exclusive one counts.
    ///
    /// - Parameter directory: open for reading, without a flock that the caller needs.
    package static func isMarkedWhole(_ directory: Int32) -> Bool {
        #if os(Linux)
        // Where asking fails, marking fails as well.
        return hr_ofd_lock_conflicts(directory, Int16(F_WRLCK), 0, 1) == 1
        #else
        guard tryExclusive(directory) != .refused else { return true }
        unlock(directory)
        return false
        #endif
    }
}
