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
import Testing

/// What a store occupied by its own account when it came to a step for the first time.
private final class Account: Sendable {
    private let store = Mutex<StoreCore?>(nil)
    private let bytes = Mutex<[StoreStep: Int64]>([:])

    /// - Parameter new: nil: no more, lest the store keep itself.
    func look(at new: StoreCore?) { store.withLock { $0 = new } }

    func note(_ step: StoreStep) {
        guard let store = store.withLock({ $0 }) else { return }
        let occupied = store.statistics.allocated
        bytes.withLock { bytes in
            if bytes[step] == nil { bytes[step] = occupied }
        }
    }

    func bytes(at step: StoreStep) throws -> Int64 {
        try #require(bytes.withLock { $0[step] })
    }
}

@Suite("R20: what counts until when, and how much goes for one put")
struct StoreCountingTests {
    // MARK: - Bytes that are about to be free

    /// It is written, and cannot be entered: nothing that is there may go.
    @Test func aLargeValueThatIsRefusedCountsUntilItIsGone() throws {
        let fixture = try StoreFixture(on: .memory)
        let account = Account()
        let store = try fixture.open(
            limit: 4 << 20, entryLimit: 2, step: { account.note($0) })
        store.finishSweeping()
        var pins: [StoreLease] = []
        for key in ["a", "b"] {
            try store.put([1], key)
            pins.append(try #require(try store.pin(key)))
        }
        account.look(at: store)
        defer { account.look(at: nil) }
        let error = #expect(throws: HeadroomError.self) {
            try store.put(StoreFixture.value(100_000), "large")
        }
        #expect(error?.code == .storeFull)
        let written = try account.bytes(at: .fileWritten)
        #expect(try account.bytes(at: .entered) == written)
        #expect(try fixture.names(".value") == [])
        #expect(store.statistics.allocated <= written - 100_000)
        withExtendedLifetime(pins) {}
    }

    /// Both are there until the first is unlinked.
    @Test func aLargeValueThatGoesForAnotherCountsUntilItIsGone() throws {
        let fixture = try StoreFixture(on: .memory)
        let account = Account()
        let store = try fixture.open(
            limit: 4 << 20, entryLimit: 1, step: { account.note($0) })
        store.finishSweeping()
        try store.put(StoreFixture.value(100_000), "first")
        account.look(at: store)
        defer { account.look(at: nil) }
        try store.put(StoreFixture.value(200_000), "second")
        let written = try account.bytes(at: .fileWritten)
        #expect(try account.bytes(at: .entered) == written)
        #expect(try fixture.names(".value").count == 1)
        #expect(store.statistics.allocated <= written - 100_000)
    }

    @Test func whatGoesForItsBytesCountsUntilItIsGone() throws {
        let fixture = try StoreFixture(on: .memory)
        let account = Account()
        let store = try fixture.open(limit: 4 << 20, step: { account.note($0) })
        store.finishSweeping()
        account.look(at: store)
        defer { account.look(at: nil) }
        for number in 0..<60 { try store.put(StoreFixture.value(100_000), "\(number)") }
        let (before, after) = (
            try account.bytes(at: .evicted), try account.bytes(at: .victimRetired)
        )
        #expect(before - after >= 100_000)
    }

    // MARK: - How much goes

    /// When the store is full for the first time, and from then on.
    @Test(.tags(.r20b)) func onePutMakesNoMoreGoThanAFewSegments() throws {
        let fixture = try StoreFixture(on: .memory)
        let limit: Int64 = 16 << 20
        let segment = limit / 64
        let seed: UInt64 = 11
        var random = SeededGenerator(seed: seed)
        let store = try fixture.open(limit: Int(limit))
        store.finishSweeping()
        let value = StoreFixture.value(3000)
        var before = store.statistics
        var (evicted, moved, occupied) = (Int64(0), 0, Int64(0))
        for number in 0..<16_000 {
            fixture.pass(.milliseconds(100))
            try store.put(value, "\(number)")
            let now = store.statistics
            evicted = max(evicted, now.evictedBytes - before.evictedBytes)
            moved = max(moved, now.moved - before.moved)
            occupied = max(occupied, now.allocated)
            before = now
            // What is used stays: what goes lies scattered.
            _ = try store.get("\(Int.random(in: 0...number, using: &random))")
        }
        #expect(before.evictions > 5_000)
        #expect(occupied <= limit)
        // What it takes, which is a segment, and three more.
        #expect(evicted <= 4 * segment, "seed \(seed)")
        #expect(Int64(moved * value.count) <= 12 * segment, "seed \(seed)")
    }

    /// Not with the first put, in the step in which that is entered.
    @Test func aLowerEntryLimitIsKeptFromTheOpeningOn() throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let store = try fixture.open()
            for number in 0..<1_000 { try store.put([1], "\(number)") }
            store.end()
        }
        let evictions = Mutex(0)
        let store = try fixture.open(
            entryLimit: 100, step: { if $0 == .evicted { evictions.withLock { $0 += 1 } } })
        store.finishSweeping()
        #expect(store.statistics.entries == 100)
        #expect(evictions.withLock { $0 } == 900)
        // From then on one goes for one.
        for number in 0..<50 {
            let before = store.statistics.evictions
            try store.put([2], "new-\(number)")
            #expect(store.statistics.evictions == before + 1)
        }
        #expect(store.statistics.entries == 100)
    }
}
