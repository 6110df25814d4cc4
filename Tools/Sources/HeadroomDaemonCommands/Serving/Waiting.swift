//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Synchronization

/// Runs asynchronous work from a command, which is not: the commands are looked up and run by a parser that
/// knows no other.
enum Waiting {
    /// Runs work to its end, on other threads, and blocks this one: the main thread, which nothing else
    /// waits for.
    static func run<Success: Sendable>(
        _ body: @escaping @Sendable () async throws -> Success
    ) throws -> Success {
        let box = Box<Result<Success, any Error>>()
        let done = DispatchSemaphore(value: 0)
        // Awaited by the semaphore.
        Task {
            let outcome: Result<Success, any Error>
            do {
                outcome = .success(try await body())
            } catch {
                outcome = .failure(error)
            }
            box.set(outcome)
            done.signal()
        }
        done.wait()
        guard let outcome = box.value else { throw CancellationError() }
        return try outcome.get()
    }

    private final class Box<Value: Sendable>: Sendable {
        private let content = Mutex<Value?>(nil)

        var value: Value? { content.withLock { $0 } }
        func set(_ value: Value) { content.withLock { $0 = value } }
    }
}
