//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomWorkspace

/// The steps of a cleaning. It starts when they are first asked for.
///
///     let run = storage.clean(selection)
///     for try await step in run {
///         bar.value = step.fraction
///         if let result = step.result { print(result.freed) }
///     }
///
/// At most ten steps a second, and one for each phase; who is slow gets the latest of each. When the task
/// that asks for them is cancelled, or ``cancel()`` is called, the cleaning stops, and the last step says
/// what was done: its result has the receipts, and `isCancelled`. Who leaves the loop early stops it too; the
/// receipts are in the ledger then.
public struct CleaningRun: AsyncSequence, Sendable {
    public typealias Element = CleaningStep
    public typealias Failure = StorageError

    let progress: CleaningProgress
    let start: @Sendable (StepChannel<CleaningStep>) -> Void

    /// Stops it before its next removal. Of a directory that goes whole and has been begun, what is left goes
    /// with the next purge; a module that is being cleaned is told, and not waited for.
    public func cancel() { progress.cancel() }

    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: StepReader(start: start, cancel: cancel))
    }

    public struct Iterator: AsyncIteratorProtocol {
        var reader: StepReader<CleaningStep>

        public mutating func next() async throws -> CleaningStep? {
            try await next(isolation: nil)
        }

        /// - Throws: ``StorageError`` before anything has gone.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(StorageError) -> CleaningStep? {
            try await reader.next(isolation: actor)
        }
    }
}
