//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import Testing

@Suite("R20: removals while others put and move")
struct StoreRemovalTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture(on: .memory) }

    private func open(_ step: (@Sendable (StoreStep) -> Void)? = nil) throws -> StoreCore {
        let store = try fixture.open(step: step)
        store.finishSweeping()
        return store
    }

    /// Between the copies and the word of where they are.
    @Test func nothingIsLeftOfWhatAnotherProcessMoves() throws {
        let (isMoving, isThere) = (Moment(), Moment())
        let gate = Gate()
        let mover = try open { step in
            if step == .recordCopied { isMoving.set() }
            guard step == .marked, isMoving.isSet else { return }
            if isThere.set() { gate.pass() }
        }
        let other = try open()
        for number in 0..<6000 { try mover.put(StoreFixture.value(700), "\(number)") }
        for number in 0..<6000 where number % 3 != 0 { try mover.remove("\(number)") }
        try other.flush()
        let moving = try WorkerThread { mover.shrink(by: 1) }
        #expect(Soon.holds { isThere.isSet })
        let removing = try WorkerThread { try? other.removeAll() }
        // It waits for the log.
        Pause.milliseconds(50)
        gate.open()
        removing.join()
        #expect(try (0..<6000).filter { try other.get("\($0)") != nil } == [])
        moving.join()
        #expect(try (0..<6000).filter { try other.get("\($0)") != nil } == [])
        #expect(mover.statistics.moved > 0)
    }

    @Test func whatAnotherProcessPutsWithoutTheTagStays() throws {
        let (isArmed, isThere) = (Moment(), Moment())
        let gate = Gate()
        let writer = try open { step in
            guard step == .marked, isArmed.isSet else { return }
            if isThere.set() { gate.pass() }
        }
        let other = try open()
        try writer.put([1], "key", CacheAttributes(tags: ["t"]))
        try other.flush()
        isArmed.set()
        let putting = try WorkerThread { try? writer.put([2], "key") }
        #expect(Soon.holds { isThere.isSet })
        let removing = try WorkerThread { _ = try? other.removeAll(tagged: "t") }
        Pause.milliseconds(50)
        gate.open()
        removing.join()
        putting.join()
        #expect(try writer.get("key") == [2])
        #expect(try other.get("key") == [2])
    }

    @Test func whatAnotherThreadPutsWithoutTheTagStays() throws {
        let store = try open()
        for _ in 0..<10 {
            for number in 0..<1000 {
                try store.put([1], "\(number)", CacheAttributes(tags: ["t"]))
            }
            let putting = try WorkerThread {
                for number in 0..<1000 { try? store.put([2], "\(number)") }
            }
            _ = try store.removeAll(tagged: "t")
            putting.join()
            #expect(try (0..<1000).filter { try store.get("\($0)") != [2] } == [])
        }
    }

    /// It may stand behind many numbers of files that have come to nothing.
    @Test func whatALivingProcessHasNotToldIsRemoved() throws {
        let first = try open()
        for number in 0..<300 {
            let writer = try first.write("gone-\(number)")
            let value = StoreFixture.value(100_000)
            try unsafe writer.append(value.span.bytes)
            writer.cancel()
        }
        try first.put(StoreFixture.value(100_000), "key")
        let second = try open()
        #expect(try second.get("key") != nil)
        #expect(try second.remove("key"))
        #expect(try first.get("key") == nil)
    }
}

private final class Moment: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }

    /// - Returns: whether it was not.
    @discardableResult
    func set() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
}
