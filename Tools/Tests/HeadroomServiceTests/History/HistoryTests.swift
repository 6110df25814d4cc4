//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

struct HistoryTests {
    let directory: TemporaryDirectory
    let start = Timestamp(seconds: 1_800_000_000)
    let volume = HistoryVolume(mountPoint: "/srv", type: "ext4")

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    private var path: FilePath { directory.path.appending("state/history.sqlite") }

    private func open() throws -> History { try History.open(at: path, now: start) }

    private func sample(_ seconds: Int64, _ available: Int64, inodes: UInt64? = nil)
        -> ForecastSample
    {
        ForecastSample(
            time: Timestamp(seconds: start.seconds + seconds), available: .megabytes(available),
            total: .gigabytes(100), availableInodes: inodes, inodes: inodes.map { _ in 1_000_000 })
    }

    // MARK: - What comes back

    @Test func givesBackWhatWasRecordedAfterReopening() throws {
        let written = [sample(0, 50), sample(60, 40, inodes: 7), sample(120, 45)]
        do {
            let history = try open()
            try history.record(written.map { (volume, $0) })
            try history.close()
        }
        let history = try open()
        #expect(history.notices.isEmpty)
        #expect(try history.samples(of: volume) == written)
        #expect(try history.samples(of: volume, since: written[1].time) == Array(written[1...]))
        #expect(try history.volumes() == [volume])
        #expect(try history.samples(of: HistoryVolume(mountPoint: "/srv", type: "xfs")) == [])
    }

    @Test func keepsTheLastOfOneSecond() throws {
        let history = try open()
        try history.record([(volume, sample(0, 50))])
        try history.record([(volume, sample(0, 49))])
        #expect(try history.samples(of: volume) == [sample(0, 49)])
    }

    @Test func keepsNamesThatAreNoText() throws {
        let odd = directory.tree.path(TreePath(name: [0x73, 0xFF]))
        let history = try open()
        try history.record([(HistoryVolume(mountPoint: odd, type: "ext4"), sample(0, 1))])
        try history.record([(UsageSubject.area(odd), UsageSample(time: start, bytes: .zero))])
        #expect(try history.volumes().map(\.mountPoint) == [odd])
        #expect(try history.subjects() == [.area(odd)])
    }

    @Test func givesBackUsagesReceiptsAndEvents() throws {
        let history = try open()
        let usage = UsageSample(time: start, bytes: .gigabytes(3), items: 12)
        try history.record([(UsageSubject.area("/a"), usage), (.module("m"), usage)])
        #expect(try history.subjects() == [.area("/a"), .module("m")])
        #expect(try history.usages(of: .module("m")) == [usage])
        let receipt = ReceiptSummary(
            id: "r", time: start, trigger: "level", volume: "/srv", expected: .megabytes(5),
            gained: .megabytes(4), removedItems: 3, skippedItems: 1,
            freedByClass: ["cache": .megabytes(4)])
        try history.record(receipt)
        try history.record(receipt)
        #expect(try history.receipts() == [receipt])
        let events = [
            HistoryEvent(
                time: start, kind: .level, volume: "/srv", level: .critical, text: "it is so"),
            HistoryEvent(time: start.advanced(by: .seconds(1)), kind: .anomaly, text: "it grew"),
        ]
        for event in events { try history.record(event) }
        #expect(try history.events() == events.reversed())
        #expect(try history.events(since: events[1].time) == [events[1]])
    }

    @Test func isReadByOthersWhileItIsWritten() throws {
        let history = try open()
        try history.record([(volume, sample(0, 50))])
        let reader = try #require(try History.openReadOnly(at: path))
        #expect(try reader.samples(of: volume).count == 1)
        try history.record([(volume, sample(60, 49))])
        #expect(try reader.samples(of: volume).count == 2)
        #expect(throws: HeadroomError.self) { try reader.record([(volume, sample(90, 48))]) }
    }

    @Test func hasNothingToReadWhereThereIsNone() throws {
        #expect(try History.openReadOnly(at: path).map(\.path) == nil)
        #expect(!directory.tree.exists("state"))
    }

    @Test func othersMayNotReadIt() throws {
        let history = try open()
        try history.record([(volume, sample(0, 50))])
        for name in ["history.sqlite", "history.sqlite-wal"] {
            let status = try directory.tree.status(of: TreePath("state/" + name))
            #expect(status.permissions & 0o077 == 0, "\(name)")
        }
        #expect(try directory.tree.status(of: "state").permissions & 0o077 == 0)
    }

    // MARK: - Damage and other versions

    /// Makes a history of 2,000 samples, and overwrites some of its bytes.
    private func damage(_ range: Range<Int>) throws {
        let history = try open()
        try history.record(
            (0..<2_000).map { (volume, sample(Int64($0) * 60, 50_000 - Int64($0))) })
        try history.close()
        var bytes = try directory.tree.contents(of: "state/history.sqlite")
        try #require(bytes.count > 20_000)
        for index in range { bytes[index] = UInt8(truncatingIfNeeded: index) }
        try directory.tree.file("state/history.sqlite", contents: bytes)
    }

    @Test(arguments: [0, 20, 4_096, 9_000])
    func setsADamagedFileAside(_ offset: Int) throws {
        try damage(offset..<offset + 5_000)
        let history = try open()
        let notice = try #require(history.notices.first)
        #expect(notice.contains("damaged") && notice.contains("history.sqlite.damaged-1800000000"))
        #expect(directory.tree.exists("state/history.sqlite.damaged-1800000000"))
        try history.record([(volume, sample(0, 50))])
        #expect(try history.samples(of: volume).count == 1)
    }

    @Test func keepsEachDamagedFile() throws {
        for _ in 0..<3 {
            try directory.tree.directory("state")
            try directory.tree.file(
                "state/history.sqlite", text: String(repeating: "x", count: 999))
            _ = try open()
        }
        let names = try directory.tree.names(in: "state").map(\.text)
        #expect(names.count { $0.contains("damaged") } == 3)
    }

    // MARK: - Files of others

    /// Everything in the directory, byte for byte.
    private func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try directory.tree.names(in: "state").map(\.text) {
            files[name] = try directory.tree.contents(of: TreePath("state/" + name))
        }
        return files
    }

    @Test(.tags(.r29h), arguments: [false, true], ["delete", "wal"])
    func leavesTheDatabaseOfAnotherProgramAsItIs(isNamed: Bool, mode: String) throws {
        try directory.tree.directory("state")
        let other = try DatabaseQueue(path: path.string)
        try other.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = \(mode)")
            try db.execute(sql: "CREATE TABLE sample (x); PRAGMA user_version = 7")
        }
        // The other program has it open.
        let before = try files()
        let error = #expect(throws: HeadroomError.self) {
            _ = try History.open(at: path, isNamed: isNamed, now: start)
        }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("database of another program") == true)
        #expect(throws: HeadroomError.self) { _ = try History.openReadOnly(at: path) }
        #expect(History.refusal(ofNamed: path)?.code == .refused)
        #expect(try files() == before)
        try other.close()
    }

    @Test(.tags(.r29h), arguments: ["my diary\n", String(repeating: "x", count: 999)])
    func leavesANamedFileThatIsNoDatabaseAsItIs(text: String) throws {
        try directory.tree.file("state/history.sqlite", text: text)
        let before = try files()
        let error = #expect(throws: HeadroomError.self) {
            _ = try History.open(at: path, isNamed: true, now: start)
        }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("is left as it is") == true)
        #expect(History.refusal(ofNamed: path)?.code == .refused)
        #expect(try files() == before)
    }

    /// SQLite takes what has such a name for what a database that is gone has left, and removes it.
    @Test(.tags(.r29h), arguments: ["-journal", "-wal", "-shm"], [false, true])
    func leavesWhatLiesBesideANamedHistory(suffix: String, isEmpty: Bool) throws {
        if isEmpty { try directory.tree.file("state/history.sqlite") }
        try directory.tree.file(TreePath("state/history.sqlite" + suffix), text: "my notes\n")
        let before = try files()
        let error = #expect(throws: HeadroomError.self) {
            _ = try History.open(at: path, isNamed: true, now: start)
        }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("history.sqlite" + suffix) == true)
        #expect(History.refusal(ofNamed: path)?.code == .refused)
        #expect(try files() == before)
    }

    /// At its own place it is of a history, as far as anybody knows, and is kept all the same.
    @Test(.tags(.r29h)) func keepsWhatIsLeftOfAHistoryThatIsGone() throws {
        try directory.tree.file("state/history.sqlite-wal", text: "my notes\n")
        let history = try open()
        try history.record([(volume, sample(0, 50))])
        #expect(history.notices.count == 1)
        let name = try #require(try files().keys.first { $0.contains(".damaged-") })
        #expect(name.hasSuffix("-wal"))
        #expect(try files()[name] == Array("my notes\n".utf8))
        try history.close()
    }

    /// A process that is killed while it makes a history leaves an empty file and a journal.
    @Test func goesOnWithOneThatWasNotFinished() throws {
        try directory.tree.file("state/history.sqlite")
        try directory.tree.file(
            "state/history.sqlite-journal", contents: Array(repeating: 0, count: 512))
        #expect(History.refusal(ofNamed: path) == nil)
        let history = try History.open(at: path, isNamed: true, now: start)
        try history.record([(volume, sample(0, 50))])
        #expect(history.notices == [])
        try history.close()
    }

    @Test(.tags(.r29h)) func knowsAHistoryThatHasNoNumberYet() throws {
        do {
            let history = try open()
            try history.record([(volume, sample(0, 50))])
            try history.close()
        }
        let old = try DatabaseQueue(path: path.string)
        try old.write { db in try db.execute(sql: "PRAGMA application_id = 0") }
        try old.close()
        #expect(History.refusal(ofNamed: path) == nil)
        let history = try History.open(at: path, isNamed: true, now: start)
        #expect(try history.samples(of: volume).count == 1)
        try history.close()
        let bytes = try directory.tree.contents(of: "state/history.sqlite")
        #expect(Array(bytes[68..<72]) == Array("Hdrm".utf8))
        #expect(try directory.tree.names(in: "state").map(\.text) == ["history.sqlite"])
    }

    @Test(.tags(.r29h)) func setsANamedHistoryAsideThatIsDamaged() throws {
        try damage(4_096..<9_000)
        let history = try History.open(at: path, isNamed: true, now: start)
        #expect(history.notices.first?.contains("may be deleted") == true)
        #expect(directory.tree.exists("state/history.sqlite.damaged-1800000000"))
    }

    @Test func refusesTheFileOfANewerVersion() throws {
        do { try open().close() }
        let newer = try DatabaseQueue(path: path.string)
        try newer.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('8'), ('9')")
        }
        try newer.close()
        for attempt in [{ _ = try open() }, { _ = try History.openReadOnly(at: path) }] {
            let error = try #require(throws: HeadroomError.self) { try attempt() }
            #expect(error.code == .refused)
            #expect(error.message.contains("newer version"))
        }
        let names = try directory.tree.names(in: "state").map(\.text)
        #expect(!names.contains { $0.contains("damaged") })
    }

    @Test func losesNothingWhenItsProcessDies() throws {
        // What a killed process leaves: the file with a journal beside it that was never folded in.
        let history = try open()
        try history.record([(volume, sample(0, 50))])
        for name in ["history.sqlite", "history.sqlite-wal"] {
            let bytes = try directory.tree.contents(of: TreePath("state/" + name))
            try directory.tree.directory("killed")
            try directory.tree.file(TreePath("killed/" + name), contents: bytes)
        }
        let killed = directory.path.appending("killed/history.sqlite")
        #expect(try History.open(at: killed, now: start).samples(of: volume).count == 1)
    }

    // MARK: - Thinning

    @Test func thinsAsTheEngineSays() throws {
        var generator = SeededGenerator(seed: 7)
        let samples = (0..<5_000).map {
            sample(
                Int64($0) * 97, Int64.random(in: 1...90_000, using: &generator),
                inodes: $0 % 3 == 0 ? nil : UInt64.random(in: 1...9_999, using: &generator))
        }
        let now = Timestamp(seconds: start.seconds + 5_000 * 97)
        let history = try open()
        try history.record(samples.map { (volume, $0) })
        try history.record(
            samples.map {
                (UsageSubject.area("/a"), UsageSample(time: $0.time, bytes: $0.available, items: 1))
            })
        try history.thin(now: now)
        let kept = SampleThinning.thinned(samples, now: now)
        #expect(kept.count < samples.count)
        #expect(try history.samples(of: volume) == kept)
        // Of what is occupied, the highest of each span stays.
        let usages = try history.usages(of: .area("/a"))
        #expect(usages.count == kept.count)
        let most = samples.map(\.available).max()
        #expect(usages.map(\.bytes).max() == most)
        try history.thin(now: now)
        #expect(try history.samples(of: volume) == kept)
    }

    @Test func forgetsWhatIsOlderThanTheRetention() throws {
        let history = try open()
        try history.record([(volume, sample(0, 50))])
        try history.record([(UsageSubject.module("m"), UsageSample(time: start, bytes: .zero))])
        try history.record(HistoryEvent(time: start, kind: .service, text: "began"))
        try history.record(
            ReceiptSummary(
                id: "r", time: start, trigger: "hand", expected: .zero, gained: .zero,
                removedItems: 0, skippedItems: 0, freedByClass: ["cache": .zero]))
        let later = start.advanced(by: .seconds(8 * 86_400))
        try history.thin(now: later, retention: .seconds(9 * 86_400))
        #expect(try history.volumes().count == 1)
        #expect(try history.events().count == 1)
        try history.thin(now: later, retention: .seconds(7 * 86_400))
        #expect(try history.volumes().isEmpty)
        #expect(try history.subjects().isEmpty)
        #expect(try history.events().isEmpty)
        #expect(try history.receipts().isEmpty)
    }

    /// Ten years of three volumes and twelve areas, read every three hours and for the last two days every
    /// minute, ten events and two receipts a day: under 8 MB.
    ///
    /// Without `HEADROOM_SOAK` only what thinning and limits would leave of it is written at all: the same
    /// file in the end, a fifth of the records.
    @Test(.timeLimit(.minutes(10)))
    func staysSmallForTenYears() async throws {
        try await onOwnThread { try recordTenYears() }
    }

    private func recordTenYears() throws {
        let history = try open()
        let volumes = (0..<3).map { HistoryVolume(mountPoint: FilePath("/v\($0)"), type: "ext4") }
        let areas = (0..<12).map { UsageSubject.area(FilePath("/v0/area/\($0)")) }
        let day: Int64 = 86_400
        var generator = SeededGenerator(seed: 3)
        var largest: Int64 = 0
        for number in 0..<Int64(3_640) {
            let times = times(of: number)
            try history.record(
                times.flatMap { time in
                    volumes.map {
                        (
                            $0,
                            sample(time, Int64.random(in: 1...90_000, using: &generator), inodes: 9)
                        )
                    }
                })
            try history.record(
                times.flatMap { time in
                    areas.map {
                        (
                            $0,
                            UsageSample(
                                time: Timestamp(seconds: start.seconds + time),
                                bytes: .megabytes(Int64.random(in: 1...90_000, using: &generator)),
                                items: 1_000)
                        )
                    }
                })
            let isForgotten = !Privilege.isSoak && number < 3_640 - Int64(History.eventLimit) / 10
            for index in 0..<(isForgotten ? 2 : 10) {
                let time = Timestamp(seconds: start.seconds + number * day + Int64(index))
                try history.record(
                    HistoryEvent(
                        time: time, kind: .level, volume: "/v0", level: .warning,
                        text: "The volume /v0 has 7.12 GB available and is at the level warning."))
                guard index < 2 else { continue }
                try history.record(
                    ReceiptSummary(
                        id: "2026-11-21-\(number)-\(index)", time: time, trigger: "level",
                        volume: "/v0", expected: .gigabytes(1), gained: .gigabytes(1),
                        removedItems: 1_000, skippedItems: 3,
                        freedByClass: ["temporary": .gigabytes(1), "cache": .zero]))
            }
            guard number % 30 == 0 || number >= 3_638 else { continue }
            try history.thin(now: Timestamp(seconds: start.seconds + (number + 1) * day))
            largest = max(largest, try size())
        }
        try history.thin(now: Timestamp(seconds: start.seconds + 3_640 * day))
        let end = Timestamp(seconds: start.seconds + 3_640 * day)
        for volume in volumes {
            let samples = try history.samples(of: volume)
            #expect(samples.count <= SampleThinning.limit)
            #expect(samples.count > 2_000)
            // The first ones are ten years old.
            #expect(end.duration(since: samples[0].time) > .seconds(3_600 * day))
        }
        #expect(try history.events().count == History.eventLimit)
        #expect(largest < 8_000_000, "at most \(largest) bytes with the journal")
        print("history: ten years take \(largest) bytes at most, \(try size()) at the end")
    }

    /// When a day of the ten years is read, in seconds from the first.
    private func times(of number: Int64) -> [Int64] {
        let day: Int64 = 86_400
        let step: Int64 =
            switch 3_640 - number {
            case ...2: 60
            case ...380: 3 * 3_600
            case _ where Privilege.isSoak: 3 * 3_600
            case ...1_100: day
            default: 7 * day
            }
        guard step <= day || number % 7 == 0 else { return [] }
        return Array(stride(from: number * day, to: (number + 1) * day, by: Int(min(step, day))))
    }

    /// What lies on disk, the journal included.
    private func size() throws -> Int64 {
        try directory.tree.names(in: "state").reduce(0) { sum, name in
            sum + (try directory.tree.status(of: TreePath("state/\(name.text)")).logicalSize.bytes)
        }
    }
}
