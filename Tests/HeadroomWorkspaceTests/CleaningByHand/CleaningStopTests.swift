//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

@Suite("R31: a cleaning that is stopped")
struct CleaningStopTests {
    private let directory: TemporaryDirectory
    private static let count = 4_000

    init() throws {
        directory = try TemporaryDirectory(on: .memory)
        try directory.tree.directory("home/tmp")
        for number in 0..<20 {
            try directory.tree.files(
                Self.count / 20, in: TreePath(stringLiteral: "home/.cache/app/d\(number)"))
        }
    }

    private func cleaner(_ calls: HookedCalls) throws -> Cleaner {
        let home = directory.path.appending("home")
        let layout = Layout(
            kind: .custom, root: home,
            areas: [Area(root: home.appending(".cache"), purgeClass: .cache, origin: "test")])
        let workspace = Workspace(
            ledger: Ledger.open(directory: directory.path.appending("ledger")) {
                Timestamp.wallClock()
            }, layouts: [layout], interrupted: [], clock: { Timestamp.wallClock() }, calls: calls)
        return Cleaner(workspace, places: Cleaner.Places(userFiles: [], downloads: []))
    }

    private func left() throws -> Int {
        try ChildProcess.run("find", [directory.path.appending("home").string, "-type", "f"]).output
            .count { $0 == "\n" }
    }

    /// From another thread, as a person does it. Where others work as well one try may be late.
    @Test func itReturnsWithinATenthOfASecondAndSaysWhatHasGone() throws {
        var delays: [Duration] = []
        var rest = Self.count
        for _ in 0..<3 where !delays.contains(where: { $0 < .milliseconds(100) }) {
            let progress = CleaningProgress()
            let removed = Atomic<Int>(0)
            let stopped = Mutex<ContinuousClock.Instant?>(nil)
            let isDue = Event()
            var calls = HookedCalls()
            calls.didRemove = { _ in
                if removed.add(1, ordering: .relaxed).newValue == 500 { isDue.signal() }
            }
            let thread = try WorkerThread {
                isDue.wait()
                stopped.withLock { $0 = .now }
                progress.cancel()
            }
            let result = try cleaner(calls).clean(.deep, requester: "test", progress: progress)
            let end = ContinuousClock.now
            thread.join()
            delays.append(try #require(stopped.withLock { $0 }).duration(to: end))
            let receipt = try #require(result.purge)
            let count = removed.load(ordering: .relaxed)
            #expect(result.isCancelled && receipt.outcome == .interrupted)
            #expect(receipt.removedCount + receipt.emptiedCount == count)
            #expect(receipt.removedCount >= 500 && receipt.removedCount < rest)
            rest -= receipt.removedCount
            #expect(try left() == rest)
            #expect(receipt.notes.contains { $0.contains("were not reached") })
            #expect(progress.phase == .done && progress.fraction == 1)
        }
        #expect(delays.contains { $0 < .milliseconds(100) }, "\(delays)")
        // What is left goes with the next.
        let result = try cleaner(HookedCalls()).clean(.deep, requester: "test")
        #expect(!result.isCancelled && result.purge?.removedCount == rest)
        #expect(try left() == 0)
    }

    /// Between the measuring and the first removal.
    @Test func whatIsStoppedBeforeTheFirstRemovalIsWhole() throws {
        let progress = CleaningProgress()
        var calls = HookedCalls()
        calls.didExamine = { _ in
            if progress.phase == .cleaning { progress.cancel() }
        }
        let result = try cleaner(calls).clean(.deep, requester: "test", progress: progress)
        #expect(result.isCancelled)
        #expect(try left() == Self.count - (result.purge?.removedCount ?? 0))
        #expect(result.purge?.removedCount ?? 0 <= 8, "what each thread was just removing")
    }
}
