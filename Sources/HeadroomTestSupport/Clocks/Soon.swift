//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// Waits for what becomes true without a word.
///
/// A process that another test is just starting has all our descriptors until it calls `exec`: what was removed,
/// unlocked or released by us is so only when that one has let go of them too.
public enum Soon {
    /// Whether a condition holds within a time, of which it takes no more than it needs; asks every millisecond.
    ///
    /// - Parameter limit: after which it is taken not to; what waits for the work of other processes needs more
    ///   than what they only have to let go of.
    public static func holds(
        within limit: Duration = .seconds(10), _ condition: () throws -> Bool
    ) rethrows -> Bool {
        let end = ContinuousClock.now.advanced(by: limit)
        while try !condition() {
            guard ContinuousClock.now < end else { return false }
            Pause.milliseconds(1)
        }
        return true
    }
}
