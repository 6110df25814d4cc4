//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The states that a background run goes through, and what has to be done at each step; without clocks,
/// threads or the system, so that every order of events can be tried.
///
/// A run is completed exactly once, whichever of its end and its expiry comes first; work that has begun
/// is cancelled by the expiry, and work that has not begun by then never begins.
package struct RunLifeCycle: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case waiting
        case working
        /// Completed, while the work has still to notice that it was cancelled.
        case expired
        case ended
    }

    package private(set) var state = State.waiting

    package init() {}

    /// - Returns: whether the work may begin.
    package mutating func begin() -> Bool {
        guard state == .waiting else { return false }
        state = .working
        return true
    }

    /// - Returns: whether the run is to be completed now, without success; then the work is cancelled too.
    package mutating func expire() -> Bool {
        switch state {
        case .waiting, .working:
            state = .expired
            return true
        case .expired, .ended:
            return false
        }
    }

    /// The work is over.
    ///
    /// - Returns: whether the run is to be completed now.
    package mutating func finish() -> Bool {
        defer { state = .ended }
        // mutation: r27b-3
        return state == .working
    }
}
