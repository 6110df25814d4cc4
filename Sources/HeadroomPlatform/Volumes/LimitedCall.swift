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
        let thread = ThreadWatch()
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
                outcome.thread.begin()
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

    /// Waits until the call has ended, or until the deadline has passed and the call hangs.
    ///
    /// A call that a loaded machine has not run, or that makes progress, does not hang: it is waited for
    /// beyond the deadline, for at most ``ThreadWatch/longestExtension``.
    ///
    /// - Returns: nil if it has not ended; it then continues by itself.
    package func wait(until deadline: ContinuousClock.Instant) -> Value? {
        let start = ContinuousClock.now
        let interval = ThreadWatch.interval(for: start.duration(to: deadline))
        if let value = poll(until: deadline.advanced(by: .zero - interval)) { return value }
        var seen = outcome.thread.activity
        // After the deadline too there are two looks, for a caller that comes from another call.
        var next = max(deadline, .now.advanced(by: min(interval, .milliseconds(100))))
        let last = max(deadline, start).advanced(by: ThreadWatch.longestExtension)
        while true {
            if let value = poll(until: next) { return value }
            let activity = outcome.thread.activity
            if activity.isBlocked(since: seen) || ContinuousClock.now >= last { return nil }
            seen = activity
            next = .now.advanced(by: interval)
        }
    }

    private func poll(until deadline: ContinuousClock.Instant) -> Value? {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            let (seconds, attoseconds) = max(rest, .zero).components
            let milliseconds = min(seconds, 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000
            var entry = pollfd(fd: end.rawValue, events: Int16(POLLIN), revents: 0)
            let result = Self.poll(&entry, Int32(clamping: milliseconds))
            if result > 0 { return outcome.value.withLock { $0 } }
            if result < 0, errno != EINTR { return nil }
            if result == 0, rest < .milliseconds(1) { return nil }
        }
    }

    private static func poll(_ entry: inout pollfd, _ milliseconds: Int32) -> Int32 {
        #if canImport(Darwin)
        unsafe Darwin.poll(&entry, 1, milliseconds)
        #else
        unsafe Glibc.poll(&entry, 1, milliseconds)
        #endif
    }
}
