//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import SystemPackage
import Testing

struct MetricsFeedTests {
    private let metrics = ServiceMetrics(version: "1.2.3")
    private let time = Timestamp(seconds: 1_800_000_000)

    private func read(_ events: [AutomationEvent]) throws -> Exposition {
        let feed = MetricsFeed(metrics)
        for event in events { feed.note(event, at: time) }
        return try Exposition(metrics.text().body, isOpen: false)
    }

    @Test func tellsWhatVolumesHave() throws {
        let metrics = try read([Events.read(available: .megabytes(70))])
        let labels = ["mount": "/data", "type": "ext4"]
        #expect(metrics.value("headroom_volume_available_bytes", labels) == 7e7)
        #expect(metrics.value("headroom_volume_size_bytes", labels) == 1e9)
        #expect(metrics.value("headroom_pressure_level", labels) == 1)
        #expect(metrics.value("headroom_threshold_bytes", ["level": "warning"]) == 1e8)
        #expect(metrics.value("headroom_cannot_help", labels) == 0)
        #expect(metrics.value("headroom_volume_answers", labels) == 1)
    }

    @Test func tellsThatAVolumeIsSilent() throws {
        let metrics = try read([Events.read(available: .megabytes(70), isSilent: true)])
        #expect(metrics.value("headroom_volume_answers") == 0)
        #expect(metrics.value("headroom_volume_available_bytes") == nil)
    }

    @Test func tellsWhatCannotBeHelpedUntilItIs() throws {
        let events = [Events.read(available: .megabytes(10)), Events.plight(.bytes)]
        #expect(try read(events).value("headroom_cannot_help") == 1)
        #expect(try read(events + [.relieved("/data")]).value("headroom_cannot_help") == 0)
    }

    @Test func tellsNothingOfAVolumeThatIsGone() throws {
        let events = [Events.read(available: .megabytes(10)), Events.plight(.bytes)]
        #expect(try read(events).value("headroom_pressure_level") == 2)
        let metrics = try read(events + [.gone("/data")])
        for name in ["volume_available_bytes", "pressure_level", "cannot_help", "volume_answers"] {
            #expect(metrics.value("headroom_" + name) == nil, "\(name)")
        }
    }

    @Test func countsPurgesByTriggerAndClass() throws {
        let metrics = try read([.ended(Events.purge(missing: 0)), .ended(Events.purge(missing: 9))])
        let trigger = ["trigger": "levelChange"]
        func value(_ name: String, _ more: [String: String] = [:]) -> Double? {
            metrics.value("headroom_" + name, trigger.merging(more) { $1 })
        }
        #expect(value("purges_total", ["outcome": "reached"]) == 1)
        #expect(value("purges_total", ["outcome": "missed"]) == 1)
        #expect(value("freed_bytes_total", ["class": "cache"]) == 1.4e7)
        #expect(value("freed_bytes_total", ["class": "temporary"]) == 6e6)
        #expect(value("purged_items_total") == 10)
        #expect(value("expected_bytes_total") == 2e7)
        #expect(value("gained_bytes_total") == 1.6e7)
        #expect(value("purge_duration_seconds_sum") == 4)
        #expect(metrics.value("headroom_expected_minus_gained_bytes") == 2e6)
        #expect(metrics.value("headroom_skipped_items_total", ["reason": "in-use"]) == 4)
        #expect(metrics.value("headroom_events_total", ["kind": "missed"]) == 1)
    }

    @Test func countsWhatAPersonHasConfirmed() throws {
        var receipt = try #require(Events.purge(missing: 0).receipt)
        var events = [AutomationEvent.purgedByHand(receipt, volume: nil)]
        receipt.outcome = .interrupted
        events.append(.purgedByHand(receipt, volume: "/data"))
        let metrics = try read(events)
        let trigger = ["trigger": "byHand"]
        for outcome in ["reached", "missed"] {
            let labels = trigger.merging(["outcome": outcome]) { $1 }
            #expect(metrics.value("headroom_purges_total", labels) == 1)
        }
        let cache = trigger.merging(["class": "cache"]) { $1 }
        #expect(metrics.value("headroom_freed_bytes_total", cache) == 1.4e7)
        // Who has stopped it knows.
        #expect(metrics.value("headroom_events_total", ["kind": "missed"]) == 0)
    }

    @Test func countsNoPurgeThatWasNone() throws {
        var proposed = Events.purge(missing: 0)
        proposed.outcome = .proposed
        proposed.receipt = nil
        let metrics = try read([.ended(proposed)])
        #expect(metrics.value("headroom_purges_total") == nil)
        #expect(metrics.value("headroom_events_total", ["kind": "missed"]) == 0)
    }

    @Test func countsChangesOfTheLevel() throws {
        let metrics = try read([
            .pressure(Events.change(from: nil, available: .megabytes(900))),
            .pressure(Events.change(from: .normal, available: .megabytes(10))),
        ])
        #expect(metrics.value("headroom_events_total", ["kind": "level"]) == 1)
    }

    @Test func tellsWhatModulesOccupy() async throws {
        let run = try #require(await Events.modules())
        let metrics = try read([.modules(run)])
        #expect(metrics.value("headroom_module_bytes", ["module": "com.example.mail"]) == 2e6)
        #expect(metrics.value("headroom_events_total", ["kind": "service"]) == 0)
        let failed = try #require(await Events.modules(fails: true))
        let trouble = try read([.modules(failed), .trouble("It broke.")])
        #expect(trouble.value("headroom_events_total", ["kind": "service"]) == 2)
    }

    @Test func tellsWhatAreasOfEachVolumeOccupy() throws {
        let feed = MetricsFeed(metrics)
        var other = AreaSurvey(volume: "/other", time: time)
        other.purgeable = [.cache: .megabytes(1)]
        other.leasedItems = 3
        for _ in 0..<2 { feed.set(SampleMetrics.survey) }
        feed.set(other)
        feed.note(lookTook: .seconds(2))
        let metrics = try Exposition(metrics.text().body, isOpen: false)
        let purgeable = "headroom_purgeable_bytes"
        #expect(metrics.value(purgeable, ["mount": "/da\"ta\\x", "class": "cache"]) == 3e9)
        #expect(metrics.value(purgeable, ["mount": "/other", "class": "cache"]) == 1e6)
        #expect(metrics.value("headroom_leases") == 5)
        #expect(metrics.value("headroom_scan_duration_seconds_sum") == 2)
        feed.reset()
        let after = try Exposition(self.metrics.text().body, isOpen: false)
        #expect(after.value(purgeable) == nil)
        #expect(after.value("headroom_cache_hits_total") == nil)
    }

    @Test func countsDeclarationsInTheirGrace() throws {
        let events = [AutomationEvent.withheld(["/a", "/b"])]
        #expect(try read(events).value("headroom_withheld_areas") == 2)
        #expect(try read(events + [.withheld([])]).value("headroom_withheld_areas") == 0)
    }

    @Test func forgetsVolumesWhenOthersAreWatched() throws {
        let feed = MetricsFeed(metrics)
        feed.note(Events.read(available: .megabytes(70)), at: time)
        feed.reset()
        let metrics = try Exposition(metrics.text().body, isOpen: false)
        #expect(metrics.value("headroom_volume_size_bytes") == nil)
    }
}
