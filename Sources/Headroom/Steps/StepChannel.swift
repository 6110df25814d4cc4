//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// A step of something that is seen while it runs.
protocol PhasedStep: Sendable {
    associatedtype Phase: Equatable
    var phase: Phase { get }
}

extension CleanUpTaskStep: PhasedStep {}
extension CleaningStep: PhasedStep {}

/// Hands steps to one reader; keeps the latest of each phase for one who is slow.
final class StepChannel<Step: PhasedStep>: Sendable {
    typealias Result = Swift.Result<Step?, StorageError>

    private struct State {
        var waiting: [Step] = []
        var end: Result?
        var reader: CheckedContinuation<Result, Never>?
    }
    private let state = Mutex(State())

    func send(_ step: Step) {
        let reader = state.withLock { state -> CheckedContinuation<Result, Never>? in
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            if state.waiting.last?.phase == step.phase { state.waiting.removeLast() }
            state.waiting.append(step)
            return nil
        }
        reader?.resume(returning: .success(step))
    }

    /// There are no more.
    func finish(_ end: Result = .success(nil)) {
        let reader = state.withLock { state -> CheckedContinuation<Result, Never>? in
            guard let reader = state.reader else {
                state.end = end
                return nil
            }
            state.reader = nil
            state.end = .success(nil)
            return reader
        }
        reader?.resume(returning: end)
    }

    func next() async -> Result {
        await withCheckedContinuation { continuation in
            let early = state.withLock { state -> Result? in
                if !state.waiting.isEmpty { return .success(state.waiting.removeFirst()) }
                if let end = state.end {
                    state.end = .success(nil)
                    return end
                }
                state.reader = continuation
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
    }
}
