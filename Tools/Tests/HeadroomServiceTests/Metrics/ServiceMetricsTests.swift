//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import HeadroomEngine
import HeadroomPlatform
import HeadroomPromises
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

struct ServiceMetricsTests {
    private static let openMetrics = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"

    private func read(open: Bool) throws -> Exposition {
        let text = SampleMetrics.make().text(accept: open ? Self.openMetrics : "text/plain")
        #expect(text.contentType.hasPrefix(open ? "application/openmetrics-text" : "text/plain"))
        return try Exposition(text.body, isOpen: open)
    }

    @Test(arguments: [true, false])
    func isReadByAStrictReader(_ open: Bool) throws {
        let metrics = try read(open: open)
        #expect(metrics.value("headroom_build_info", ["version": "1.2.3"]) == 1)
        #expect(metrics.value("headroom_volume_available_bytes", ["mount": "/da\"ta\\x"]) == 7e9)
        #expect(metrics.value("headroom_volume_inodes") == 1_000_000)
        #expect(metrics.value("headroom_pressure_level", ["type": "ext4"]) == 1)
        #expect(metrics.value("headroom_cannot_help") == 1)
        #expect(metrics.value("headroom_threshold_bytes", ["level": "critical"]) == 2_147_483_648)
        #expect(metrics.value("headroom_area_bytes", ["class": "cache"]) == 3e9)
        #expect(metrics.value("headroom_module_bytes", ["module": "mail"]) == 5e6)
        #expect(metrics.value("headroom_purgeable_bytes", ["class": "temporary"]) == 1e9)
        #expect(metrics.value("headroom_area_purgeable_bytes") == 2e9)
        #expect(metrics.value("headroom_area_items") == 7)
        #expect(metrics.value("headroom_purgeable_bytes", ["class": "trash"]) == 0)
        #expect(metrics.value("headroom_areas_time_seconds") == 1_800_000_100)
        let store = ["store": FilePath("/srv/a\nb/images").displayText]
        #expect(metrics.value("headroom_cache_store_bytes", store) == 9e6)
        #expect(metrics.value("headroom_cache_hits_total", store) == 40)
        #expect(metrics.value("headroom_cache_misses_total", store) == 10)
        #expect(metrics.value("headroom_cache_puts_total", store) == 9)
        #expect(metrics.value("headroom_cache_removals_total", store) == 1)
        #expect(metrics.value("headroom_cache_evictions_total", store) == 5)
        #expect(metrics.value("headroom_cache_evicted_bytes_total", store) == 5_000)
        #expect(metrics.value("headroom_cache_regrets_total", store) == 2)
        #expect(metrics.value("headroom_cache_regret_bytes_total", store) == 1_500)
        #expect(metrics.value("headroom_leases") == 2)
        #expect(
            metrics.value(
                "headroom_freed_bytes_total", ["class": "cache", "trigger": "levelChange"])
                == 1e9)
        #expect(
            metrics.value(
                "headroom_freed_bytes_total", ["class": "lastResort", "trigger": "byHand"])
                == 0)
        #expect(
            metrics.value("headroom_purges_total", ["trigger": "levelChange", "outcome": "missed"])
                == 2)
        #expect(metrics.value("headroom_skipped_items_total", ["reason": "in-use"]) == 6)
        #expect(metrics.value("headroom_expected_minus_gained_bytes") == 1e8)
        #expect(metrics.value("headroom_events_total", ["kind": "anomaly"]) == 1)
        #expect(metrics.value("headroom_notices_total", ["kind": "missed"]) == 1)
        #expect(metrics.value("headroom_configuration_time_seconds") == 1_800_000_000)
    }

    @Test(.tags(.r28c)) func tellsForecastsThatThereAre() throws {
        let metrics = try read(open: true)
        func seconds(_ until: String, _ bound: String) -> Double? {
            metrics.value("headroom_forecast_seconds", ["until": until, "bound": bound])
        }
        #expect(seconds("warning", "likely") == 0)
        #expect(seconds("critical", "earliest") == 60)
        #expect(seconds("critical", "latest") == nil)
        #expect(seconds("full", "latest") == 9_000)
    }

    @Test func addsUpDurations() throws {
        let metrics = try read(open: true)
        func bucket(_ bound: String, _ name: String = "purge") -> Double? {
            metrics.value("headroom_\(name)_duration_seconds_bucket", ["le": bound])
        }
        #expect(bucket("1.0") == 0)
        #expect(bucket("5.0") == 2)
        #expect(bucket("+Inf") == 2)
        #expect(metrics.value("headroom_purge_duration_seconds_sum") == 3)
        #expect(metrics.value("headroom_purge_duration_seconds_count") == 2)
        #expect(bucket("7200.0", "scan") == 0)
        #expect(bucket("+Inf", "scan") == 1)
    }

    @Test func forgetsVolumesThatAreGone() throws {
        let metrics = SampleMetrics.make()
        metrics.set([])
        let text = try Exposition(metrics.text().body, isOpen: false)
        #expect(!text.samples.contains { $0.labels["type"] != nil })
        #expect(text.value("headroom_leases") == 2)
        metrics.set(areas: [])
        let empty = try Exposition(metrics.text().body, isOpen: false)
        #expect(!empty.samples.contains { $0.labels["mount"] != nil || $0.labels["store"] != nil })
        #expect(empty.value("headroom_module_bytes") == 5e6)
    }

    @Test(
        .tags(.r40c),
        .enabled(if: Privilege.has(program: "promtool"), "needs promtool, of prometheus"))
    func promtoolFindsNothingWrong() throws {
        let directory = try TemporaryDirectory(on: .memory)
        try directory.tree.file("metrics", text: SampleMetrics.make().text().body)
        let result = try ChildProcess.run(
            "/bin/sh", ["-c", "promtool check metrics < \(directory.path)/metrics"])
        #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
        #expect(result.errors.isEmpty, "\(result.errors)")
    }

    // MARK: - What is made of them

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../..").standardizedFileURL

    private func file(_ name: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: name), encoding: .utf8)
    }

    @Test(arguments: ["Packaging/prometheus/alerts.yml", "Packaging/grafana/headroom.json"])
    func rulesAndDashboardUseWhatThereIs(_ name: String) throws {
        let metrics = try read(open: false)
        let known = Set(metrics.samples.map(\.name))
        let used = try file(name).matches(of: #/headroom_[a-z_]+/#).map { String($0.output) }
        #expect(used.count > 7)
        for metric in used { #expect(known.contains(metric), "\(metric) in \(name)") }
    }

    @Test func dashboardIsJSONWithPanelsThatDoNotOverlap() throws {
        let data = Data(try file("Packaging/grafana/headroom.json").utf8)
        let dashboard = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        var cells: Set<[Int]> = []
        for panel in panels {
            let place = try #require(panel["gridPos"] as? [String: Int])
            let (x, y) = (try #require(place["x"]), try #require(place["y"]))
            let (width, height) = (try #require(place["w"]), try #require(place["h"]))
            #expect(x + width <= 24)
            for column in x..<x + width {
                for row in y..<y + height { #expect(cells.insert([column, row]).inserted) }
            }
            #expect((panel["description"] as? String)?.hasSuffix(".") == true)
        }
        #expect(panels.count == 10)
    }

    @Test(.enabled(if: Privilege.has(program: "promtool"), "needs promtool, of prometheus"))
    func promtoolTakesTheRulesAndTheirTests() throws {
        let folder = Self.root.appending(path: "Packaging/prometheus").path
        let result = try ChildProcess.run(
            "/bin/sh",
            [
                "-c",
                "cd '\(folder)' && promtool check rules alerts.yml && promtool test rules alerts_test.yml",
            ])
        #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
    }

    @Test(.tags(.r40c)) func documentationHasEveryMetric() throws {
        let page = try file("Documentation/metrics.md")
        for (name, type) in try read(open: false).types {
            #expect(page.contains("| `\(name)` | \(type) |"), "\(name) is not documented")
        }
    }
}
