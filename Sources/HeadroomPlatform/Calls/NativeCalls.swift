//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Chooses the route of this system: ``LinuxCalls`` on Linux, ``POSIXCalls`` elsewhere.
package enum NativeCalls {
    /// Makes the route; on Linux this asks once whether there is openat2.
    package static func make() -> any FileSystemCalls & AttributeCalls {
        #if os(Linux)
        LinuxCalls()
        #else
        POSIXCalls()
        #endif
    }
}
