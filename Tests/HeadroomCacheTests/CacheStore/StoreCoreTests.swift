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

@Suite("R20: cache store")
struct StoreCoreTests {
    @Test(arguments: [0, 1, 7, 8, 4096, 64 << 10, (64 << 10) + 1, 300_000])
    func whatWasPutIsGivenBack(length: Int) throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let value = StoreFixture.value(length, seed: 3)
        try store.put(value, "key")
        #expect(try store.get("key") == value)
        #expect(try store.get("other") == nil)
        #expect(try fixture.open().get("key") == value)
        try store.close()
        let again = try fixture.open()
        #expect(try again.get("key") == value)
        #expect(again.contains("key"))
        #expect(again.statistics.entries == 1)
    }

    @Test func whatIsPutAgainIsReplaced() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for length in [100, 75_000, 200, 80_000] {
            let value = StoreFixture.value(length, seed: UInt8(length & 0xFF))
            try store.put(value, "key")
            #expect(try store.get("key") == value)
            #expect(store.statistics.entries == 1)
            // Only the last has a file, if it is large.
            #expect(try fixture.names(".value").count == (length > 64 << 10 ? 1 : 0))
        }
        #expect(
            try fixture.open().get("key") == StoreFixture.value(80_000, seed: UInt8(80_000 & 0xFF)))
    }

    @Test func whatIsRemovedStaysAway() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        try store.put([1], "small")
        try store.put(StoreFixture.value(70_000), "large")
        #expect(try store.remove("small"))
        #expect(try store.remove("large"))
        #expect(try !store.remove("never"))
        #expect(try store.get("small") == nil)
        #expect(try store.get("large") == nil)
        // Neither by what was written last, nor by the log.
        #expect(try fixture.open().get("small") == nil)
        try store.close()
        let again = try fixture.open()
        #expect(try again.get("small") == nil)
        #expect(again.statistics.entries == 0)
        #expect(try fixture.names(".value").isEmpty)
    }

    @Test(.tags(.r20a)) func whatHasExpiredIsNotThere() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        try store.put([1], "brief", CacheAttributes(lifetime: .seconds(60)))
        try store.put([2], "lasting")
        #expect(try store.get("brief") == [1])
        fixture.pass(.seconds(61))
        #expect(try store.get("brief") == nil)
        #expect(!store.contains("brief"))
        #expect(try store.get("lasting") == [2])
    }

    @Test func aProcessThatDiesLosesNothing() throws {
        let fixture = try StoreFixture()
        var values: [String: [UInt8]] = [:]
        for round in 0..<5 {
            // Never closed: as if it had been killed.
            let store = try fixture.open()
            for (key, value) in values { #expect(try store.get(key) == value) }
            #expect(store.statistics.entries == values.count)
            for number in 0..<300 {
                let key = "key-\((number * 7 + round) % 500)"
                let length = number % 50 == 0 ? 70_000 : number * 11 % 3000
                let value = StoreFixture.value(length, seed: UInt8(round))
                try store.put(value, key)
                values[key] = value
                if number % 9 == 0, let other = values.keys.min() {
                    try store.remove(other)
                    values[other] = nil
                }
            }
        }
    }

    @Test(.tags(.r20b)) func neverMoreThanTheLimit() throws {
        let fixture = try StoreFixture()
        let limit = 4 << 20
        let store = try fixture.open(limit: limit)
        var random = SeededGenerator(seed: 11)
        for number in 0..<3000 {
            let length =
                Int.random(in: 0..<20, using: &random) == 0
                ? Int.random(in: 70_000..<200_000, using: &random)
                : Int.random(in: 0..<6000, using: &random)
            try store.put(StoreFixture.value(length), "key-\(number % 1500)")
            if number % 100 == 0 {
                #expect(try fixture.occupied() <= limit)
                #expect(store.statistics.allocated <= Int64(limit))
            }
        }
        #expect(store.statistics.evictions > 100)
        #expect(store.statistics.liveBytes > Int64(limit / 2))
    }

    @Test(.tags(.r20b)) func neverMoreEntriesThanTheLimit() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(entryLimit: 100)
        for number in 0..<1000 {
            // Times have a sixteenth of a second; within one there is no order.
            fixture.pass(.milliseconds(63))
            try store.put([1, 2, 3], "key-\(number)")
        }
        #expect(store.statistics.entries == 100)
        // The last ones, which are the least old.
        for number in 950..<1000 { #expect(store.contains("key-\(number)")) }
    }

    @Test func temporaryGoesFirstThenCachesThenLastResort() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(entryLimit: 30)
        let classes: [PurgeableClass] = [.lastResort, .cache, .temporary]
        for purgeClass in classes {
            for number in 0..<10 {
                fixture.pass(.seconds(1))
                try store.put([1], "\(purgeClass)-\(number)", CacheAttributes(as: purgeClass))
            }
        }
        func left(_ purgeClass: PurgeableClass) -> [Int] {
            (0..<10).filter { store.contains("\(purgeClass)-\($0)") }
        }
        for number in 0..<4 {
            try store.put([1], "new-\(number)", CacheAttributes(as: .lastResort))
        }
        #expect(left(.temporary) == [4, 5, 6, 7, 8, 9])
        #expect(left(.cache).count == 10)
        for number in 4..<14 {
            try store.put([1], "new-\(number)", CacheAttributes(as: .lastResort))
        }
        #expect(left(.temporary).isEmpty)
        #expect(left(.cache) == [4, 5, 6, 7, 8, 9])
        #expect(left(.lastResort).count == 10)
    }

    @Test func whatWasUsedStaysLonger() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(entryLimit: 10)
        for number in 0..<10 {
            fixture.pass(.seconds(1))
            try store.put([1], "key-\(number)")
        }
        fixture.pass(.seconds(1))
        _ = try store.get("key-0")
        for number in 10..<19 {
            fixture.pass(.seconds(1))
            try store.put([1], "key-\(number)")
        }
        #expect(store.contains("key-0"))
        #expect(!store.contains("key-1"))
    }

    @Test(.tags(.r20e)) func aByteThatFlipsCostsItsValueAndNoOther() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for number in 0..<20 {
            try store.put(StoreFixture.value(1000, seed: UInt8(number)), "key-\(number)")
            try store.put(StoreFixture.value(70_000, seed: UInt8(number)), "large-\(number)")
        }
        try store.close()
        for name in try fixture.names(".segment") + fixture.names(".value").prefix(3) {
            try fixture.flip(name, at: 500)
        }
        let again = try fixture.open()
        var missing = 0
        for number in 0..<20 {
            for (key, length) in [("key", 1000), ("large", 70_000)] {
                guard let value = try again.get("\(key)-\(number)") else {
                    missing += 1
                    continue
                }
                #expect(value == StoreFixture.value(length, seed: UInt8(number)))
            }
        }
        #expect(missing == 4)
        #expect(again.statistics.damaged == 4)
    }

    @Test func aFileThatIsGoneOrCutCostsWhatWasInIt() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        try store.put(StoreFixture.value(75_000, seed: 1), "gone")
        try store.put(StoreFixture.value(75_000, seed: 2), "cut")
        try store.put(StoreFixture.value(75_000, seed: 3), "whole")
        try store.close()
        let names = try fixture.names(".value")
        try fixture.remove(names[0])
        try fixture.cut(names[1], to: 100)
        let again = try fixture.open()
        #expect(try again.get("gone") == nil)
        #expect(try again.get("cut") == nil)
        #expect(try again.get("whole") == StoreFixture.value(75_000, seed: 3))
        try again.put([1], "gone")
        #expect(try again.get("gone") == [1])
    }

    @Test func whatCannotBeIsRefused() throws {
        let fixture = try StoreFixture()
        #expect(throws: HeadroomError.self) { try fixture.open(limit: 1000) }
        let store = try fixture.open(limit: 2 << 20)
        try store.put([1], "key")
        #expect(throws: HeadroomError.self) {
            try store.put(StoreFixture.value(1 << 20), "key")
        }
        #expect(throws: HeadroomError.self) {
            try store.put([1], String(repeating: "k", count: 1025))
        }
        #expect(try store.get("key") == [1])
    }

    @Test(arguments: CachePolicy.allCases)
    func whatComesBackSoonIsRegretted(policy: CachePolicy) throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(limit: 4 << 20, policy: policy)
        for name in 0..<1000 { try store.put(StoreFixture.value(10_000), "\(name)") }
        let gone = (0..<1000).filter { !store.contains("\($0)") }
        #expect(gone.count > 500)
        #expect(store.statistics.regrets == 0)
        let before = store.statistics
        for name in gone.suffix(50) { try store.put(StoreFixture.value(10_000), "\(name)") }
        let after = store.statistics
        // Those that went in between are evictions as well.
        #expect((25...50).contains(after.regrets))
        #expect(after.regretBytes >= Int64(after.regrets) * 10_000)
        #expect(before.evictions < after.evictions)
        // What was there, and what was never there, is not regretted.
        for name in 2000..<2100 { try store.put([1], "\(name)") }
        #expect(store.statistics.regrets == after.regrets)
    }

    @Test func whatHasExpiredIsAMiss() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open()
        store.finishSweeping()
        try store.put([1], "key", CacheAttributes(lifetime: .seconds(1)))
        fixture.pass(.seconds(2))
        #expect(try store.get("key") == nil)
        #expect(store.statistics.misses == 1)
        #expect(store.statistics.hits == 0)
    }
}
