//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// What a forecast measures with, in seconds since some moment.
package struct CleanUpClock: Sendable {
    package var now: @Sendable () -> Double
    /// What this process has used of processors: what more passes on the clock was waited for.
    package var processor: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Double, processor: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.processor = processor
    }

    package static var system: CleanUpClock {
        let start = ContinuousClock.now
        return CleanUpClock(
            now: { start.duration(to: .now) / .seconds(1) },
            processor: { ProcessorTime.used / .seconds(1) })
    }
}
