//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// What the threads of a purge may still remove together (safety invariant S10).
///
/// Each takes its part before it uses it, items for a directory at a time and bytes by the chunk,
/// so that the sum over all threads never exceeds the plan and they seldom meet here.
final class SharedAllowance: Sendable {
    /// Bytes that a thread takes at once. What eight threads hold unused is less than the reserve
    /// that a plan has for blocks allocated late, so none is refused what was planned.
    static let chunk: Int64 = 64 << 10

    private let itemsLeft: Atomic<Int>
    private let bytesLeft: Atomic<Int64>
    private let attemptCount: Atomic<Int>
    private let failureCount: Atomic<Int>
    private let stopped = Atomic<Bool>(false)

    init(items: Int, bytes: Int64, attempts: Int, failures: Int) {
        itemsLeft = Atomic(items)
        bytesLeft = Atomic(bytes)
        attemptCount = Atomic(attempts)
        failureCount = Atomic(failures)
    }

    /// - Returns: the number asked for, or what is left if that is less.
    func takeItems(_ count: Int) -> Int {
        var left = itemsLeft.load(ordering: .relaxed)
        while left > 0 {
            let taken = min(left, count)
            let (done, now) = itemsLeft.weakCompareExchange(
                expected: left, desired: left - taken, ordering: .relaxed)
            if done { return taken }
            left = now
        }
        return 0
    }

    /// - Returns: the bytes asked for, or a chunk if that is more; or what is left if that is less.
    func takeBytes(_ bytes: Int64) -> Int64 {
        var left = bytesLeft.load(ordering: .relaxed)
        while left > 0 {
            let taken = min(left, max(bytes, Self.chunk))
            let (done, now) = bytesLeft.weakCompareExchange(
                expected: left, desired: left - taken, ordering: .relaxed)
            if done { return taken }
            left = now
        }
        return 0
    }

    /// - Returns: the sums over all threads.
    func add(attempts: Int, failures: Int) -> (attempts: Int, failures: Int) {
        (
            attemptCount.add(attempts, ordering: .relaxed).newValue,
            failureCount.add(failures, ordering: .relaxed).newValue
        )
    }

    var attempts: Int { attemptCount.load(ordering: .relaxed) }
    var failures: Int { failureCount.load(ordering: .relaxed) }

    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func stop() { stopped.store(true, ordering: .relaxed) }
}
