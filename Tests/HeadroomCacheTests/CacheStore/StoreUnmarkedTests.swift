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

@Suite("R20: what was evicted and is not marked")
struct StoreUnmarkedTests {
    /// Whatever was evicted in between, by whatever process, and whether that ended well: without an index
    /// nothing is found that is older than what was put last, nor what was removed.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func nothingOlderComesBack(seed: UInt64) throws {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: seed)
        var last: [String: UInt8?] = [:]
        var evictions = 0
        var moved = 0
        func work(_ store: StoreCore, _ count: Int) throws {
            for _ in 0..<count {
                let number = Int.random(in: 0..<900, using: &random)
                let key = "key-\(number)"
                fixture.pass(.milliseconds(10))
                if Int.random(in: 0..<12, using: &random) == 0 {
                    try store.remove(key)
                    last[key] = .some(nil)
                    continue
                }
                let value = UInt8.random(in: 0...255, using: &random)
                last[key] = value
                try store.put(
                    StoreFixture.value(number % 40 == 0 ? 70_000 : 1500, seed: value), key,
                    CacheAttributes(as: [.temporary, .cache, .lastResort][number % 3]))
            }
        }
        for round in 0..<8 {
            let store = try fixture.open(limit: 2 << 20, entryLimit: 400)
            try work(store, 700)
            if round == 4 {
                // Somebody else comes, and takes part.
                let other = try fixture.open(limit: 2 << 20, entryLimit: 400)
                try work(other, 100)
                try work(store, 100)
                try work(other, 100)
                other.end()
            }
            evictions += store.statistics.evictions
            moved += store.statistics.moved
            // Else it dies.
            if round % 3 != 2 { store.end() }
        }
        #expect(evictions > 1000)
        #expect(moved > 0)
        try fixture.remove("index.log")
        let store = try fixture.open(limit: 2 << 20)
        store.finishSweeping()
        var found = 0
        for (key, seed) in last {
            guard let value = try store.get(key) else { continue }
            found += 1
            #expect(
                seed.map { value == StoreFixture.value(value.count, seed: $0) } == true, "\(key)")
        }
        #expect(found > 200)
    }

    enum Between: CaseIterable { case nothing, log, snapshot, death, otherProcess, otherLimit }

    /// The value that was put last is evicted, and lost with its segment; the one before it was evicted, and
    /// not marked then.
    @Test(arguments: Between.allCases)
    func theValueBeforeTheLastDoesNotComeBack(between: Between) throws {
        let fixture = try StoreFixture()
        var store: StoreCore? = try fixture.open(entryLimit: 100)
        try store?.put(Array("the first".utf8), "key")
        for number in 0..<100 { try store?.put([1], "\(number)") }
        #expect(store?.contains("key") == false)
        #expect(try fixture.marks() == 0)
        switch between {
        case .nothing: break
        case .log:
            store?.end()
            store = try fixture.open(entryLimit: 100)
        case .snapshot:
            for _ in 0..<20 { for number in 0..<100 { try store?.put([1], "\(number)") } }
            try store?.flush(compacting: true)
            store?.end()
            store = try fixture.open(entryLimit: 100)
        case .death:
            try store?.flush()
            store = nil
            store = try fixture.open(entryLimit: 100)
        case .otherProcess:
            let other = try fixture.open(entryLimit: 100)
            store?.end()
            store = other
        case .otherLimit:
            store?.end()
            store = try fixture.open(entryLimit: 90)
        }
        // Of another class: in a segment of its own, and the next to go.
        try store?.put(Array("the last".utf8), "key", CacheAttributes(as: .temporary))
        try store?.put([1], "one more")
        try store?.put([1], "and one more")
        #expect(store?.contains("key") == false)
        store?.end()
        store = nil
        try fixture.remove("index.log")
        let found = try fixture.names(".segment").filter { name in
            try fixture.bytes(name).firstRange(of: "the last".utf8) != nil
        }
        #expect(found.count == 1)
        for name in found { try fixture.remove(name) }
        let again = try fixture.open()
        again.finishSweeping()
        #expect(try again.get("key") == nil)
        // All are of one moment: which of them go is left to chance.
        let left = try (0..<100).filter { try again.get("\($0)") == [1] }
        #expect(left.count >= 80)
    }

    @Test func aloneAStoreDoesNotMarkWhatItEvicts() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(entryLimit: 1000)
        for number in 0..<1040 { try store.put([1], "\(number)") }
        #expect(store.statistics.evictions == 40)
        // Of some it is only known that their keys may be the one that is put: by a few bits of their hashes.
        var marks = try fixture.marks()
        #expect(marks <= 4)
        func expectMore(_ location: SourceLocation = #_sourceLocation) throws {
            let now = try fixture.marks()
            #expect(now > marks && now <= marks + 2, sourceLocation: location)
            marks = now
        }
        // Something newer under the key of one, and nothing under that of another.
        let evicted = (0..<1040).map(String.init).filter { !store.contains($0) }
        try store.put([2], evicted[0])
        try expectMore()
        #expect(try !store.remove(evicted[1]))
        try expectMore()
        store.end()
        // It is known to the next as well, by the snapshot and by what follows it.
        let again = try fixture.open(entryLimit: 1000)
        try again.put([2], evicted[2])
        try expectMore()
        try again.removeAll()
        #expect(try fixture.names(".segment").count <= 1)
    }

    @Test func aProcessThatDiesLeavesNothingUnknown() throws {
        let fixture = try StoreFixture()
        var evicted: [String] = []
        do {
            let store = try fixture.open(entryLimit: 1000)
            for number in 0..<1600 { try store.put([1], "\(number)") }
            evicted = (0..<1600).map(String.init).filter { !store.contains($0) }
        }
        let store = try fixture.open(entryLimit: 1000)
        let before = try fixture.marks()
        for key in evicted { try store.put([2], key) }
        // Either it was told that they are gone, or they are back and are replaced.
        #expect(try fixture.marks() >= before + evicted.count / 2)
        store.end()
        try fixture.remove("index.log")
        let again = try fixture.open()
        again.finishSweeping()
        for key in evicted {
            if let value = try again.get(key) { #expect(value == [2]) }
        }
    }

    @Test func whatIsEvictedIsMarkedAtOnceWhereOthersReadIt() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(entryLimit: 100)
        let other = try fixture.open(entryLimit: 100)
        for number in 0..<130 { try store.put([1], "\(number)") }
        #expect(store.statistics.evictions == 30)
        #expect(try fixture.marks() == 30)
        other.end()
    }

    /// An entry limit that is none for a store which holds so little.
    @Test(arguments: [40_000_000, Int.max])
    func aLargeEntryLimitTakesNoMemory(entryLimit: Int) throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(limit: 4 << 20, entryLimit: entryLimit)
        for number in 0..<10 { try store.put([1], "\(number)") }
        store.shrink(by: 1 << 30)
        #expect(store.statistics.entries == 0)
        #expect(store.indexMemory < 1 << 20)
        for number in 0..<100 { try store.put([1], "new-\(number)") }
        try store.flush(compacting: true)
        #expect(try fixture.logSize() < 1 << 16)
    }

    @Test func aSnapshotHasWhatIsUnmarkedAndNotTheRoomForIt() throws {
        let fixture = try StoreFixture(on: .memory)
        let store = try fixture.open(entryLimit: 10_000)
        for number in 0..<10_000 { try store.put([1], "\(number)") }
        try store.flush(compacting: true)
        let before = try fixture.logSize()
        try store.put([1], "one more")
        // So much has to be told that another snapshot is worth it.
        for number in 0..<2000 where store.contains("\(number)") {
            try store.put([2], "\(number)")
        }
        try store.flush(compacting: true)
        #expect(try fixture.logSize() < before + 1000)
        // It is not lost with that.
        let evicted = try #require((0..<10_000).map(String.init).first { !store.contains($0) })
        store.end()
        let again = try fixture.open(entryLimit: 10_000)
        let marks = try fixture.marks()
        try again.put([2], evicted)
        #expect(try fixture.marks() > marks)
    }

    /// What was evicted from a store of few entries is still known when it has many, and to the next, too.
    @Test func aStoreThatGrowsGoesOnWithoutMarks() throws {
        let fixture = try StoreFixture(on: .memory)
        var store: StoreCore? = try fixture.open(entryLimit: 4000)
        for number in 0..<100 { try store?.put([1], "\(number)") }
        store?.shrink(by: 1 << 30)
        for number in 0..<4600 { try store?.put([1], "more-\(number)") }
        let evicted = (0..<4600).map { "more-\($0)" }.filter { store?.contains($0) == false }
        #expect(evicted.count > 500)
        #expect(try fixture.marks() < 20)
        try store?.flush(compacting: true)
        store?.end()
        store = try fixture.open(entryLimit: 4000)
        #expect(try fixture.marks() < 20)
        for key in evicted { try store?.remove(key) }
        #expect(try fixture.marks() >= evicted.count)
    }

    /// What was evicted while the limit was lower stands in a table of its own. That goes with the segments of which it
    /// speaks: six bytes an entry are left.
    @Test func aHigherEntryLimitKeepsNoMemoryOfTheLowerOne() throws {
        let fixture = try StoreFixture(on: .memory)
        let limit = 32_000
        var number = 0
        func open(_ entryLimit: Int?) throws -> StoreCore {
            let store = try fixture.open(limit: 16 << 20, entryLimit: entryLimit)
            store.finishSweeping()
            return store
        }
        func put(_ count: Int, entryLimit: Int) throws {
            let store = try open(entryLimit)
            for _ in 0..<count {
                fixture.pass(.milliseconds(100))
                try store.put([1], "\(number)")
                number += 1
            }
            store.end()
        }
        try put(12_000, entryLimit: 8_000)
        try put(100_000, entryLimit: limit)
        func indexMemory(_ entryLimit: Int?) throws -> Int {
            let store = try open(entryLimit)
            defer { store.end() }
            #expect(store.statistics.entries == limit)
            return store.indexMemory
        }
        // Without a limit nothing of it is kept.
        let (all, entries) = (try indexMemory(limit), try indexMemory(nil))
        #expect(all - entries <= 6 * limit)
    }

    @Test func whatHasATagIsMarkedAtOnce() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open(entryLimit: 100)
        var attributes = CacheAttributes()
        attributes.tags = ["tag"]
        for number in 0..<130 { try store.put([1], "\(number)", attributes) }
        #expect(try fixture.marks() == 30)
    }
}

extension StoreFixture {
    fileprivate func logSize() throws -> Int64 {
        try directory.tree.status(of: "store/index.log").logicalSize.bytes
    }

    /// Records that say that they are out of use.
    fileprivate func marks() throws -> Int {
        let mark = Array("GONE".utf8)
        return try names(".segment").reduce(0) { sum, name in
            let bytes = try bytes(name)
            return sum + bytes.indices.dropLast(3).count { Array(bytes[$0..<$0 + 4]) == mark }
        }
    }

    fileprivate func bytes(_ name: String) throws -> [UInt8] {
        let file = try RegularFile(
            name, in: StateDirectory(opening: directory.path.appending("store")), .reading)
        return try file.read(Int(file.size()), at: 0)
    }
}
