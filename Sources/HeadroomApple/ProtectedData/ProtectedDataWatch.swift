//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Whether what is protected can be read, and when that changes: no change is told twice, and nobody hears of
/// one that came before what they know.
package final class ProtectedDataWatch: Sendable {
    private struct State {
        var known: ProtectedDataChange?
        var listeners: [Int: AsyncStream<ProtectedDataChange>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// What the system has said.
    package func note(_ change: ProtectedDataChange) {
        let listeners = state.withLock { state -> [AsyncStream<ProtectedDataChange>.Continuation] in
            guard state.known != change else { return [] }
            state.known = change
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(change) }
    }

    /// The changes from now on, beginning with how it is if that is known. One who is slow gets the last.
    package func changes() -> AsyncStream<ProtectedDataChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let (number, known) = state.withLock { state in
                defer { state.next += 1 }
                state.listeners[state.next] = continuation
                return (state.next, state.known)
            }
            if let known { continuation.yield(known) }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
            }
        }
    }
}

/// Whether files that are protected as `complete` can be read.
public enum ProtectedDataChange: Hashable, Sendable {
    case available
    /// Their key goes in about ten seconds: what has to be written is written now.
    case becomingUnavailable
}
