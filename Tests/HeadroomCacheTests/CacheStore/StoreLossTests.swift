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

/// Each costs nothing but what was lost: Documentation/Design/0045-logs-that-do-not-follow.md.
@Suite("R20: a log that is lost while the store is open")
struct StoreLossTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture(on: .memory) }

    private static func length(_ number: Int) -> Int { number % 50 == 7 ? 90_000 : 700 }

    private func put(_ numbers: Range<Int>, _ store: StoreCore, seed: UInt8 = 1) throws {
        for number in numbers {
            try store.put(StoreFixture.value(Self.length(number), seed: seed), "\(number)")
        }
    }

    /// Which of them are not what was put.
    private func missing(_ numbers: Range<Int>, _ store: StoreCore) throws -> [Int] {
        try numbers.filter { number in
            try store.get("\(number)") != StoreFixture.value(Self.length(number))
        }
    }

    /// Has them notice what has become of the log, and look for what they do not know.
    private func settle(_ stores: [StoreCore]) throws {
        for _ in 0..<3 {
            for store in stores { try store.flush() }
            for store in stores { store.finishSweeping() }
        }
    }

    private func keepLog() throws -> [UInt8] { try directory.bytes(ofLog: "index.log") }

    /// Breaks some of its records, so that those behind them are read still.
    ///
    /// - Returns: how long it is.
    private func breakLog() throws -> Int {
        let length = try keepLog().count
        for place in stride(from: length / 2, to: length, by: 5_000) {
            try fixture.flip("index.log", at: UInt64(place))
        }
        return length
    }

    /// Writes something to the log, as another process would.
    private func tell(_ records: [LogRecord]) throws {
        var log = try CheckedLog(
            "index.log", in: directory, kind: 0x4349_4458, access: .writing)
        var seen = Recorder()
        try log.append(records, synchronizing: false, &seen)
    }

    /// The number of the first session that the log tells of, as it stands there.
    private func firstSession() throws -> [UInt8] {
        var log = try CheckedLog(
            "index.log", in: directory, kind: 0x4349_4458, access: .reading)
        var seen = Recorder()
        try log.update(&seen)
        return try Array(#require(seen.records.first { $0.type == 8 }).payload.prefix(4))
    }

    private func putBack(_ log: [UInt8]) throws {
        let file = try RegularFile("older", in: directory, .replacing)
        try file.write(log, at: 0)
        try directory.rename("older", to: "index.log")
    }

    private var directory: StateDirectory {
        get throws { try StateDirectory(opening: fixture.directory.path.appending("store")) }
    }

    // MARK: - Lost

    @Test(arguments: [true, false])
    func whatAllHavePutIsFoundAgain(isTold: Bool) throws {
        let stores = try (0..<3).map { _ in try fixture.open() }
        for (index, store) in stores.enumerated() {
            try put(index * 300..<index * 300 + 300, store)
        }
        if isTold { for store in stores { try store.flush() } }
        try fixture.remove("index.log")
        // Each tells what it puts to a log that says nothing else.
        for (index, store) in stores.enumerated() {
            try put(900 + 20 * index..<920 + 20 * index, store)
        }
        try settle(stores)
        for store in stores { #expect(try missing(0..<960, store) == []) }
        for store in stores { store.end() }
        let last = try fixture.open()
        last.finishSweeping()
        #expect(try missing(0..<960, last) == [])
        #expect(last.statistics.entries == 960)
    }

    /// Whoever ends before it has looked into all files leaves a log that looks whole, but for its doubt.
    @Test func whoEndsInTheMiddleLeavesItsDoubt() throws {
        // More segments than two look into who end soon.
        let limit = 8 << 20
        do {
            let store = try fixture.open(limit: limit)
            try put(0..<2_000, store)
            store.end()
        }
        #expect(try fixture.names(".segment").count > 8)
        try fixture.remove("index.log")
        for _ in 0..<2 {
            // It ends after one of them, or two.
            let hasty = try fixture.open(
                limit: limit, step: { if $0 == .fileSwept { Pause.milliseconds(200) } })
            try hasty.flush(compacting: true)
            hasty.end()
            try #require(hasty.statistics.entries < 2_000)
        }
        let looks = Atomic(0)
        func open() throws -> StoreCore {
            let store = try fixture.open(
                limit: limit, step: { if $0 == .fileSwept { looks.add(1, ordering: .relaxed) } })
            store.finishSweeping()
            return store
        }
        do {
            let store = try open()
            #expect(try missing(0..<2_000, store) == [])
            #expect(looks.exchange(0, ordering: .relaxed) > 0)
            store.end()
        }
        // Now it is whole, and nobody looks any more.
        #expect(try open().statistics.entries == 2_000)
        #expect(looks.load(ordering: .relaxed) == 0)
    }

    /// Nobody waits for another process to find what it is looking for: it may be suspended.
    @Test func whoComesMeanwhileLooksAsWell() throws {
        // In closed segments, but for the last.
        let limit = 16 << 20
        let first = try fixture.open(limit: limit)
        try put(0..<3_000, first)
        try first.flush()
        let length = try breakLog()
        let gate = Gate()
        let slow = try fixture.open(
            limit: limit, step: { if $0 == .filesListed { gate.pass() } })
        try slow.flush(compacting: true)
        #expect(try keepLog().count < length)
        let other = try fixture.open(limit: limit)
        other.finishSweeping()
        #expect(try missing(0..<3_000, other) == [])
        gate.open()
        try settle([first, slow, other])
        for store in [first, slow, other] { #expect(store.statistics.entries == 3_000) }
    }

    /// Where the log was lost another process may take the segment that one writes to for one that nobody does,
    /// and say that it is closed.
    @Test func whoseSegmentIsTakenForAClosedOneGoesOn() throws {
        let writer = try fixture.open()
        let other = try fixture.open()
        try put(0..<100, writer)
        try writer.flush()
        let name = try #require(try fixture.names(".segment").first)
        let number = try #require(UInt32(name.prefix(16), radix: 16))
        // Of the second class, 8,192 bytes, not open, of the first session.
        let closed: [UInt8] =
            unsafe withUnsafeBytes(of: number.littleEndian) { unsafe Array($0) }
            + [1, 0, 32, 0, 0, 0, 0, 0, 0, 0] + (try firstSession())
        try tell([LogRecord(4, closed)])
        try put(100..<400, writer)
        try settle([writer, other])
        for store in [writer, other] { #expect(try missing(0..<400, store) == []) }
        #expect(try directory.names().filter { $0.hasSuffix(".segment") }.count > 1)
    }

    /// What says that a session was opened is broken: the next is not to have its number, and its segment with that.
    @Test func aSessionThatNobodyRemembersIsNotOnesOwn() throws {
        do {
            let first = try fixture.open()
            try put(0..<10, first)
            first.end()
        }
        do {
            let dead = try fixture.open()
            dead.finishSweeping()
            try put(10..<20, dead)
            try dead.flush()
            try put(20..<30, dead)
        }
        var log = try CheckedLog("index.log", in: directory, kind: 0x4349_4458, access: .reading)
        var seen = Recorder()
        try log.update(&seen)
        let last = try #require(seen.records.last { $0.type == 8 }).payload.prefix(4)
        for (record, offset) in zip(seen.records, seen.offsets)
        where record.type == 8 && record.payload.prefix(4) == last {
            try fixture.flip("index.log", at: offset + UInt64(LogFrame.headerSize))
        }
        let store = try fixture.open()
        store.finishSweeping()
        #expect(try missing(0..<30, store) == [])
    }

    /// A segment of which the log says that it is open, though whoever wrote to it is in it no more.
    @Test func aSegmentOfNobodyIsLookedInto() throws {
        do {
            let dead = try fixture.open()
            try put(0..<300, dead)
            try dead.flush()
        }
        // Closed, says the log of the only session, but not a word of its segment; and something is broken.
        try tell([LogRecord(9, try firstSession() + [UInt8](repeating: 0, count: 8))])
        _ = try breakLog()
        let store = try fixture.open()
        store.finishSweeping()
        #expect(try missing(0..<300, store) == [])
        // It counts with what is in it, and can go.
        try store.flush()
        #expect(store.statistics.allocated < 2 * 300 * 1_000 + 6 * 100_000)
        try store.removeAll()
        #expect(store.statistics.entries == 0)
        #expect(try directory.names().allSatisfy { !$0.hasSuffix(".segment") })
    }

    /// What is put while older values are still in files that nobody has read does not go before those are known.
    @Test func noOlderValueIsFoundWhereTheNewerWent() throws {
        let limit = 4 << 20
        do {
            let store = try fixture.open(limit: limit)
            for number in 0..<1_650 {
                let value = StoreFixture.value(2_000, seed: 1)
                try store.put(value, "\(number)", CacheAttributes(as: .lastResort))
            }
            store.end()
        }
        try fixture.remove("index.log")
        let gate = Gate()
        let store = try fixture.open(
            limit: limit, step: { if $0 == .filesListed { gate.pass() } })
        let newer = StoreFixture.value(2_000, seed: 2)
        for number in 0..<150 {
            try store.put(newer, "\(number)", CacheAttributes(as: .temporary))
        }
        for number in 2_000..<2_400 {
            try store.put(newer, "\(number)", CacheAttributes(as: .lastResort))
        }
        gate.open()
        store.finishSweeping()
        #expect(store.statistics.evictions > 0)
        let older = try (0..<150).filter { number in
            let value = try store.get("\(number)")
            return value != nil && value != newer
        }
        #expect(older == [])
    }

    @Test func theLimitHoldsForWhatIsNotKnown() throws {
        let limit = 4 << 20
        let stores = try (0..<2).map { _ in try fixture.open(limit: limit) }
        for number in 0..<1_500 {
            try stores[number % 2].put(StoreFixture.value(3_000), "key-\(number)")
        }
        for store in stores { try store.flush() }
        for round in 0..<4 {
            try fixture.remove("index.log")
            for number in 0..<600 {
                let length = number % 40 == 0 ? 80_000 : 3_000
                try stores[number % 2].put(StoreFixture.value(length), "\(round)-\(number)")
                // Also right after the loss.
                guard number < 10 || number % 10 == 0 else { continue }
                let occupied = try fixture.occupied()
                if occupied > limit { Issue.record("\(occupied) after \(number)") }
            }
        }
        try settle(stores)
        for store in stores { #expect(store.statistics.allocated <= limit) }
        #expect(try fixture.occupied() <= limit)
    }

    /// It is all one process can do without a log: everybody else finds what it has put, and what it has removed
    /// is gone.
    @Test func whatIsRemovedBeforeItIsFoundStaysGone() throws {
        do {
            let store = try fixture.open()
            try put(0..<400, store)
            for number in 400..<500 {
                try store.put([1], "\(number)", CacheAttributes(tags: ["old"]))
            }
            store.end()
        }
        try fixture.remove("index.log")
        let gate = Gate()
        let slow = try fixture.open(step: { if $0 == .filesListed { gate.pass() } })
        let other = try fixture.open(step: { if $0 == .filesListed { gate.pass() } })
        for number in 0..<100 { #expect(try other.remove("\(number)")) }
        #expect(try other.removeAll(tagged: "old") == 100)
        for number in 100..<200 { #expect(try slow.remove("\(number)")) }
        gate.open()
        try settle([slow, other])
        for store in [slow, other] {
            for number in 0..<200 { #expect(try store.get("\(number)") == nil) }
            #expect(try missing(200..<400, store) == [])
            #expect(store.statistics.entries == 200)
            store.end()
        }
        let last = try fixture.open()
        last.finishSweeping()
        #expect(last.statistics.entries == 200)
    }

    @Test func theLimitOfEntriesHoldsForWhatIsFound() throws {
        do {
            let store = try fixture.open(entryLimit: 1_000)
            try put(0..<1_000, store)
            store.end()
        }
        try fixture.remove("index.log")
        let gate = Gate()
        let store = try fixture.open(
            entryLimit: 300, step: { if $0 == .filesListed { gate.pass() } })
        try put(2_000..<2_200, store)
        gate.open()
        store.finishSweeping()
        #expect(store.statistics.entries == 300)
    }

    // MARK: - Replaced

    @Test(arguments: [false, true])
    func anOlderLogCostsNothing(isCompacted: Bool) throws {
        let stores = try (0..<2).map { _ in try fixture.open() }
        try put(0..<300, stores[0])
        for store in stores { try store.flush() }
        let older = try keepLog()
        try put(300..<500, stores[0])
        try put(500..<700, stores[1])
        for number in 0..<50 { try stores[1].remove("\(number)") }
        // Enough to be worth a snapshot.
        if isCompacted {
            for number in 0..<1_500 { try stores[1].put([1], "more-\(number)") }
            for number in 0..<1_500 { try stores[1].remove("more-\(number)") }
        }
        for store in stores { try store.flush(compacting: isCompacted) }
        try putBack(older)
        try put(700..<720, stores[0])
        try settle(stores)
        for store in stores {
            #expect(try missing(50..<720, store) == [])
            for number in 0..<50 { #expect(try store.get("\(number)") == nil) }
        }
        for store in stores { store.end() }
        let last = try fixture.open()
        last.finishSweeping()
        #expect(try missing(50..<720, last) == [])
        #expect(last.statistics.entries == 670)
    }

    /// What the others have told is broken before it is read.
    @Test func aDamagedRecordCostsNothing() throws {
        // In many segments that are closed.
        let stores = try (0..<2).map { _ in try fixture.open(limit: 16 << 20) }
        try put(0..<100, stores[0])
        try stores[1].flush()
        let length = try keepLog().count
        for number in 100..<2_000 { try put(number..<number + 1, stores[0]) }
        try stores[0].flush()
        for place in stride(from: length + 20, to: try keepLog().count, by: 900) {
            try fixture.flip("index.log", at: UInt64(place))
        }
        try settle(stores)
        for store in stores { #expect(try missing(0..<2_000, store) == []) }
        try stores[1].flush(compacting: true)
        for store in stores { store.end() }
        let last = try fixture.open(limit: 16 << 20)
        last.finishSweeping()
        #expect(try missing(0..<2_000, last) == [])
    }

    /// Who cannot read what others have told, and writes the log anew, leaves out what they know.
    @Test func aLogWrittenAnewWithoutWhatWasBrokenIsNotTheSame() throws {
        let gate = Gate()
        let stores = [
            try fixture.open(),
            try fixture.open(step: { if $0 == .filesListed { gate.pass() } }),
        ]
        try put(0..<3_000, stores[0])
        try stores[0].flush()
        let length = try breakLog()
        try stores[1].flush(compacting: true)
        #expect(try keepLog().count < length)
        for number in 1_000..<3_000 where number % 2 == 0 { try stores[0].remove("\(number)") }
        gate.open()
        try settle(stores)
        for store in stores {
            for number in 1_000..<3_000 where number % 2 == 0 {
                #expect(try store.get("\(number)") == nil)
            }
            #expect(store.statistics.entries == 2_000)
            #expect(try missing(0..<1_000, store) == [])
        }
    }

    // MARK: - In the middle of something

    @Test(arguments: [
        StoreStep.recordCopied, .recordMoved, .moveTold, .segmentSealed, .segmentTold,
    ])
    func nothingIsLostWhereRecordsAreBeingMoved(step: StoreStep) throws {
        let hook = Once()
        let mover = try fixture.open(step: { if $0 == step { hook.run() } })
        let other = try fixture.open()
        try put(0..<6_000, mover)
        try mover.flush()
        var kept: [Int] = []
        for number in 0..<6_000 {
            if number % 3 == 0 { kept.append(number) } else { try mover.remove("\(number)") }
        }
        let fixture = fixture
        fixture.pass(.seconds(1))
        hook.set {
            do {
                try fixture.remove("index.log")
                try other.put(StoreFixture.value(700), "10000")
                try other.flush()
            } catch {
                Issue.record("\(error)")
            }
        }
        mover.shrink(by: 1)
        try put(6_000..<6_100, mover)
        try #require(hook.hasRun)
        try settle([mover, other])
        for store in [mover, other] {
            #expect(try missing(6_000..<6_100, store) == [])
            #expect(try missing(10_000..<10_001, store) == [])
            // What was worth least has gone for the byte that was asked for, and for what was moved in vain.
            let gone = try kept.filter { try missing($0..<$0 + 1, store) != [] }
            let evicted = mover.statistics.evictions + other.statistics.evictions
            #expect(
                gone.count <= evicted && evicted < 100,
                "\(gone.prefix(10)) and \(gone.count) in all")
        }
    }

    /// Whoever moved them is gone, and the log is one that does not know of it.
    @Test func movedRecordsCountWhereTheOriginalsAreGone() throws {
        let copy = try StoreFixture(on: .memory)
        _ = try copy.open()
        do {
            let mover = try fixture.open()
            try put(0..<6_000, mover)
            try mover.flush()
            let older = try keepLog()
            for number in 0..<6_000 where number % 3 != 0 { try mover.remove("\(number)") }
            mover.shrink(by: 1)
            try mover.flush()
            #expect(mover.statistics.moved > 100)
            let left = try (0..<6_000).filter { $0 % 3 == 0 }.filter {
                try mover.get("\($0)") != nil
            }
            // As a power cut leaves it, but for the log.
            for name in try directory.names() { try copy.copy(name, from: fixture) }
            let target = try StateDirectory(opening: copy.directory.path.appending("store"))
            try RegularFile("index.log", in: target, .replacing).write(older, at: 0)
            let store = try copy.open()
            store.finishSweeping()
            try store.flush()
            store.finishSweeping()
            let gone = try left.filter { try missing($0..<$0 + 1, store) != [] }
            #expect(gone == [])
            for number in 0..<6_000 where number % 3 != 0 {
                #expect(try store.get("\(number)") == nil)
            }
        }
    }
}
