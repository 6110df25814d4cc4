//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
package import SystemPackage

extension Hanging {
    /// The values of calls that may hang, one for each key.
    ///
    /// They are made one after another on one thread, so that where all return in time it costs a thread and a
    /// pipe, however many there are. A thread whose call has not returned by the limit is left to itself, and
    /// what is still to be asked is shared by a few others. Of a key whose earlier call is overdue nothing is
    /// asked.
    ///
    /// - Parameters:
    ///   - limit: how long each call is waited for.
    ///   - body: given the position of the key.
    /// - Returns: in the order of the keys: `ETIMEDOUT` for what has not returned, or what stands in the way
    ///   of a thread or a pipe.
    package func values<Value: Sendable>(
        of keys: [Key], within limit: Duration, _ body: @escaping @Sendable (Int) -> Value
    ) -> [Result<Value, Errno>] {
        let series = Series<Value>(keys.indices.filter { !isOverdue(keys[$0]) })
        var failure = Errno.timedOut
        var width = 1
        while series.count > 0 {
            var threads: [(number: Int, flag: Flag, call: LimitedCall<Void>)] = []
            do throws(Errno) {
                for _ in 0..<min(width, series.count) {
                    let flag = Flag()
                    let number = series.addThread()
                    let call = try LimitedCall<Void> { [self] in
                        while let index = series.next(for: number) {
                            let value = body(index)
                            if series.take(value, from: number) { ended(keys[index], flag) }
                        }
                    }
                    threads.append((number, flag, call))
                }
            } catch {
                // Those that there are do it.
                if threads.isEmpty {
                    failure = error
                    break
                }
            }
            for (number, flag, call) in threads {
                while call.wait(until: series.since(number).advanced(by: limit)) == nil {
                    guard series.giveUp(number, after: limit) else { continue }
                    if let late = series.current(number) { missed(keys[late], flag) }
                    break
                }
            }
            width = 8
        }
        let (values, rest) = series.outcome
        return keys.indices.map { index -> Result<Value, Errno> in
            if let value = values[index] { return .success(value) }
            return .failure(rest.contains(index) ? failure : .timedOut)
        }
    }
}

/// Calls that threads take one after another.
private final class Series<Value: Sendable>: Sendable {
    private struct Thread {
        /// The call that it is in.
        var current: Int?
        /// When that, or what comes before the next, has begun.
        var since = ContinuousClock.now
        var isGivenUp = false
    }

    private struct State {
        var rest: ArraySlice<Int>
        var values: [Int: Value] = [:]
        var threads: [Thread] = []
    }
    private let state: Mutex<State>

    init(_ calls: [Int]) { state = Mutex(State(rest: calls[...])) }

    /// How many nobody has taken yet.
    var count: Int { state.withLock { $0.rest.count } }

    /// What has returned, and what was never asked.
    var outcome: (values: [Int: Value], rest: Set<Int>) {
        state.withLock { (values: $0.values, rest: Set($0.rest)) }
    }

    func since(_ thread: Int) -> ContinuousClock.Instant {
        state.withLock { $0.threads[thread].since }
    }

    func current(_ thread: Int) -> Int? { state.withLock { $0.threads[thread].current } }

    func addThread() -> Int {
        state.withLock { state in
            state.threads.append(Thread())
            return state.threads.count - 1
        }
    }

    /// - Returns: nil if there is none for this thread.
    func next(for thread: Int) -> Int? {
        state.withLock { state in
            guard !state.threads[thread].isGivenUp, let next = state.rest.popFirst() else {
                return nil
            }
            state.threads[thread].current = next
            state.threads[thread].since = .now
            return next
        }
    }

    /// - Returns: whether nobody waits for the thread any more.
    func take(_ value: Value, from thread: Int) -> Bool {
        state.withLock { state in
            if let current = state.threads[thread].current { state.values[current] = value }
            state.threads[thread].current = nil
            state.threads[thread].since = .now
            return state.threads[thread].isGivenUp
        }
    }

    /// - Returns: false if it has gone on meanwhile.
    func giveUp(_ thread: Int, after limit: Duration) -> Bool {
        state.withLock { state in
            guard state.threads[thread].since.advanced(by: limit) <= .now else { return false }
            state.threads[thread].isGivenUp = true
            return true
        }
    }
}
