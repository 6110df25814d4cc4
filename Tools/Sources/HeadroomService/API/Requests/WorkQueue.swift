//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests

/// Does what blocks on threads of the service, a few at a time: the rest waits its turn, and who comes when
/// too many wait is told to come again.
package actor WorkQueue {
    private let limit: Int
    private let waitingLimit: Int
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(limit: Int = 4, waiting: Int = 64) {
        self.limit = limit
        waitingLimit = waiting
    }

    /// Runs work on a thread of its own.
    ///
    /// - Throws: what `body` throws, and 429 if too many wait.
    package func run<Success: Sendable>(
        _ body: @escaping @Sendable () throws -> Success
    ) async throws -> Success {
        if running >= limit {
            guard waiting.count < waitingLimit else { throw APIError.tooMany }
            await withCheckedContinuation { waiting.append($0) }
        } else {
            running += 1
        }
        defer { release() }
        return try await BlockingThread.run(lowersPriority: false, body)
    }

    private func release() {
        // Its turn is handed on, and counts as running still.
        if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
    }
}
