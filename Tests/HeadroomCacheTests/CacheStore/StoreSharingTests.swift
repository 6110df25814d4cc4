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

/// Several stores on one directory. Their locks are those of open files, so that two in one process are to
/// each other what two processes are.
@Suite("R20: several processes on one store")
struct StoreSharingTests {
    @Test(arguments: [100, 75_000])
    func whatOnePutsTheOtherFinds(length: Int) throws {
        let fixture = try StoreFixture()
        let first = try fixture.open()
        let early = StoreFixture.value(length, seed: 1)
        try first.put(early, "early")
        // Nothing of this is in the log yet.
        let second = try fixture.open()
        #expect(try second.get("early") == early)
        let late = StoreFixture.value(length, seed: 2)
        try first.put(late, "late")
        #expect(try second.get("late") == late)
        try second.put(late, "answer")
        #expect(try first.get("answer") == late)
        #expect(second.statistics.damaged == 0)
    }

    /// Who knows that there is nothing does not ask whether that is still so.
    @Test func whatAnotherProcessPutsInPlaceOfNothingIsFound() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        let second = try fixture.open()
        first.finishSweeping()
        second.finishSweeping()
        let key = Array("key".utf8)
        unsafe try first.putNothing(under: key.span.bytes, CacheAttributes())
        try second.flush()
        #expect(try second.get("key") == nil)
        try first.put([1], "key")
        #expect(try second.get("key") == [1])
    }

    /// A process that reads what another puts, until both have room for few.
    @Test(arguments: [CachePolicy.leastRecentlyUsed, .costAware, .sieve])
    func whatAnotherProcessReadsIsUsed(policy: CachePolicy) throws {
        let fixture = try StoreFixture(on: .memory)
        let writer = try fixture.open(entryLimit: 100, policy: policy)
        for number in 0..<90 { try writer.put([1], "\(number)") }
        try writer.flush()
        let reader = try fixture.open(entryLimit: 100, policy: policy)
        let wanted = (0..<90).filter { $0 % 9 == 4 }
        for _ in 0..<5 {
            fixture.pass(.seconds(100))
            for number in wanted { #expect(try reader.get("\(number)") == [1]) }
            try reader.flush()
        }
        for number in 90..<170 { try writer.put([2], "\(number)") }
        #expect(wanted.filter { writer.contains("\($0)") }.count >= 9)
    }

    /// What was marked may be about to be told; what is damaged will be nothing else.
    @Test(arguments: [100, 100_000])
    func whatIsDamagedIsNotWaitedFor(length: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let looks = Atomic(0)
        let first = try fixture.open()
        let second = try fixture.open(step: { step in
            if step == .logAppended { looks.add(1, ordering: .relaxed) }
        })
        first.finishSweeping()
        second.finishSweeping()
        try first.put(StoreFixture.value(length), "key")
        #expect(try second.get("key") != nil)
        let name = try #require(
            try (fixture.names(".segment") + fixture.names(".value")).first)
        try fixture.flip(name, at: 80)
        let before = looks.load(ordering: .relaxed)
        #expect(try second.get("key") == nil)
        #expect(looks.load(ordering: .relaxed) - before <= 2)
        #expect(second.statistics.damaged == 1)
    }

    /// Who finds that a segment is gone waits once, and not for each value that was in it.
    @Test func aSegmentThatIsGoneIsWaitedForOnce() throws {
        let fixture = try StoreFixture(on: .memory)
        let first = try fixture.open()
        let second = try fixture.open()
        first.finishSweeping()
        second.finishSweeping()
        for number in 0..<10 { try first.put([1], "\(number)") }
        first.releaseMemory()
        try first.close()
        for name in try fixture.names(".segment") { try fixture.remove(name) }
        let start = ContinuousClock.now
        for number in 0..<10 { #expect(try second.get("\(number)") == nil) }
        // Each wait is of 1.3 seconds.
        #expect(ContinuousClock.now - start < .seconds(9))
        #expect(second.statistics.entries == 0)
    }

    @Test(arguments: [100, 75_000])
    func whatOneReplacesTheOtherDoesNotFind(length: Int) throws {
        let fixture = try StoreFixture()
        let first = try fixture.open()
        let second = try fixture.open()
        for round in 1...20 {
            let writer = round % 2 == 0 ? first : second
            let reader = round % 2 == 0 ? second : first
            let value = StoreFixture.value(length, seed: UInt8(round))
            try writer.put(value, "key")
            #expect(try reader.get("key") == value)
        }
        #expect(try first.remove("key"))
        #expect(try second.get("key") == nil)
        #expect(try !second.remove("key"))
        try first.put([7], "key")
        #expect(try second.remove("key"))
        #expect(try first.get("key") == nil)
        #expect(first.statistics.entries == 0)
    }

    @Test(.tags(.r20c)) func theLimitIsOneForAll() throws {
        let fixture = try StoreFixture()
        let limit = 4 << 20
        let stores = try (0..<3).map { _ in try fixture.open(limit: limit, entryLimit: 600) }
        var random = SeededGenerator(seed: 5)
        for number in 0..<3000 {
            let length =
                Int.random(in: 0..<20, using: &random) == 0
                ? Int.random(in: 70_000..<200_000, using: &random)
                : Int.random(in: 0..<6000, using: &random)
            try stores[number % 3].put(StoreFixture.value(length), "key-\(number % 1500)")
            if number % 50 == 0 {
                #expect(try fixture.occupied() <= limit)
                #expect(stores[number % 3].statistics.entries <= 600)
            }
        }
        #expect(try fixture.occupied() > limit / 3)
        let names = try fixture.names(".value").count
        #expect(names > 0 && names <= 600)
    }

    @Test func aNewSnapshotIsReadByTheOther() throws {
        let fixture = try StoreFixture()
        let first = try fixture.open()
        let second = try fixture.open()
        for number in 0..<2000 { try first.put([UInt8(number & 255)], "key-\(number)") }
        try first.flush(compacting: true)
        try second.put([1], "mine")
        for number in 0..<2000 {
            #expect(try second.get("key-\(number)") == [UInt8(number & 255)])
        }
        #expect(try first.get("mine") == [1])
        #expect(second.statistics.entries == 2001)
    }

    @Test func whatADeadOneHeldIsGivenBack() throws {
        let fixture = try StoreFixture()
        let limit = 4 << 20
        let living = try fixture.open(limit: limit)
        do {
            let dying = try fixture.open(limit: limit)
            try dying.put(StoreFixture.value(100_000, seed: 9), "large")
            try dying.put(StoreFixture.value(100, seed: 9), "small")
        }
        for number in 0..<200 {
            try living.put(StoreFixture.value(30_000), "key-\(number)")
            fixture.pass(.seconds(1))
        }
        #expect(living.statistics.allocated <= Int64(limit))
        // Nearly all of it, but for what is kept free.
        #expect(try fixture.occupied() > limit / 2)
        let third = try fixture.open(limit: limit)
        #expect(try third.get("key-199") == StoreFixture.value(30_000))
    }

    /// Who has not read the log since a record was moved must not go on reading it where it was.
    @Test func whatWasMovedAndReplacedIsNotFoundWhereItWas() throws {
        let fixture = try StoreFixture(on: .memory)
        var options = CacheOptions(limit: .mebibytes(1))
        options.heedsPressure = false
        let stores = Mutex<[StoreCore]>([])
        let moves = Mutex(0)
        let wrong = Mutex<[String]>([])
        let mover = try StoreCore(
            at: fixture.directory.path.appending("store"), options,
            step: { step in
                let others = stores.withLock { $0 }
                guard step == .moveTold, others.count == 2 else { return }
                let seed = moves.withLock { moves in
                    moves += 1
                    return UInt8(truncatingIfNeeded: moves)
                }
                let value = StoreFixture.value(2000, seed: seed)
                for number in 0..<40 where number % 10 == Int(seed) % 10 {
                    try? others[0].put(value, "kept-\(number)")
                    if (try? others[1].get("kept-\(number)")) != value {
                        wrong.withLock { $0.append("kept-\(number) at move \(seed)") }
                    }
                }
            })
        let others = try (0..<2).map { _ in try fixture.open(limit: 1 << 20) }
        let value = StoreFixture.value(2000, seed: 0)
        for number in 0..<40 {
            try mover.put(value, "kept-\(number)")
            for part in 0..<5 { try mover.put(value, "other-\(number)-\(part)") }
        }
        for number in 0..<40 { #expect(try others[1].get("kept-\(number)") == value) }
        stores.withLock { $0 = others }
        // At random, so that no segment is soon without anything of use.
        var random = SeededGenerator(seed: 3)
        for _ in 0..<4000 {
            let number = Int.random(in: 0..<200, using: &random)
            try mover.put(value, "other-\(number / 5)-\(number % 5)")
        }
        #expect(moves.withLock { $0 } > 20)
        #expect(wrong.withLock { $0 } == [])
    }

    /// A process that opens the store finds a record on disk of which its writer is about to tell, and tells
    /// of it itself, with a new index file.
    @Test func aRecordThatAnotherHasToldStays() throws {
        let fixture = try StoreFixture(on: .memory)
        var options = CacheOptions(limit: .mebibytes(8))
        options.heedsPressure = false
        let path = fixture.directory.path.appending("store")
        let isArmed = Mutex(false)
        let other = Mutex<StoreCore?>(nil)
        let store = try StoreCore(
            at: path, options,
            step: { [options] step in
                guard step == .recordWritten, isArmed.withLock({ $0 }) else { return }
                isArmed.withLock { $0 = false }
                let second = try? StoreCore(at: path, options)
                try? second?.flush(compacting: true)
                other.withLock { $0 = second }
            })
        // Each put is told at once from now on.
        let idle = try StoreCore(at: path, options)
        defer { idle.end() }
        // So many that a new index file is worth it.
        for number in 0..<3000 { try store.put([1], "key-\(number)") }
        let before = try fixture.directory.tree.status(of: "store/index.log").identity
        isArmed.withLock { $0 = true }
        try store.put([2], "late")
        #expect(try fixture.directory.tree.status(of: "store/index.log").identity != before)
        #expect(try store.get("late") == [2])
        #expect(try other.withLock { $0 }?.get("late") == [2])
    }

    /// Who has an old file open under a number would take it for the new one.
    @Test func numbersOfSegmentsAreNotGivenAgain() throws {
        let fixture = try StoreFixture(on: .memory)
        let other = try fixture.open(limit: 8 << 20)
        let store = try fixture.open(limit: 8 << 20)
        for number in 0..<3000 { try store.put(StoreFixture.value(300), "key-\(number)") }
        let last = try #require(try fixture.names(".segment").max())
        try store.removeAll()
        try store.close()
        #expect(try fixture.names(".segment") == [])
        // The index file is new by now, and tells only of what is there.
        try other.put([1], "key")
        let third = try fixture.open(limit: 8 << 20)
        try third.put([2], "other")
        let names = try fixture.names(".segment")
        #expect(names.count == 2)
        #expect(names.allSatisfy { $0 > last })
    }

    /// What is found was put under that key, and is not older than the last put that had returned.
    @Test(.tags(.r20c), arguments: [1, 2, 3])
    func nothingWrongAndNothingOld(seed: UInt64) async throws {
        let fixture = try StoreFixture(on: .memory)
        let ledger = VersionLedger()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    try hammer(fixture, ledger, seed: seed &* 31 &+ UInt64(worker), count: 2500)
                }
            }
            try await group.waitForAll()
        }
        #expect(ledger.problems.withLock { $0 } == [])
        #expect(try fixture.occupied() <= 8 << 20)
        // A store that is opened afterwards agrees.
        let last = try fixture.open(limit: 8 << 20)
        for key in 0..<VersionLedger.keys {
            if let value = try last.get("key-\(key)") {
                ledger.check(value, key, atLeast: ledger.completed(key))
            }
        }
        #expect(ledger.problems.withLock { $0 } == [])
        #expect(ledger.found.withLock { $0 } > 1000)
    }

    private func hammer(
        _ fixture: StoreFixture, _ ledger: VersionLedger, seed: UInt64, count: Int
    ) throws {
        var random = SeededGenerator(seed: seed)
        var store = try fixture.open(limit: 8 << 20)
        for _ in 0..<count {
            let key = Int.random(in: 0..<VersionLedger.keys, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0:
                // Dies, or closes.
                if Bool.random(using: &random) { store.end() }
                store = try fixture.open(limit: 8 << 20)
            case 1..<40:
                let isLarge = Int.random(in: 0..<8, using: &random) == 0
                let length = Int.random(in: 16..<(isLarge ? 90_000 : 5000), using: &random)
                try ledger.put(key, length) { value in try store.put(value, "key-\(key)") }
            case 40..<45:
                try ledger.remove(key) { try store.remove("key-\(key)") }
            default:
                let version = ledger.completed(key)
                if let value = try store.get("key-\(key)") {
                    ledger.check(value, key, atLeast: version)
                }
            }
        }
    }

    /// The log that was read may have another name, and be for ever as it was.
    @Test func aRemovalByTagWhereTheLogHasASecondName() throws {
        let fixture = try StoreFixture()
        let first = try fixture.open()
        let second = try fixture.open()
        for number in 0..<2000 { try second.put([1], "\(number)") }
        try first.flush()
        try StateDirectory(
            opening: fixture.directory.path.appending("store")
        ).link("index.log", as: "index.bak")
        try second.flush(compacting: true)
        // One more generation, so that the first one's file stays as long as it was.
        try second.put([1], "tagged", CacheAttributes(tags: ["t"]))
        #expect(try first.removeAll(tagged: "t") == 1)
        #expect(try second.get("tagged") == nil)
    }
}

/// Which version of each key was put last, and what was found that cannot be.
final class VersionLedger: Sendable {
    static let keys = 300
    /// Held while a key is put or removed: of two at once nobody could say which is the last.
    private let turns = (0..<keys).map { _ in Turn() }
    let problems = Mutex<[String]>([])
    let found = Mutex(0)

    private final class Turn: Sendable {
        let version = Mutex<UInt64>(0)
        let completed = Mutex<UInt64>(0)
    }

    func completed(_ key: Int) -> UInt64 { turns[key].completed.withLock { $0 } }

    func put(_ key: Int, _ length: Int, _ body: ([UInt8]) throws -> Void) throws {
        try turns[key].version.withLock { version in
            version += 1
            try body(Self.value(key, version, length))
            let done = version
            turns[key].completed.withLock { $0 = done }
        }
    }

    func remove(_ key: Int, _ body: () throws -> Void) throws {
        try turns[key].version.withLock { version in
            // Nothing that was put up to now is to be found any more.
            version += 1
            try body()
            let done = version
            turns[key].completed.withLock { $0 = done }
        }
    }

    private static func value(_ key: Int, _ version: UInt64, _ length: Int) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(key) << 32 | version)
        var block: [UInt8] = []
        for word in [UInt64(key), version] + (0..<60).map({ _ in random.next() }) {
            for shift in 0..<8 { block.append(UInt8(truncatingIfNeeded: word >> (8 * shift))) }
        }
        var bytes: [UInt8] = []
        while bytes.count < max(16, length) { bytes += block.prefix(max(16, length) - bytes.count) }
        return bytes
    }

    func check(_ value: [UInt8], _ key: Int, atLeast wanted: UInt64) {
        func word(_ start: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(value[start + $1]) << (8 * $1) }
        }
        found.withLock { $0 += 1 }
        guard value.count >= 16 else { return note("\(key): \(value.count) bytes") }
        let version = word(8)
        if word(0) != key { note("\(key): the value of \(word(0))") }
        if version < wanted { note("\(key): version \(version) after \(wanted)") }
        if value != Self.value(key, version, value.count) { note("\(key): other bytes") }
    }

    private func note(_ problem: String) { problems.withLock { $0.append(problem) } }
}
