//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("R30: the run of clean-up tasks")
struct CleanUpTaskRunTests {
    private let fixture: CleanUpTaskFixture
    private var storage: Storage { fixture.storage }
    private typealias Words = CleanUpTaskFixture

    init() throws { fixture = try CleanUpTaskFixture() }

    private struct Broken: Error, CustomStringConvertible {
        var description: String { "its index is damaged" }
    }

    // MARK: - Actions

    @Test(.tags(.r30b)) func actionsAreCalledOneAfterAnotherInTheirOrder() async throws {
        let calls = Mutex<[String]>([])
        for name in ["a", "b", "c"] {
            storage.registerCleanUpAction("Store", name) {
                calls.withLock { $0.append("\(name)+") }
                await Task.yield()
                calls.withLock { $0.append("\(name)-") }
            }
        }
        let summary = try await fixture.run(
            Words.call("Store", ["b", "a"]) + Words.call("Store", ["c"]))
        #expect(calls.withLock { $0 } == ["b+", "b-", "a+", "a-", "c+", "c-"])
        #expect(summary.tasks.map(\.outcome) == [.done, .done])
    }

    @Test func anActionThatFailsIsReportedAndTheOthersRun() async throws {
        let called = Mutex(0)
        storage.registerCleanUpAction("Store", "bad") { throw Broken() }
        storage.registerCleanUpAction("Store", "good") { called.withLock { $0 += 1 } }
        let summary = try await fixture.run(
            Words.call("Store", ["bad", "good"]) + Words.call("Store", ["good"]))
        #expect(called.withLock { $0 } == 2)
        #expect(summary.tasks.map(\.outcome) == [.partly, .done])
        #expect(summary.problems.map(\.key) == ["Selectors"])
        #expect(summary.problems[0].message.contains("its index is damaged"))
    }

    @Test func anActionThatHangsIsLeftBehindAndTheOthersRun() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let called = Mutex(false)
        storage.registerCleanUpAction("Store", "hangs") {
            // Neither its deadline nor its cancellation moves it.
            await Task.detached { for await _ in gate {} }.value
        }
        storage.registerCleanUpAction("Store", "good") { called.withLock { $0 = true } }
        var options = CleanUpTaskOptions()
        options.actionTimeLimit = .milliseconds(50)
        let list = try Words.list(Words.call("Store", ["hangs"]) + Words.call("Store", ["good"]))
        let summary = try await fixture.run(list, options: options)
        #expect(called.withLock { $0 })
        #expect(summary.tasks.map(\.outcome) == [.partly, .done])
        #expect(summary.problems[0].message.contains("hangs"))
        let again = try await fixture.run(list, options: options)
        #expect(again.problems.map(\.reason.code) == [.busy])
        opener.finish()
    }

    // MARK: - Steps

    @Test(.tags(.r30e)) func phasesFollowEachOtherAndOneIsReachedOnce() async throws {
        try fixture.tree.files(3_000, in: fixture.path("Library/Caches/Maps"), size: .kilobytes(4))
        try fixture.tree.files(1_000, in: fixture.path("Documents/Letters"), size: .kilobytes(1))
        let list = try Words.list(Words.remove("Library/Caches/Maps"))
        var steps: [CleanUpTaskStep] = []
        for try await step in storage.cleanUp(list) { steps.append(step) }
        let phases = steps.map(\.phase).reduce(into: [CleanUpTaskPhase]()) {
            if $0.last != $1 { $0.append($1) }
        }
        #expect(phases == [.measuringBefore, .cleaning, .measuringAfter, .done])
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.fraction <= $1.fraction })
        #expect(steps.filter { $0.fraction >= 1 }.count == 1 && steps.last?.fraction == 1)
        #expect(steps.filter { $0.summary != nil }.count == 1)
        let summary = try #require(steps.last?.summary)
        #expect(summary.tasks[0].removed == 3_000 && !summary.wasCancelled)
    }

    @Test(.timeLimit(.minutes(10)))
    func anActionThatSaysHowFarItIsMovesTheFraction() async throws {
        try fixture.add("Library/Caches/Maps/a")
        let (gate, opener) = AsyncStream<Void>.makeStream()
        storage.registerCleanUpAction("Store", "compact", usually: .seconds(3600)) { progress in
            progress.report(0.5)
            for await _ in gate {}
        }
        let list = try Words.list(
            Words.remove("Library/Caches/Maps") + Words.call("Store", ["compact"]))
        // Without its word it would be at the beginning of an hour.
        for try await step in storage.cleanUp(list) where step.fraction > 0.3 { opener.finish() }
    }

    @Test(.tags(.r30e)) @MainActor func theCallbackIsOnTheMainActor() async throws {
        try fixture.add("Library/Caches/Maps/a")
        let list = try Words.list(Words.remove("Library/Caches/Maps"))
        var phases: Set<CleanUpTaskPhase> = []
        let summary = try await storage.cleanUp(list) { step in
            MainActor.assertIsolated()
            phases.insert(step.phase)
        }
        #expect(phases == Set(CleanUpTaskPhase.allCases))
        #expect(summary.tasks.map(\.outcome) == [.done])
    }

    @Test func aSecondRunIsRefusedWhileOneIsUnderWay() async throws {
        let list = try Words.list(Words.call("Store", ["waits"]))
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        storage.registerCleanUpAction("Store", "waits") {
            begin.yield()
            for await _ in gate {}
        }
        async let first = fixture.run(list)
        for await _ in begun { break }
        let error = await #expect(throws: StorageError.self) { try await fixture.run(list) }
        #expect(error?.code == .busy)
        opener.finish()
        #expect(try await first.tasks.map(\.outcome) == [.done])
        #expect(try await fixture.run(list).tasks.map(\.outcome) == [.done])
    }

    // MARK: - Stopping

    /// What goes after the call is what a thread was just removing, however busy the machine is.
    @Test(.tags(.r30e), arguments: [false, true])
    func nothingGoesAfterItWasCancelled(whole: Bool) throws {
        for number in 0..<30 {
            try fixture.tree.files(
                200, in: fixture.path("Library/Caches/Maps/all/\(number)"), size: .kilobytes(1))
        }
        let list = try Words.list(Words.remove("Library/Caches/Maps", whole ? ["*"] : nil))
        let progress = CleanUpTaskProgress()
        let machine = VirtualMachine(VirtualMachine.Costs()) { count in
            if count == 2_500 { progress.cancel() }
        }
        let summary = try fixture.run(list, calls: TimedCalls(machine), progress)
        #expect((2_500...2_508).contains(machine.removals), "\(machine.removals)")
        #expect(summary.wasCancelled && progress.fraction < 1)
        #expect(summary.tasks.map(\.outcome) == [.partly])
        #expect(summary.receipts.map(\.outcome) == [.interrupted])
        #expect(summary.receipts[0].expected > .megabytes(8) && summary.after == nil)
        // The beginning of a large directory is not what its files cost.
        #expect(!fixture.tree.exists("ledger/removal-costs"))
        let maps = fixture.path("Library/Caches/Maps")
        if whole {
            // Out of sight, and said so.
            #expect(
                try fixture.tree.names(in: maps).map { $0.text.prefix(16) } == [".headroom-going-"])
            #expect(summary.problems.map(\.reason.code) == [.interruptedPurge])
            #expect(summary.problems[0].message.contains("3531 of 6031 members"))
            #expect(summary.tasks[0].removed == 0)
        } else {
            #expect(summary.tasks[0].removed == machine.removals)
            #expect(summary.problems.map(\.reason.code) == [.interrupted])
        }
        // The next clean-up ends it.
        let again = try fixture.run(
            list, calls: TimedCalls(VirtualMachine(VirtualMachine.Costs())), CleanUpTaskProgress())
        #expect(again.receipts.map(\.outcome) == [.completed])
        #expect(again.tasks.map(\.outcome) == [.done] && again.problems == [])
        #expect(try fixture.tree.names(in: maps) == [])
        #expect(fixture.tree.exists("ledger/removal-costs"))
    }

    /// A tenth of a second on a machine that has nothing else to do.
    private static let patience: Duration =
        ProcessInfo.processInfo.environment["HEADROOM_SOAK"] == nil
        ? .seconds(30) : .milliseconds(100)

    /// Where all was gone before it was stopped, it is tried again.
    @Test func cancellingStopsSoonAndSaysWhatWasDone() async throws {
        let maps = "Library/Caches/Maps"
        let list = try Words.list(Words.remove(maps) + Words.call("Store", ["never"]))
        let called = Mutex(false)
        storage.registerCleanUpAction("Store", "never") { called.withLock { $0 = true } }
        for attempt in 1...5 {
            called.withLock { $0 = false }
            for number in 0..<20 {
                try fixture.tree.files(
                    500, in: fixture.path("\(maps)/\(number)"), size: .kilobytes(1))
            }
            let run = storage.cleanUp(list)
            let stopped = Mutex<ContinuousClock.Instant?>(nil)
            let thread = try RemovalWatch.start(
                (0..<20).map { fixture.path("\(maps)/\($0)/f0") }, in: fixture.tree
            ) {
                stopped.withLock { $0 = .now }
                run.cancel()
            }
            let last = try await run.reduce(nil as CleanUpTaskStep?) { $1 }
            let end = ContinuousClock.now
            thread.join()
            let step = try #require(last)
            let summary = try #require(step.summary)
            if attempt < 5, summary.tasks.first?.outcome == .done { continue }
            let took = try #require(stopped.withLock { $0 }).duration(to: end)
            #expect(took < Self.patience, "\(took)")
            #expect(summary.wasCancelled && step.fraction < 1 && !called.withLock { $0 })
            #expect(summary.tasks.map(\.outcome) == [.partly, .notReached])
            let left = try ChildProcess.run(
                "find", [fixture.tree.path(fixture.path(maps)).string, "-type", "f"]
            ).output.split(separator: "\n").count
            #expect(summary.tasks[0].removed == 10_000 - left && left > 0)
            #expect(summary.receipts.map(\.outcome) == [.interrupted])
            return
        }
    }

    @Test func cancellingTheTaskStopsItToo() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        storage.registerCleanUpAction("Store", "waits") {
            begin.yield()
            try await Task.sleep(for: .seconds(600))
        }
        let list = try Words.list(Words.call("Store", ["waits"]))
        let storage = storage
        let run = Task { try await storage.cleanUp(list) { _ in } }
        for await _ in begun { break }
        let start = ContinuousClock.now
        run.cancel()
        let summary = try await run.value
        #expect(start.duration(to: .now) < Self.patience)
        #expect(summary.wasCancelled && summary.tasks.map(\.outcome) == [.partly])
    }

    @Test func leavingTheLoopStopsIt() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        storage.registerCleanUpAction("Store", "waits") {
            begin.yield()
            try? await Task.sleep(for: .seconds(600))
            end.yield()
        }
        func leave() async throws {
            for try await _ in storage.cleanUp(try Words.list(Words.call("Store", ["waits"]))) {
                for await _ in begun { break }
                break
            }
        }
        try await leave()
        for await _ in ended { break }
    }
}
