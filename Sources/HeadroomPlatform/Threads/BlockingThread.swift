//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

/// Runs work that blocks for long on a thread of its own, without blocking who waits for it.
public enum BlockingThread {
    /// Calls `body` on a new thread.
    ///
    /// Cancelling the task does not end it: `body` is told in its own way.
    ///
    /// - Parameter lowersPriority: the thread, and those that it starts, give way to everything else, in
    ///   computing and in reading and writing.
    public static func run<Success: Sendable, Failure: Error>(
        lowersPriority: Bool, _ body: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let result: Result<Success, Failure> = await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            do throws(Errno) {
                try WorkerThread {
                    if lowersPriority { WorkerThread.lowerPriority() }
                    work()
                }.detach()
            } catch {
                // No thread to be had: one of those that are there does it.
                Task { await BlockingPool.shared.run(work) }  // Ends with the work.
            }
        }
        return try result.get()
    }
}
