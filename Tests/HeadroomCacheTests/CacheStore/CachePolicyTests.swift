//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Testing

@Suite("R20: order of eviction")
struct CachePolicyTests {
    /// Which of 1 to 5 are there after as many more entries, of the class `lastResort`, were put.
    private func left(
        of policy: CachePolicy, after more: Int, _ sizes: [Int] = [100, 100, 100, 100, 100],
        _ attributes: [CacheAttributes] = Array(repeating: CacheAttributes(), count: 5),
        used: [UInt64] = []
    ) -> [UInt64] {
        var store = CacheSimulation(
            CacheOptions(limit: .mebibytes(16), entryLimit: 5, policy: policy))
        for number in 0..<5 {
            // Some time passes with each.
            _ = store.get(1000)
            store.put(UInt64(number + 1), bytes: sizes[number], attributes[number])
        }
        for key in used + [1000, 1000, 1000] { _ = store.get(key) }
        for number in 0..<more {
            _ = store.get(1000)
            store.put(UInt64(100 + number), bytes: 100, CacheAttributes(as: .lastResort))
        }
        var left: [UInt64] = []
        for key in 1...5 where store.get(UInt64(key)) { left.append(UInt64(key)) }
        return left
    }

    @Test func whatWasNotUsedForLongestGoesFirst() {
        #expect(left(of: .leastRecentlyUsed, after: 2, used: [1, 2]) == [1, 2, 5])
    }

    @Test func whatIsOldestGoesFirstThoughItIsUsed() {
        #expect(left(of: .oldestCreated, after: 2, used: [1, 2]) == [3, 4, 5])
    }

    @Test func sieveSparesWhatWasUsedOnce() {
        // 1 is passed and not looked at again until all others were.
        #expect(left(of: .sieve, after: 3, used: [1, 3]) == [1, 3])
    }

    @Test func whatIsLargeGoesBeforeWhatIsAsOld() {
        #expect(
            left(of: .costAware, after: 2, [100, 9000, 100, 20_000, 100]) == [1, 3, 5])
    }

    @Test func whatIsCheapToGetAgainGoesFirst() {
        let costs = [900, 1, 900, 2, 900].map { CacheAttributes(cost: .milliseconds($0)) }
        #expect(
            left(of: .costAware, after: 2, Array(repeating: 100, count: 5), costs) == [1, 3, 5])
    }

    @Test func whatIsImportantGoesLater() {
        let importances = [250, 0, 250, 0, 250].map { CacheAttributes(importance: $0) }
        #expect(
            left(of: .costAware, after: 2, Array(repeating: 100, count: 5), importances)
                == [1, 3, 5])
    }

    @Test func whatIsUsedOftenGoesLater() {
        #expect(
            left(of: .costAware, after: 3, used: [1, 4, 1, 4, 1, 4]) == [1, 4])
    }

    @Test(arguments: CachePolicy.allCases)
    func theClassCountsBeforeEverythingElse(policy: CachePolicy) {
        let classes: [PurgeableClass] = [.cache, .cache, .cache, .temporary, .temporary]
        // What is temporary is small, dear, the latest, and used.
        let attributes = classes.map {
            CacheAttributes(as: $0, cost: $0 == .temporary ? .seconds(9) : .zero)
        }
        #expect(
            left(of: policy, after: 2, [9000, 9000, 9000, 1, 1], attributes, used: [4, 5])
                == [1, 2, 3])
    }

    @Test(arguments: CachePolicy.allCases)
    func whatHasExpiredGoesBeforeWhatHasNot(policy: CachePolicy) {
        var attributes = Array(repeating: CacheAttributes(), count: 5)
        attributes[3].lifetime = .milliseconds(100)
        attributes[4].lifetime = .milliseconds(100)
        #expect(
            left(of: policy, after: 2, Array(repeating: 100, count: 5), attributes) == [1, 2, 3])
    }

    /// It takes the place in the table of what was there before, which may stand in the queue already.
    @Test(arguments: [CachePolicy.oldestCreated, .sieve, .leastRecentlyUsed])
    func whatIsPutAnewIsTheYoungest(policy: CachePolicy) {
        var store = CacheSimulation(
            CacheOptions(limit: .mebibytes(16), entryLimit: 100, policy: policy))
        // With the last of these one has gone, and those that are to go next are lined up.
        for key in Array(0...100) + [1, 101] {
            _ = store.get(1000)
            store.put(UInt64(key), bytes: 10)
        }
        var left: [UInt64] = []
        for key in 0..<4 where store.get(UInt64(key)) { left.append(UInt64(key)) }
        #expect(left == [1, 3])
    }

    /// Nobody has asked for it since: it does not stay until the clock is there once more.
    @Test(arguments: CachePolicy.allCases)
    func whatWasPutWhileTheClockWasAheadGoesFirst(policy: CachePolicy) throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(entryLimit: 100, policy: policy)
        let year = Duration.seconds(365 * 86_400)
        fixture.pass(year)
        for number in 0..<100 { try store.put([1], "early-\(number)") }
        fixture.pass(.zero - year)
        for number in 0..<200 {
            fixture.pass(.seconds(10))
            try store.put([2], "late-\(number)")
            if number > 0 { _ = try store.get("late-\(number - 1)") }
        }
        #expect((0..<100).count { store.contains("early-\($0)") } == 0)
    }

    /// The same, where they are too many for an exact order.
    @Test(arguments: [CachePolicy.leastRecentlyUsed, .oldestCreated])
    func ofManyToo(policy: CachePolicy) throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(entryLimit: 5000, policy: policy)
        let year = Duration.seconds(365 * 86_400)
        fixture.pass(year)
        for number in 0..<5000 { try store.put([1], "early-\(number)") }
        fixture.pass(.zero - year)
        for number in 0..<5500 {
            fixture.pass(.seconds(1))
            try store.put([2], "late-\(number)")
        }
        #expect((0..<5000).count { store.contains("early-\($0)") } < 50)
    }

    /// What one thread puts while another is writing is not of a clock that is wrong.
    @Test func whatIsAMomentAheadIsTheYoungest() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(entryLimit: 10, policy: .oldestCreated)
        for number in 0..<9 { try store.put([1], "\(number)") }
        fixture.pass(.seconds(60))
        try store.put([1], "ahead")
        fixture.pass(.seconds(-50))
        for number in 9..<18 { try store.put([1], "\(number)") }
        #expect(store.contains("ahead"))
    }

    // MARK: - Beside exact models

    @Test(arguments: [CachePolicy.leastRecentlyUsed, .oldestCreated, .sieve], [7, 300])
    func aFewThousandEntriesGoInExactOrder(policy: CachePolicy, limit: Int) {
        let seed = UInt64(limit) + 5
        var random = SeededGenerator(seed: seed)
        var store = CacheSimulation(
            CacheOptions(limit: .mebibytes(16), entryLimit: limit, policy: policy))
        var model = ListOfKeys(policy: policy, limit: limit)
        for number in 0..<8_000 {
            let unit = Double.random(in: 0..<1, using: &random)
            let key = UInt64(Double(limit * 8) * unit * unit * unit)
            let isThere = store.request(key, bytes: 10)
            let isInModel = model.request(key)
            guard isThere == isInModel else {
                Issue.record("seed \(seed): request \(number) for \(key) of \(policy)")
                return
            }
        }
    }

    @Test(arguments: CachePolicy.allCases)
    func anEvictionCostsTheSameHoweverManyEntriesThereAre(policy: CachePolicy) {
        func steps(_ count: Int) -> Double {
            var random = SeededGenerator(seed: 3)
            var store = CacheSimulation(
                CacheOptions(limit: .gibibytes(16), entryLimit: count, policy: policy))
            for number in 0..<2 * count {
                let bytes = number % 50 == 0 ? 900_000 : 100
                store.request(UInt64(number), bytes: bytes)
                store.request(UInt64(Int.random(in: 0...number, using: &random)), bytes: 100)
            }
            return Double(store.stepsToEvict) / Double(store.statistics.evictions)
        }
        let (few, many) = (steps(5_000), steps(15_000))
        #expect(few < 300)
        #expect(many < 300)
    }

    /// The store looks for what goes while it writes what comes: that finds the same.
    @Test(arguments: CachePolicy.allCases)
    func lookingAheadChangesNothing(policy: CachePolicy) {
        let options = CacheOptions(limit: .gibibytes(16), entryLimit: 6_000, policy: policy)
        var store = CacheSimulation(options)
        var other = CacheSimulation(options)
        other.isPreparing = false
        var random = SeededGenerator(seed: 11)
        for number in 0..<60_000 {
            let unit = Double.random(in: 0..<1, using: &random)
            let key = UInt64(40_000 * unit * unit)
            let bytes = number % 50 == 0 ? 900_000 : 100
            let attributes = CacheAttributes(as: number % 7 == 0 ? .temporary : .cache)
            let isThere = store.request(key, bytes: bytes, attributes)
            guard other.request(key, bytes: bytes, attributes) == isThere else {
                Issue.record("request \(number)")
                return
            }
        }
        #expect(store.statistics == other.statistics)
        #expect(store.statistics.evictions > 10_000)
        #expect(store.stepsToEvict == other.stepsToEvict)
    }

    @Test func aFewOfAnotherClassAreFoundAmongMany() {
        var store = CacheSimulation(CacheOptions(limit: .gibibytes(1), entryLimit: 10_000))
        for number in 0..<10_000 { store.put(UInt64(number), bytes: 100) }
        let before = store.stepsToEvict
        for number in 0..<2_000 {
            store.put(
                UInt64(100_000 + number), bytes: 100, CacheAttributes(as: .temporary))
        }
        #expect(store.statistics.evictions == 2_000)
        #expect(Double(store.stepsToEvict - before) / 2_000 < 300)
    }
}

/// Keys in the order of their last use or creation: exact, and slow.
private struct ListOfKeys {
    let policy: CachePolicy
    let limit: Int
    /// The oldest first.
    private var keys: [UInt64] = []
    private var visited: Set<UInt64> = []
    private var hand = 0

    init(policy: CachePolicy, limit: Int) {
        self.policy = policy
        self.limit = limit
    }

    mutating func request(_ key: UInt64) -> Bool {
        if let place = keys.firstIndex(of: key) {
            visited.insert(key)
            if policy == .leastRecentlyUsed {
                keys.remove(at: place)
                keys.append(key)
            }
            return true
        }
        if keys.count == limit { evict() }
        keys.append(key)
        return false
    }

    private mutating func evict() {
        guard policy == .sieve else {
            keys.removeFirst()
            return
        }
        while visited.remove(keys[hand]) != nil {
            hand = hand + 1 < keys.count ? hand + 1 : 0
        }
        keys.remove(at: hand)
        // Behind the latest it begins again.
        if hand == keys.count { hand = 0 }
    }
}
