//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The words of an audit.
struct AuditText {
    let report: AuditReport

    private var audit: Audit { report.audit }
    /// How many findings, and how many rows of large files, are shown to people.
    private static let shownFindings = 12
    private static let shownLarge = 5

    var document: Document {
        var document = Document()
        backup(&document)
        if report.showsLarge { large(&document) }
        if let repairs = report.repairs { describe(repairs, &document) }
        findings(&document)
        if !report.showsLarge { large(&document) }
        trouble(&document)
        document.next = next
        return document
    }

    // MARK: - Backup

    private func backup(_ document: inout Document) {
        for place in audit.places {
            var line = StyledText(place.path.homeRelativeText, .strong)
            if let name = place.layout?.spokenName { line += StyledText("  \(name)", .faint) }
            document.add(line)
        }
        let total = audit.backup.total
        // What was done since is not in these figures.
        let title = report.repairs == nil ? "Backed up" : "Backed up before"
        var line = StyledText("\(title): \(total.allocated)", .strong)
        line += StyledText(" in \(total.items.counted("file"))")
        if audit.backup.recreatable > .zero {
            line += StyledText(
                ", of which \(audit.backup.recreatable) could be made or fetched again", .warning)
        }
        document.add(line)
        var table = Table([.figure(), .figure(), .fixed(), .fixed(), .text()], indent: 2)
        let whole = Double(max(1, total.allocated.bytes))
        for (kind, sum) in audit.backup.sortedKinds where sum.allocated > .zero {
            let share = Double(sum.allocated.bytes) / whole
            table.add(
                .size(sum.allocated), .text(StyledText(share.percentText, .faint)),
                .bar(share, width: 20, .cache), .text(StyledText(kind.spokenName)),
                .text(StyledText(sum.items.counted("file"), .faint)))
        }
        if !table.rows.isEmpty { document.add(table) }
        let left = audit.backup.sortedLeftOut.filter { $0.1.allocated > .zero }
        if !left.isEmpty {
            let parts = left.map { "\($0.1.allocated) \($0.0.words)" }
            document.add(StyledText("Left out: " + parts.joined(separator: ", "), .faint))
        }
    }

    // MARK: - Findings

    private func findings(_ document: inout Document) {
        let fixed = Set((report.repairs ?? []).filter { $0.failure == nil }.map(\.finding))
        let open = audit.findings.filter { !fixed.contains($0) }
        guard !open.isEmpty else {
            document.addBlank()
            document.add(
                StyledText(
                    audit.findings.isEmpty ? "Nothing is amiss." : "Nothing else is amiss.", .good))
            return
        }
        document.addBlank()
        var table = Table([.fixed(), .figure(), .path()])
        for finding in open.prefix(Self.shownFindings) {
            table.add(
                .text(StyledText(finding.severity.name, finding.severity.style)),
                finding.bytes > .zero ? .size(finding.bytes) : .empty,
                .text(StyledText(finding.path.homeRelativeText, .strong)))
            table.sentence(StyledText(finding.text), column: 1)
            if let fix = finding.fix {
                table.command(StyledText(fix.shownCommand, .faint), column: 1)
            }
        }
        let more =
            open.count - min(open.count, Self.shownFindings)
            + audit.unlisted.values.reduce(0, +)
        if more > 0 { table.note(StyledText("and \(more.grouped) more (--json lists them)")) }
        document.add(table)
    }

    private func describe(_ repairs: [AuditRepair], _ document: inout Document) {
        document.addBlank()
        let done = repairs.filter { $0.failure == nil }
        let failed = repairs.filter { $0.failure != nil }
        guard !repairs.isEmpty else {
            document.add(StyledText("There was nothing to fix that is safe to fix by itself."))
            return
        }
        document.add(StyledText("Fixed \(done.count.counted("finding")):", .good))
        var table = Table([.figure(), .path()], indent: 2)
        for repair in done.prefix(Self.shownFindings) {
            table.add(
                .size(repair.finding.bytes),
                .text(StyledText(repair.finding.path.homeRelativeText)))
            table.command(StyledText(repair.finding.fix?.shownCommand ?? "", .faint), column: 1)
        }
        if done.count > Self.shownFindings {
            table.note(StyledText("and \((done.count - Self.shownFindings).grouped) more"))
        }
        document.add(table)
        for repair in failed {
            document.add(StyledText("Not fixed: \(repair.failure ?? "")", .warning))
        }
    }

    // MARK: - Large files

    private func large(_ document: inout Document) {
        let files =
            report.showsLarge ? audit.largest : Array(audit.largest.prefix(Self.shownLarge))
        guard !files.isEmpty else {
            if report.showsLarge {
                document.addBlank()
                document.add(StyledText("No file is listed."))
            }
            return
        }
        document.addBlank()
        var table = Table([.figure("largest"), .fixed("kind"), .figure("unused"), .path()])
        for file in files {
            table.add(
                .size(file.allocated), .text(StyledText(file.kind.spokenName)),
                .text(StyledText(audit.scanned.duration(since: file.lastUse).inWords, .faint)),
                .text(StyledText(file.path.homeRelativeText)))
            if let protection = file.protection {
                table.note(StyledText("protected: \(protection.name)", .faint), column: 3)
            }
        }
        document.add(table)
    }

    // MARK: - The end

    private func trouble(_ document: inout Document) {
        if audit.unreadableCount > 0 {
            document.addBlank()
            let places = audit.unreadableCount.counted("place")
            let example = audit.failures.first.map { ", \($0.path.homeRelativeText) for one" } ?? ""
            document.add(
                StyledText("\(places) could not be read\(example): not counted.", .warning))
        }
        if !audit.isComplete {
            document.add(StyledText("Stopped before everything was seen.", .warning))
        }
    }

    private var next: [String] {
        let command = (["headroom audit"] + report.arguments).joined(separator: " ")
        let isFixable =
            report.repairs == nil && audit.findings.contains { $0.fix?.isSafe ?? false }
        return [
            isFixable ? "\(command) --fix" : nil,
            report.showsLarge ? nil : "\(command) --large 10",
            report.repairs == nil ? nil : command,
        ].compactMap(\.self)
    }
}

extension AuditFinding.Severity {
    var style: Style {
        switch self {
        case .note: .faint
        case .advice: .warning
        case .warning: .critical
        }
    }
}

extension AuditBackup {
    /// As in "1.2 GB by flags of their own".
    var words: String {
        switch self {
        case .included: "included"
        case .excluded: "by flags of their own"
        case .inherited: "with the directories around"
        case .byLocation: "by their place"
        }
    }
}

extension Layout.Kind {
    var spokenName: String {
        switch self {
        case .appleContainer: "an app's container"
        case .appleGroup: "an app group's container"
        case .xdg: "a home"
        case .catalogue, .system, .systemCatalogue, .custom: ""
        }
    }
}
