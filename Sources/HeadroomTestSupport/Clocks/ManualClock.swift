//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// A clock that stands until it is moved.
public final class ManualClock: Clock, Sendable {
    public struct Instant: InstantProtocol {
        /// Since the clock was made.
        public var offset: Duration

        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        public func duration(to other: Instant) -> Duration { other.offset - offset }

        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper {
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var next = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .zero }

    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(number, Sleeper(deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                state.cancelled.insert(number)
                return state.sleepers.removeValue(forKey: number)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func enter(_ number: Int, _ sleeper: Sleeper) {
        enum Fate { case sleeps, wakes, isCancelled }
        let (fate, watchers) = state.withLock {
            state -> (Fate, [CheckedContinuation<Void, Never>]) in
            if state.cancelled.remove(number) != nil { return (.isCancelled, []) }
            if sleeper.deadline <= state.now { return (.wakes, []) }
            state.sleepers[number] = sleeper
            let count = state.sleepers.count
            let ready = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return (.sleeps, ready.map(\.continuation))
        }
        switch fate {
        case .sleeps: break
        case .wakes: sleeper.continuation.resume()
        case .isCancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
        for watcher in watchers { watcher.resume() }
    }

    /// Waits until so many are asleep.
    public func whenAsleep(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// How long it is until the next wakes; nil if nobody sleeps.
    public var nextWake: Duration? {
        state.withLock { state in
            state.sleepers.values.map(\.deadline).min().map { state.now.duration(to: $0) }
        }
    }

    /// Moves on, and wakes those whose time it is.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state -> [Sleeper] in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
