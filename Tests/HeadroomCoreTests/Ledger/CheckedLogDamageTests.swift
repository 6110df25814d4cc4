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

struct CheckedLogDamageTests {
    private static let records = (0..<8).map { LogRecord.sample($0, length: 7 * $0) }

    private let fixture: LogFixture
    private let whole: [UInt8]
    /// Where each record begins, and where the last ends.
    private let bounds: [Int]

    init() throws {
        fixture = try LogFixture()
        try fixture.fill(Self.records)
        whole = try fixture.bytes()
        var bounds = [LogHeader.size]
        for record in Self.records {
            bounds.append(bounds[bounds.count - 1] + LogFrame.headerSize + record.payload.count)
        }
        self.bounds = bounds
        try #require(bounds.last == whole.count)
    }

    @Test func aLogCutAnywhereKeepsEveryWholeRecord() throws {
        for length in 0...whole.count {
            try fixture.replace(by: Array(whole[..<length]))
            let expected = Self.records.prefix(bounds.dropFirst().count { $0 <= length })
            let (found, damage) = try fixture.read()
            #expect(found.records == Array(expected), "cut at \(length)")
            // A cut-off record is what a crash leaves; a cut-off header cannot come from one.
            #expect(damage.isEmpty == (length >= LogHeader.size), "cut at \(length)")
        }
    }

    @Test func aLogCutAnywhereCanBeAppendedTo() throws {
        for length in LogHeader.size...whole.count {
            try fixture.replace(by: Array(whole[..<length]))
            let expected = Self.records.prefix(bounds.dropFirst().count { $0 <= length })
            try fixture.fill([.sample(100), .sample(101)])
            let (found, damage) = try fixture.read()
            #expect(found.records == expected + [.sample(100), .sample(101)], "cut at \(length)")
            #expect(damage.isEmpty, "cut at \(length)")
        }
    }

    @Test func aFlippedBitCostsOneRecordAndIsReported() throws {
        for position in whole.indices {
            for bit in [0, 3, 7] {
                var bytes = whole
                bytes[position] ^= 1 << bit
                try fixture.replace(by: bytes)
                let (found, damage) = try fixture.read()
                var expected = Self.records
                if let hit = bounds.lastIndex(where: { $0 <= position }) {
                    expected.remove(at: hit)
                }
                #expect(found.records == expected, "bit \(bit) of byte \(position)")
                #expect(
                    damage.headerIsDamaged == (position < LogHeader.size),
                    "bit \(bit) of byte \(position)")
                // The last record's marker or length may look like a record that was cut off, but
                // never like nothing at all.
                if position >= LogHeader.size { #expect(damage.places == 1, "byte \(position)") }
            }
        }
    }

    @Test func recordsAppendedBehindADamagedEndAreKept() throws {
        var bytes = whole
        bytes[bounds[7] + LogFrame.headerSize] ^= 0xFF
        try fixture.replace(by: bytes)
        try fixture.fill([.sample(100)])
        let (found, damage) = try fixture.read()
        #expect(found.records == Self.records.dropLast() + [.sample(100)])
        #expect(damage.places == 1)
        #expect(damage.bytes == UInt64(bounds[8] - bounds[7]))
    }

    @Test func zerosAtTheEndAreATornTail() throws {
        try fixture.replace(by: whole + [UInt8](repeating: 0, count: 5_000))
        let (found, damage) = try fixture.read(.writing)
        #expect(found.records == Self.records)
        #expect(damage.isEmpty)
        try fixture.fill([.sample(100)])
        #expect(try fixture.bytes().count == whole.count + LogFrame.headerSize + 5)
    }

    @Test func aStretchOfGarbageCostsOnlyWhatItCovers() throws {
        var bytes = whole
        for index in bounds[2] + 3..<bounds[5] - 1 { bytes[index] = LogFrame.marker[index % 4] }
        try fixture.replace(by: bytes)
        let (found, damage) = try fixture.read()
        #expect(found.records == Array(Self.records[..<2] + Self.records[5...]))
        #expect(damage.places == 1)
    }

    @Test func compactionMendsAndSetsAside() throws {
        var bytes = whole
        bytes[40] ^= 1
        try fixture.replace(by: bytes)
        let log = try fixture.log()
        try log.update()
        try log.compact(settingAside: "test.damaged")
        #expect(log.damage.isEmpty)
        let (found, damage) = try fixture.read()
        #expect(found.records == Array(Self.records.dropFirst()))
        #expect(damage.isEmpty)
        #expect(try fixture.bytes("test.damaged") == bytes)
    }

    /// What was cut off is dropped by whoever appends next, and what that one writes may be as long.
    @Test func aTornTailThatIsReplacedByAsMuch() throws {
        let new = LogRecord.sample(100, length: 40)
        try fixture.replace(by: whole)
        try fixture.fill([new])
        let length = try fixture.bytes().count - whole.count
        // As if it had not reached the disk.
        try fixture.replace(by: whole + [UInt8](repeating: 0, count: length))
        let (writer, watcher) = (try fixture.log(), try fixture.log())
        try watcher.update()
        #expect(watcher.recorder.records == Self.records)
        let watch = watcher.watch
        try writer.append([new])
        #expect(try fixture.bytes().count == whole.count + length)
        #expect(watch.hasNews)
        try watcher.update()
        #expect(watcher.recorder.records == Self.records + [new])
    }
}
