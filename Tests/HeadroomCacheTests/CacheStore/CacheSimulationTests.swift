//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Testing

@Suite("R20: cache simulation")
struct CacheSimulationTests {
    @Test(arguments: CachePolicy.allCases)
    func hitsAreThoseOfAStoreOnADisk(policy: CachePolicy) throws {
        let fixture = try StoreFixture()
        let limit = 3 << 20
        let store = try fixture.open(limit: limit, policy: policy)
        var simulation = CacheSimulation(
            CacheOptions(limit: ByteCount(Int64(limit)), policy: policy), keyBytes: 16)
        var random = SeededGenerator(seed: 41)
        var hits = 0
        let requests = 8000
        for _ in 0..<requests {
            // Some are asked for much more often than others.
            let unit = Double.random(in: 0..<1, using: &random)
            let number = Int(3000 * unit * unit * unit)
            let length = number % 40 == 0 ? 50_000 : 500 + number % 7 * 700
            fixture.pass(.nanoseconds(62_500_000))
            let key = "key-" + String(100_000_000_000 + number)
            if try store.get(key) != nil {
                hits += 1
            } else {
                try store.put(StoreFixture.value(length), key)
            }
            simulation.request(UInt64(number), bytes: length)
        }
        let simulated = simulation.statistics
        let allocated = simulation.occupied.allocated
        let difference = abs(hits - simulated.hits)
        #expect(difference * 100 <= requests, "\(hits) and \(simulated.hits)")
        #expect(hits > requests / 3)
        #expect(simulated.evictions > 500)
        #expect(allocated <= Int64(limit))
    }

    @Test func whatWasGivenUpIsThereUntilItsBytesAreNeeded() {
        // Packed values: what is given up is what has not been used for longest.
        var simulation = CacheSimulation(
            CacheOptions(limit: .mebibytes(4), policy: .leastRecentlyUsed))
        var number: UInt64 = 0
        while simulation.statistics.evictions == 0 {
            simulation.put(number, bytes: 1000)
            number += 1
        }
        // Little room is left unused for it.
        let (_, liveBytes, allocated) = simulation.occupied
        #expect(allocated <= 4 << 20)
        #expect(liveBytes > (4 << 20) * 9 / 10)
        let isThere = simulation.get(number - 1)
        #expect(isThere)
    }
}
