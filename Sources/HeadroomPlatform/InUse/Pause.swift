//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Short waits of a thread between two tries of what the kernel gives no event for.
package enum Pause {
    package static func milliseconds(_ count: UInt32) {
        _ = usleep(count * 1000)
    }
}
