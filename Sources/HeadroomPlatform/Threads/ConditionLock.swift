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

/// A mutex with a condition to wait on; `Synchronization.Mutex` has none.
@safe package final class ConditionLock: @unchecked Sendable {  // Made to be shared.
    // The addresses of the pthread objects never change.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe pthread_cond_destroy(condition)
        unsafe mutex.deallocate()
        unsafe condition.deallocate()
    }

    @inline(__always)
    package func lock() { unsafe _ = pthread_mutex_lock(mutex) }

    @inline(__always)
    package func unlock() { unsafe _ = pthread_mutex_unlock(mutex) }

    /// Releases the lock, waits for a signal, and takes the lock again. May wake without a signal.
    package func wait() { unsafe _ = pthread_cond_wait(condition, mutex) }

    package func signal() { unsafe _ = pthread_cond_signal(condition) }

    package func broadcast() { unsafe _ = pthread_cond_broadcast(condition) }
}
