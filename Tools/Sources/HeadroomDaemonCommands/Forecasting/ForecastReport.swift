//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import SystemPackage

/// What `headroom forecast` shows.
struct ForecastReport: Report {
    static let schema = "headroom.forecast/1"

    var rows: [Row]
    /// Nil: no history was ever kept here.
    var historyPath: FilePath?
    var usesBlocks = true
    /// Whether the JSON form has the past samples.
    var showsPast = true
    /// Unusual growth within a day, the latest first.
    var anomalies: [HistoryEvent] = []

    /// Growth that is older is no news.
    private static let memory: Duration = .seconds(86_400)

    struct Row {
        var volume: HistoryVolume
        var available: ByteCount
        var total: ByteCount
        /// The past, the present included, by time.
        var samples: [ForecastSample]
        var bytes: Forecast
        /// Nil where they are not limited.
        var inodes: Forecast?
    }

    /// Reads the history of volumes that have answered and can be written. Blocks.
    static func make(
        _ volumes: [Volume], _ history: History?, _ configuration: ServiceConfiguration,
        now: Timestamp, usesBlocks: Bool
    ) throws(HeadroomError) -> ForecastReport {
        var report = ForecastReport(
            rows: [], historyPath: history?.path, usesBlocks: usesBlocks)
        for volume in volumes where !volume.isReadOnly && !volume.isPseudo {
            guard let figures = volume.figures, let available = volume.available else { continue }
            let known = HistoryVolume(volume)
            let present = ForecastSample(
                time: now, available: available, total: figures.total,
                availableInodes: volume.availableInodes, inodes: figures.inodes)
            let past = try history?.samples(of: known) ?? []
            let samples = past.filter { $0.time < now } + [present]
            let thresholds = configuration.settings(of: volume).thresholds
            report.rows.append(
                Row(
                    volume: known, available: available, total: figures.total, samples: samples,
                    bytes: .ofBytes(samples, now: now, thresholds: thresholds),
                    inodes: .ofInodes(samples, now: now, thresholds: thresholds)))
        }
        // An extra: the forecast does not need it.
        report.anomalies =
            (try? history?.events(of: .anomaly, since: now.advanced(by: .zero - memory))) ?? []
        return report
    }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        if let historyPath { json.member("history", historyPath) }
        json.objects("volumes", rows) { json, row in
            json.member("mountPoint", row.volume.mountPoint)
            json.member("type", row.volume.type)
            json.member("available", row.available)
            json.member("total", row.total)
            json.member("samples", row.samples.count)
            json.member("spanSeconds", row.bytes.span.components.seconds)
            json.member("rate", Forecast.rate)
            json.object("bytes") { json in json.members(of: row.bytes) }
            if let inodes = row.inodes {
                json.object("inodes") { json in json.members(of: inodes) }
            }
            guard showsPast else { return }
            json.objects("past", Sparkline.points(row.samples)) { json, point in
                json.member("time", point.time)
                json.member("available", point.available)
            }
        }
        json.objects("anomalies", anomalies) { json, event in
            json.member("time", event.time)
            if let volume = event.volume { json.member("volume", volume) }
            json.member("subject", event.subject)
            json.member("text", event.text)
        }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        var table = Table([.path(), .fixed(), .figure(), .fixed(), .text()])
        for row in rows {
            let share =
                row.total > .zero ? Double(row.available.bytes) / Double(row.total.bytes) : 0
            table.add(
                .text(StyledText(row.volume.mountPoint.displayText, .strong)),
                .text(StyledText(row.volume.type)), .size(row.total),
                .text(
                    StyledText(
                        Sparkline.text(row.samples, usesBlocks: usesBlocks), .faint)),
                .text(StyledText("\(row.available) available (\(share.percentText))")))
            if historyPath == nil { continue }
            table.sentence(OutlookText.bytes(row.bytes, samples: row.samples.count), column: 1)
            if let text = row.inodes.flatMap({ OutlookText.inodes($0) }) {
                table.sentence(text, column: 1)
            }
        }
        document.add(table)
        if rows.isEmpty { document.add("There is no volume that can be written here.") }
        guard historyPath != nil else {
            document.addBlank()
            document.add(
                StyledText(
                    "There is no history yet. headroom serve keeps one; a forecast can be made after "
                        + "ten minutes, and a good one after a few weeks.", .warning))
            document.next = ["headroom serve"]
            return document
        }
        document.next = ["headroom status", "headroom simulate --if-available 5%"]
        return document
    }
}
