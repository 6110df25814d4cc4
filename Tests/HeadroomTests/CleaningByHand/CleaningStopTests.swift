//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where all was gone before it was stopped, it is tried again.
@Suite("R31: an app stops a cleaning")
struct CleaningStopTests {
    private let fixture: StorageFixture
    private static let cache: TreePath = "home/.cache/Podcaster/Thumbnails"
    private static let count = 10_000

    init() throws { fixture = try StorageFixture() }

    private func fill() throws {
        for number in 0..<20 {
            try fixture.tree.files(Self.count / 20, in: Self.cache / TreePath("\(number)"))
        }
    }

    private func left(in place: TreePath = cache) throws -> Int {
        guard fixture.tree.exists(place) else { return 0 }
        return try ChildProcess.run("find", [fixture.tree.path(place).string, "-type", "f"]).output
            .count { $0 == "\n" }
    }

    private func whenOneHasGone(_ stop: @escaping @Sendable () -> Void) throws -> WorkerThread {
        try RemovalWatch.start(
            (0..<20).map { Self.cache / TreePath("\($0)/f0") }, in: fixture.tree, stop)
    }

    /// The last receipt, as another process would find it.
    private func receipt() throws -> Receipt? {
        try Ledger.open(
            directory: fixture.base.path.appending("ledger"), readOnly: true,
            now: { Timestamp.wallClock() }
        ).receipts(last: 1).first
    }

    private func check(_ result: CleaningResult) throws {
        let receipt = try #require(result.purge)
        #expect(result.isCancelled && receipt.outcome == .interrupted)
        #expect(receipt.removedCount > 0)
        #expect(try left() == Self.count - receipt.removedCount)
        #expect(receipt.notes.contains { $0.contains("were not reached") })
        #expect(result.freed == receipt.expected && result.disposal == nil)
        // And what the ledger keeps is the same.
        #expect(try self.receipt()?.id == receipt.id)
    }

    @Test func theLastStepSaysWhatHasGone() async throws {
        for attempt in 1...5 {
            try fill()
            let run = fixture.storage.cleanDeeply()
            let thread = try whenOneHasGone { run.cancel() }
            let steps = try await run.reduce(into: []) { $0.append($1) }
            thread.join()
            let fractions = steps.map(\.fraction)
            #expect(fractions == fractions.sorted() && fractions.filter { $0 == 1 }.count == 1)
            let result = try #require(steps.last?.result)
            if attempt < 5, result.purge?.outcome == .completed { continue }
            return try check(result)
        }
    }

    @Test func theTaskThatAsksForTheStepsMayBeCancelled() async throws {
        for attempt in 1...5 {
            try fill()
            let storage = fixture.storage
            let task = Task { try await storage.cleanDeeply().reduce(nil) { $1.result ?? $0 } }
            let thread = try whenOneHasGone { task.cancel() }
            let result = try #require(try await task.value)
            thread.join()
            if attempt < 5, result.purge?.outcome == .completed { continue }
            return try check(result)
        }
    }

    @Test func whoLeavesTheLoopStopsItToo() async throws {
        var last: String?
        // On a busy machine the purge is often over before the loop is left.
        for attempt in 1...25 {
            try fill()
            for try await step in fixture.storage.cleanDeeply() where step.phase == .cleaning {
                break
            }
            // The receipt is the last that is written; a purge that runs is told as one that crashed.
            var receipt: Receipt?
            while receipt == nil || receipt?.id == last || receipt?.outcome == .crashed {
                receipt = try self.receipt()
                await Task.yield()
            }
            last = receipt?.id
            if attempt < 25, receipt?.outcome == .completed { continue }
            #expect(receipt?.outcome == .interrupted)
            #expect(try left() == Self.count - (receipt?.removedCount ?? 0))
            return
        }
    }

    @Test func whatIsMeasuredWhenItIsStoppedStays() async throws {
        try fill()
        let run = fixture.storage.cleanDeeply()
        var result: CleaningResult?
        for try await step in run {
            run.cancel()
            result = step.result
        }
        #expect(result?.isCancelled == true)
        #expect(try left() == Self.count - (result?.purge?.removedCount ?? 0))
    }

    /// Films on their way to the trash: those that are there come back by the receipt.
    @Test func whatWasMovedToTheTrashCanBeBroughtBack() async throws {
        let place: TreePath = "home/Documents/Trip"
        try fixture.tree.files(500, in: place, size: .kilobytes(150))
        let storage = fixture.storage
        var items: [Cleanable] = []
        for await update in storage.cleanables() where update.isComplete {
            items += update.items.filter { $0.action == .dispose }
        }
        let selection = CleaningSelection(items)
        #expect(items.count == 500)
        for attempt in 1...5 {
            let run = storage.clean(selection)
            let thread = try RemovalWatch.start(
                (0..<500).map { place / TreePath("f\($0)") }, in: fixture.tree
            ) { run.cancel() }
            let result = try #require(try await run.reduce(nil) { $1.result ?? $0 })
            thread.join()
            let disposal = try #require(result.disposal)
            #expect(disposal.removedCount > 0)
            #expect(try left(in: place) == 500 - disposal.removedCount)
            try await storage.undo(disposal)
            #expect(try left(in: place) == 500)
            if attempt < 5, disposal.removedCount == 500 { continue }
            #expect(result.isCancelled && disposal.outcome == .interrupted)
            return
        }
    }

    private final class Slow: StorageModule {
        let id = "slow"
        let begun = Atomic<Bool>(false)
        let kept = Mutex<CheckedContinuation<Void, Never>?>(nil)

        func usage() async throws -> ByteCount { .megabytes(3) }

        /// Does not look whether it was cancelled.
        func clean(_ request: CleaningRequest) async throws {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                kept.withLock { $0 = continuation }
                begun.store(true, ordering: .releasing)
            }
        }
    }

    @Test func aModuleThatDoesNotStopIsNotWaitedFor() async throws {
        let module = Slow()
        fixture.storage.register(module)
        let run = fixture.storage.cleanDeeply()
        let steps = Task { try await run.reduce(nil) { $1.result ?? $0 } }
        while !module.begun.load(ordering: .acquiring) { await Task.yield() }
        let start = ContinuousClock.now
        run.cancel()
        let result = try #require(try await steps.value)
        #expect(start.duration(to: .now) < .seconds(20), "it has thirty seconds by itself")
        #expect(result.isCancelled)
        module.kept.withLock { $0 }?.resume()
    }
}
