//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import HeadroomTestSupport
import SystemPackage
import Testing

import HeadroomEngine

struct CheckedLogTests {
    private let fixture: LogFixture

    init() throws { fixture = try LogFixture() }

    @Test func readsBackWhatWasAppended() throws {
        let records = (0..<1_000).map { LogRecord.sample($0, length: $0 % 70) }
        var log = try fixture.log()
        #expect(log.wasCreated)
        var recorder = Recorder()
        for start in stride(from: 0, to: 1_000, by: 100) {
            try log.append(Array(records[start..<start + 100]), synchronizing: false, &recorder)
        }
        let (found, damage) = try fixture.read()
        #expect(found.records == records)
        #expect(damage.isEmpty)
    }

    @Test func keepsRecordsLongerThanItsReadingWindow() throws {
        let records = [
            LogRecord.sample(1), LogRecord.sample(2, length: 9 << 20), LogRecord.sample(3),
        ]
        try fixture.fill(records)
        #expect(try fixture.read().0.records == records)
    }

    @Test func readingCreatesNothing() throws {
        #expect(throws: Errno.noSuchFileOrDirectory) { _ = try fixture.log(.reading) }
        #expect(try fixture.names() == [])
    }

    @Test func twoInstancesSeeEachOthersRecordsInOneOrder() throws {
        var first = try fixture.log()
        var second = try fixture.log()
        var seenByFirst = Recorder()
        var seenBySecond = Recorder()
        var expected: [LogRecord] = []
        for round in 0..<50 {
            let mine = LogRecord.sample(2 * round)
            let theirs = LogRecord.sample(2 * round + 1)
            try first.append([mine], synchronizing: false, &seenByFirst)
            seenByFirst.record(mine.type, mine.payload[...], at: 0)
            try second.append([theirs], synchronizing: false, &seenBySecond)
            seenBySecond.record(theirs.type, theirs.payload[...], at: 0)
            expected += [mine, theirs]
        }
        try first.update(&seenByFirst)
        #expect(seenByFirst.records == expected)
        #expect(seenBySecond.records == expected)
        #expect(try fixture.read().0.records == expected)
    }

    @Test func othersNoticeACompaction() throws {
        var first = try fixture.log()
        var second = try fixture.log()
        var one = Recorder()
        var two = Recorder()
        let records = (0..<10).map { LogRecord.sample($0) }
        try first.append(records, synchronizing: false, &one)
        try second.update(&two)
        try second.compact(&two) { snapshot, state, _ in
            for record in state.records.suffix(3) {
                snapshot.append(record.type, record.payload)
            }
        }
        // The first still has the old file open: its record must go to the new one.
        try first.append([.sample(77)], synchronizing: false, &one)
        #expect(one.restarts == 1)
        #expect(one.records == Array(records.suffix(3)))
        try second.update(&two)
        #expect(two.records == records + [.sample(77)])
        #expect(try fixture.read().0.records == records.suffix(3) + [.sample(77)])
        #expect(try fixture.names() == ["test.log"])
    }

    @Test func readsPayloadsByOffset() throws {
        let records = [LogRecord.sample(1, length: 3), .sample(2, length: 100_000)]
        try fixture.fill(records)
        var log = try fixture.log(.reading)
        var recorder = Recorder()
        try log.update(&recorder)
        for (record, offset) in zip(records, recorder.offsets) {
            #expect(try log.payload(at: offset) == record.payload)
        }
        #expect(try log.payload(at: recorder.offsets[1] + 1) == nil)
    }

    @Test func aRecordInsideAPayloadIsNeverTakenForOne() throws {
        try fixture.fill([.sample(1), .sample(2)])
        let inner = try fixture.bytes()
        let other = try LogFixture()
        try other.fill([LogRecord(9, inner), .sample(3)])
        var bytes = try other.bytes()
        // Damages the record that contains the other log.
        bytes[LogHeader.size + LogFrame.headerSize] ^= 1
        try other.replace(by: bytes)
        let (found, damage) = try other.read()
        #expect(found.records == [.sample(3)])
        #expect(damage.places == 1)
    }

    @Test func refusesALaterVersion() throws {
        try fixture.fill([.sample(1)])
        var bytes = try fixture.bytes()
        bytes[7] = 2
        var sum = CRC32C()
        let head = Array(bytes[..<28])
        sum.update(head.span.bytes)
        for index in 0..<4 { bytes[28 + index] = UInt8(truncatingIfNeeded: sum.value >> (8 * index)) }
        try fixture.replace(by: bytes)
        #expect(throws: Errno.notSupported) { _ = try fixture.read() }
    }

    @Test func refusesAnythingButARegularFile() throws {
        try fixture.temporary.tree.symbolicLink("test.log", to: "/etc/passwd")
        #expect(throws: Errno.self) { _ = try fixture.log(.reading) }
    }
}
