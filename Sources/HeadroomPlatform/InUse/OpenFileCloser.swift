//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Closes descriptors of files that the embedding program may have locked.
///
/// POSIX locks belong to the process: closing *any* descriptor of a file drops all of them, also
/// those that the program, or SQLite in it, took by another (fcntl_locking(2)). An app's database
/// would be unprotected because we looked at it.
package enum OpenFileCloser {
    /// Closes a descriptor, unless that would drop POSIX locks of this process: then it is left
    /// open for the rest of its life, as SQLite itself does.
    ///
    /// Normally two system calls; only for a file on which there are locks the process's own
    /// descriptors are looked through.
    ///
    /// - Returns: whether it was closed.
    @discardableResult
    package static func close(_ descriptor: consuming Descriptor) -> Bool {
        #if os(Linux)
        // A lock of an open file description conflicts with every POSIX lock, also with our own.
        let locks = hr_ofd_lock_conflicts(descriptor.rawValue, Int16(F_WRLCK), 0, 0)
        if locks == 0 { return true }
        // The status of an open file cannot fail on the file systems where locks work; if it does,
        // we do not know, and a descriptor too many is the smaller harm.
        if let status = try? LinkedStatus.of(descriptor.rawValue),
            !OwnDescriptors.hasOpen(status.identity, except: descriptor.rawValue)
        {
            return true
        }
        park(descriptor)
        return false
        #else
        guard let status = try? LinkedStatus.of(descriptor.rawValue),
            OwnDescriptors.hasOpen(status.identity, except: descriptor.rawValue)
        else { return true }
        park(descriptor)
        return false
        #endif
    }

    /// Leaves a descriptor open, without the locks that it holds itself.
    private static func park(_ descriptor: consuming Descriptor) {
        let number = descriptor.release()
        FileLock.unlock(number)
        #if os(Linux)
        _ = hr_ofd_set_lock(number, Int16(F_UNLCK), 0, 0)
        #endif
    }
}

/// An open file that is closed by ``OpenFileCloser`` when its owner goes away.
package struct ProbedFile: ~Copyable {
    package let rawValue: Int32

    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        OpenFileCloser.close(Descriptor(owning: rawValue))
    }
}
