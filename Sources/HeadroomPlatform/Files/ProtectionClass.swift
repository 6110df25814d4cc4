//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Darwin)
import Darwin
#endif

/// The class that a file's content is protected with, as a number of the file system's (Apple's data
/// protection).
///
/// What the numbers mean is the system's; here they only go along from one file to another.
package struct ProtectionClass: Hashable, Sendable {
    package let number: Int32

    /// Whether files have classes on this system.
    #if canImport(Darwin)
    package static let isKept = true
    #else
    package static let isKept = false
    #endif

    package init(number: Int32) {
        self.number = number
    }

    /// The class of an open file; nil where there is none, or it cannot be told.
    package init?(of descriptor: Int32) {
        #if canImport(Darwin)
        let number = hr_fcntl(descriptor, F_GETPROTECTIONCLASS, 0)
        guard number > 0 else { return nil }
        self.number = number
        #else
        return nil
        #endif
    }

    /// Gives a file the class.
    ///
    /// - Throws: `EPERM` for a class that cannot be given while the device is locked.
    package func apply(to descriptor: Int32) throws(Errno) {
        #if canImport(Darwin)
        guard ProtectionClass(of: descriptor) != self else { return }
        let number = Int(number)
        _ = try retrying { hr_fcntl(descriptor, F_SETPROTECTIONCLASS, number) }
        #endif
    }
}
