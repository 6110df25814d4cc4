//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomWorkspace

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
    let start: @Sendable (StepChannel<CleanUpTaskStep>) -> Void

    /// Stops it before its next removal. Of a directory that goes whole and has been begun, what is left goes
    /// with the next purge.
    public func cancel() { progress.cancel() }

    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: StepReader(start: start, cancel: cancel))
    }

    public struct Iterator: AsyncIteratorProtocol {
        var reader: StepReader<CleanUpTaskStep>

        public mutating func next() async throws -> CleanUpTaskStep? {
            try await next(isolation: nil)
        }

        /// - Throws: ``StorageError`` `busy` if another clean-up is under way.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(StorageError) -> CleanUpTaskStep? {
            try await reader.next(isolation: actor)
        }
    }
}
