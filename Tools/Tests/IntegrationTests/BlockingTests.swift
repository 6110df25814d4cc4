//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Testing

/// Runs each test on a thread of its own.
///
/// Tests that wait for programs would otherwise hold the threads of the cooperative pool, of which there
/// are as many as processors; servers that other tests run in this process would answer nobody meanwhile.
struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(OwnThread(test.name)) { try await function() }
    }

    private final class OwnThread: TaskExecutor {
        private let queue: DispatchQueue

        init(_ name: String) { queue = DispatchQueue(label: name) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            // A serial queue's thread is beside those of the pool.
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

extension Trait where Self == BlockingTests {
    /// Its tests wait for programs.
    static var blocks: Self { BlockingTests() }
}
