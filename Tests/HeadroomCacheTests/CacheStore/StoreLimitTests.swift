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

@Suite("R20: lower limits, and locks on the directory")
struct StoreLimitTests {
    /// What stays is scattered over all segments, and is moved together within what was occupied before.
    @Test func aLowerLimitKeepsTheBetterHalf() throws {
        let fixture = try StoreFixture(on: .memory)
        let count = 8_000
        do {
            let store = try fixture.open(limit: 64 << 20)
            store.finishSweeping()
            // Half of each segment has expired then, and goes first.
            for number in 0..<count {
                try store.put(
                    StoreFixture.value(4_000), "key-\(number)",
                    CacheAttributes(lifetime: number % 2 == 0 ? nil : .seconds(30)))
            }
            store.end()
        }
        fixture.pass(.seconds(60))
        let before = try fixture.occupied()
        let store = try fixture.open(limit: 17 << 20)
        store.finishSweeping()
        #expect(store.statistics.allocated <= 17 << 20)
        #expect(try fixture.occupied() <= 17 << 20)
        let left = (0..<count).count { store.contains("key-\($0)") }
        // A quarter of what is closed may be dead before it is moved together.
        #expect(left > count * 7 / 20, "\(left) of \(count / 2) in \(before) bytes before")
        store.end()
    }

    /// As a lease on a value, or a purge, hold it for as long as they take.
    private func withDirectoryLocked<Result>(
        _ fixture: StoreFixture, _ body: () throws -> Result
    ) throws -> Result {
        let directory = try StateDirectory(opening: fixture.directory.path.appending("store"))
        try directory.lock(limit: .seconds(1))
        defer { directory.unlock() }
        return try body()
    }

    private func logSize(_ fixture: StoreFixture) throws -> Int64 {
        try fixture.directory.tree.status(of: "store/index.log").logicalSize.bytes
    }

    @Test func aLockOnTheDirectoryHoldsNoSnapshotUp() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open()
        store.finishSweeping()
        try withDirectoryLocked(fixture) {
            let start = ContinuousClock.now
            for number in 0..<10_000 { try store.put([1], "key-\(number)") }
            for number in 0..<10_000 { try store.remove("key-\(number)") }
            store.end()
            #expect(start.duration(to: .now) < .seconds(4))
            // Of nothing there is little to tell.
            #expect(try logSize(fixture) < 64 << 10)
        }
    }

    /// A purge of a store locks the directory, and then opens the store in it.
    @Test(arguments: [false, true])
    func aPurgeThatLocksTheDirectoryTakesValuesAndNoSegments(isLogDamaged: Bool) throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let store = try fixture.open()
            store.finishSweeping()
            for number in 0..<20_000 { try store.put(StoreFixture.value(1_000), "key-\(number)") }
            store.end()
        }
        if isLogDamaged { try fixture.flip("index.log", at: UInt64(try logSize(fixture) / 2)) }
        let directory = try StateDirectory(opening: fixture.directory.path.appending("store"))
        let now = fixture.now
        try withDirectoryLocked(fixture) {
            let start = ContinuousClock.now
            let yield = try StoreRelief.run(
                StoreDemand(bytes: 8 << 20), in: directory, clock: { now })
            #expect(yield.bytes >= 8 << 20)
            #expect(yield.wholeSegments == 0)
            #expect(start.duration(to: .now) < .seconds(5))
        }
    }

    /// Two make the log at once: one of them does, and both have it.
    @Test func whoMakesTheLogIsAlone() throws {
        let fixture = try StoreFixture(on: .memory)
        for round in 0..<20 {
            let stores = Mutex<[StoreCore]>([])
            let threads = try (0..<4).map { _ in
                try WorkerThread {
                    guard let store = try? fixture.open() else { return }
                    stores.withLock { $0.append(store) }
                }
            }
            for thread in threads { thread.join() }
            let opened = stores.withLock { $0 }
            #expect(opened.count == 4)
            for (number, store) in opened.enumerated() {
                store.finishSweeping()
                try store.put([UInt8(number)], "\(round)-\(number)")
            }
            for (number, store) in opened.enumerated() {
                for other in opened.indices {
                    #expect(try store.get("\(round)-\(other)") == [UInt8(other)], "\(number)")
                }
            }
            for store in opened { store.end() }
            try fixture.remove("index.log")
        }
    }
}
