//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import Synchronization

/// The steps of a clean-up. It starts when they are first asked for.
///
///     for try await step in storage.cleanUp(tasks) {
///         bar.value = step.fraction
///         if let summary = step.summary { print(summary.freed) }
///     }
///
/// At most twenty steps a second, and one for each phase; who is slow gets the latest of each. When the
/// task that asks for them is cancelled, or ``cancel()`` is called, the clean-up stops, and the last step says
/// what was done. Who leaves the loop early stops it too.
public struct CleanUpTaskRun: AsyncSequence, Sendable {
    public typealias Element = CleanUpTaskStep
    public typealias Failure = StorageError

    let progress: CleanUpTaskProgress
    let start: @Sendable (StepChannel) -> Void

    /// Stops it before its next removal. Of a directory that goes whole and has been begun, what is left goes
    /// with the next purge.
    public func cancel() { progress.cancel() }

    public func makeAsyncIterator() -> Iterator {
        Iterator(progress: progress, start: start)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let progress: CleanUpTaskProgress
        private let channel = StepChannel()
        private let leaving: Leaving
        private var start: (@Sendable (StepChannel) -> Void)?

        /// Stops the clean-up when nobody asks for its steps any more.
        private final class Leaving: Sendable {
            let progress: CleanUpTaskProgress
            init(_ progress: CleanUpTaskProgress) { self.progress = progress }
            deinit { progress.cancel() }
        }

        init(progress: CleanUpTaskProgress, start: @escaping @Sendable (StepChannel) -> Void) {
            self.progress = progress
            self.start = start
            leaving = Leaving(progress)
        }

        public mutating func next() async throws -> CleanUpTaskStep? {
            try await next(isolation: nil)
        }

        /// - Throws: ``StorageError`` `busy` if another clean-up is under way.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(StorageError) -> CleanUpTaskStep? {
            if let start {
                self.start = nil
                start(channel)
            }
            let (progress, channel) = (progress, channel)
            let result = await withTaskCancellationHandler {
                await channel.next()
            } onCancel: {
                progress.cancel()
            }
            return try result.get()
        }
    }
}

/// Hands steps from a clean-up to one reader; keeps the latest of each phase for one who is slow.
final class StepChannel: Sendable {
    typealias Result = Swift.Result<CleanUpTaskStep?, StorageError>

    private struct State {
        var waiting: [CleanUpTaskStep] = []
        var end: Result?
        var reader: CheckedContinuation<Result, Never>?
    }
    private let state = Mutex(State())

    func send(_ step: CleanUpTaskStep) {
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
