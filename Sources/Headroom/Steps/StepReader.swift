//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Starts something with the first step that is asked for, and stops it when its reader is cancelled or
/// goes away.
struct StepReader<Step: PhasedStep> {
    private let channel = StepChannel<Step>()
    private let leaving: Leaving
    private var start: (@Sendable (StepChannel<Step>) -> Void)?

    private final class Leaving: Sendable {
        let cancel: @Sendable () -> Void
        init(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
        deinit { cancel() }
    }

    init(
        start: @escaping @Sendable (StepChannel<Step>) -> Void,
        cancel: @escaping @Sendable () -> Void
    ) {
        self.start = start
        leaving = Leaving(cancel)
    }

    mutating func next(
        isolation actor: isolated (any Actor)?
    ) async throws(StorageError) -> Step? {
        if let start {
            self.start = nil
            start(channel)
        }
        let (leaving, channel) = (leaving, channel)
        let result = await withTaskCancellationHandler {
            await channel.next()
        } onCancel: {
            leaving.cancel()
        }
        return try result.get()
    }
}
