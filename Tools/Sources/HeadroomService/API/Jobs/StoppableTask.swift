//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Work that ends when its task is cancelled, and the way to do that from any thread, also before it has begun.
final class StoppableTask<Success: Sendable>: Sendable {
    private struct State {
        var isCancelled = false
        /// Awaited by `run`.
        var task: Task<Success, Never>?
    }
    private let state = Mutex(State())

    /// Does the work as a task that ``cancel()`` cancels.
    func run(_ work: @escaping @Sendable () async -> Success) async -> Success {
        // Awaited below.
        let task = Task { await work() }
        let isLate = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isLate { task.cancel() }
        return await task.value
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
}
