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

#if os(Linux)
import Glibc
#endif

@Suite("R20: a store that has lost files")
struct StoreRebuildingTests {
    #if os(Linux)
    /// Under the name of a segment there may be a file of any length, which need not occupy anything.
    @Test func aSegmentThatIsMuchTooLongIsNotReadAsAWhole() throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let store = try fixture.open()
            for number in 0..<100 { try store.put(StoreFixture.value(500), "key-\(number)") }
            store.end()
        }
        try fixture.cut(fixture.names(".segment")[0], to: 3 << 30)
        let before = try #require(Self.mostMemory())
        for isLost in [true, false] {
            if isLost { try fixture.remove("index.log") }
            let store = try fixture.open()
            store.finishSweeping()
            for number in 0..<100 {
                #expect(try store.get("key-\(number)") == StoreFixture.value(500))
            }
            #expect(store.statistics.allocated < 4 << 20)
            store.end()
        }
        let store = try fixture.open()
        try store.removeAll()
        #expect(try fixture.names(".segment").isEmpty)
        #expect(try #require(Self.mostMemory()) - before < 1 << 30)
    }

    /// What the process has had of memory at most, in bytes.
    private static func mostMemory() -> Int? {
        let file = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(file, &text, text.count)
        let lines = String(decoding: text[..<max(0, count)], as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first
            .flatMap { Int($0) }.map { $0 << 10 }
    }
    #endif

    /// A record of the log that is broken may have told of tags alone.
    @Test func tagsOfABrokenRecordAreFound() throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let store = try fixture.open()
            for number in 0..<20 { try store.put([1], "\(number)", CacheAttributes(tags: ["t"])) }
            store.end()
        }
        let directory = try StateDirectory(opening: fixture.directory.path.appending("store"))
        let log = try directory.bytes(ofLog: "index.log")
        // Each record has a length and a type behind its check sum; 13 is that of tags.
        var (place, broken) = (32, 0)
        while place + 20 <= log.count {
            let length = (0..<3).reduce(0) { $0 | Int(log[place + 8 + $1]) << (8 * $1) }
            if log[place + 11] == 13 {
                try fixture.flip("index.log", at: UInt64(place + 20))
                broken += 1
            }
            place += 20 + length
        }
        #expect(broken > 0)
        let store = try fixture.open()
        store.finishSweeping()
        #expect(store.statistics.entries == 20)
        #expect(try store.removeAll(tagged: "t") == 20)
        #expect(store.statistics.entries == 0)
    }

    /// The log is lost once more while somebody waits for the first look to end.
    @Test func twoLossesWhileSomebodyWaits() throws {
        let fixture = try StoreFixture(on: .memory)
        let gates = [Gate(), Gate()]
        let looks = Atomic(0)
        let store = try fixture.open(step: { step in
            guard step == .filesListed else { return }
            let look = looks.add(1, ordering: .acquiringAndReleasing).oldValue
            if look < gates.count { gates[look].pass() }
        })
        try store.put([1], "key")
        try store.flush()
        #expect(Soon.holds { looks.load(ordering: .acquiring) == 1 })
        let waiting = try WorkerThread { store.finishSweeping() }
        Pause.milliseconds(50)
        try fixture.remove("index.log")
        try store.flush()
        gates[0].open()
        Pause.milliseconds(50)
        #expect(Soon.holds { looks.load(ordering: .acquiring) == 2 })
        try fixture.remove("index.log")
        let isDone = Atomic(false)
        let flushing = try WorkerThread {
            try? store.flush()
            isDone.store(true, ordering: .releasing)
        }
        Pause.milliseconds(50)
        gates[1].open()
        guard Soon.holds({ isDone.load(ordering: .acquiring) }) else {
            waiting.detach()
            flushing.detach()
            Issue.record("nobody goes on")
            return
        }
        waiting.join()
        flushing.join()
        #expect(try store.get("key") == [1])
    }

    /// What has the first number stays long: the list of segments must not grow with the numbers.
    @Test func segmentNumbersFarApart() throws {
        let fixture = try StoreFixture(on: .memory)
        do {
            let store = try fixture.open(limit: 4 << 20)
            try store.put([1], "first")
            store.end()
        }
        // As if so many had been made and removed since.
        var log = try CheckedLog(
            "index.log", in: StateDirectory(opening: fixture.directory.path.appending("store")),
            kind: 0x4349_4458, access: .writing)
        var seen = Recorder()
        let number = UInt32(4_194_300)
        let payload = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        try log.append([LogRecord(5, payload)], synchronizing: false, &seen)
        do {
            let store = try fixture.open(limit: 4 << 20)
            for number in 0..<60 { try store.put(StoreFixture.value(20_000), "\(number)") }
            store.end()
        }
        let store = try fixture.open(limit: 4 << 20)
        store.finishSweeping()
        #expect(try store.get("first") == [1])
        #expect(try (0..<60).filter { try store.get("\($0)") == nil } == [])
    }

    @Test(arguments: ["index.log", "store", "both"])
    func theFilesAloneGiveTheIndexBack(lost: String) throws {
        let fixture = try StoreFixture()
        var values: [String: [UInt8]] = [:]
        do {
            let store = try fixture.open()
            for number in 0..<1500 {
                let key = "key-\(number % 1000)"
                let length = number % 40 == 0 ? 70_000 : number * 7 % 3000
                values[key] = StoreFixture.value(length, seed: UInt8(number / 1000))
                try store.put(
                    values[key] ?? [], key,
                    CacheAttributes(
                        as: number % 3 == 0 ? .lastResort : .cache, lifetime: .seconds(3600),
                        metadata: [1, 2, 3]))
            }
            for number in stride(from: 0, to: 1000, by: 9) {
                try store.remove("key-\(number)")
                values["key-\(number)"] = nil
            }
            try store.put([1], "short", CacheAttributes(lifetime: .seconds(60)))
            store.end()
        }
        if lost != "store" { try fixture.remove("index.log") }
        if lost != "index.log" { try fixture.remove("store") }
        fixture.pass(.seconds(120))
        let store = try fixture.open()
        store.finishSweeping()
        for number in 0..<1000 {
            let key = "key-\(number)"
            #expect(try store.get(key) == values[key])
        }
        #expect(try store.get("short") == nil)
        #expect(store.statistics.damaged == 0)
        #expect(try Int(store.statistics.allocated) >= fixture.occupied())
        // What was found is in the index for good.
        store.end()
        let again = try fixture.open()
        for number in 0..<1000 {
            #expect(try again.get("key-\(number)") == values["key-\(number)"])
        }
        // With the one that has expired.
        #expect(again.statistics.entries == values.count + 1)
        // And they expire when they would have.
        fixture.pass(.seconds(3600))
        #expect(try again.get("key-1") == nil)
    }

    @Test func theLimitHoldsBeforeAllIsKnown() throws {
        let fixture = try StoreFixture()
        let limit = 4 << 20
        do {
            let store = try fixture.open(limit: limit)
            for number in 0..<400 {
                try store.put(
                    StoreFixture.value(number % 10 == 0 ? 100_000 : 3000), "old-\(number)")
            }
            store.end()
        }
        try fixture.remove("index.log")
        let store = try fixture.open(limit: limit)
        #expect(try Int(store.statistics.allocated) >= fixture.occupied())
        for number in 0..<400 {
            try store.put(
                StoreFixture.value(number % 10 == 0 ? 100_000 : 3000, seed: 2), "new-\(number)")
            if number % 20 == 0 { #expect(try fixture.occupied() <= limit) }
        }
        store.finishSweeping()
        #expect(try fixture.occupied() <= limit)
        #expect(try store.get("new-399") == StoreFixture.value(3000, seed: 2))
    }

    @Test func whatWasRemovedWhileTheFilesAreReadStaysAway() throws {
        let fixture = try StoreFixture()
        do {
            let store = try fixture.open()
            for number in 0..<3000 { try store.put([1], "key-\(number)") }
            store.end()
        }
        try fixture.remove("index.log")
        let store = try fixture.open()
        for number in 0..<1500 { try store.remove("key-\(number)") }
        for number in 1500..<2000 { try store.put([2], "key-\(number)") }
        store.finishSweeping()
        for number in 0..<1500 { #expect(try store.get("key-\(number)") == nil) }
        for number in 1500..<2000 { #expect(try store.get("key-\(number)") == [2]) }
        for number in 2000..<3000 { #expect(try store.get("key-\(number)") == [1]) }
    }

    /// An older value does not come back because the one that replaced it was evicted and its segment is
    /// gone: each one that is out of use says so itself.
    @Test func whatWasReplacedOrEvictedStaysAway() throws {
        let fixture = try StoreFixture()
        var last: [String: UInt8] = [:]
        do {
            let store = try fixture.open(limit: 2 << 20)
            var random = SeededGenerator(seed: 4)
            for round in 0..<6000 {
                let key = "key-\(Int.random(in: 0..<1200, using: &random))"
                last[key] = UInt8(round & 0xFF)
                let classes: [PurgeableClass] = [.temporary, .cache, .lastResort]
                try store.put(
                    StoreFixture.value(round % 50 == 0 ? 70_000 : 1500, seed: UInt8(round & 0xFF)),
                    key, CacheAttributes(as: classes[round % 3]))
                fixture.pass(.milliseconds(100))
            }
            #expect(store.statistics.evictions > 1000)
            #expect(store.statistics.moved > 0)
            store.end()
        }
        try fixture.remove("index.log")
        let store = try fixture.open(limit: 2 << 20)
        store.finishSweeping()
        var found = 0
        for (key, seed) in last {
            guard let value = try store.get(key) else { continue }
            found += 1
            #expect(value == StoreFixture.value(value.count, seed: seed))
        }
        #expect(found > 300)
    }

    @Test func aLogOfAnotherStoreIsNotBelieved() throws {
        let fixture = try StoreFixture()
        let other = try StoreFixture()
        for (number, fixture) in [fixture, other].enumerated() {
            let store = try fixture.open()
            for key in 0..<500 { try store.put([UInt8(number)], "key-\(key)") }
            store.end()
        }
        try fixture.copy("index.log", from: other)
        let store = try fixture.open()
        store.finishSweeping()
        for key in 0..<500 { #expect(try store.get("key-\(key)") == [0]) }
    }

    @Test func anOlderLogLosesNothing() throws {
        let fixture = try StoreFixture()
        let aside = try StoreFixture()
        do {
            let store = try fixture.open(limit: 4 << 20)
            for key in 0..<500 { try store.put(StoreFixture.value(900, seed: 1), "key-\(key)") }
            store.end()
            _ = try aside.open()
            try aside.copy("index.log", from: fixture)
            let again = try fixture.open(limit: 4 << 20)
            for key in 0..<250 { try again.put(StoreFixture.value(900, seed: 2), "key-\(key)") }
            for key in 250..<300 { try again.remove("key-\(key)") }
            again.end()
        }
        try fixture.copy("index.log", from: aside)
        let store = try fixture.open(limit: 4 << 20)
        store.finishSweeping()
        for key in 0..<500 {
            let value = try store.get("key-\(key)")
            if key < 250 {
                #expect(value == nil || value == StoreFixture.value(900, seed: 2))
            } else {
                #expect(value == (key < 300 ? nil : StoreFixture.value(900, seed: 1)))
            }
        }
    }

    /// The process that has it open knows all that was in it.
    @Test func aLogThatIsLostWhileTheStoreIsOpenIsWrittenAgain() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        for number in 0..<700 {
            try store.put(
                StoreFixture.value(number % 90 == 0 ? 70_000 : 100, seed: 1), "key-\(number)")
        }
        try store.flush()
        try fixture.remove("index.log")
        for number in 700..<1400 {
            try store.put(
                StoreFixture.value(number % 90 == 0 ? 70_000 : 100, seed: 1), "key-\(number)")
        }
        let other = try fixture.open()
        other.finishSweeping()
        for number in 0..<1400 {
            let value = StoreFixture.value(number % 90 == 0 ? 70_000 : 100, seed: 1)
            #expect(try store.get("key-\(number)") == value)
            #expect(try other.get("key-\(number)") == value)
        }
        try other.put([2], "key-7")
        #expect(try store.get("key-7") == [2])
        #expect(store.statistics.entries == 1400)
    }

    /// With an older log the number of a new segment may be that of a file which is just being listed.
    @Test func aSegmentWhoseNumberIsTakenIsLookedInto() throws {
        let fixture = try StoreFixture(on: .memory)
        let directory: StateDirectory
        do {
            let first = try fixture.open(limit: 1 << 20)
            first.finishSweeping()
            try first.put([1], "base")
            try first.flush()
            directory = try StateDirectory(
                opening: fixture.directory.path.appending("store"))
            let old = try {
                let file = try RegularFile("index.log", in: directory, .reading)
                return try file.read(Int(file.size()), at: 0)
            }()
            for number in 0..<100 { try first.put(StoreFixture.value(3000), "\(number)") }
            first.end()
            let file = try RegularFile("index.log", in: directory, .replacing)
            try file.write(old, at: 0)
        }
        for number in 0..<20_000 { try fixture.directory.tree.file("store/.\(number)") }
        let (told, listed) = (Once(), Gate())
        let second = try fixture.open(
            limit: 1 << 20,
            step: { step in
                if step == .segmentTold { told.run() }
                if step == .filesListed { listed.open() }
            })
        told.set { listed.pass() }
        try second.put([2], "new")
        #expect(told.hasRun)
        second.finishSweeping()
        #expect(try (0..<100).filter { try second.get("\($0)") == nil } == [])
        #expect(try second.get("base") == [1])
        // What is removed now does not come back.
        for number in 0..<100 { try second.remove("\(number)") }
        second.end()
        let third = try fixture.open(limit: 1 << 20)
        third.finishSweeping()
        #expect(try (0..<100).filter { try third.get("\($0)") != nil } == [])
    }
}
