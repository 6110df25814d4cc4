//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread of our own: blocking system calls never run on the cooperative pool.
@safe package struct WorkerThread: @unchecked Sendable {  // Any thread may use a handle.
    let handle: pthread_t

    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread.
    ///
    /// - Throws: `EAGAIN` when the system allows no more threads.
    package init(_ body: @escaping @Sendable () -> Void) throws(Errno) {
        let argument = unsafe Unmanaged.passRetained(Start(body))
        #if canImport(Darwin)
        var handle: pthread_t?
        let result = unsafe pthread_create(
            &handle, nil,
            { argument in
                unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, argument.toOpaque())
        #else
        var handle = pthread_t()
        let result = unsafe pthread_create(
            &handle, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, argument.toOpaque())
        #endif
        guard result == 0 else {
            unsafe argument.release()
            throw Errno(rawValue: result)
        }
        #if canImport(Darwin)
        guard let handle = unsafe handle else { throw .resourceTemporarilyUnavailable }
        unsafe self.handle = unsafe handle
        #else
        self.handle = handle
        #endif
    }

    /// Waits for the thread to end. Called exactly once, unless it is detached.
    package func join() {
        #if canImport(Darwin)
        // A handle is a pointer there, and good until it is joined.
        _ = unsafe pthread_join(handle, nil)
        #else
        _ = pthread_join(handle, nil)
        #endif
    }

    /// Lets the thread end by itself. In place of ``join()``.
    package func detach() {
        #if canImport(Darwin)
        _ = unsafe pthread_detach(handle)
        #else
        _ = pthread_detach(handle)
        #endif
    }

    /// Makes the calling thread give way to all others, for processor and disk, from now on.
    ///
    /// Best effort. There is no way back without privilege: for threads that are used for nothing else.
    package static func lowerPriority() {
        #if os(Linux)
        hr_lower_thread_priority()
        #else
        _ = pthread_set_qos_class_self_np(QOS_CLASS_BACKGROUND, 0)
        #endif
    }

    /// How many processors are there for us.
    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// How often the calling thread has given up its processor to wait for something.
    ///
    /// - Returns: nil where the system does not count per thread.
    package static var waitCount: Int? {
        #if os(Linux)
        let count = hr_thread_wait_count()
        return count < 0 ? nil : count
        #else
        return nil
        #endif
    }
}
