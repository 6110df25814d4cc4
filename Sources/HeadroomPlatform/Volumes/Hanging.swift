//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
package import SystemPackage

/// Remembers which calls have not returned in time, so that what hangs is asked by few threads.
package final class Hanging<Key: Hashable & Sendable>: Sendable {
    private let overdue = Mutex<[Key: Set<ObjectIdentifier>]>([:])

    package init() {}

    /// A call under way.
    package final class Call<Value: Sendable>: Sendable {
        private let key: Key
        private let owner: Hanging<Key>
        private let flag: Flag
        private let call: LimitedCall<Value>

        fileprivate init(
            _ key: Key, _ owner: Hanging<Key>, _ body: @escaping @Sendable () -> Value
        ) throws(Errno) {
            let flag = Flag()
            self.key = key
            self.owner = owner
            self.flag = flag
            call = try LimitedCall {
                let value = body()
                owner.ended(key, flag)
                return value
            }
        }

        /// The value, or nil if it is not there at the deadline.
        package func wait(until deadline: ContinuousClock.Instant) -> Value? {
            let value = call.wait(until: deadline)
            if value == nil { owner.missed(key, flag) }
            return value
        }
    }

    final class Flag: Sendable {
        let isEnded = Atomic(false)
    }

    /// Starts a call, unless an earlier one for `key` is overdue.
    ///
    /// - Returns: nil if one is.
    /// - Throws: what stands in the way of a thread or a pipe.
    package func start<Value: Sendable>(
        _ key: Key, _ body: @escaping @Sendable () -> Value
    ) throws(Errno) -> Call<Value>? {
        if isOverdue(key) { return nil }
        return try Call(key, self, body)
    }

    func isOverdue(_ key: Key) -> Bool { overdue.withLock { $0[key] != nil } }

    func ended(_ key: Key, _ flag: Flag) {
        overdue.withLock { overdue in
            flag.isEnded.store(true, ordering: .relaxed)
            overdue[key]?.remove(ObjectIdentifier(flag))
            if overdue[key]?.isEmpty == true { overdue[key] = nil }
        }
    }

    func missed(_ key: Key, _ flag: Flag) {
        overdue.withLock { overdue in
            // It may have ended in the meantime; the lock orders the two.
            if !flag.isEnded.load(ordering: .relaxed) {
                overdue[key, default: []].insert(ObjectIdentifier(flag))
            }
        }
    }
}
