//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread that watches another at work.
final class WatchingThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) throws {
        let box = unsafe Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { (argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? in
                // Retained for this one call.
                guard let argument = unsafe argument else { return nil }
                WatchingThread.raisePriority()
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, unsafe box.toOpaque())
        guard result == 0 else { throw RunFailure(text: "no thread: \(result)") }
        self.thread = thread
    }

    /// Where the real-time policy was asked for (`chrt -f`) those at work would keep it from looking.
    private static func raisePriority() {
        var policy: Int32 = 0
        var parameters = sched_param()
        let own = pthread_self()
        guard unsafe pthread_getschedparam(own, &policy, &parameters) == 0,
            policy == SCHED_FIFO || policy == SCHED_RR
        else { return }
        parameters.sched_priority += 1
        _ = unsafe pthread_setschedparam(own, policy, &parameters)
    }

    func join() { _ = pthread_join(thread, nil) }

    static func pause(milliseconds: UInt32 = 10) { usleep(milliseconds * 1000) }
}
