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
import Testing

@Suite("R26: modules")
struct ModuleTests {
    private let fixture: StorageFixture
    private var storage: Storage { fixture.storage }

    init() throws {
        fixture = try StorageFixture()
    }

    /// Data that are only numbers.
    private final class Module: StorageModule {
        let id: String
        let quota: ByteCount?
        let calls: Mutex<[CleaningRequest]> = Mutex([])
        private let bytes: Mutex<ByteCount>
        private let body: @Sendable (CleaningRequest) async throws -> Void

        init(
            _ id: String, _ bytes: ByteCount, quota: ByteCount? = nil,
            body: @escaping @Sendable (CleaningRequest) async throws -> Void = { _ in }
        ) {
            self.id = id
            self.quota = quota
            self.bytes = Mutex(bytes)
            self.body = body
        }

        func usage() async throws -> ByteCount { bytes.withLock { $0 } }

        func clean(_ request: CleaningRequest) async throws {
            calls.withLock { $0.append(request) }
            try await body(request)
            bytes.withLock { $0 = max(.zero, $0 - request.bytesWanted) }
        }

        var wanted: [ByteCount] { calls.withLock { $0.map(\.bytesWanted) } }
    }

    private struct Broken: Error, CustomStringConvertible {
        var description: String { "its index is damaged" }
    }

    @Test(.tags(.r26a)) func theMostOverItsQuotaIsCalledFirstAndThoseWithoutLast() async throws {
        for module in [
            Module("free", .megabytes(900)), Module("twice", .megabytes(20), quota: .megabytes(10)),
            Module("half", .megabytes(5), quota: .megabytes(10)),
            Module("tenfold", .megabytes(10), quota: .megabytes(1)),
            Module("nothing allowed", .megabytes(1), quota: .zero),
        ] { storage.register(module) }
        let run = try await storage.cleanModules(freeing: .gigabytes(1))
        #expect(run.modules.map(\.id) == ["nothing allowed", "tenfold", "twice", "half", "free"])
        #expect(run.freed == .megabytes(936))
        #expect(run.shortBy == .megabytes(64))
    }

    @Test(.tags(.r26a)) func withoutAnAmountOnlyThoseOverTheirQuotaAreCalledForWhatTheyAreOver()
        async throws
    {
        let over = Module("over", .megabytes(30), quota: .megabytes(10))
        let within = Module("within", .megabytes(3), quota: .megabytes(10))
        let free = Module("free", .megabytes(500))
        for module in [over, within, free] { storage.register(module) }
        let run = try await storage.cleanModules(level: .warning, trigger: .levelChange)
        #expect(over.wanted == [.megabytes(20)])
        #expect(within.wanted.isEmpty && free.wanted.isEmpty)
        #expect(run.modules.map(\.outcome) == [.cleaned, .notNeeded, .notNeeded])
        #expect(run.modules.map(\.overQuota) == [.zero, .zero, .zero])
        let request = try #require(over.calls.withLock { $0.first })
        #expect(request.level == .warning && request.trigger == .levelChange)
        #expect(request.allowedClass == .cache)
    }

    @Test func onceEnoughIsFreedNoMoreAreCalled() async throws {
        let first = Module("first", .megabytes(9), quota: .megabytes(10))
        let second = Module("second", .megabytes(100))
        for module in [first, second] { storage.register(module) }
        let run = try await storage.cleanModules(freeing: .megabytes(4))
        #expect(first.wanted == [.megabytes(4)])
        #expect(second.wanted.isEmpty)
        #expect(run.freed == .megabytes(4) && run.shortBy == .zero)
    }

    @Test(.tags(.r26b)) func oneThatFailsStopsNoOther() async throws {
        storage.register(
            Module("bad", .megabytes(30), quota: .megabytes(1)) { _ in throw Broken() })
        let good = Module("good", .megabytes(2), quota: .megabytes(1))
        storage.register(good)
        let run = try await storage.cleanModules()
        #expect(run.modules[0].outcome == .failed("its index is damaged"))
        #expect(run.modules[0].overQuota == .megabytes(29))
        #expect(run.modules[1].outcome == .cleaned)
        #expect(good.wanted == [.megabytes(1)])
    }

    @Test(.tags(.r26b)) func oneThatHangsIsAbandonedAndNotCalledBeforeItHasReturned() async throws {
        let gate = ConditionGate()
        let hanging = Module("hanging", .megabytes(30), quota: .megabytes(1)) { _ in
            gate.wait()  // Blocks its thread and does not look at cancellation.
        }
        let good = Module("good", .megabytes(2), quota: .megabytes(1))
        for module in [hanging, good] { storage.register(module) }
        let first = try await storage.cleanModules(timeLimit: .milliseconds(100))
        #expect(first.modules.map(\.outcome) == [.timedOut, .cleaned])
        #expect(first.modules[0].description.contains("no longer waits for it"))
        let second = try await storage.cleanModules(timeLimit: .seconds(10))
        #expect(second.modules.first { $0.id == "hanging" }?.outcome == .stillRunning)
        #expect(hanging.wanted.count == 1)
        gate.open()
        // It returns on its own thread; until then it is still running.
        var third: ModuleReport?
        repeat {
            await Task.yield()
            third = await storage.moduleUsage().first { $0.id == "hanging" }
        } while third?.outcome == .stillRunning
        #expect(third?.before == .megabytes(1))
    }

    @Test(.tags(.r26e)) func withoutBeingToldEachHasHalfAMinute() async throws {
        let seen = Mutex<[ContinuousClock.Instant]>([])
        let first = Module("first", .megabytes(30), quota: .megabytes(1)) { _ in
            seen.withLock { $0.append(.now) }
        }
        let second = Module("second", .megabytes(20), quota: .megabytes(1)) { _ in
            seen.withLock { $0.append(.now) }
        }
        for module in [first, second] { storage.register(module) }
        let start = ContinuousClock.now
        _ = try await storage.cleanModules()
        let called = seen.withLock { $0 }
        try #require(called.count == 2)
        // Each from when it is its turn on: not less, and not more.
        for (module, before, at) in [(first, start, called[0]), (second, called[0], called[1])] {
            let deadline = try #require(module.calls.withLock { $0.first }).deadline
            #expect(before.duration(to: deadline) >= .seconds(30))
            #expect(at.duration(to: deadline) <= .seconds(30))
        }
    }

    @Test func manyThatBlockDoNotStarveTheRest() async throws {
        let gate = ConditionGate()
        for number in 0..<(WorkerThread.processorCount * 2 + 2) {
            storage.register(
                Module("hanging \(number)", .megabytes(30), quota: .megabytes(1)) { _ in
                    gate.wait()
                })
        }
        let run = try await storage.cleanModules(timeLimit: .milliseconds(20))
        gate.open()
        #expect(run.modules.allSatisfy { $0.outcome == .timedOut })
    }

    @Test func cancellingCancelsTheOneAtWorkAndCallsNoMore() async throws {
        let started = ConditionGate()
        let sleeping = Module("sleeping", .megabytes(30), quota: .megabytes(1)) { _ in
            started.open()
            try await Task.sleep(for: .seconds(3600))
        }
        let later = Module("later", .megabytes(2), quota: .megabytes(1))
        for module in [sleeping, later] { storage.register(module) }
        let storage = storage
        let task = Task { try await storage.cleanModules(timeLimit: .seconds(3600)) }
        await BlockingPool.shared.run { started.wait() }
        task.cancel()
        let run = try await task.value
        #expect(run.modules.map(\.outcome) == [.cancelled, .cancelled])
        #expect(later.wanted.isEmpty)
    }

    @Test func twoRunsAtOnceRefuseEachOther() async throws {
        let (started, gate) = (ConditionGate(), ConditionGate())
        storage.register(
            Module("slow", .megabytes(30), quota: .megabytes(1)) { _ in
                started.open()
                gate.wait()
            })
        let storage = storage
        let task = Task { try await storage.cleanModules() }
        await BlockingPool.shared.run { started.wait() }
        let error = await #expect(throws: StorageError.self) {
            try await fixture.storage.cleanModules()
        }
        #expect(error?.code == .busy)
        gate.open()
        #expect(try await task.value.modules.map(\.outcome) == [.cleaned])
    }

    @Test func registeringAgainReplacesAndUnregisteringRemoves() async throws {
        storage.register(Module("a", .megabytes(1)))
        storage.register(Module("b", .megabytes(2)))
        storage.register(Module("a", .megabytes(3)))
        #expect(storage.modules.map(\.id) == ["a", "b"])
        #expect(await storage.moduleUsage().map(\.before) == [.megabytes(3), .megabytes(2)])
        #expect(storage.unregister(moduleWithID: "a"))
        #expect(!storage.unregister(moduleWithID: "a"))
        #expect(storage.modules.map(\.id) == ["b"])
    }
}

/// Holds back who waits until it is opened.
private final class ConditionGate: Sendable {
    private let lock = ConditionLock()
    private let isOpen = Atomic<Bool>(false)

    func wait() {
        lock.lock()
        while !isOpen.load(ordering: .acquiring) { lock.wait() }
        lock.unlock()
    }

    func open() {
        lock.lock()
        isOpen.store(true, ordering: .releasing)
        lock.broadcast()
        lock.unlock()
    }
}
