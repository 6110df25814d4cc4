//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Who measures or cleans modules does so after those who came before. A module that is found to be at work is then one
/// whose time was over, and not one that somebody else just looks at.
final class ModuleTurns: Sendable {
    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }
    private struct State {
        var isTaken = false
        var waiters: [Waiter] = []
        var latest: UInt64 = 0
    }
    private let state = Mutex(State())

    /// Does something when its turn has come, or without one if the task is cancelled: then no module is called.
    func take<Result: Sendable>(_ body: () async -> Result) async -> Result {
        let hasTurn = await begin()
        defer { if hasTurn { end() } }
        return await body()
    }

    /// - Returns: false if the task is cancelled.
    private func begin() async -> Bool {
        let id = state.withLock { state in
            state.latest += 1
            return state.latest
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    // Cancelled before this, the handler has found nobody; after it, it finds the waiter.
                    if Task.isCancelled { return false }
                    if !state.isTaken {
                        state.isTaken = true
                        return true
                    }
                    state.waiters.append(Waiter(id: id, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    private func end() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}
