//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom dir list` and `dir add` show.
struct DirListReport: Report {
    static let schema = "headroom.dir.list/1"

    var directories: [DirectoryCheck]
    /// They were registered just now.
    var isNew = false

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.array("directories") { json in
            for directory in directories {
                json.object { Self.write(directory, to: &$0) }
            }
        }
    }

    static func write(_ directory: DirectoryCheck, to json: inout JSONWriter) {
        let registration = directory.registration
        let rules = DirectoryRules(registration.area)
        json.member("path", registration.area.root)
        json.member("owner", registration.owner)
        json.member("retentionSeconds", rules.retention?.components.seconds)
        json.member("measuredBy", rules.ageBasis.name)
        json.member("limitBytes", rules.limit == .zero ? nil : rules.limit)
        json.member("trimPercent", rules.trimPercent)
        json.member("order", rules.order == .oldestCreated ? "oldest" : "unused")
        json.member("unit", rules.unit == .file ? "file" : "entry")
        json.member("bytes", directory.usage)
        json.member("items", directory.items)
        if let problem = directory.problem { json.member("problem", problem) }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        guard !directories.isEmpty else {
            document.add(StyledText("No directory is registered."))
            document.addBlank()
            document.add(
                StyledText("Next: headroom dir add PATH --retention 14d --limit 500MB", .faint))
            return document
        }
        var table = Table([
            .path("directory"), .figure("bytes"), .figure("limit"), .fixed(), .figure("items"),
            .text("keeps"), .text("by"),
        ])
        for directory in directories {
            let registration = directory.registration
            let rules = DirectoryRules(registration.area)
            let usage = directory.usage ?? .zero
            table.add(
                .text(StyledText(registration.area.root.homeRelativeText, .strong)),
                .text(StyledText(directory.usage.map { "\($0)" } ?? "missing")),
                .text(StyledText(rules.limit == .zero ? "none" : "\(rules.limit)")),
                rules.limit == .zero
                    ? .text(StyledText(""))
                    : .bar(
                        min(1, Double(usage.bytes) / Double(rules.limit.bytes)), width: 10, .cache),
                .text(StyledText(directory.items.grouped)), .text(StyledText(rules.words)),
                .text(StyledText(registration.owner ?? "a person", .faint)))
            if let problem = directory.problem {
                table.rows.append(.sentence(StyledText(problem.text, .warning), column: 0))
            }
        }
        document.add(table)
        document.addBlank()
        document.add(
            StyledText(
                isNew
                    ? "Registered. Next: headroom dir check · headroom dir list"
                    : "Next: headroom dir check · headroom dir reset PATH", .faint))
        return document
    }
}

extension DirectoryRules {
    /// `14 days`, `5 days unused`, `until the limit`.
    var words: String {
        guard let retention else { return limit == .zero ? "until purged" : "until the limit" }
        let time = retention.inWords
        switch ageBasis {
        case .created: return time
        case .modified: return "\(time) unmodified"
        case .used: return "\(time) unused"
        }
    }
}

extension AgeBasis {
    /// The name in JSON and on the command line.
    var name: String {
        switch self {
        case .used: "used"
        case .modified: "modified"
        case .created: "created"
        }
    }
}

/// What `headroom dir check`, `dir reset` and `dir remove` have done.
struct DirCheckReport: Report {
    static let schema = "headroom.dir.check/1"

    var checks: DirectoryChecks
    var isRemoved: Bool
    var wasInterrupted: Bool

    var status: ExitStatus {
        if wasInterrupted { return .interrupted }
        return checks.directories.allSatisfy { $0.problem == nil } ? .done : .partly
    }

    func write(to json: inout JSONWriter) {
        json.member("ageRulesPaused", checks.ageRulesPaused)
        json.member("freedBytes", checks.freed)
        json.objects("directories", checks.directories) { json, directory in
            DirListReport.write(directory, to: &json)
            json.member("removedItems", directory.removed)
            json.member("freedBytes", directory.freed)
        }
        json.array("receipts", checks.receipts.map(\.id))
    }

    var document: Document {
        var document = Document()
        if checks.ageRulesPaused {
            document.add(
                StyledText(
                    "What goes by age stays for a day: the clock was moved by more than a day, or "
                        + "the ledger was lost.",
                    .warning))
        }
        var table = Table([.path(), .figure(), .text()])
        for directory in checks.directories {
            table.add(
                .text(StyledText(directory.registration.area.root.homeRelativeText, .strong)),
                .text(StyledText(directory.removed == 0 ? "" : "\(directory.freed)")),
                .text(StyledText(words(for: directory))))
            if let problem = directory.problem {
                table.rows.append(.sentence(StyledText(problem.text, .warning), column: 0))
            }
        }
        document.add(table)
        if !checks.directories.isEmpty { document.addBlank() }
        document.add(StyledText(summary))
        return document
    }

    private func words(for directory: DirectoryCheck) -> String {
        if directory.problem != nil { return "not done" }
        guard directory.usage != nil else { return isRemoved ? "missing, taken out" : "missing" }
        let removed =
            directory.removed == 0
            ? (isRemoved ? "" : "nothing to do") : "\(directory.removed.counted("item")) removed"
        guard isRemoved else { return removed }
        return removed.isEmpty ? "taken out" : removed + ", taken out"
    }

    private var summary: String {
        guard !checks.directories.isEmpty else { return "No directory is registered." }
        var text = "Freed \(checks.freed)."
        let receipts = checks.receipts.map(\.shortID)
        if !receipts.isEmpty {
            text +=
                " Receipt \(receipts.joined(separator: ", ")) "
                + "(headroom log --receipt \(receipts[0]))"
        }
        return text
    }
}
