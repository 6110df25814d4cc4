//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import SystemPackage

/// Calls `body` until it does not fail with `EINTR`; turns −1 into the error.
@inline(__always)
package func retrying<I: FixedWidthInteger & SignedInteger>(_ body: () -> I) throws(Errno) -> I {
    while true {
        let result = body()
        if result != -1 { return result }
        let error = Errno.current
        if error != .interrupted { throw error }
    }
}
