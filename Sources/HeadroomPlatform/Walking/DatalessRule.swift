//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
import CHeadroomShims
#endif

/// Keeps the system from fetching from the cloud what is only looked at: on Darwin, opening a directory
/// whose content is not here would.
enum DatalessRule {
    /// Calls `body`, in which the calling thread has nothing fetched: what is not here fails with `EDEADLK`.
    static func keepingAway(_ body: () -> Void) {
        #if canImport(Darwin)
        let old = hr_set_dataless_rule(Int32(HR_KEEP_DATALESS))
        // The thread may be somebody else's, who wants to have things fetched.
        defer { if old >= 0 { _ = hr_set_dataless_rule(old) } }
        #endif
        body()
    }
}
