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

@Suite("R20: a store whose log is lost while others have it open, who have not noticed")
struct StoreUnnoticedLossTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture(on: .memory) }

    private var directory: StateDirectory {
        get throws { try StateDirectory(opening: fixture.directory.path.appending("store")) }
    }

    private func keepLog() throws -> [UInt8] { try directory.bytes(ofLog: "index.log") }

    private func putBack(_ log: [UInt8]) throws {
        let file = try RegularFile("older", in: directory, .replacing)
        try file.write(log, at: 0)
        try directory.rename("older", to: "index.log")
    }

    private func settle(_ stores: [StoreCore]) throws {
        for _ in 0..<3 {
            for store in stores { try store.flush() }
            for store in stores { store.finishSweeping() }
        }
    }

    private static let limit = 4 << 20

    /// The log was made anew by somebody who has never heard of them.
    @Test func pinsOfALivingProcessHoldForWhoMadeTheLogAnew() throws {
        let holder = try fixture.open(limit: Self.limit)
        for number in 0..<50 {
            try holder.put(
                StoreFixture.value(3000), "pin-\(number)", CacheAttributes(as: .temporary))
        }
        try holder.flush()
        let pins = try (0..<50).map { try #require(try holder.pin("pin-\($0)")) }
        try fixture.remove("index.log")
        let other = try fixture.open(limit: Self.limit)
        other.finishSweeping()
        for number in 0..<3000 {
            try other.put(StoreFixture.value(3000, seed: 2), "other-\(number)")
        }
        let gone = try (0..<50).filter { try holder.get("pin-\($0)") == nil }
        #expect(gone == [])
        withExtendedLifetime(pins) {}
    }

    /// An older log is put back, and somebody goes on from there: it is another branch, not a successor.
    @Test func aRemovalAfterAnOlderLogWasWrittenAnew() throws {
        let gate = Gate()
        let first = try fixture.open()
        let second = try fixture.open(step: { if $0 == .filesListed { gate.pass() } })
        for number in 0..<2000 { try first.put(StoreFixture.value(700), "\(number)") }
        first.finishSweeping()
        try second.flush()
        let older = try keepLog()
        try first.put(StoreFixture.value(700), "key")
        try putBack(older)
        try second.flush(compacting: true)
        _ = try first.remove("key")
        gate.open()
        try settle([first, second])
        #expect(try first.get("key") == nil)
        #expect(try second.get("key") == nil)
    }

    @Test func valuesAfterAnOlderLogWasWrittenAnewByWhoCame() throws {
        let first = try fixture.open()
        for number in 0..<2000 { try first.put(StoreFixture.value(700), "\(number)") }
        first.finishSweeping()
        try first.flush()
        let older = try keepLog()
        for number in 0..<50 { try first.put(StoreFixture.value(90_000), "large-\(number)") }
        try first.flush()
        try putBack(older)
        let visitor = try fixture.open()
        visitor.finishSweeping()
        visitor.end()
        try settle([first])
        let gone = try (0..<50).filter { try first.get("large-\($0)") == nil }
        #expect(gone == [])
        let occupied = try fixture.occupied()
        #expect(first.statistics.allocated >= Int64(occupied))
    }

    /// Values that were removed lie in segments until these go; where the log is lost, those count as well.
    @Test func segmentsWithNothingInUseCount() throws {
        let first = try fixture.open(limit: Self.limit)
        for number in 0..<1100 { try first.put(StoreFixture.value(3000), "\(number)") }
        for number in 0..<1100 { try first.remove("\(number)") }
        try fixture.remove("index.log")
        let second = try fixture.open(limit: Self.limit)
        second.finishSweeping()
        var most = 0
        for number in 0..<1500 {
            try second.put(StoreFixture.value(3000), "new-\(number)")
            if number % 50 == 0 { most = max(most, try fixture.occupied()) }
        }
        #expect(most <= Self.limit)
        withExtendedLifetime(first) {}
    }

    @Test func removeAllRightAfterOpeningWithAnOlderLog() throws {
        do {
            let store = try fixture.open()
            for number in 0..<500 { try store.put(StoreFixture.value(700), "\(number)") }
            store.end()
        }
        let older = try keepLog()
        do {
            let store = try fixture.open()
            for number in 500..<3000 { try store.put(StoreFixture.value(700), "\(number)") }
            store.end()
        }
        try putBack(older)
        let store = try fixture.open()
        try store.removeAll()
        store.finishSweeping()
        #expect(store.statistics.entries == 0)
    }

    /// Of what was evicted without a mark the places are known; after a loss others' records may stand there.
    @Test func whatIsNotMarkedHereIsNotMarkedInFilesOfOthers() throws {
        let first = try fixture.open(entryLimit: 1000)
        for number in 0..<1000 { try first.put(StoreFixture.value(700), "a-\(number)") }
        first.shrink(by: 1 << 30)
        #expect(try fixture.names(".segment") == [])
        try fixture.remove("index.log")
        let second = try fixture.open(entryLimit: 1000)
        second.finishSweeping()
        for number in 0..<1000 { try second.put(StoreFixture.value(700), "b-\(number)") }
        try second.flush()
        try settle([first, second])
        let gone = try (0..<1000).filter { try second.get("b-\($0)") == nil }
        #expect(gone.count == 0)
    }

    /// Who has not noticed the loss does not ask the log for what he finds.
    @Test func aGetElsewhereAfterAPutInDoubt() throws {
        let gate = Gate()
        let first = try fixture.open()
        try first.put([1], "key")
        try first.flush()
        try fixture.remove("index.log")
        let second = try fixture.open(step: { if $0 == .filesListed { gate.pass() } })
        try second.put([2], "key")
        let found = try first.get("key")
        #expect(found == nil || found == [2])
        gate.open()
        try settle([first, second])
        let later = try first.get("key")
        #expect(later == nil || later == [2])
    }

    /// Each process may write files up to an allowance without a word.
    @Test func whatOthersMayWriteWithoutAWord() throws {
        let others = try (0..<2).map { _ in try fixture.open(limit: Self.limit) }
        for (index, other) in others.enumerated() {
            try other.put(StoreFixture.value(100_000), "first-\(index)")
        }
        for other in others { try other.flush() }
        try fixture.remove("index.log")
        let second = try fixture.open(limit: Self.limit)
        second.finishSweeping()
        for number in 0..<2500 { try second.put(StoreFixture.value(3000), "\(number)") }
        #expect(try fixture.occupied() <= Self.limit)
        var most = 0
        for (index, other) in others.enumerated() {
            try other.put(StoreFixture.value(250_000), "second-\(index)")
            most = max(most, try fixture.occupied())
        }
        #expect(most <= Self.limit)
    }

    /// Of what went because of the number of entries an older value may come to light.
    @Test func whatGoesInDoubtBecauseOfTheirNumber() throws {
        do {
            let store = try fixture.open(limit: Self.limit)
            try store.put([1], "key", CacheAttributes(as: .lastResort))
            for number in 0..<1000 { try store.put(StoreFixture.value(700), "\(number)") }
            store.end()
        }
        try fixture.remove("index.log")
        let gates = (0..<2).map { _ in Gate() }
        let first = try fixture.open(
            limit: Self.limit, entryLimit: 50,
            step: {
                if $0 == .filesListed { gates[0].pass() }
                if $0 == .fileSwept { gates[1].pass() }
            })
        try first.put([2], "key", CacheAttributes(as: .temporary))
        gates[0].open()
        while first.statistics.evictions == 0 { Pause.milliseconds(1) }
        Pause.milliseconds(100)
        #expect(try first.get("key") == nil)
        let second = try fixture.open(limit: Self.limit, entryLimit: 50)
        second.finishSweeping()
        #expect(try second.get("key") != [1])
        gates[1].open()
        try settle([first, second])
        #expect(try first.get("key") != [1])
    }

    /// The log that named them is damaged, and the next one is lost.
    @Test func segmentsThatAreNotNamedAnyMoreCount() throws {
        do {
            let store = try fixture.open(limit: Self.limit)
            for number in 0..<1200 { try store.put(StoreFixture.value(3000), "\(number)") }
            store.end()
        }
        let length = try keepLog().count
        try fixture.flip("index.log", at: UInt64(length / 2))
        let gates = (0..<2).map { _ in Gate() }
        let first = try fixture.open(
            limit: Self.limit, step: { if $0 == .filesListed { gates[0].pass() } })
        try fixture.remove("index.log")
        let second = try fixture.open(
            limit: Self.limit, step: { if $0 == .filesListed { gates[1].pass() } })
        var most = 0
        for number in 0..<1200 {
            try first.put(StoreFixture.value(3000), "new-\(number)")
            if number % 20 == 0 { most = max(most, try fixture.occupied()) }
        }
        #expect(most <= Self.limit)
        for gate in gates { gate.open() }
        withExtendedLifetime(second) {}
    }

    @Test func removeAllByTagWhileTheLogIsLost() throws {
        var left = 0
        for round in 0..<10 {
            let fixture = try StoreFixture(on: .memory)
            let store = try fixture.open()
            for number in 0..<5000 {
                try store.put([1], "\(number)", CacheAttributes(tags: ["old"]))
            }
            try store.flush()
            let thread = try WorkerThread {
                Pause.milliseconds(UInt32(1 + round))
                try? fixture.remove("index.log")
                let other = try? fixture.open()
                _ = try? store.get("absent")
                _ = try? other?.flush()
                withExtendedLifetime(other) {}
            }
            try store.removeAll(tagged: "old")
            thread.join()
            store.finishSweeping()
            try store.flush()
            store.finishSweeping()
            left += store.statistics.entries
        }
        #expect(left == 0)
    }

    /// A record was copied, and the log lost before it was told where it is now.
    @Test func copiesThatWereNotEnteredDoNotComeBack() throws {
        let hook = Once()
        do {
            let store = try fixture.open(
                limit: Self.limit, step: { if $0 == .recordCopied { hook.run() } })
            for number in 0..<1150 { try store.put(StoreFixture.value(3000), "\(number)") }
            for number in 0..<1150 where number % 3 != 0 { try store.remove("\(number)") }
            let fixture = fixture
            hook.set { try? fixture.remove("index.log") }
            var number = 2000
            while !hook.hasRun, number < 4000 {
                try store.put(StoreFixture.value(3000), "\(number)")
                number += 1
            }
            try #require(hook.hasRun)
            store.finishSweeping()
            for number in 0..<number { try store.remove("\(number)") }
            #expect(store.statistics.entries == 0)
            // Closes the segment.
            try store.put([1], "last")
            store.end()
        }
        try fixture.remove("index.log")
        let last = try fixture.open(limit: Self.limit)
        last.finishSweeping()
        #expect(last.statistics.entries == 1)
    }

    @Test(arguments: [1, 3])
    func streamsOfWhoDoesNotKnow(count: Int) throws {
        let first = try fixture.open(limit: Self.limit)
        let writers = try (0..<count).map { number in
            let key = Array("stream-\(number)".utf8)
            let writer = unsafe try first.write(key.span.bytes)
            let value = StoreFixture.value(600_000)
            unsafe try writer.append(value.span.bytes)
            return writer
        }
        try fixture.remove("index.log")
        let second = try fixture.open(limit: Self.limit)
        second.finishSweeping()
        for number in 0..<2500 { try second.put(StoreFixture.value(3000), "\(number)") }
        #expect(try fixture.occupied() <= Self.limit)
        for writer in writers { writer.cancel() }
    }

    @Test func aFileOfTheLivingThatWasReplaced() throws {
        let gate = Gate()
        let first = try fixture.open(limit: Self.limit)
        try first.put(StoreFixture.value(1_500_000), "key")
        try first.flush()
        try fixture.remove("index.log")
        let second = try fixture.open(
            limit: Self.limit, step: { if $0 == .filesListed { gate.pass() } })
        try second.put([2], "key")
        gate.open()
        second.finishSweeping()
        for number in 0..<2500 { try second.put(StoreFixture.value(3000), "\(number)") }
        #expect(try fixture.occupied() <= Self.limit)
        withExtendedLifetime(first) {}
    }

    /// Somebody has taken its segment for one of nobody, emptied and removed it.
    @Test func aPutIntoASegmentThatIsGone() throws {
        let first = try fixture.open()
        try first.put([1], "one")
        try fixture.remove("index.log")
        let second = try fixture.open()
        second.finishSweeping()
        try second.removeAll()
        try first.put([2], "two")
        #expect(try second.get("two") == [2])
        try settle([first, second])
        #expect(try first.get("two") == [2])
        #expect(try second.get("two") == [2])
    }

    /// Of a record that was moved the log says nothing any more.
    @Test func aRemovalOfWhatWasMovedWithARecordThatIsBroken() throws {
        let mover = try fixture.open(limit: Self.limit)
        mover.finishSweeping()
        for number in 0..<1150 { try mover.put(StoreFixture.value(3000), "\(number)") }
        for number in 0..<1150 where number % 3 != 0 { try mover.remove("\(number)") }
        var number = 2000
        while mover.statistics.moved == 0, number < 4000 {
            try mover.put(StoreFixture.value(3000), "\(number)")
            number += 1
        }
        try #require(mover.statistics.moved > 0)
        try mover.flush()
        let left = try (0..<1150).filter { try mover.get("\($0)") != nil }
        var log = try CheckedLog(
            "index.log", in: directory, kind: 0x4349_4458, access: .writing)
        var seen = Recorder()
        try log.update(&seen)
        for (record, offset) in zip(seen.records, seen.offsets) where record.type == 12 {
            try fixture.flip("index.log", at: offset + 22)
        }
        let other = try fixture.open(limit: Self.limit)
        for number in left { try other.remove("\(number)") }
        let still = try left.filter { try mover.get("\($0)") != nil }
        #expect(still == [])
        try settle([mover, other])
        let back = try left.filter { try other.get("\($0)") != nil }
        #expect(back == [])
    }

    /// What the others may write is theirs to say, and not a part of the limit of who finds them.
    @Test func whoFindsTheOthersMayHaveAnotherLimit() throws {
        let stores = try (0..<2).map { _ in try fixture.open(limit: Self.limit) }
        for number in 0..<500 { try stores[0].put(StoreFixture.value(3000), "\(number)") }
        for store in stores { try store.flush() }
        try fixture.remove("index.log")
        let other = try fixture.open(limit: 1 << 50)
        other.finishSweeping()
        try other.flush()
        for number in 500..<800 { try stores[0].put(StoreFixture.value(3000), "\(number)") }
        stores[0].finishSweeping()
        let gone = try (0..<800).filter { try stores[0].get("\($0)") == nil }
        #expect(gone == [])
        #expect(try fixture.occupied() <= Self.limit)
        withExtendedLifetime(stores) {}
    }

    /// Somebody comes while a put looks into the files, finds its record, and replaces it.
    @Test func ofTwoPutsOfOneKeyOneIsThere() throws {
        do {
            let store = try fixture.open(limit: Self.limit)
            for number in 0..<40 { try store.put(StoreFixture.value(20_000), "old-\(number)") }
            store.end()
        }
        fixture.pass(.seconds(60))
        try fixture.remove("index.log")
        let (gate, hook) = (Gate(), Once())
        let first = try fixture.open(
            limit: Self.limit, entryLimit: 50,
            step: {
                if $0 == .filesListed { gate.pass() }
                if $0 == .fileSwept { hook.run() }
            })
        for number in 0..<49 { try first.put([1], "new-\(number)") }
        try first.put([1], "key")
        let fixture = fixture
        let pins = Mutex<[StoreLease]>([])
        let others = Mutex<[StoreCore]>([])
        hook.set {
            do {
                let other = try fixture.open(limit: Self.limit)
                try other.put([3], "key")
                let pin = try other.pin("key")
                pins.withLock { $0 = pin.map { [$0] } ?? [] }
                others.withLock { $0 = [other] }
            } catch {
                Issue.record("\(error)")
            }
        }
        try first.put([2], "key")
        let other = try #require(others.withLock { $0.first })
        let found = try other.get("key")
        #expect(found != nil)
        #expect(try first.get("key") == found)
        gate.open()
        withExtendedLifetime(pins) {}
    }
}
