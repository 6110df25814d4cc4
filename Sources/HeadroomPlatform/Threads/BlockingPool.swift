//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Runs blocking work on threads of its own, so that the cooperative pool is never blocked.
///
/// Threads are started as they are needed and then kept, asleep while there is no work. Where the
/// system allows no thread at all, the work runs where it was asked for: late is better than never.
@safe package final class BlockingPool: @unchecked Sendable {  // Guarded by `lock`.
    /// For everything that has no reason for a pool of its own.
    package static let shared = BlockingPool(limit: max(4, WorkerThread.processorCount * 2))

    private let limit: Int
    private let lock = ConditionLock()
    private var work: [@Sendable () -> Void] = []
    private var threads = 0
    private var idle = 0

    /// - Parameter limit: the most threads at once.
    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Calls `body` on a thread of the pool and waits without blocking.
    package func run<Success: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let result: Result<Success, Failure> = await withCheckedContinuation { continuation in
            submit {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private func submit(_ job: @escaping @Sendable () -> Void) {
        lock.lock()
        work.append(job)
        let needsThread = idle < work.count && threads < limit
        if needsThread { threads += 1 }
        lock.signal()
        lock.unlock()
        if needsThread { startThread() }
    }

    private func startThread() {
        do {
            try WorkerThread { [self] in serve() }.detach()
        } catch {
            lock.lock()
            threads -= 1
            // With other threads there it will be done by them.
            let jobs = threads == 0 ? work : []
            if threads == 0 { work = [] }
            lock.unlock()
            for job in jobs { job() }
        }
    }

    private func serve() {
        while true {
            lock.lock()
            idle += 1
            while work.isEmpty { lock.wait() }
            idle -= 1
            let job = work.removeFirst()
            lock.unlock()
            job()
        }
    }
}
