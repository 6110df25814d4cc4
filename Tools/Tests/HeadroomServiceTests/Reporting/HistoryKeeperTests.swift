//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import Synchronization
import SystemPackage
import Testing

struct HistoryKeeperTests {
    private let directory: TemporaryDirectory
    private var path: FilePath { directory.path.appending("history.sqlite") }

    init() throws { directory = try TemporaryDirectory(on: .memory) }

    /// Records events, each so many seconds after the start.
    private func keep(
        _ events: [(seconds: Int64, event: AutomationEvent)]
    ) async throws -> (history: History, forecasts: [HistoryKeeper.Expectation]) {
        let forecasts = Mutex<[HistoryKeeper.Expectation]>([])
        let keeper = HistoryKeeper(
            try History.open(at: path, now: Events.start), retention: .seconds(365 * 86_400),
            onForecast: { forecast in forecasts.withLock { $0.append(forecast) } },
            onTrouble: { Issue.record("\($0)") })
        for (seconds, event) in events {
            keeper.note(event, at: Events.start.advanced(by: .seconds(seconds)))
        }
        keeper.finish()
        await keeper.run()
        let history = try #require(try History.openReadOnly(at: path))
        return (history, forecasts.withLock { $0 })
    }

    private let volume = HistoryVolume(mountPoint: "/data", type: "ext4")

    @Test func samplesOnceAMinuteAndWhenTheLevelChanges() async throws {
        let (normal, low) = (ByteCount.megabytes(500), ByteCount.megabytes(10))
        let (history, _) = try await keep([
            (0, Events.read(available: normal)), (2, Events.read(available: normal)),
            (4, Events.read(available: low)), (6, Events.read(available: low)),
            (63, Events.read(available: low)), (64, Events.read(available: low)),
        ])
        let samples = try history.samples(of: volume)
        #expect(samples.map { $0.time.seconds - Events.start.seconds } == [0, 4, 64])
        #expect(samples.map(\.available) == [normal, low, low])
    }

    @Test("Samples at once after a purge, so that forecasts know what it has freed", .tags(.r28d))
    func samplesAfterAPurge() async throws {
        let (before, after) = (ByteCount.megabytes(500), ByteCount.megabytes(700))
        let (history, _) = try await keep([
            (0, Events.read(available: before)), (2, .ended(Events.purge(missing: 0))),
            (4, Events.read(available: after)), (6, Events.read(available: after)),
        ])
        let samples = try history.samples(of: volume)
        #expect(samples.map { $0.time.seconds - Events.start.seconds } == [0, 4])
        #expect(samples.map(\.available) == [before, after])
    }

    @Test func recordsReceiptsAndEvents() async throws {
        let (history, _) = try await keep([
            (0, .pressure(Events.change(from: .normal, available: .megabytes(10)))),
            (1, .ended(Events.purge(missing: 9))), (2, .trouble("It broke.")),
        ])
        let receipt = try #require(try history.receipts().first)
        #expect(receipt.trigger == "levelChange")
        #expect(receipt.volume == "/data")
        #expect(receipt.freedByClass == ["temporary": .megabytes(3), "cache": .megabytes(7)])
        #expect(receipt.gained == .megabytes(8))
        let events = try history.events()
        #expect(events.map(\.kind) == [.service, .missed, .level])
        #expect(events.last?.level == .critical)
        #expect(events.last?.volume == "/data")
    }

    @Test func recordsWhatAPersonHasConfirmed() async throws {
        let purge = try #require(Events.purge(missing: 0).receipt)
        let (history, _) = try await keep([(0, .purgedByHand(purge, volume: "/data"))])
        let receipt = try #require(try history.receipts().first)
        #expect(receipt.id == purge.id && receipt.trigger == "byHand")
        #expect(receipt.volume == "/data")
        #expect(receipt.freedByClass == ["temporary": .megabytes(3), "cache": .megabytes(7)])
    }

    /// By one process, and not again by the next.
    @Test(.tags(.r41e)) func unusualGrowthOfAModuleIsToldOnce() async throws {
        let module = UsageSubject.module("com.example.mail")
        let before = try History.open(at: path, now: Events.start)
        try before.record(
            (1...28 * 24).map { hours in
                (
                    module,
                    UsageSample(
                        time: Events.start.advanced(by: .seconds(-3_600 * hours)),
                        bytes: .megabytes(1))
                )
            })
        try before.close()
        let run = try #require(await Events.modules(bytes: .megabytes(704)))
        let told = Mutex<[GrowthAnomaly]>([])
        for _ in 0..<2 {
            let keeper = HistoryKeeper(
                try History.open(at: path, now: Events.start), retention: .seconds(365 * 86_400),
                onForecast: { _ in },
                onAnomaly: { anomaly, volume, _ in
                    told.withLock { $0.append(anomaly) }
                    #expect(volume == nil)
                }, onTrouble: { Issue.record("\($0)") })
            keeper.note(.modules(run), at: Events.start)
            keeper.finish()
            await keeper.run()
        }
        let anomaly = try #require(told.withLock { $0.first })
        #expect(told.withLock { $0.count } == 1)
        #expect(anomaly.subject == module)
        // What was left when it had cleaned.
        #expect(anomaly.usage == .megabytes(700) && anomaly.growth == .megabytes(699))
        let text = anomaly.notice(at: Events.start).text
        #expect(text.hasPrefix("The module com.example.mail grew by 699 MB in "), "\(text)")
        let history = try #require(try History.openReadOnly(at: path))
        #expect(try history.events(of: .anomaly).map(\.subject) == ["com.example.mail"])
    }

    @Test func silentVolumesAreNotSampled() async throws {
        let (history, forecasts) = try await keep([
            (0, Events.read(available: .megabytes(10), isSilent: true))
        ])
        #expect(try history.samples(of: volume).isEmpty)
        #expect(forecasts.isEmpty)
    }

    @Test func expectsWhatTheSamplesSay() async throws {
        // 1 MB each minute: at 430 MB then, and at warning, 100 MB, in five hours and a half.
        let events = (0...120).map { minute in
            (
                seconds: Int64(minute) * 60,
                event: Events.read(available: .megabytes(550 - Int64(minute)))
            )
        }
        let last = try #require(try await keep(events).forecasts.last)
        #expect(last.volume == "/data")
        #expect(last.inodes == nil)
        guard case .expected(let expected) = last.bytes.warning else {
            Issue.record("\(last.bytes.warning)")
            return
        }
        #expect(expected.likely > .seconds(4 * 3_600) && expected.likely < .seconds(8 * 3_600))
    }

    // MARK: - Growth

    private func survey(_ megabytes: Int64, at time: Timestamp) -> AreaSurvey {
        var survey = AreaSurvey(volume: "/data", time: time)
        var area = AreaFigures(
            root: "/data/cache", purgeClass: .cache, allocated: .megabytes(megabytes), items: 9)
        area.purgeable = .megabytes(megabytes / 2)
        area.recent = [
            RecentItem(
                path: "/data/cache/new", allocated: .megabytes(700),
                written: time.advanced(by: .seconds(-60)))
        ]
        survey.areas = [area]
        return survey
    }

    /// Four weeks in which an area grew by a megabyte an hour, written beforehand.
    private func remember() throws {
        let history = try History.open(at: path, now: Events.start)
        try history.record(
            (1...28 * 24).map { hours in
                (
                    UsageSubject.area("/data/cache"),
                    UsageSample(
                        time: Events.start.advanced(by: .seconds(-3_600 * hours)),
                        bytes: .megabytes(1_000 - Int64(hours)))
                )
            })
        try history.close()
    }

    private func anomalies(
        _ body: (HistoryKeeper) -> Void
    ) async throws -> [GrowthAnomaly] {
        let found = Mutex<[GrowthAnomaly]>([])
        let keeper = HistoryKeeper(
            try History.open(at: path, now: Events.start), retention: .seconds(365 * 86_400),
            onForecast: { _ in },
            onAnomaly: { anomaly, _, _ in found.withLock { $0.append(anomaly) } },
            onTrouble: { Issue.record("\($0)") })
        body(keeper)
        keeper.finish()
        await keeper.run()
        return found.withLock { $0 }
    }

    @Test(.tags(.r41d)) func recordsWhatAreasAndModulesOccupy() async throws {
        let run = try #require(await Events.modules())
        #expect(
            try await anomalies { keeper in
                keeper.note(survey(600, at: Events.start))
                keeper.note(.modules(run), at: Events.start)
            }.isEmpty)
        let history = try #require(try History.openReadOnly(at: path))
        #expect(
            try history.usages(of: .area("/data/cache")) == [
                UsageSample(
                    time: Events.start, bytes: .megabytes(600), items: 9,
                    purgeable: .megabytes(300))
            ])
        #expect(
            try history.usages(of: .module("com.example.mail")) == [
                UsageSample(time: Events.start, bytes: .megabytes(2))
            ])
    }

    @Test func tellsUnusualGrowthOnceWithItsCause() async throws {
        try remember()
        let later = Events.start.advanced(by: .seconds(600))
        let found = try await anomalies { keeper in
            keeper.note(survey(1_000, at: Events.start.advanced(by: .seconds(-30))))
            keeper.note(survey(2_000, at: Events.start))
            keeper.note(survey(2_100, at: later))
        }
        let anomaly = try #require(found.first)
        #expect(found.count == 1)
        #expect(anomaly.growth == .megabytes(1_001))
        #expect(anomaly.largest.map(\.path) == ["/data/cache/new"])
        var history = try #require(try History.openReadOnly(at: path))
        let event = try #require(try history.events(of: .anomaly).first)
        #expect(event.subject == "/data/cache")
        #expect(event.volume == "/data")
        #expect(event.text.contains("/data/cache/new (700 MB)"), "\(event.text)")
        try history.close()
        // Not by the next process either; but when the time is over.
        #expect(try await anomalies { $0.note(survey(2_200, at: later)) }.isEmpty)
        let tomorrow = Events.start.advanced(by: .seconds(2 * 86_400))
        #expect(
            try await anomalies { keeper in
                keeper.note(survey(2_200, at: tomorrow.advanced(by: .seconds(-86_400))))
                keeper.note(survey(9_000, at: tomorrow))
            }.count == 1)
        history = try #require(try History.openReadOnly(at: path))
        #expect(try history.events(of: .anomaly).count == 2)
        #expect(try history.events(of: .level).isEmpty)
    }

    @Test func readsAHistoryOfTheFormBefore() throws {
        let history = try History.open(at: path, now: Events.start)
        try history.record([(.module("m"), UsageSample(time: Events.start, bytes: .megabytes(1)))])
        try history.record(HistoryEvent(time: Events.start, kind: .service, text: "began"))
        try history.close()
        let database = try DatabaseQueue(path: path.string)
        try database.write { db in
            try db.execute(
                sql: """
                    ALTER TABLE usage DROP COLUMN purgeable;
                    ALTER TABLE event DROP COLUMN subject;
                    DELETE FROM grdb_migrations WHERE identifier = '2';
                    """)
        }
        try database.close()
        let before = try #require(try History.openReadOnly(at: path))
        #expect(try before.usages(of: .module("m")).map(\.bytes) == [.megabytes(1)])
        #expect(try before.events().map(\.text) == ["began"])
        try before.close()
        let now = try History.open(at: path, now: Events.start)
        #expect(now.notices.isEmpty)
        try now.record(
            [(.module("m"), UsageSample(time: Events.start, bytes: .zero, purgeable: .zero))])
        #expect(try now.usages(of: .module("m")).map(\.purgeable) == [.zero])
    }

    @Test func aClockThatIsSetBackDoesNotEndTheSamples() async throws {
        let (history, _) = try await keep([
            (7_200, Events.read(available: .megabytes(500))),
            (0, Events.read(available: .megabytes(400))),
            (10, Events.read(available: .megabytes(400))),
        ])
        #expect(try history.samples(of: volume).count == 2)
    }
}
