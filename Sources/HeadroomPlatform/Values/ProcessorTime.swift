//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The time that this process has used of processors, all its threads together.
package enum ProcessorTime {
    package static var used: Duration {
        .microseconds(Int64(clock()) * 1_000_000 / Int64(CLOCKS_PER_SEC))
    }
}
