//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// The actions that a program has registered for clean-up tasks, and whether a clean-up is under way.
final class CleanUpTaskRegistry: Sendable {
    struct Name: Hashable, Sendable {
        var className: String
        var selector: String
    }
    struct Action: Sendable {
        var usually: Duration?
        var body: @Sendable (CleanUpActionProgress) async throws -> Void
    }

    private struct State {
        var actions: [Name: Action] = [:]
        /// How long each took when it was called last.
        var taken: [Name: Duration] = [:]
    }
    private let state = Mutex(State())
    let work = WorkInHand<Name>()

    func register(_ name: Name, _ action: Action) {
        state.withLock { $0.actions[name] = action }
    }

    /// - Returns: whether there was one.
    func unregister(_ name: Name) -> Bool {
        state.withLock { $0.actions.removeValue(forKey: name) != nil }
    }

    func action(_ name: Name) -> Action? { state.withLock { $0.actions[name] } }

    func hasClass(_ name: String) -> Bool {
        state.withLock { $0.actions.keys.contains { $0.className == name } }
    }

    /// What an action is expected to take; nil: nobody knows.
    func expected(_ name: Name) -> Duration? {
        state.withLock { $0.taken[name] ?? $0.actions[name]?.usually }
    }

    func note(_ name: Name, took time: Duration) { state.withLock { $0.taken[name] = time } }
}
