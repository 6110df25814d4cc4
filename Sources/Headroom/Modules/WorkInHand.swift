//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// What has been called and has not yet returned, by name; and whether a run over all of it is under way.
final class WorkInHand<Name: Hashable & Sendable>: Sendable {
    private struct State {
        var names: Set<Name> = []
        var isRunning = false
    }
    private let state = Mutex(State())

    // mutation: r26b-3
    /// - Returns: false if it has not yet returned from an earlier call.
    func begin(_ name: Name) -> Bool { state.withLock { $0.names.insert(name).inserted } }

    func end(_ name: Name) { state.withLock { _ = $0.names.remove(name) } }

    /// - Returns: false if another run is under way.
    func beginRun() -> Bool {
        state.withLock { state in
            if state.isRunning { return false }
            state.isRunning = true
            return true
        }
    }

    var isRunning: Bool { state.withLock { $0.isRunning } }

    func endRun() { state.withLock { $0.isRunning = false } }
}
