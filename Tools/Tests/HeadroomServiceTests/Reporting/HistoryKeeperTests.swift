//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
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

    @Test func aClockThatIsSetBackDoesNotEndTheSamples() async throws {
        let (history, _) = try await keep([
            (7_200, Events.read(available: .megabytes(500))),
            (0, Events.read(available: .megabytes(400))),
            (10, Events.read(available: .megabytes(400))),
        ])
        #expect(try history.samples(of: volume).count == 2)
    }
}
