//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims

extension Timestamp {
    /// The time by the system's wall clock (`CLOCK_REALTIME`).
    ///
    /// Code that decides by time takes it as a parameter; this is what it is given in the end.
    public static func now() -> Timestamp {
        var nanoseconds: Int64 = 0
        let seconds = unsafe hr_wall_clock(&nanoseconds)
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    }
}
