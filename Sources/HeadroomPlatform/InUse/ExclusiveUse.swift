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

/// Proof that nobody has a file open, held across its removal: a write lease of fcntl(2)
/// (`F_SETLEASE`).
///
/// The kernel grants one only if no other open file description refers to the inode, in whatever
/// process or namespace, on its way through a socket or mapped without a descriptor. While it is
/// held, whoever opens the file waits until the lease is released. A mapping on overlayfs is the
/// exception: it holds the layer's file, so only ``OpenFileSnapshot`` sees it.
///
/// The signal that tells the holder, us, that somebody wants the file is redirected to `SIGURG`,
/// which is ignored by default; the usual one ends the process.
///
/// Opening a file breaks a lease that another program holds on it, and the signal that it then
/// gets ends *it* by default. So a file is asked about first with ``OpenFileSnapshot`` and
/// ``LockTable/hasLease(on:)``, which needs no opening; ``InUse`` (engine) keeps that order.
package struct ExclusiveUse: ~Copyable {
    package enum Outcome: ~Copyable {
        /// Nobody else has the file open for as long as the value lives.
        case granted(ExclusiveUse)
        /// Somebody has it open, or mapped.
        case inUse
        /// The kernel will not tell: the file belongs to another user and we lack `CAP_LEASE`, the
        /// file system has no leases, or the system is not Linux. The file comes back.
        case unsupported(Errno, Descriptor)
    }

    private let descriptor: Descriptor

    /// Asks for an open file. Does not wait.
    ///
    /// - Parameter file: the only descriptor that the caller has of it, of a regular file. It is
    ///   closed at the end of the value's life, or now if it is in use.
    package static func acquire(_ file: consuming Descriptor) -> Outcome {
        switch attempt(file.rawValue) {
        case .granted:
            return .granted(ExclusiveUse(descriptor: file))
        case .refused:
            OpenFileCloser.close(file)
            return .inUse
        case .unsupported(let error):
            return .unsupported(error, file)
        }
    }

    private init(descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    // The end of the descriptor's life is close(2), which ends the lease; nobody in this process
    // can have taken a POSIX lock on the file, since nobody else has it open.

    /// Whether nobody has asked for the file since: to be asked right before the removal.
    package var isUncontested: Bool { Self.isUncontested(descriptor.rawValue) }

    static func attempt(_ descriptor: Int32) -> FileLock.Outcome {
        #if os(Linux)
        do throws(Errno) {
            // mutation: s5f-1
            _ = try retrying { hr_fcntl(descriptor, Int32(HR_F_SETSIG), Int(SIGURG)) }
            _ = try retrying { hr_fcntl(descriptor, Int32(HR_F_SETLEASE), Int(F_WRLCK)) }
            return .granted
        } catch .resourceTemporarilyUnavailable {
            return .refused
        } catch {
            return .unsupported(error)
        }
        #else
        return .unsupported(.notSupported)
        #endif
    }

    static func isUncontested(_ descriptor: Int32) -> Bool {
        #if os(Linux)
        // A lease that is being broken reads as what it is to become.
        return hr_fcntl(descriptor, Int32(HR_F_GETLEASE), 0) == Int32(F_WRLCK)
        #else
        return false
        #endif
    }
}
