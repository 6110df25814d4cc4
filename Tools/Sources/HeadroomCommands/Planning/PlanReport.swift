//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom plan` found.
struct PlanReport: Report {
    static let schema = "headroom.plan/1"

    var plan: Plan
    /// How many entries are listed with their reasons.
    var top: Int
    /// What was asked for, to be said again with `purge`.
    var arguments: String
    var savedAs: String?
    /// How many places could not be looked at, so that it is not whole; nil: nobody counted.
    var unread: Int?

    var status: ExitStatus {
        // mutation: r16c-1
        guard plan.reachesTarget else { return .targetNotReached }
        return unread ?? 0 > 0 ? .partly : .done
    }

    // MARK: - JSON

    func write(to json: inout JSONWriter) {
        json.array("targets", plan.request.targets.map(\.description))
        json.member("through", plan.request.through.purgeClass.name)
        json.member("made", plan.request.now)
        json.member("freesBytes", plan.frees)
        json.member("reachesTarget", plan.reachesTarget)
        json.member("missingBytes", plan.missing)
        json.member("missingInodes", plan.missingInodes)
        json.array("overLimit") { json in
            for (area, excess) in plan.overLimit {
                json.object { json in
                    json.member("path", area.root)
                    json.member("excessBytes", excess)
                }
            }
        }
        json.objects("kept", PlanText(plan).kept) { json, kept in
            json.member("code", kept.code.description)
            json.member("text", words(for: kept.code))
            json.member("items", kept.count)
            json.member("bytes", kept.bytes)
        }
        if let unread { json.member("unreadPlaces", unread) }
        let summary = plan.summary(depth: 0)
        json.member("count", plan.count)
        json.member("items", summary.items)
        json.member("emptyDirectories", summary.emptyDirectories)
        json.array("entries") { json in
            for entry in plan where !json.isStopped {
                json.object { entry.write(to: &$0) }
            }
        }
    }

    // MARK: - Text

    var document: Document {
        let text = PlanText(plan)
        var document = Document()
        text.describe(in: &document, places: min(top, 12))
        if let unread { text.describe(unread: unread, in: &document) }
        if !plan.isEmpty {
            document.addBlank()
            document.add(StyledText("First to go", .strong))
            document.add(entries)
        }
        let kept = text.kept
        if !kept.isEmpty {
            document.addBlank()
            document.add(StyledText("What stays", .strong))
            document.add(table(of: kept))
        }
        if let savedAs {
            document.addBlank()
            document.add(StyledText("Saved as \(savedAs)."))
        }
        document.next = next
        return document
    }

    private var entries: Table {
        var table = Table([.figure("bytes"), .path("path"), .text("why")], indent: 2)
        for entry in plan.prefix(top) {
            let mark = entry.unit == .file || entry.unit == .fileSet ? "" : "/"
            table.add(
                .size(entry.bytes), .text(StyledText(entry.path.homeRelativeText + mark)),
                .text(StyledText(entry.reason.text, .faint)))
        }
        if plan.count > top {
            table.note(
                StyledText("and \((plan.count - top).grouped) more (--json lists all)", .faint),
                column: 1)
        }
        return table
    }

    private func table(
        of kept: [(code: Reason.Code, bytes: ByteCount, count: Int)]
    ) -> Table {
        var table = Table([.figure(), .figure(), .text()], indent: 2)
        for entry in kept {
            table.add(
                .size(entry.bytes), .text(StyledText(entry.count.counted("item"))),
                .text(StyledText(words(for: entry.code), .faint)))
        }
        return table
    }

    /// A simulation, which has no command line of its own, offers no other one.
    private func words(for code: Reason.Code) -> String {
        // All that helps is in the plan already.
        if code == .notNeeded, !plan.reachesTarget {
            return "of no use for this: on another volume, or empty"
        }
        return PlanText.words(for: code, through: arguments.isEmpty ? nil : plan.request.through)
    }

    private var next: [String] {
        if let savedAs { return ["headroom purge --plan \(savedAs)"] }
        if plan.isEmpty { return ["headroom status"] }
        let example = plan.first.map { "headroom explain \(ShellWord($0.path))" }
        return ["headroom purge \(arguments)", example].compactMap { $0 }
    }
}
