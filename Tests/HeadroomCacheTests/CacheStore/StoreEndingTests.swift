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

@Suite("R20: what is left to do when a store is closed, and when it ends")
struct StoreEndingTests {
    private func names(_ fixture: StoreFixture) throws -> [String] {
        try fixture.directory.tree.names(in: "store").map(\.text).sorted()
    }

    @Test(arguments: [false, true])
    func whatIsRemovedWhileItEndsIsNotMadeAnew(isClosed: Bool) throws {
        let fixture = try StoreFixture(on: .memory)
        let hook = Once()
        let store = try fixture.open(step: { if $0 == .closing { hook.run() } })
        store.finishSweeping()
        try store.put([1], "small")
        try store.put(StoreFixture.value(100_000), "large")
        if isClosed { try store.close() }
        hook.set {
            for name in (try? fixture.directory.tree.names(in: "store").map(\.text)) ?? [] {
                try? fixture.remove(name)
            }
        }
        store.end()
        #expect(hook.hasRun)
        #expect(try names(fixture) == [])
    }

    /// Whoever has closed it may be removing the directory.
    @Test func afterItWasClosedItEndsWithoutASnapshot() throws {
        let fixture = try StoreFixture(on: .memory)
        let snapshots = Atomic(0)
        let store = try fixture.open(
            step: { if $0 == .snapshotWritten { snapshots.add(1, ordering: .relaxed) } })
        store.finishSweeping()
        for number in 0..<8000 { try store.put([1], "\(number)") }
        try store.close()
        let before = (snapshots.load(ordering: .relaxed), try names(fixture))
        // So much to tell that a snapshot would be worth it.
        fixture.pass(.seconds(120))
        for number in 0..<8000 { #expect(try store.get("\(number)") == [1]) }
        store.end()
        let count = snapshots.load(ordering: .relaxed)
        #expect(count == before.0)
        #expect(try names(fixture) == before.1)
        let again = try fixture.open()
        #expect(again.statistics.entries == 8000)
        #expect(try !StateDirectory(opening: again.path).contains("index.log.new"))
    }

    @Test func whatIsPutAfterItWasClosedEndsWithASnapshot() throws {
        let fixture = try StoreFixture(on: .memory)
        let snapshots = Atomic(0)
        let store = try fixture.open(
            step: { if $0 == .snapshotWritten { snapshots.add(1, ordering: .relaxed) } })
        store.finishSweeping()
        try store.close()
        for number in 0..<4000 { try store.put([1], "\(number)") }
        store.end()
        let count = snapshots.load(ordering: .relaxed)
        #expect(count > 0)
    }

    @Test func whoClosesItWaitsForItsSweeper() throws {
        let fixture = try StoreFixture(on: .memory)
        let isListed = Atomic(false)
        let store = try fixture.open(step: { step in
            guard step == .filesListed else { return }
            Pause.milliseconds(100)
            isListed.store(true, ordering: .releasing)
        })
        try store.close()
        let isThere = isListed.load(ordering: .acquiring)
        #expect(isThere)
        store.end()
    }

    // MARK: - With a lower limit

    private static let count = 3000

    private func fill(_ fixture: StoreFixture) throws {
        let store = try fixture.open()
        store.finishSweeping()
        for number in 0..<Self.count { try store.put([1], "\(number)") }
        store.end()
    }

    /// What is more than the limit goes, one after the other; the rest does when it is opened again.
    @Test func whoEndsItDoesNotWaitForALowerLimit() throws {
        let fixture = try StoreFixture(on: .memory)
        try fill(fixture)
        let evicted = Atomic(0)
        let store = try fixture.open(
            entryLimit: 100,
            step: { step in
                guard step == .evicted else { return }
                evicted.add(1, ordering: .relaxed)
                Pause.milliseconds(2)
            })
        #expect(Soon.holds { evicted.load(ordering: .relaxed) > 0 })
        store.end()
        #expect(store.statistics.entries > 100)
        let again = try fixture.open(entryLimit: 100)
        again.finishSweeping()
        #expect(again.statistics.entries == 100)
    }

    @Test func whoClosesItDoesNotWaitForALowerLimit() throws {
        let fixture = try StoreFixture(on: .memory)
        try fill(fixture)
        let evicted = Atomic(0)
        let isSlow = Atomic(true)
        let store = try fixture.open(
            entryLimit: 100,
            step: { step in
                guard step == .evicted else { return }
                evicted.add(1, ordering: .relaxed)
                if isSlow.load(ordering: .relaxed) { Pause.milliseconds(2) }
            })
        #expect(Soon.holds { evicted.load(ordering: .relaxed) > 0 })
        try store.close()
        #expect(store.statistics.entries > 100)
        isSlow.store(false, ordering: .relaxed)
        // It goes on, and the next put sees to the rest.
        try store.put([1], "one more")
        #expect(store.statistics.entries == 100)
        store.end()
    }
}
