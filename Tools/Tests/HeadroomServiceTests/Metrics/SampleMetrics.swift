//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import SystemPackage

/// Metrics with a value of every kind, and with labels that need care.
enum SampleMetrics {
    static func make() -> ServiceMetrics {
        let metrics = ServiceMetrics(version: "1.2.3")
        var volume = Volume(
            mount: Mount(
                id: 1, device: 1, root: "/", point: "/da\"ta\\x", type: "ext4", source: "/dev/x",
                isReadOnly: false, isNoatime: false))
        volume.figures = VolumeFigures(
            fileSystemID: 1, total: .gigabytes(100), free: .gigabytes(8), available: .gigabytes(7),
            inodes: 1_000_000, availableInodes: 400_000, isReadOnly: false)
        var forecast = Forecast.ofBytes([], now: Timestamp(seconds: 0))
        forecast.warning = .reached
        forecast.critical = .expected(
            Forecast.Expectation(earliest: .seconds(60), likely: .seconds(3_600), latest: nil))
        forecast.full = .expected(
            Forecast.Expectation(
                earliest: .seconds(1_000), likely: .seconds(2_000), latest: .seconds(9_000)))
        metrics.set([
            .init(volume: volume, level: .warning, forecast: forecast, cannotBeHelped: true)
        ])
        metrics.set(areas: [survey])
        metrics.set(modules: ["mail": .megabytes(5)])
        metrics.set(configurationIsTaken: true, at: Timestamp(seconds: 1_800_000_000))
        let receipt = ReceiptSummary(
            id: "r", time: Timestamp(seconds: 1), trigger: "levelChange",
            expected: .megabytes(700), gained: .megabytes(600), removedItems: 30, skippedItems: 4,
            freedByClass: ["cache": .megabytes(500), "temporary": .megabytes(200)])
        for _ in 0..<2 {
            metrics.record(
                receipt, reachedTarget: false, skipped: [.inUse: 3, .changed: 1],
                duration: .milliseconds(1_500))
        }
        metrics.record(scanTook: .seconds(90_000))
        metrics.record(
            HistoryEvent(time: Timestamp(seconds: 1), kind: .anomaly, text: "It grew."))
        metrics.record(
            Notice(time: Timestamp(seconds: 1), kind: .missed, text: "It was missed."))
        return metrics
    }
    /// Of one area and one cache store on a volume.
    static var survey: AreaSurvey {
        var survey = AreaSurvey(volume: "/da\"ta\\x", time: Timestamp(seconds: 1_800_000_100))
        survey.areas = [
            AreaFigures(
                root: "/srv/a\nb", purgeClass: .cache, allocated: .gigabytes(3), items: 7)
        ]
        survey.areas[0].purgeable = .gigabytes(2)
        survey.purgeable = [.temporary: .gigabytes(1), .cache: .gigabytes(3)]
        survey.leasedItems = 2
        var totals = CacheTotals()
        (totals.hits, totals.misses, totals.puts, totals.removals) = (40, 10, 9, 1)
        (totals.evictions, totals.evictedBytes) = (5, 5_000)
        (totals.regrets, totals.regretBytes) = (2, 1_500)
        survey.stores = [
            CacheStoreFigures(path: "/srv/a\nb/images", allocated: .megabytes(9), totals: totals)
        ]
        return survey
    }
}
