//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomApple
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import Testing

struct BackgroundActivityTests {
    private let scheduler = ScriptedActivities()
    private let clock = ManualClock()

    private func makeActivity(
        work: @escaping @Sendable () async throws -> Void = {}
    ) -> BackgroundActivity {
        BackgroundActivity(
            every: .seconds(86400), scheduler: scheduler, clock: clock, work: work)
    }

    /// Works until it is cancelled.
    private func endless(_ begin: AsyncStream<Void>.Continuation) -> @Sendable () async -> Void {
        {
            begin.yield()
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
        }
    }

    @Test func schedulesOnce() {
        let activity = makeActivity()
        activity.start()
        activity.start()
        #expect(scheduler.intervals == [.seconds(86400)])
        activity.stop()
        activity.stop()
        #expect(scheduler.invalidations == 1)
    }

    @Test func neverInvalidatesWhatWasNotScheduled() {
        makeActivity().stop()
        #expect(scheduler.invalidations == 0)
    }

    @Test func staysStopped() {
        let activity = makeActivity()
        activity.stop()
        activity.start()
        #expect(scheduler.intervals.isEmpty)
    }

    @Test(.tags(.r27c)) func answersEachRunOnce() async {
        let activity = makeActivity()
        activity.start()
        for _ in 0..<3 {
            let endings = scheduler.launch()
            #expect(await endings.first { _ in true } == .finished)
        }
    }

    @Test func finishesThoughTheWorkFails() async {
        struct Trouble: Error {}
        let activity = makeActivity { throw Trouble() }
        activity.start()
        #expect(await scheduler.launch().first { _ in true } == .finished)
    }

    @Test(.tags(.r27c)) func putsOffWhatTheSystemWantsLater() async {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let activity = makeActivity(work: endless(begin))
        activity.start()
        let endings = scheduler.launch()
        for await _ in begun { break }
        // Asked once, and not yet.
        await clock.whenAsleep(1)
        clock.advance(by: .seconds(5))
        await clock.whenAsleep(1)
        scheduler.wantsItLater()
        clock.advance(by: .seconds(5))
        #expect(await endings.first { _ in true } == .deferred)
    }

    @Test("An activity that was started works although nobody keeps it", .tags(.r27c))
    func worksWithoutAReference() async {
        // Counted, not waited for: a run that does no work ends the test too.
        let done = Atomic<Int>(0)
        makeActivity { done.add(1, ordering: .relaxed) }.start()
        #expect(await scheduler.launch().first { _ in true } == .finished)
        let runs = done.load(ordering: .relaxed)
        #expect(runs == 1)
        #expect(scheduler.invalidations == 0)
    }

    @Test func stopsARunWithTheActivity() async {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let activity = makeActivity(work: endless(begin))
        activity.start()
        let endings = scheduler.launch()
        for await _ in begun { break }
        activity.stop()
        #expect(await endings.first { _ in true } == .finished)
    }

    @Test func answersARunAfterTheStop() async {
        let activity = makeActivity { Issue.record("worked after the stop") }
        activity.start()
        activity.stop()
        #expect(await scheduler.launch().first { _ in true } == .finished)
    }
}

/// Gives runs when a test says so.
final class ScriptedActivities: ActivityScheduling {
    private typealias Body =
        @Sendable (_ complete: @escaping @Sendable (ActivityEnding) -> Void) -> Void

    private struct State {
        var body: Body?
        var intervals: [Duration] = []
        var invalidations = 0
        var shouldDefer = false
    }

    private let state = Mutex(State())

    var intervals: [Duration] { state.withLock { $0.intervals } }
    var invalidations: Int { state.withLock { $0.invalidations } }
    var shouldDefer: Bool { state.withLock { $0.shouldDefer } }

    func wantsItLater() { state.withLock { $0.shouldDefer = true } }

    func schedule(
        every interval: Duration,
        _ body:
            @escaping @Sendable (_ complete: @escaping @Sendable (ActivityEnding) -> Void) -> Void
    ) {
        state.withLock { state in
            state.body = body
            state.intervals.append(interval)
        }
    }

    func invalidate() { state.withLock { $0.invalidations += 1 } }

    /// The answers to a run; a second one is recorded as an issue.
    func launch() -> AsyncStream<ActivityEnding> {
        let (endings, continuation) = AsyncStream.makeStream(of: ActivityEnding.self)
        let counter = Counter()
        state.withLock { $0.body }?({ ending in
            if counter.next() > 1 { Issue.record("a run was answered twice") }
            continuation.yield(ending)
        })
        return endings
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
