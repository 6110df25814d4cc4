//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

/// All that can be done with a store at once, by threads that share it, and by others that have it open beside.
/// The thread sanitizer runs this, too (`Scripts/sanitize Store`).
@Suite("R20: many threads on one store")
struct StoreThreadTests {
    private static let limit = 4 << 20

    @Test(arguments: [nil, 120])
    func nothingWrongAndNothingOld(entryLimit: Int?) throws {
        let fixture = try StoreFixture(on: .memory)
        let crew = Crew(fixture, entryLimit: entryLimit)
        let shared = try crew.open()
        let beside = try crew.open()
        var threads: [WorkerThread] = []
        for number in 0..<6 {
            let store = number < 4 ? shared : beside
            threads.append(try WorkerThread { crew.work(on: store, seed: UInt64(number)) })
        }
        threads.append(try WorkerThread { crew.tidy(shared) })
        threads.append(try WorkerThread { crew.comeAndGo() })
        for thread in threads { thread.join() }
        #expect(crew.problems == [])
        #expect(crew.ledger.problems.withLock { $0 } == [])
        #expect(crew.ledger.found.withLock { $0 } > 500)
        // What the one tells the other reads.
        for _ in 0..<2 {
            for store in [shared, beside] {
                store.finishSweeping()
                try store.flush()
            }
        }
        #expect(shared.statistics.entries == beside.statistics.entries)
        #expect(shared.statistics.entries <= entryLimit ?? .max)
        #expect(try fixture.occupied() <= Self.limit)
        shared.end()
        beside.end()
        let last = try crew.open()
        crew.checkAll(last)
        #expect(crew.ledger.problems.withLock { $0 } == [])
        #expect(last.statistics.damaged == 0)
    }

    /// Who works on the store, and what was found that cannot be.
    private final class Crew: Sendable {
        let ledger = VersionLedger()
        private let fixture: StoreFixture
        private let entryLimit: Int?
        private let found = Mutex<[String]>([])
        private static let operations = 1200

        init(_ fixture: StoreFixture, entryLimit: Int?) {
            self.fixture = fixture
            self.entryLimit = entryLimit
        }

        var problems: [String] { found.withLock { $0 } }

        func open() throws -> StoreCore {
            try fixture.open(
                limit: StoreThreadTests.limit, entryLimit: entryLimit, policy: .costAware,
                heedsPressure: false)
        }

        private func note(_ body: () throws -> Void) {
            do {
                try body()
            } catch let error as HeadroomError where error.code == .storeFull {
                // Others hold what there is.
            } catch {
                found.withLock { $0.append("\(error)") }
            }
        }

        func work(on store: StoreCore, seed: UInt64) {
            var random = SeededGenerator(seed: seed &+ 17)
            for _ in 0..<Self.operations { note { try step(store, &random) } }
        }

        private func step(_ store: StoreCore, _ random: inout SeededGenerator) throws {
            let key = Int.random(in: 0..<VersionLedger.keys, using: &random)
            let name = "key-\(key)"
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<40:
                let isLarge = Int.random(in: 0..<12, using: &random) == 0
                let length = Int.random(in: 16..<(isLarge ? 90_000 : 4000), using: &random)
                let tags = key % 7 == 0 ? ["seventh"] : []
                let attributes = CacheAttributes(
                    as: key % 3 == 0 ? .temporary : .cache, tags: tags)
                let isStreamed = Int.random(in: 0..<8, using: &random) == 0
                try ledger.put(key, length) { value in
                    guard isStreamed else { return try store.put(value, name, attributes) }
                    let writer = try store.write(name, attributes)
                    unsafe try writer.append(value.span.bytes)
                    try writer.commit()
                }
            case 40..<45: try ledger.remove(key) { try store.remove(name) }
            case 45..<50:
                let version = ledger.completed(key)
                guard let value = try store.open(name) else { return }
                ledger.check(try value.read(value.length, at: 0), key, atLeast: version)
                unsafe ledger.check(
                    try value.mapped().withBytes { unsafe Array($0) }, key, atLeast: version)
            case 50..<53:
                let pin = try store.pin(name)
                try get(key, store)
                withExtendedLifetime(pin) {}
            case 53: _ = store.details(name)
            default: try get(key, store)
            }
        }

        private func get(_ key: Int, _ store: StoreCore) throws {
            let version = ledger.completed(key)
            if let value = try store.get("key-\(key)") {
                ledger.check(value, key, atLeast: version)
            }
        }

        func checkAll(_ store: StoreCore) {
            for key in 0..<VersionLedger.keys { note { try get(key, store) } }
        }

        /// Gives entries up, moves the rest together, and writes down what there is.
        func tidy(_ store: StoreCore) {
            for number in 0..<40 {
                note {
                    switch number % 8 {
                    case 0: store.shrink(by: 200_000)
                    case 1: try store.flush(synchronizing: true, compacting: true)
                    case 2: try store.close()
                    case 3:
                        store.releaseMemory()
                        _ = store.statistics
                        _ = store.indexMemory
                    case 4:
                        _ = try CacheCompaction.compact(
                            fixture.directory.path.appending("store"))
                    case 5: store.forEachEntry { _ in }
                    case 6: try store.removeAll(tagged: "seventh")
                    default: _ = store.fileNames
                    }
                }
            }
        }

        /// Opens the store, looks, puts something, and closes it or does not.
        func comeAndGo() {
            var random = SeededGenerator(seed: 99)
            for number in 0..<12 {
                note {
                    let store = try open()
                    for _ in 0..<40 { try step(store, &random) }
                    if number % 3 == 0 { try store.removeAll() }
                    if number % 2 == 0 { store.end() }
                }
            }
        }
    }
}
