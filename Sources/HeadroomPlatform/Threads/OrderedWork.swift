//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Makes things on several threads, and hands them out in order on the thread that asked for them.
///
/// That thread makes some of them itself instead of waiting, so that it is no slower where no further
/// thread can be had. Blocks.
package enum OrderedWork {
    /// Calls `deliver` for `0..<count`, each with what `make` has made of it.
    ///
    /// - Parameters:
    ///   - width: how many threads there are, the calling one among them. Twice as many things are
    ///     in memory at most.
    ///   - make: called from any of the threads, once for each.
    /// - Throws: what `deliver` throws; nothing more is begun then, and what is at work is waited for.
    package static func run<Output: Sendable, Failure: Error>(
        _ count: Int, width: Int, make: @escaping @Sendable (Int) -> Output,
        deliver: (Output) throws(Failure) -> Void
    ) throws(Failure) {
        let crew = Crew(count: count, window: 2 * width, make)
        let helpers = (1..<max(1, min(width, count))).compactMap { _ in
            // Where the system allows no more threads, those that there are do it.
            try? WorkerThread { crew.help() }
        }
        defer {
            crew.stop()
            for helper in helpers { helper.join() }
        }
        for index in 0..<count { try deliver(crew.output(index)) }
    }

    private final class Crew<Output: Sendable>: @unchecked Sendable {
        // The lock protects all that changes.
        private let lock = ConditionLock()
        private let count: Int
        private let window: Int
        private let make: @Sendable (Int) -> Output
        /// The next that nobody makes yet.
        private var next = 0
        /// All below have been handed out.
        private var handedOut = 0
        private var ready: [Int: Output] = [:]
        private var isOver = false

        init(count: Int, window: Int, _ make: @escaping @Sendable (Int) -> Output) {
            self.count = count
            self.window = window
            self.make = make
        }

        /// With the lock held.
        private func claim() -> Int? {
            guard !isOver, next < count, next < handedOut + window else { return nil }
            defer { next += 1 }
            return next
        }

        func help() {
            lock.lock()
            defer { lock.unlock() }
            while !isOver, next < count {
                guard let mine = claim() else {
                    lock.wait()
                    continue
                }
                let output = unlocked { make(mine) }
                ready[mine] = output
                lock.broadcast()
            }
        }

        /// For the thread that hands out; in order.
        func output(_ index: Int) -> Output {
            lock.lock()
            defer {
                handedOut = index + 1
                lock.broadcast()
                lock.unlock()
            }
            while true {
                if let made = ready.removeValue(forKey: index) { return made }
                guard let mine = claim() else {
                    lock.wait()
                    continue
                }
                let output = unlocked { make(mine) }
                if mine == index { return output }
                ready[mine] = output
            }
        }

        func stop() {
            lock.lock()
            isOver = true
            lock.broadcast()
            lock.unlock()
        }

        private func unlocked(_ body: () -> Output) -> Output {
            lock.unlock()
            defer { lock.lock() }
            return body()
        }
    }
}
