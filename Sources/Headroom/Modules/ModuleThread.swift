//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// A thread that runs the code of one call of a module.
///
/// Code that blocks would otherwise block a thread of the cooperative pool, of which there are as many
/// as processors, and so in the end everybody.
@safe final class ModuleThread: TaskExecutor, @unchecked Sendable {  // Guarded by `lock`.
    private let lock = ConditionLock()
    private var jobs: [UnownedJob] = []
    private var isFinished = false

    /// - Parameter lowersPriority: it gives way to everything else.
    init(lowersPriority: Bool) {
        do {
            try WorkerThread { [self] in
                if lowersPriority { WorkerThread.lowerPriority() }
                serve()
            }.detach()
        } catch {
            // No thread to be had: the pool of blocking work runs it.
            isFinished = true
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.lock()
        let isLate = isFinished
        if !isLate {
            jobs.append(job)
            lock.signal()
        }
        lock.unlock()
        guard isLate else { return }
        let executor = self
        Task.detached {
            await BlockingPool.shared.run {
                unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
            }
        }
    }

    /// The call has returned: the thread ends.
    func finish() {
        lock.lock()
        isFinished = true
        lock.signal()
        lock.unlock()
    }

    private func serve() {
        while true {
            lock.lock()
            while jobs.isEmpty && !isFinished { lock.wait() }
            guard !jobs.isEmpty else { return lock.unlock() }
            let job = jobs.removeFirst()
            lock.unlock()
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
