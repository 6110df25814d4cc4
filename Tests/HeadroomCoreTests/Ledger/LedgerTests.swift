//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomTestSupport
import SystemPackage
import Testing

struct LedgerTests {
    private let temporary: TemporaryDirectory
    private let path: FilePath

    init() throws {
        temporary = try TemporaryDirectory(on: .memory)
        path = temporary.path.appending("state/headroom")
    }

    private static let time = Timestamp(seconds: 1_795_000_000)

    private func open(readOnly: Bool = false) -> Ledger {
        Ledger.open(directory: path, readOnly: readOnly, now: { Self.time })
    }

    private func key(_ inode: UInt64, on fileSystem: UInt64 = 7) -> FileKey {
        FileKey(fileSystemID: fileSystem, inode: inode, birth: -5)
    }

    private func names() throws -> [String] {
        try temporary.tree.names(in: "state/headroom").map(\.text).sorted()
    }

    @Test(.tags(.s14b)) func makesItsDirectoryForTheUserAlone() throws {
        let ledger = open()
        #expect(ledger.isPersistent)
        #expect(ledger.notices == [])
        #expect(ledger.rebuiltAt == nil)
        #expect(try temporary.tree.status(of: "state").permissions == 0o700)
        #expect(try temporary.tree.status(of: "state/headroom").permissions == 0o700)
        #expect(try names() == ["journal", "ledger.log", "receipts.log", "reservations"])
        let journal = try temporary.tree.status(of: "state/headroom/journal")
        #expect(journal.allocatedSize >= .mebibytes(1))
    }

    @Test func readingCreatesNothingAndWritesNothing() throws {
        let ledger = open(readOnly: true)
        #expect(ledger.notices == [])
        #expect(ledger.registrations == [])
        #expect(!temporary.tree.exists("state"))
        let refusal = #expect(throws: HeadroomError.self) {
            try ledger.recordUse(of: key(1), at: Self.time)
        }
        #expect(refusal?.code == .refused)
        #expect(ledger.recoverInterrupted() == [])
    }

    @Test func remembersMarks() throws {
        let path = FilePath(bytes: Array("/a/b\n".utf8) + [0xFF])
        let mark = Mark(purgeClass: .lastResort, isPinned: false, importance: 90)
        let ledger = open()
        try ledger.setMark(mark, for: key(1), path: path, isDirectory: true)
        try ledger.setMark(
            Mark(isExcludedFromBackup: true), for: key(2, on: 8), path: "/c", isDirectory: false)
        try ledger.setMark(Mark(isPinned: true), for: key(3), path: "/d", isDirectory: false)
        try ledger.setMark(.none, for: key(3), path: "/d", isDirectory: false)
        for ledger in [ledger, open(), open(readOnly: true)] {
            #expect(ledger.mark(for: key(1)) == mark)
            #expect(ledger.mark(for: key(3)) == nil)
            #expect(
                ledger.markedFiles(on: 7) == [
                    MarkedFile(key: key(1), mark: mark, path: path, isDirectory: true)
                ])
            #expect(ledger.markedFiles.count == 2)
            #expect(ledger.volume(7).hasMarks)
            #expect(!ledger.volume(7).hasUses)
            #expect(ledger.volume(9).isEmpty)
        }
    }

    @Test func keepsTheLatestUseAndTheEarliestSight() throws {
        let ledger = open()
        let times = [3, 9, 5].map { Timestamp(seconds: $0) }
        for time in times { try ledger.recordUse(of: key(1), at: time) }
        try ledger.recordFirstSeen(times.map { (key(1), $0) })
        let volume = open(readOnly: true).volume(7)
        #expect(volume.lastUse(for: key(1)) == times[1])
        #expect(volume.firstSeen(for: key(1)) == times[0])
        #expect(volume.lastUse(for: key(2)) == nil)
        try ledger.forget([key(1)])
        #expect(open(readOnly: true).volume(7).isEmpty)
    }

    @Test func remembersEveryFieldOfAnArea() throws {
        let full = Area(
            root: "/a", purgeClass: .temporary, unit: .entry, retention: .seconds(86_400.5),
            ageBasis: .created, limit: .megabytes(500), order: .oldestCreated, importance: 3,
            origin: "registered by Podcaster", allowsMountRoot: true)
        let plain = Area(root: "/b", purgeClass: .essential, origin: "–")
        let ledger = open()
        try ledger.register(plain)
        try ledger.register(Area(root: "/a", purgeClass: .cache, origin: "first"))
        try ledger.register(Area(root: "/c", purgeClass: .cache, origin: "goes"))
        try ledger.register(full)
        try ledger.unregister(root: "/c")
        #expect(ledger.registrations == [plain, full])
        #expect(open(readOnly: true).registrations == [plain, full])
    }

    @Test func remembersTheClocks() throws {
        let sample = ClockSample(wall: Self.time, sinceBoot: .seconds(1.5), boot: 42)
        try open().recordClock(sample)
        #expect(open(readOnly: true).lastClockSample == sample)
        var later = sample
        later.sinceBoot += .seconds(60)
        later.wall = later.wall.advanced(by: .seconds(90_060))
        #expect(sample.wallClockShift(until: later) == .seconds(90_000))
        later.boot = 43
        #expect(sample.wallClockShift(until: later) == nil)
    }

    @Test func twoInstancesShareWhatTheyWrite() throws {
        let first = open()
        let second = open()
        for number in 0..<20 {
            let ledger = number % 2 == 0 ? first : second
            try ledger.setMark(
                Mark(isPinned: true), for: key(UInt64(number)), path: "/x", isDirectory: false)
        }
        #expect(first.volume(7).markedFiles.count == 20)
        #expect(second.volume(7).markedFiles.count == 20)
    }

    @Test func staysShortHoweverOftenTheSameIsWritten() throws {
        let ledger = open()
        for number in 0..<300 {
            try ledger.recordUses(
                (0..<100).map { (key($0), Timestamp(seconds: Int64(number))) })
        }
        let size = try temporary.tree.status(of: "state/headroom/ledger.log").logicalSize
        // 30,000 records of 52 bytes were written; 100 are worth keeping.
        #expect(size < ByteCount(300_000))
        #expect(open(readOnly: true).volume(7).lastUse(for: key(99)) == Timestamp(seconds: 299))
    }

    // MARK: - Damage

    private func damage(_ body: (inout [UInt8]) -> Void) throws {
        var bytes = try temporary.tree.contents(of: "state/headroom/ledger.log")
        body(&bytes)
        try temporary.tree.file("state/headroom/ledger.log", contents: bytes)
    }

    private func fill() throws {
        let ledger = open()
        for inode in 1...3 as ClosedRange<UInt64> {
            try ledger.setMark(
                Mark(isPinned: true), for: key(inode), path: "/x", isDirectory: false)
        }
    }

    @Test func aDamagedRecordIsReportedAndTheRestKept() throws {
        try fill()
        try damage { $0[LogHeader.size + LogFrame.headerSize + 2] ^= 4 }
        let reader = open(readOnly: true)
        #expect(reader.notices.count == 1)
        #expect(reader.rebuiltAt == Self.time)
        let ledger = open()
        #expect(ledger.notices.count == 1)
        #expect(ledger.notices.first?.contains("1 places") == true)
        #expect(ledger.rebuiltAt == Self.time)
        #expect(ledger.mark(for: key(1)) == nil)
        #expect(ledger.mark(for: key(2)) == Mark(isPinned: true))
        #expect(try names().contains { $0.hasPrefix("ledger.damaged-2026") })
        // The next start finds a sound ledger that remembers when it was rebuilt.
        let next = Ledger.open(directory: path, now: { Self.time.advanced(by: .seconds(60)) })
        #expect(next.notices == [])
        #expect(next.rebuiltAt == Self.time)
        #expect(next.markedFiles.count == 2)
    }

    @Test func aDamagedHeaderLosesNothing() throws {
        try fill()
        try damage { for index in 0..<LogHeader.size { $0[index] = 0 } }
        let ledger = open()
        #expect(ledger.notices.count == 1)
        #expect(ledger.markedFiles.count == 3)
        #expect(open().notices == [])
    }

    @Test func anEmptiedLedgerIsBegunAnew() throws {
        try fill()
        try damage { $0 = [] }
        let ledger = open()
        #expect(ledger.rebuiltAt == Self.time)
        #expect(ledger.markedFiles == [])
        try ledger.recordUse(of: key(1), at: Self.time)
        #expect(open().notices == [])
    }

    @Test func aLostLedgerIsNoticed() throws {
        try fill()
        try temporary.tree.remove("state/headroom/ledger.log")
        let reader = open(readOnly: true)
        #expect(reader.rebuiltAt == Self.time)
        #expect(reader.notices.count == 1)
        let ledger = open()
        #expect(ledger.rebuiltAt == Self.time)
        #expect(ledger.notices.count == 1)
        #expect(open().rebuiltAt == Self.time)
        #expect(open().notices == [])
    }

    /// By who has it open, and knows what was in it.
    @Test(arguments: [false, true])
    func aLedgerThatIsLostWhileItIsOpenIsWrittenAgain(byWriting: Bool) throws {
        try fill()
        let ledger = open()
        let known = ledger.markedFiles
        try temporary.tree.remove("state/headroom/ledger.log")
        if byWriting {
            try ledger.recordUse(of: key(9), at: Self.time)
        } else {
            ledger.refresh()
        }
        #expect(ledger.markedFiles == known)
        #expect(ledger.rebuiltAt == Self.time)
        #expect(ledger.notices.count == 1)
        // It is told once.
        ledger.refresh()
        #expect(ledger.notices.count == 1)
        let next = open()
        #expect(next.notices == [])
        #expect(next.rebuiltAt == Self.time)
        #expect(Set(next.markedFiles.map(\.key)) == Set(known.map(\.key)))
        #expect(next.lastUse(for: key(9)) == (byWriting ? Self.time : nil))
    }

    /// Another process was first: it knew nothing, and has said so.
    @Test func aLedgerThatAnotherBeganAnewIsReadAsRebuilt() throws {
        try fill()
        let ledger = open()
        try temporary.tree.remove("state/headroom/ledger.log")
        _ = open()
        ledger.refresh()
        #expect(ledger.rebuiltAt == Self.time)
    }

    /// What was written anew by another, who makes a snapshot, is not lost.
    @Test func aSnapshotIsNoLoss() throws {
        try fill()
        let ledger = open()
        let other = open()
        let log = try temporary.tree.status(of: "state/headroom/ledger.log").identity
        for number in 0..<20_000 {
            try other.recordUse(of: key(1), at: Self.time.advanced(by: .seconds(number)))
        }
        #expect(try temporary.tree.status(of: "state/headroom/ledger.log").identity != log)
        ledger.refresh()
        #expect(ledger.rebuiltAt == nil)
        #expect(ledger.notices == [])
        #expect(ledger.markedFiles.count == 3)
    }

    @Test func aLedgerOfALaterVersionIsLeftAlone() throws {
        try fill()
        let before = try temporary.tree.contents(of: "state/headroom/ledger.log")
        try damage { bytes in
            bytes[7] = 9
            var sum = CRC32C()
            let head = Array(bytes[..<28])
            unsafe sum.update(head.span.bytes)
            for index in 0..<4 {
                bytes[28 + index] = UInt8(truncatingIfNeeded: sum.value >> (8 * index))
            }
        }
        let ledger = open()
        #expect(!ledger.isPersistent)
        #expect(ledger.notices.count == 1)
        #expect(ledger.rebuiltAt == Self.time)
        #expect(throws: HeadroomError.self) { try ledger.recordUse(of: key(1), at: Self.time) }
        let after = try temporary.tree.contents(of: "state/headroom/ledger.log")
        #expect(after[32...] == before[32...])
    }

    // MARK: - Places

    @Test func anUnusablePlaceMeansMemory() throws {
        try temporary.tree.file("state", text: "in the way")
        let ledger = open()
        #expect(!ledger.isPersistent)
        #expect(ledger.notices.count == 1)
        let error = #expect(throws: HeadroomError.self) {
            try ledger.setMark(Mark(isPinned: true), for: key(1), path: "/x", isDirectory: false)
        }
        #expect(error?.code == .io)
        #expect(ledger.mark(for: key(1)) == Mark(isPinned: true))
    }

    @Test(arguments: [
        (false, "/home/u", [:], "/home/u/.local/state/headroom"),
        (false, "/home/u", ["XDG_STATE_HOME": "/s"], "/s/headroom"),
        (false, "/home/u", ["XDG_STATE_HOME": "s"], "/home/u/.local/state/headroom"),
        (true, "/home/u", ["XDG_STATE_HOME": "/s"], "/var/lib/headroom"),
        (true, "/root", ["HEADROOM_STATE_DIRECTORY": "/t/x"], "/t/x"),
    ])
    func liesInTheStateDirectory(
        isRoot: Bool, home: String, variables: [String: String], expected: String
    ) {
        let found = Ledger.defaultDirectory(isRoot: isRoot, home: home) { variables[$0] }
        #if !canImport(Darwin)
        #expect(found == FilePath(expected))
        #endif
    }

    #if !canImport(Darwin)
    /// A directory that only root may write to is one of these.
    private static let rootsAlone: Set<FilePath> = ["/", "/root", "/ci/home", "/ci/state"]

    @Test(
        "Root with a home of its own keeps its state there, and with any other in /var/lib/headroom",
        .tags(.r1a),
        arguments: [
            ("/ci/home", [:], "/ci/home/.local/state/headroom"),
            ("/ci/home", ["XDG_STATE_HOME": "/ci/state"], "/ci/state/headroom"),
            ("/ci/home", ["XDG_STATE_HOME": "/home/u/s"], "/ci/home/.local/state/headroom"),
            ("/ci/home", ["HEADROOM_STATE_DIRECTORY": "/t/x"], "/t/x"),
            ("/root", [:], "/var/lib/headroom"), ("/root/", [:], "/var/lib/headroom"),
            ("/", [:], "/var/lib/headroom"), ("home", [:], "/var/lib/headroom"),
            // As sudo may leave it: it is another user's.
            ("/home/u", ["XDG_STATE_HOME": "/home/u/s"], "/var/lib/headroom"),
        ])
    func rootWithAHomeOfItsOwn(home: String, variables: [String: String], expected: String) {
        let found = Ledger.defaultDirectory(
            isRoot: true, home: home, rootHome: "/root",
            isRootsAlone: { Self.rootsAlone.contains($0) }, variable: { variables[$0] })
        #expect(found == FilePath(expected))
    }
    #endif
}
