//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Errno {
    /// The error of the last failed call of this thread.
    package static var current: Errno { Errno(rawValue: errno) }

    /// The error of a write that needs a missing key: `ENOKEY`, on Darwin `ENEEDAUTH`.
    #if canImport(Darwin)
    package static let keyMissing = Errno(rawValue: Darwin.ENEEDAUTH)
    #else
    package static let keyMissing = Errno(rawValue: ENOKEY)
    #endif
}
