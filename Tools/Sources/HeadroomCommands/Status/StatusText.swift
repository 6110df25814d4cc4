//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The words and tables of `headroom status`.
struct StatusText {
    let report: StatusReport

    var document: Document {
        var document = Document()
        document.add(volumes)
        document.addBlank()
        if report.ladder.isEmpty {
            document.add(StyledText("Nothing may go: there is no temporary, cache or marked file."))
        } else {
            document.add(ladder)
        }
        for event in report.anomalies.prefix(Self.shownAnomalies) {
            document.addBlank()
            let age = report.now.duration(since: event.time).ageDescription
            document.add(StyledText("\(age) ago: \(event.text)", .warning))
        }
        DeletedFilesText(report.deleted, hiddenProcesses: report.hiddenProcesses)
            .describe(in: &document)
        document.next = next
        return document
    }

    private static let shownAnomalies = 3

    private var next: [String] {
        let short = report.volumes.contains { ($0.level ?? .normal) > .normal }
        let bytes = report.ladder.reduce(ByteCount.zero) { $0 + $1.bytes }
        let steps: [ByteCount] = [.gigabytes(5), .gigabytes(1), .megabytes(200), .megabytes(50)]
        let step = steps.first { $0 < bytes }.map { "--free \($0.exactText)" } ?? "--all"
        let plan = "headroom plan " + (short ? "--until normal" : step)
        return [report.ladder.isEmpty ? "headroom scan" : plan, "headroom explain PATH"]
    }

    // MARK: - Volumes

    private var volumes: Table {
        var table = Table([
            .path(), .fixed(), .figure(), .fixed(), .figure(), .fixed(), .fixed(),
        ])
        let shown = report.volumes.filter { !Self.isMinor($0) }
        for status in shown.isEmpty ? report.volumes : shown { add(status, to: &table) }
        return table
    }

    /// The system's own small volumes, of which a person wants to know nothing; JSON has them.
    private static func isMinor(_ status: StatusReport.VolumeStatus) -> Bool {
        guard let total = status.capacity.total.bytes, status.volume.error == nil else {
            return false
        }
        let point = status.volume.mountPoint
        return total < .mebibytes(16)
            || ["/sys", "/proc", "/run"].contains { point.starts(with: FilePath($0)) }
    }

    private func add(_ status: StatusReport.VolumeStatus, to table: inout Table) {
        let (volume, capacity) = (status.volume, status.capacity)
        let name = Table.Cell.text(StyledText(volume.mountPoint.displayText, .strong))
        let type = Table.Cell.text(StyledText(volume.type, .faint))
        guard let total = capacity.total.bytes, let available = capacity.available.bytes else {
            table.add(name, type, .empty, .empty, .empty, .empty, .empty)
            table.note(StyledText(Self.silence(of: volume), .warning), column: 1)
            return
        }
        let share = Double(available.bytes) / Double(max(1, total.bytes))
        let style = Self.style(of: status.level)
        table.add(
            name, type, .size(total), .bar(1 - share, width: 20, style),
            .size(available, .strong), .text(StyledText("free, \(share.percentText)")),
            .text(status.level.map { StyledText($0.name, style) } ?? StyledText("–", .faint)))
        let details = details(of: status)
        if !details.isEmpty {
            table.note(StyledText(details.joined(separator: "   "), .faint), column: 1)
        }
        // Of what does not fill, nothing has to be said here.
        switch status.forecast?.full {
        case .expected, .reached:
            if let forecast = status.forecast {
                table.note(OutlookText.bytes(forecast, samples: 0), column: 1)
            }
        case .unknown, .notExpected, nil: break
        }
    }

    private func details(of status: StatusReport.VolumeStatus) -> [String] {
        let capacity = status.capacity
        var details: [String] = []
        // What is as much as there is available anyway need not be said again.
        if let important = capacity.forImportantUsage.bytes,
            let available = capacity.available.bytes, important > available
        {
            details.append("important \(important)")
        }
        if let optional = capacity.forOpportunisticUsage.bytes,
            optional != capacity.available.bytes
        {
            details.append("optional \(optional)")
        }
        if let inodes = capacity.inodes, inodes > 0, let free = capacity.availableInodes {
            let used = 1 - Double(min(free, inodes)) / Double(inodes)
            details.append("inodes \(used.percentText) used")
        }
        if status.volume.isReadOnly { details.append("read-only") }
        return details
    }

    private static func silence(of volume: Volume) -> String {
        if volume.isHanging { return "does not answer" }
        return volume.error.map { "could not be asked: \($0)" } ?? "no figures"
    }

    private static func style(of level: PressureLevel?) -> Style {
        switch level {
        case .critical: .critical
        case .warning: .warning
        case .normal, nil: .good
        }
    }

    // MARK: - What can go

    private var ladder: Table {
        var table = Table([
            .fixed(), .text("What can go, in this order"), .figure("bytes"), .fixed(),
            .figure("items"), .fixed("oldest use"),
        ])
        let most = report.ladder.map(\.bytes.bytes).max() ?? 0
        for (index, rung) in report.ladder.enumerated() {
            let style = Style(rung.purgeClass)
            let age = rung.oldestUse.map { report.now.duration(since: $0).ageDescription } ?? ""
            table.add(
                .text(StyledText("\(index + 1)", .faint)),
                .text(StyledText(rung.purgeClass.spokenName, style) + Self.areas(of: rung)),
                .size(rung.bytes, .strong),
                .bar(Double(rung.bytes.bytes) / Double(max(1, most)), width: 10, style),
                .figure(rung.items), .text(StyledText(age)))
            if rung.dueItems > 0 {
                table.note(
                    StyledText("expired or over limit: \(rung.dueBytes)", .faint), column: 1)
            }
            table.note(StyledText(Self.largest(of: rung), .faint), column: 1)
        }
        if report.pinned > .zero { stays("pinned", report.pinned, &table) }
        if let essential = report.essential { stays("essential", essential, &table) }
        return table
    }

    private func stays(_ name: String, _ bytes: ByteCount, _ table: inout Table) {
        let what = name == "essential" ? "  everything else here" : ""
        table.add(
            .text(StyledText("–", .faint)),
            .text(StyledText(name, .essential) + StyledText(what, .faint)), .size(bytes), .empty,
            .empty, .text("never"))
    }

    /// The areas that somebody named; of well-known caches, how many lie outside of these.
    private static func areas(of rung: StatusReport.Rung) -> StyledText {
        // An area that is marked otherwise than its place is named itself.
        let other = rung.areas.map(\.area).filter { area in
            !rung.roots.contains { area.root.starts(with: $0) }
        }
        let named = rung.roots + other.filter { $0.catalogueID == nil }.map(\.root)
        let elsewhere = other.filter { $0.catalogueID != nil }
        var text = named.prefix(3).map(\.homeRelativeText).joined(separator: ", ")
        if named.count > 3 { text += " and \(named.count - 3) more" }
        let tools = Set(elsewhere.map(\.origin))
        if !tools.isEmpty {
            text += text.isEmpty ? "" : ", "
            text +=
                tools.count > 2 ? "\(tools.count) tools" : tools.sorted().joined(separator: ", ")
        }
        return StyledText("  " + text)
    }

    /// `pip 4.1 GB · SwiftPM 3.9 GB · 31 more`
    private static func largest(of rung: StatusReport.Rung) -> String {
        let roots = Set(rung.areas.filter { $0.area.catalogueID == nil }.map(\.area.root))
        var parts: [(name: String, bytes: ByteCount)] = rung.caches.map { ($0.name, $0.bytes) }
        for place in rung.places where place.area.catalogueID == nil {
            let name = place.path.lastComponent.map { FilePath($0.string).displayText }
            let isLoose = roots.contains(place.path)
            parts.append((isLoose ? "loose files" : name ?? "/", place.sum.bytes))
        }
        let known = parts.filter { $0.bytes > .zero }
            .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
        var words = known.prefix(4).map { "\($0.name) \($0.bytes)" }
        if known.count > 4 { words.append("\(known.count - 4) more") }
        return words.joined(separator: " · ")
    }
}
