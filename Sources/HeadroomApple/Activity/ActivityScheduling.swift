//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The system's scheduler of activities (`NSBackgroundActivityScheduler`), as far as the life cycle needs
/// it.
package protocol ActivityScheduling: Sendable {
    /// Whether the system would rather have the run that is under way at another time.
    var shouldDefer: Bool { get }

    /// Says what is to be called about once in an interval; each call is answered once.
    func schedule(
        every interval: Duration,
        _ body:
            @escaping @Sendable (_ complete: @escaping @Sendable (ActivityEnding) -> Void) -> Void)

    func invalidate()
}

/// How a run of an activity has ended.
package enum ActivityEnding: Hashable, Sendable {
    case finished
    /// It is to be tried again before the interval is over.
    case deferred
}
