//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom plan --diff` found.
struct PlanDifferenceReport: Report {
    static let schema = "headroom.plan-diff/1"

    var difference: PlanDifference
    var top: Int
    /// The newer of the plans, for the next command.
    var newer: String

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.member("freesBytes", difference.frees)
        json.array("added") { json in
            for entry in difference.added { json.object { entry.write(to: &$0) } }
        }
        json.array("removed") { json in
            for entry in difference.removed { json.object { entry.write(to: &$0) } }
        }
        json.objects("changed", difference.changed) { json, change in
            change.new.write(to: &json)
            json.array("differences") { json in
                for reason in change.reasons {
                    json.object { json in
                        json.member("code", reason.code.description)
                        json.member("text", reason.text)
                    }
                }
            }
        }
    }

    // MARK: - Text

    var document: Document {
        var document = Document()
        guard !difference.isEmpty else {
            document.add("The plans are the same.")
            document.next = ["headroom purge --plan \(newer)"]
            return document
        }
        document.add(
            StyledText("\(difference.added.count.grouped) more, ", .strong)
                + StyledText("\(difference.removed.count.grouped) fewer, ", .strong)
                + StyledText("\(difference.changed.count.grouped) changed", .strong)
                + StyledText("; \(frees)."))
        add("Only in the new plan", difference.added.map { ($0, $0.reason.text) }, to: &document)
        add(
            "Only in the old plan", difference.removed.map { ($0, $0.reason.text) }, to: &document)
        add(
            "Changed",
            difference.changed.map { change in
                (change.new, change.reasons.map(\.text).joined(separator: "; "))
            }, to: &document)
        document.next = ["headroom purge --plan \(newer)"]
        return document
    }

    private var frees: String {
        switch difference.frees {
        case .zero: "frees as much"
        case let more where more > .zero: "frees \(more) more"
        case let less: "frees \(.zero - less) less"
        }
    }

    private func add(
        _ title: String, _ entries: [(PlanEntry, String)], to document: inout Document
    ) {
        guard !entries.isEmpty else { return }
        document.addBlank()
        document.add(StyledText(title, .strong))
        var table = Table([.figure(), .path(), .text()], indent: 2)
        for (entry, text) in entries.prefix(top) {
            table.add(
                .size(entry.bytes), .text(StyledText(entry.path.homeRelativeText)),
                .text(StyledText(text, .faint)))
        }
        if entries.count > top {
            table.note(
                StyledText("and \((entries.count - top).grouped) more (--json lists all)", .faint),
                column: 1)
        }
        document.add(table)
    }
}
