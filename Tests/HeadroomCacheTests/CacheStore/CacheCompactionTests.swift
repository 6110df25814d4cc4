//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

@Suite("R20: making a store small")
struct CacheCompactionTests {
    private let fixture: StoreFixture
    private static let limit = 4 << 20

    init() throws { fixture = try StoreFixture(on: .memory) }

    @Test func leavesTheSettings() throws {
        do {
            let store = try fixture.open(limit: Self.limit)
            try store.put([1], "first")
            store.end()
        }
        let path = fixture.directory.path.appending("store")
        _ = try CacheCompaction.compact(path)
        let inspection = try CacheInspection(of: path)
        #expect(inspection.limit == .mebibytes(4))
        #expect(inspection.policy == .leastRecentlyUsed)
    }

    /// Segments that are too large for the store could be moved by nobody later.
    @Test func costsNothingLater() throws {
        do {
            let store = try fixture.open(limit: Self.limit)
            store.finishSweeping()
            var random = SeededGenerator(seed: 7)
            for _ in 0..<6000 {
                let key = Int.random(in: 0..<1500, using: &random)
                if try store.get("\(key)") == nil {
                    try store.put(StoreFixture.value(3000), "\(key)")
                }
                fixture.pass(.seconds(1))
            }
            for key in 0..<1500 where key % 3 == 0 { try store.remove("\(key)") }
            store.end()
        }
        let outcome = try CacheCompaction.compact(fixture.directory.path.appending("store"))
        #expect(outcome.after < outcome.before)
        let store = try fixture.open(limit: Self.limit)
        store.finishSweeping()
        for number in 0..<700 {
            try store.put(StoreFixture.value(3000), "more-\(number)")
            fixture.pass(.seconds(1))
        }
        // As many as would go without: the limit holds so many.
        #expect(store.statistics.evictions < 350)
        #expect(store.statistics.entries > 1200)
    }
}
