//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R20: a cache store that is opened again")
struct StoreReopeningTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func knowsAllThatItKnew(seed: UInt64) throws {
        let fixture = try StoreFixture()
        var generator = SeededGenerator(seed: seed)
        var expected: [String: [UInt8]] = [:]
        let classes: [PurgeableClass] = [.temporary, .cache, .lastResort]
        for round in 0..<24 {
            let store = try fixture.open()
            // Tables of all sizes, whose entries stand in runs and around their ends.
            for _ in 0..<Int.random(in: 1...(round % 4 == 0 ? 400 : 12), using: &generator) {
                let key = "key \(Int.random(in: 0..<900, using: &generator))"
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    #expect(try store.remove(key) == (expected[key] != nil))
                    expected[key] = nil
                    continue
                }
                let isLarge = Int.random(in: 0..<50, using: &generator) == 0
                let value = StoreFixture.value(
                    isLarge ? 70_000 : Int.random(in: 0..<300, using: &generator),
                    seed: UInt8.random(in: 0...255, using: &generator))
                var attributes = CacheAttributes()
                attributes.purgeClass = classes[Int.random(in: 0..<3, using: &generator)]
                try store.put(value, key, attributes)
                expected[key] = value
            }
            // Some rounds end with a log that goes on behind its snapshot, some with a snapshot.
            if round % 3 == 0 { try store.flush(compacting: true) }
            store.end()
            let again = try fixture.open()
            #expect(again.statistics.entries == expected.count)
            #expect(again.statistics.liveBytes == store.statistics.liveBytes)
            for (key, value) in expected { #expect(try again.get(key) == value) }
            for number in 0..<900 where expected["key \(number)"] == nil {
                #expect(!again.contains("key \(number)"))
            }
            again.end()
        }
    }

    @Test func countsEachClassAsBefore() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for number in 0..<3000 {
            var attributes = CacheAttributes()
            attributes.purgeClass = number % 3 == 0 ? .temporary : .cache
            try store.put([UInt8(number & 0xFF)], "\(number)", attributes)
        }
        store.end()
        // Each that is put makes one go, of the first class as long as there is one.
        let again = try fixture.open(entryLimit: 3000)
        for number in 0..<1000 { try again.put([1], "new \(number)") }
        for number in 0..<3000 {
            #expect(again.contains("\(number)") == (number % 3 != 0), "\(number)")
        }
        try again.put([1], "one more")
        #expect(again.statistics.entries == 3000)
        #expect((0..<3000).count { again.contains("\($0)") } == 1999)
    }

    @Test(.tags(.r20h)) func remembersWhatWasDone() throws {
        let fixture = try StoreFixture()
        for _ in 0..<3 {
            let store = try fixture.open(limit: 2 << 20)
            for number in 0..<500 { try store.put(StoreFixture.value(10_000), "\(number)") }
            for number in 0..<600 { _ = try store.get("\(number)") }
            store.end()
        }
        // A snapshot has the sum as well.
        let last = try fixture.open(limit: 2 << 20)
        try last.flush(compacting: true)
        last.end()
        let path = fixture.directory.path.appending("store")
        let totals = try CacheInspection(of: path).totals
        #expect(totals.puts == 1500)
        #expect(totals.hits + totals.misses == 1800)
        #expect(totals.misses >= 300)
        #expect(totals.evictions > 900)
        #expect(totals.regrets > 0)
        #expect(try #require(totals.hitRatio) < 0.8)
    }

    /// It is put when it is whole, and not when it was begun.
    @Test func aStreamThatWasCommittedOutlivesItsProcess() throws {
        let fixture = try StoreFixture()
        let value = StoreFixture.value(200_000)
        do {
            let dead = try fixture.open()
            let writer = try dead.write("key")
            unsafe try writer.append(value.span.bytes)
            try dead.put([2], "key")
            try dead.flush()
            try writer.commit()
            #expect(try dead.get("key") == value)
        }
        let store = try fixture.open()
        store.finishSweeping()
        #expect(try store.get("key") == value)
    }
}
