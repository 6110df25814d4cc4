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

struct CheckedLogTests {
    private let fixture: LogFixture

    init() throws { fixture = try LogFixture() }

    @Test func readsBackWhatWasAppended() throws {
        let records = (0..<1_000).map { LogRecord.sample($0, length: $0 % 70) }
        let log = try fixture.log()
        #expect(log.wasCreated)
        for start in stride(from: 0, to: 1_000, by: 100) {
            try log.append(Array(records[start..<start + 100]))
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
        let first = try fixture.log()
        let second = try fixture.log()
        var expected: [LogRecord] = []
        for round in 0..<50 {
            let records = [LogRecord.sample(2 * round), .sample(2 * round + 1)]
            try first.append([records[0]])
            try second.append([records[1]])
            expected += records
        }
        try first.update()
        #expect(first.recorder.records == expected)
        #expect(second.recorder.records == expected)
        #expect(try fixture.read().0.records == expected)
    }

    @Test func othersNoticeACompaction() throws {
        let first = try fixture.log()
        let second = try fixture.log()
        let records = (0..<10).map { LogRecord.sample($0) }
        try first.append(records)
        try second.update()
        try second.compact(keeping: 3)
        // The first still has the old file open: its record must go to the new one.
        try first.append([.sample(77)])
        #expect(first.recorder.restarts == 1)
        #expect(first.recorder.records == records.suffix(3) + [.sample(77)])
        // What the second holds is its own to shorten; nothing it has not seen is left out.
        try second.update()
        #expect(second.recorder.records == records + [.sample(77)])
        #expect(try fixture.read().0.records == records.suffix(3) + [.sample(77)])
        #expect(try fixture.names() == ["test.log"])
    }

    /// Between seeing that the file was replaced and reading the new one its lock may not be had.
    @Test func whatWasReadStaysUntilTheNewFileIsRead() throws {
        let first = try fixture.log()
        let second = try fixture.log()
        let records = (0..<10).map { LogRecord.sample($0) }
        try first.append(records)
        try second.update()
        try second.compact(keeping: 3)
        let file = try RegularFile("test.log", in: fixture.directory, .reading)
        try StateLock.take(file.descriptor.rawValue, .exclusive, limit: .zero)
        first.losePatience()
        for _ in 0..<2 {
            #expect(throws: Errno.resourceTemporarilyUnavailable) {
                try first.append([.sample(77)])
            }
            #expect(first.recorder.records == records)
        }
        StateLock.release(file.descriptor.rawValue)
        try first.append([.sample(77)])
        #expect(first.recorder.restarts == 1)
        #expect(first.recorder.records == records.suffix(3) + [.sample(77)])
    }

    /// What was read in part is read from the first record on.
    @Test func aFileThatCannotBeReadIsReadAnew() throws {
        let first = try fixture.log()
        let second = try fixture.log()
        let records = (0..<10).map { LogRecord.sample($0) }
        try first.append(records)
        try second.update()
        try second.compact(keeping: 3)
        let good = try fixture.bytes()
        try fixture.directory.makeLater("test.log")
        for _ in 0..<2 {
            #expect(throws: Errno.notSupported) { try first.update() }
            #expect(first.recorder.records == records)
        }
        try fixture.directory.overwrite("test.log", by: good)
        try first.update()
        #expect(first.recorder.restarts == 1)
        #expect(first.recorder.records == Array(records.suffix(3)))
    }

    @Test func readsPayloadsByOffset() throws {
        let records = [LogRecord.sample(1, length: 3), .sample(2, length: 100_000)]
        try fixture.fill(records)
        let log = try fixture.log(.reading)
        try log.update()
        for (record, offset) in zip(records, log.recorder.offsets) {
            #expect(try log.payload(at: offset) == record.payload)
        }
        #expect(try log.payload(at: log.recorder.offsets[1] + 1) == nil)
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
        try fixture.directory.makeLater("test.log")
        #expect(throws: Errno.notSupported) { _ = try fixture.read() }
    }

    @Test func refusesAnythingButARegularFile() throws {
        try fixture.temporary.tree.symbolicLink("test.log", to: "/etc/passwd")
        #expect(throws: Errno.self) { _ = try fixture.log(.reading) }
    }

    /// Who takes a log for another store's removes it, while others open theirs.
    @Test func isMadeAnewWhereItGoesBeforeItIsOpen() throws {
        let removals = Atomic(0)
        let directory = fixture.directory
        let log = try CheckedLog(
            "test.log", in: directory, kind: LogFixture.kind, access: .writing,
            step: { step in
                guard step == .emptyNamed, removals.load(ordering: .relaxed) < 3 else { return }
                removals.add(1, ordering: .relaxed)
                try? directory.remove("test.log")
            })
        let handle = LogHandle(log)
        #expect(removals.load(ordering: .relaxed) == 3)
        try handle.append([.sample(1)])
        #expect(try fixture.read().0.records == [.sample(1)])
    }

    @Test func thoseThatDiscardItDoNotFailThoseThatOpenIt() throws {
        let path = fixture.temporary.path
        let failures = Mutex<[Errno]>([])
        let threads = try (0..<4).map { _ in
            try WorkerThread {
                do throws(Errno) {
                    // Of its own: its lock is the open file's.
                    let directory = try StateDirectory(opening: path)
                    for _ in 0..<200 {
                        try CheckedLog(
                            "test.log", in: directory, kind: LogFixture.kind, access: .writing
                        ).discard()
                    }
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(failures.withLock { $0 } == [])
    }

    @Test func onlyWhatIsNoLogIsRemovedForOne() throws {
        let tree = fixture.temporary.tree
        func remove() throws {
            try CheckedLog.removeForeign("test.log", in: fixture.directory, gate: .directory)
        }
        try remove()
        try tree.symbolicLink("test.log", to: "/etc/passwd")
        try remove()
        #expect(try fixture.names() == [])
        // Somebody else has removed the link by now, and made a log.
        try fixture.fill([.sample(1)])
        try remove()
        #expect(try fixture.read().0.records == [.sample(1)])
    }
}
