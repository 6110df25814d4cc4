//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// One call of a module, which is waited for no longer than its time.
struct ModuleCall<Success: Sendable>: Sendable {
    enum Outcome: Sendable {
        case returned(Success)
        case threw(any Error)
        case timedOut
        case cancelled
    }

    let timeLimit: Duration
    let lowersPriority: Bool
    /// Called when it has returned at last, in time or not.
    let whenReturned: @Sendable () -> Void

    func run(_ body: @escaping @Sendable () async throws -> Success) async -> Outcome {
        let thread = ModuleThread(lowersPriority: lowersPriority)
        let call = Task(executorPreference: thread) { try await body() }
        let waiter = Waiter<Outcome>()
        Task {
            let result = await call.result
            thread.finish()
            whenReturned()
            switch result {
            case .success(let value): waiter.resume(.returned(value))
            case .failure(let error): waiter.resume(.threw(error))
            }
        }
        let timer = Task {
            // Cancelled: somebody else has resumed.
            guard (try? await Task.sleep(for: timeLimit, clock: .continuous)) != nil else { return }
            call.cancel()
            waiter.resume(.timedOut)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            call.cancel()
            waiter.resume(.cancelled)
        }
    }
}

/// Waits for the first of several to speak.
private final class Waiter<Value: Sendable>: Sendable {
    private enum State {
        case silent
        case waiting(CheckedContinuation<Value, Never>)
        case spoken(Value)
        case over
    }
    private let state = Mutex(State.silent)

    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let early = state.withLock { state -> Value? in
                if case .spoken(let value) = state {
                    state = .over
                    return value
                }
                state = .waiting(continuation)
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
    }

    func resume(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .silent:
                state = .spoken(value)
                return nil
            case .waiting(let continuation):
                state = .over
                return continuation
            case .spoken, .over: return nil
            }
        }
        waiting?.resume(returning: value)
    }
}
