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

/// Stores that were made while the clock was wrong by years, and such as are years old.
@Suite struct StoreClockTests {
    private static let year = Duration.seconds(31_556_952)

    private static func hour() -> CacheAttributes { CacheAttributes(lifetime: .seconds(3600)) }

    /// Puts what lives for an hour, and looks whether it ends.
    private func expectLifetimesEnd(
        _ store: StoreCore, _ fixture: StoreFixture,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try store.put([1], "of an hour", Self.hour())
        fixture.pass(.seconds(3000))
        #expect(store.contains("of an hour"), sourceLocation: sourceLocation)
        fixture.pass(.seconds(1000))
        #expect(try store.get("of an hour") == nil, sourceLocation: sourceLocation)
    }

    @Test func aClockThatWasYearsAhead() throws {
        let fixture = try StoreFixture()
        let right = fixture.now
        fixture.set(right.advanced(by: Self.year * 14))
        let value = StoreFixture.value(40_000)
        do {
            let store = try fixture.open()
            try store.put([2], "small")
            try store.put(value, "large")
            try store.remove("small")
            try store.put([3], "small")
            try store.put([3], "later")
            store.end()
        }
        fixture.set(right)
        do {
            let store = try fixture.open()
            // It need not have been found before.
            try store.put([4], "later")
            store.finishSweeping()
            #expect(try store.get("small") == [3])
            #expect(try store.get("large") == value)
            #expect(try store.get("later") == [4])
            try expectLifetimesEnd(store, fixture)
            store.end()
        }
        do {
            let again = try fixture.open()
            #expect(!again.wasLost)
            #expect(try again.get("small") == [3])
            again.end()
        }
        // Numbers go on, though the clock did not: what was put last is the last.
        try fixture.remove("index.log")
        let found = try fixture.open()
        found.finishSweeping()
        #expect(try found.get("small") == [3])
        #expect(try found.get("later") == [4])
    }

    /// As of a board without a battery, before it has asked for the time.
    @Test func aClockThatHadNotBeenSet() throws {
        let fixture = try StoreFixture()
        let right = fixture.now
        fixture.set(Timestamp(nanoseconds: 12_000_000_000))
        let store = try fixture.open()
        try store.put([2], "early", Self.hour())
        try store.put([3], "endless")
        fixture.set(right)
        #expect(try store.get("early") == nil)
        #expect(try store.get("endless") == [3])
        try expectLifetimesEnd(store, fixture)
        store.end()
        // One that is there, with a clock that is not set for once, is left as it is.
        fixture.set(Timestamp(nanoseconds: 12_000_000_000))
        let unset = try fixture.open()
        #expect(!unset.wasLost)
        #expect(try unset.get("endless") == [3])
        unset.end()
        fixture.set(right.advanced(by: .seconds(86400)))
        let later = try fixture.open()
        #expect(!later.wasLost)
        try expectLifetimesEnd(later, fixture)
    }

    @Test func aStoreThatHasBeenThereForTenYears() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            try store.put([7], "old")
            try store.put([8], "of a year", CacheAttributes(lifetime: Self.year))
            store.end()
        }
        for _ in 0..<10 {
            fixture.pass(Self.year)
            let store = try fixture.open()
            store.finishSweeping()
            #expect(try store.get("old") == [7])
            #expect(try store.get("of a year") == nil)
            try expectLifetimesEnd(store, fixture)
            store.end()
        }
    }

    /// The time of a store stays as long as anybody has it open.
    @Test func whoHasItOpenKeepsItsTime() throws {
        let fixture = try StoreFixture()
        do {
            let first = try fixture.open()
            try first.put([1], "of the first")
            fixture.pass(Self.year * 5)
            let second = try fixture.open()
            #expect(!second.wasLost)
            #expect(try second.get("of the first") == [1])
            try second.put([2], "of the second")
            try second.flush()
            #expect(try first.get("of the second") == [2])
            second.end()
            first.end()
        }
        let third = try fixture.open()
        #expect(third.wasLost)
        third.finishSweeping()
        #expect(try third.get("of the second") == [2])
        try expectLifetimesEnd(third, fixture)
    }

    /// Makes a store with one entry, and closes it.
    private func make(_ fixture: StoreFixture) throws {
        let store = try fixture.open()
        try store.put([1], "before")
        store.end()
    }

    /// All open it at once, and some find the old time before another has time begin anew.
    @Test func severalThatOpenItAtOnceAgree() throws {
        for round in 0..<40 {
            let fixture = try StoreFixture(on: .memory)
            try make(fixture)
            fixture.pass(Self.year * 5)
            let opened = Mutex<[StoreCore]>([])
            let threads = try (0..<4).map { number in
                try WorkerThread {
                    do {
                        let store = try fixture.open()
                        try store.put([UInt8(number)], "of \(number)")
                        try store.flush()
                        opened.withLock { $0.append(store) }
                    } catch {
                        Issue.record(error, "round \(round)")
                    }
                }
            }
            for thread in threads { thread.join() }
            let stores = opened.withLock { $0 }
            #expect(stores.count == 4, "round \(round)")
            #expect(stores.contains { $0.wasLost }, "round \(round)")
            for store in stores {
                store.finishSweeping()
                #expect(try store.get("before") == [1], "round \(round)")
                for number in 0..<4 {
                    #expect(try store.get("of \(number)") == [UInt8(number)], "round \(round)")
                }
            }
            try expectLifetimesEnd(stores[0], fixture)
            for store in stores { store.end() }
        }
    }
}
