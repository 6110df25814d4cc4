//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom tmpfiles` shows.
struct TmpfilesReport: Report {
    static let schema = "headroom.tmpfiles/1"

    var rules: TmpfilesRules
    /// Why directories may be no areas.
    var notes: [String]
    var choice: TmpfilesChoice

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.objects("rules", rules.rules) { json, rule in
            json.member("path", rule.area.root)
            json.member("retentionSeconds", rule.area.retention?.components.seconds)
            json.member("ageBy", Self.name(of: rule.area.ageBasis))
            json.member("keepsFirstLevel", rule.keepsFirstLevel)
            Self.write(rule.source, to: &json)
        }
        json.objects("exclusions", rules.exclusions) { json, exclusion in
            json.member("pattern", exclusion.pattern)
            Self.write(exclusion.source, to: &json)
        }
        json.objects("findings", rules.findings) { json, finding in
            json.member("text", finding.text)
            Self.write(finding.source, to: &json)
        }
        json.array("notes", notes)
    }

    private static func write(_ source: TmpfilesLine.Source, to json: inout JSONWriter) {
        json.member("file", source.file)
        json.member("line", source.line)
    }

    private static func name(of basis: AgeBasis) -> String {
        switch basis {
        case .used: "used"
        case .modified: "modified"
        case .created: "created"
        }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        if rules.rules.isEmpty {
            document.add("No line of these files has an age that is over one day or another.")
        } else {
            var table = Table([
                .path("directory"), .fixed("kept for"), .fixed("since"), .text("said by"),
            ])
            for rule in rules.rules {
                let level = rule.keepsFirstLevel ? ", below the first level" : ""
                table.add(
                    .text(StyledText(rule.area.root.displayText, .strong)),
                    .text(StyledText(rule.area.retention?.inWords ?? "ever")),
                    .text(StyledText(Self.words(for: rule.area.ageBasis) + level)),
                    .text(StyledText(rule.source.description, .faint)))
            }
            document.add(table)
        }
        let kept = rules.exclusions.count
        document.addBlank()
        document.add(
            StyledText("\(kept.counted("path")) with a line of their own stay out of it.", .faint))
        for text in rules.findings.map(\.text) + notes {
            document.add(StyledText(text, .warning))
        }
        document.next = ["headroom plan --tmpfiles \(choice.word) --expired"]
        return document
    }

    private static func words(for basis: AgeBasis) -> String {
        switch basis {
        case .used: "last used or changed"
        case .modified: "modified"
        case .created: "created or changed"
        }
    }
}
