//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// A purge that is stopped: nothing goes after the call but what a thread is just removing, and the
/// receipt says what was done.
struct PurgeStoppingTests {
    let fixture: PurgeFixture
    private var tree: Tree { fixture.tree }

    init() throws { fixture = try PurgeFixture() }

    /// What went, and how much of it after the purge was stopped.
    private final class Log: Sendable {
        struct State {
            var removed = 0
            var late = 0
            var stopped: ContinuousClock.Instant?
            var last = ContinuousClock.now
        }
        let state = Mutex(State())
        let progress = PurgeProgress()

        func stop() {
            progress.cancel()
            state.withLock { $0.stopped = $0.stopped ?? .now }
        }

        /// - Parameter limit: as many go before it is stopped.
        func calls(stoppingAfter limit: Int) -> HookedCalls {
            var calls = HookedCalls()
            calls.didRemove = { _ in
                let isDue = self.state.withLock { state in
                    state.removed += 1
                    state.last = .now
                    if state.stopped != nil { state.late += 1 }
                    return state.removed == limit
                }
                if isDue { self.stop() }
            }
            return calls
        }

        /// From the call to the last removal.
        var delay: Duration {
            state.withLock { state in
                state.stopped.map { max(.zero, $0.duration(to: state.last)) } ?? .seconds(3600)
            }
        }
    }

    private func purge(_ plan: Plan, unit: PurgeUnit, _ log: Log, _ calls: HookedCalls) throws
        -> Receipt
    {
        var options = fixture.options(unit: unit)
        options.calls = calls
        return try Purger.purge(plan, options: options, progress: log.progress)
    }

    private func leftovers() throws -> [FileName] {
        try tree.names().filter { $0.text.hasPrefix(ReservedName.prefix) }
    }

    /// The next purge ends what was left.
    private func finish(unit: PurgeUnit) throws {
        let receipt = try Purger.purge(
            try fixture.plan(unit: unit), options: fixture.options(unit: unit))
        #expect(receipt.skipped == [] && receipt.outcome == .completed)
        #expect(try tree.names() == [])
        #expect(try fixture.canariesAreUntouched())
    }

    @Test func singleFilesOfSeveralThreadsStopAtOnce() throws {
        for number in 0..<40 { try tree.files(200, in: "d\(number)") }
        let log = Log()
        let plan = try fixture.plan()
        let receipt = try purge(plan, unit: .file, log, log.calls(stoppingAfter: 500))
        let removed = log.state.withLock { $0.removed }
        #expect(removed >= 500 && removed < 8_000)
        // What each other thread was just removing.
        #expect(log.state.withLock { $0.late } <= 8)
        #expect(receipt.outcome == .interrupted)
        #expect(receipt.removedCount + receipt.emptiedCount == removed)
        #expect(receipt.notes.contains { $0.contains("were not reached") })
        try finish(unit: .file)
    }

    @Test func aLargeUnitStopsWhileItIsEmptied() throws {
        for number in 0..<20 { try tree.files(150, in: "large/\(number)", size: .kilobytes(1)) }
        let log = Log()
        let plan = try fixture.plan(unit: .entry)
        var calls = log.calls(stoppingAfter: 1_000)
        let opened = Atomic<Int>(0)
        calls.willOpenDirectory = {
            if log.progress.isCancelled { opened.add(1, ordering: .relaxed) }
        }
        let receipt = try purge(plan, unit: .entry, log, calls)
        #expect(log.state.withLock { $0.removed } == 1_000)
        // Nor is the rest gone through for nothing.
        #expect(opened.load(ordering: .relaxed) == 0)
        #expect(receipt.outcome == .interrupted && receipt.removedCount == 0)
        #expect(receipt.reason("large") == .interruptedPurge)
        let name = try #require(try leftovers().first).text
        #expect(try tree.names().count == 1)
        // 3,000 files and 21 directories.
        let text = try #require(receipt.skipped.first).reason.text
        #expect(text.contains("2021 of 3021 members") && text.contains(name), "\(text)")
        #expect(receipt.notes.contains { $0.contains("1000 members") })
        #expect(receipt.expected > .zero)
        try finish(unit: .entry)
    }

    @Test func whatWasLeftIsStoppedAndFinishedAsWell() throws {
        try tree.files(300, in: "large")
        for limit in [100, 50] {
            let log = Log()
            let plan = try fixture.plan(unit: .entry)
            let receipt = try purge(plan, unit: .entry, log, log.calls(stoppingAfter: limit))
            #expect(log.state.withLock { $0.removed } == limit)
            #expect(receipt.skipped.map(\.reason.code) == [.interruptedPurge])
            #expect(try leftovers().count == 1 && tree.names().count == 1)
        }
        try finish(unit: .entry)
    }

    @Test func aUnitThatIsBeingLookedAtStaysWhole() throws {
        try tree.files(500, in: "large")
        let log = Log()
        var calls = log.calls(stoppingAfter: .max)
        let looks = Atomic<Int>(0)
        calls.didExamine = { _ in
            if looks.add(1, ordering: .relaxed).newValue == 100 { log.stop() }
        }
        let receipt = try purge(try fixture.plan(unit: .entry), unit: .entry, log, calls)
        #expect(looks.load(ordering: .relaxed) <= 101)
        #expect(receipt.outcome == .interrupted && receipt.skipped == [])
        #expect(receipt.notes.contains { $0.contains("1 item of the plan was not reached") })
        #expect(try tree.names().map(\.text) == ["large"] && tree.names(in: "large").count == 500)
        try finish(unit: .entry)
    }

    @Test func aUnitThatWasJustRenamedIsPutBack() throws {
        try tree.files(500, in: "large")
        let log = Log()
        var calls = log.calls(stoppingAfter: .max)
        calls.didRename = { (_, _) in log.stop() }
        let receipt = try purge(try fixture.plan(unit: .entry), unit: .entry, log, calls)
        #expect(log.state.withLock { $0.removed } == 0)
        #expect(receipt.reason("large") == .interrupted)
        #expect(try tree.names().map(\.text) == ["large"] && tree.names(in: "large").count == 500)
        try finish(unit: .entry)
    }

    /// What somebody has put there is shown again, stopped or not.
    @Test func aStoppedUnitInWhichSomethingNewWasFoundIsPutBack() throws {
        for name in ["a", "b", "c"] { try tree.files(200, in: "d/\(name)") }
        let log = Log()
        // In the third of the directories; the second is read after they are written.
        var calls = log.calls(stoppingAfter: 450)
        let tree = tree
        let hasWritten = Atomic<Bool>(false)
        calls.willRemove = { (_, _) throws(Errno) in
            guard !hasWritten.exchange(true, ordering: .relaxed),
                let name = try? tree.names().first(where: {
                    $0.text.hasPrefix(ReservedName.prefix)
                })
            else { return }
            for sub in ["a", "b", "c"] {
                try? tree.file(TreePath([name]) / "\(sub)/new", text: "mine")
            }
        }
        let receipt = try purge(try fixture.plan(unit: .entry), unit: .entry, log, calls)
        #expect(log.state.withLock { $0.removed } == 450)
        #expect(receipt.outcome == .interrupted && receipt.reason("d") == .changed)
        #expect(try tree.names().map(\.text) == ["d"])
        for sub in ["a", "b", "c"] { #expect(tree.exists("d/\(sub)/new")) }
    }

    /// From another thread, as a person does it.
    @Test(.tags(.r17b), arguments: [PurgeUnit.file, .entry])
    func stoppingFromElsewhereTakesEffectWithinATenthOfASecond(unit: PurgeUnit) throws {
        for number in 0..<30 { try tree.files(400, in: "large/\(number)") }
        let log = Log()
        let plan = try fixture.plan(unit: unit)
        let begun = Event()
        var calls = log.calls(stoppingAfter: .max)
        calls.willRemove = { (_, _) throws(Errno) in begun.signal() }
        let thread = try WorkerThread {
            begun.wait()
            log.stop()
        }
        let receipt = try purge(plan, unit: unit, log, calls)
        thread.join()
        #expect(log.delay < .milliseconds(100), "\(log.delay)")
        // On a machine so busy that the thread came last, all is gone.
        #expect(receipt.outcome == .interrupted)
        try finish(unit: unit)
    }
}

/// Something that happens once, and is waited for.
