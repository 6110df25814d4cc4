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
    ///   - limit: how long it is waited for, by `clock`. A call that is not blocked in the kernel then, for
    ///     example because a loaded machine has not run its thread, is waited for longer.
    /// - Returns: nil if it hangs, if an earlier call for `key` is overdue, or if the task
    ///   was cancelled.
    /// - Throws: what stands in the way of a thread.
    package func value<Value: Sendable>(
        of key: Key, within limit: Duration, by clock: any Clock<Duration> = ContinuousClock(),
        _ body: @escaping @Sendable () -> Value
    ) async throws(Errno) -> Value? {
        if isOverdue(key) { return nil }
        let flag = Flag()
        let answer = Answer<Value>()
        let thread = ThreadWatch()
        try WorkerThread { [self] in
            thread.begin()
            let value = body()
            ended(key, flag)
            answer.give(value)
        }.detach()
        // Cancelled below as soon as there is an answer. If the caller was cancelled it goes on, so that
        // the call is known to be overdue when it is, and not before.
        let timer = Task {
            guard (try? await Self.waitUntilBlocked(thread, after: limit, by: clock)) != nil else {
                return
            }
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

    /// Returns when a thread is blocked in the kernel and its limit has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    private static func waitUntilBlocked<C: Clock>(
        _ thread: ThreadWatch, after limit: Duration, by clock: C
    ) async throws where C.Duration == Duration {
        let start = clock.now
        let interval = ThreadWatch.interval(for: limit)
        try await clock.sleep(until: start.advanced(by: limit - interval), tolerance: nil)
        var seen = thread.activity
        try await clock.sleep(until: start.advanced(by: limit), tolerance: nil)
        while true {
            let activity = thread.activity
            let waited = start.duration(to: clock.now)
            if activity.isBlocked(since: seen)
                || waited >= limit + ThreadWatch.longestExtension
            {
                return
            }
            seen = activity
            try await clock.sleep(until: clock.now.advanced(by: interval), tolerance: nil)
        }
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
