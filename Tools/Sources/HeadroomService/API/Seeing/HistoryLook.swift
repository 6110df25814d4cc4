//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import HeadroomServiceModel
import SystemPackage

/// The past of a volume, from the history and the ledger. Blocks.
struct HistoryLook {
    let situation: APISituation

    func history(of path: FilePath, days: Int, points: Int) throws -> APIHistory {
        let now = situation.workspace.clock()
        let volume = try MountedVolumes.volume(at: path)
        let thresholds = situation.configuration.settings(of: volume).thresholds
        let since = now.advanced(by: .seconds(-86_400 * days))
        let history = try History.openReadOnly(at: situation.history)
        let samples = try history?.samples(of: HistoryVolume(volume), since: since) ?? []
        let text = PathText(path)
        let total = volume.figures?.total ?? .zero
        let warning = thresholds.warning.bytes(of: total)
        let critical = thresholds.critical.bytes(of: total)
        var answer = APIHistory(
            volume: text.text, volumeBytes: text.encoded, from: since.iso8601, to: now.iso8601,
            samples: APIHistory.thinned(samples, to: points).map { .init($0) },
            thresholds: .init(warningBytes: warning.apiSize, criticalBytes: critical.apiSize),
            fan: [], purges: try purges(on: volume, since: since),
            events: try events(history, volume, since))
        if let history,
            let forecast = Self.forecast(of: volume, history, thresholds, now: now)
        {
            answer.forecast = APIForecast(forecast.bytes)
            answer.inodeForecast = forecast.inodes.map { APIForecast($0) }
            let horizon = min(
                forecast.bytes.span * 4, Duration.seconds(86_400 * max(1, days)))
            answer.fan = ForecastFan(
                forecast.bytes, available: volume.available ?? .zero, warning: warning,
                critical: critical, now: now
            ).points(horizon: horizon)
        }
        return answer
    }

    private func events(
        _ history: History?, _ volume: Volume, _ since: Timestamp
    ) throws -> [APIEvent] {
        let events = try history?.events(since: since, limit: 1_000) ?? []
        return events.filter { $0.volume == nil || $0.volume == volume.mountPoint }.prefix(200).map
        {
            APIEvent($0)
        }
    }

    /// Those of the command line, too: they are in the ledger.
    private func purges(on volume: Volume, since: Timestamp) throws -> [APIHistory.Purge] {
        let places = VolumePlaces([volume])
        return try situation.workspace.ledger.receipts(last: 300).filter { receipt in
            receipt.kind == .purge && receipt.started >= since
                && receipt.perArea.contains { places.index(of: FilePath($0.name)) != nil }
        }.map { receipt in
            APIHistory.Purge(
                time: receipt.started.iso8601, receipt: receipt.id,
                gainedBytes: (receipt.volumeGained ?? receipt.expected).bytes,
                items: receipt.removedCount)
        }
    }

    /// What is expected by the history and how things are now; nil of a volume that does not answer, or that
    /// there is no history of.
    static func forecast(
        of volume: Volume, _ history: History, _ thresholds: PressureThresholds, now: Timestamp
    ) -> (bytes: Forecast, inodes: Forecast?)? {
        guard !volume.isReadOnly, !volume.isPseudo, let figures = volume.figures,
            let available = volume.available,
            let past = try? history.samples(of: HistoryVolume(volume)), !past.isEmpty
        else { return nil }
        let present = ForecastSample(
            time: now, available: available, total: figures.total,
            availableInodes: volume.availableInodes, inodes: figures.inodes)
        let samples = past.filter { $0.time < now } + [present]
        return (
            .ofBytes(samples, now: now, thresholds: thresholds),
            .ofInodes(samples, now: now, thresholds: thresholds)
        )
    }
}
