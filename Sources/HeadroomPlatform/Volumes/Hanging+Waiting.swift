//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
package import SystemPackage

extension Hanging {
    /// The value of a call that may hang, waited for without blocking any thread but the call's own.
    ///
    /// - Parameters:
    ///   - limit: how long it is waited for, by `clock`.
    /// - Returns: nil if it is not there by then, if an earlier call for `key` is overdue, or if the task
    ///   was cancelled.
    /// - Throws: what stands in the way of a thread.
    package func value<Value: Sendable>(
        of key: Key, within limit: Duration, by clock: any Clock<Duration> = ContinuousClock(),
        _ body: @escaping @Sendable () -> Value
    ) async throws(Errno) -> Value? {
        if isOverdue(key) { return nil }
        let flag = Flag()
        let answer = Answer<Value>()
        try WorkerThread { [self] in
            let value = body()
            ended(key, flag)
            answer.give(value)
        }.detach()
        // Cancelled below as soon as there is an answer. If the caller was cancelled it goes on, so that
        // the call is known to be overdue when it is, and not before.
        let timer = Task {
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            missed(key, flag)
            answer.give(nil)
        }
        let value = await withTaskCancellationHandler {
            await answer.wait()
        } onCancel: {
            answer.give(nil)
        }
        if value != nil { timer.cancel() }
        return value
    }
}

/// The first of several answers to one who waits.
private final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value?, Never>)
        case given(Value?)
    }
    private let state = Mutex(State.open)

    func give(_ value: Value?) {
        let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            switch state {
            case .open:
                state = .given(value)
                return nil
            case .waiting(let continuation):
                state = .given(value)
                return continuation
            case .given: return nil
            }
        }
        waiting?.resume(returning: value)
    }

    func wait() async -> Value? {
        await withCheckedContinuation { continuation in
            let given = state.withLock { state -> Value?? in
                if case .given(let value) = state { return .some(value) }
                state = .waiting(continuation)
                return nil
            }
            if let given { continuation.resume(returning: given) }
        }
    }
}
