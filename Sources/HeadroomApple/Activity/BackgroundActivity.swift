//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization

/// Work that the system starts about once in an interval, at a time that suits it, as long as the program
/// runs (`NSBackgroundActivityScheduler`).
///
/// While the work is under way the system is asked every few seconds whether it would rather have it later;
/// then the work is cancelled, and comes again. Each run is answered exactly once.
public final class BackgroundActivity: Sendable {
    private struct State {
        var isStarted = false
        var isStopped = false
        var work: Task<Void, Never>?
    }

    private let interval: Duration
    private let scheduler: any ActivityScheduling
    private let clock: any Clock<Duration>
    private let work: @Sendable () async throws -> Void
    private let state = Mutex(State())

    /// How often the system is asked whether a run is to end.
    private static let patience = Duration.seconds(5)

    package init(
        every interval: Duration, scheduler: any ActivityScheduling,
        clock: any Clock<Duration> = ContinuousClock(),
        work: @escaping @Sendable () async throws -> Void
    ) {
        self.interval = interval
        self.scheduler = scheduler
        self.clock = clock
        self.work = work
    }

    deinit { stop() }

    /// Schedules the activity with the system, until ``stop()`` is called; further calls do nothing.
    ///
    /// From here on the system's scheduler keeps this object, so that you need no reference.
    public func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isStopped
        }
        guard isFirst else { return }
        // mutation: r27c-1
        scheduler.schedule(every: interval) { [self] complete in run(complete) }
    }

    /// Ends it for good, and cancels a run that is under way.
    public func stop() {
        let (wasStarted, work) = state.withLock { state in
            defer { state.isStopped = true }
            return (state.isStarted && !state.isStopped, state.work)
        }
        if wasStarted { scheduler.invalidate() }
        work?.cancel()
    }

    private func run(_ complete: @escaping @Sendable (ActivityEnding) -> Void) {
        let shared = SharedCycle()
        state.withLock { state in
            guard !state.isStopped, shared.begin() else { return complete(.finished) }
            // Cancelled by `stop`, and below.
            state.work = Task { [work, scheduler, clock] in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        // What it could not do is done at the next run.
                        try? await work()
                        if shared.finish() { complete(.finished) }
                    }
                    group.addTask {
                        while await Self.hasPaused(clock) {
                            guard scheduler.shouldDefer else { continue }
                            if shared.expire() { complete(.deferred) }
                            return
                        }
                    }
                    // Whichever is first ends the other.
                    await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    private static func hasPaused(_ clock: any Clock<Duration>) async -> Bool {
        do {
            try await clock.sleep(for: patience)
            return true
        } catch {
            return false
        }
    }
}

/// The life cycle of a run, for the tasks that it is made of.
private final class SharedCycle: Sendable {
    private let cycle = Mutex(RunLifeCycle())

    func begin() -> Bool { cycle.withLock { $0.begin() } }
    func expire() -> Bool { cycle.withLock { $0.expire() } }
    func finish() -> Bool { cycle.withLock { $0.finish() } }
}
