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

/// Proof that no connection uses a SQLite database, held while its files are removed (S6).
///
/// Two checks on one descriptor of the main file:
/// - a write lock on SQLite's lock bytes (pending, reserved, shared), which is refused while a
///   connection has a transaction open, or is open at all in WAL mode, where each keeps its shared
///   lock; while we hold it, no connection can start one;
/// - a lease (``ExclusiveUse``), which is refused while anybody has the file open: an idle
///   connection in rollback mode holds no lock. Where the kernel grants no lease
///   (``hasExclusiveUse`` is false), ``OpenFileSnapshot`` must do.
///
/// The order of removal is main file, `-journal`, `-wal`, `-shm`: without its database SQLite
/// discards each of them, so every crash point in between is safe.
///
/// A database that this process itself has open must not come here: see ``OpenFileCloser``.
/// ``acquire(_:)`` looks.
package struct SQLiteGuard: ~Copyable {
    package enum Outcome: ~Copyable {
        case granted(SQLiteGuard)
        /// A connection uses it.
        case inUse
        /// The file system has no such locks, or the descriptor is not open for writing.
        case unsupported(Errno)
    }

    /// `PENDING_BYTE` of SQLite; `RESERVED_BYTE` follows, then the shared range of 510 bytes.
    private static let pendingByte: Int64 = 0x4000_0000
    private static let lockLength: Int64 = 512

    private let descriptor: Descriptor
    /// Whether the kernel also says that nobody has the file open.
    package let hasExclusiveUse: Bool

    /// Asks for a database. Does not wait.
    ///
    /// - Parameter file: the main file, open for reading and writing; closed at the end of the
    ///   value's life, or now if the outcome is another.
    package static func acquire(_ file: consuming Descriptor) -> Outcome {
        let number = file.rawValue
        // Our own connection's locks would not stand in the way of the check below where SQLite's
        // descriptor is idle, and closing ours would drop them where it is not.
        if let status = try? LinkedStatus.of(number),
            OwnDescriptors.hasOpen(status.identity, except: number)
        {
            OpenFileCloser.close(file)
            return .inUse
        }
        do throws(Errno) {
            _ = try retrying { hr_lock_range(number, 1, pendingByte, lockLength) }
        } catch .resourceTemporarilyUnavailable, .permissionDenied {
            OpenFileCloser.close(file)
            return .inUse
        } catch {
            OpenFileCloser.close(file)
            return .unsupported(error)
        }
        switch ExclusiveUse.attempt(number) {
        case .granted:
            return .granted(SQLiteGuard(descriptor: file, hasExclusiveUse: true))
        case .unsupported:
            return .granted(SQLiteGuard(descriptor: file, hasExclusiveUse: false))
        case .refused:
            OpenFileCloser.close(file)
            return .inUse
        }
    }

    private init(descriptor: consuming Descriptor, hasExclusiveUse: Bool) {
        self.descriptor = descriptor
        self.hasExclusiveUse = hasExclusiveUse
    }

    /// Whether nobody has asked for the file since: to be asked right before the removal.
    package var isUncontested: Bool {
        !hasExclusiveUse || ExclusiveUse.isUncontested(descriptor.rawValue)
    }
}
