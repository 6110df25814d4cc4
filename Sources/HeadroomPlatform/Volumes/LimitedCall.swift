//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import Synchronization
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A call that may hang in the kernel, running in a thread of its own, so that its caller need not
/// wait for longer than it wants.
///
/// A thread that hangs cannot be stopped: it is left behind and ends when the call returns.
/// ``Hanging`` keeps such threads from piling up.
package final class LimitedCall<Value: Sendable>: Sendable {
    private let outcome: Outcome
    /// Becomes readable, by its end, when the outcome is there.
    private let end: Descriptor

    private final class Outcome: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// Starts the call.
    ///
    /// - Throws: what stands in the way of a thread or a pipe (`EAGAIN`, `EMFILE`).
    package init(_ body: @escaping @Sendable () -> Value) throws(Errno) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .current }
        let writing = ends[1]
        end = Descriptor(owning: ends[0])
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let outcome = Outcome()
        self.outcome = outcome
        do {
            try WorkerThread {
                let value = body()
                outcome.value.withLock { $0 = value }
                // Closing its end is the thread's signal.
                _ = close(writing)
            }.detach()
        } catch {
            _ = close(writing)
            throw error
        }
    }

    /// Waits until the call has ended, or the deadline.
    ///
    /// - Returns: nil if it has not; it then goes on by itself.
    package func wait(until deadline: ContinuousClock.Instant) -> Value? {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            let (seconds, attoseconds) = max(rest, .zero).components
            let milliseconds = min(seconds, 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000
            var entry = pollfd(fd: end.rawValue, events: Int16(POLLIN), revents: 0)
            let result = unsafe poll(&entry, 1, Int32(clamping: milliseconds))
            if result > 0 { return outcome.value.withLock { $0 } }
            if result < 0, errno != EINTR { return nil }
            if result == 0, rest < .milliseconds(1) { return nil }
        }
    }
}
