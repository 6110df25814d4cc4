//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCommandLine
package import HeadroomEngine
import HeadroomPlatform
package import SystemPackage

/// What `headroom scan` found.
package struct ScanReport: Report {
    package static let schema = "headroom.scan/1"

    package struct Failure: Sendable {
        package var path: FilePath
        package var reason: Reason
    }

    /// One for each path that was named.
    package var summaries: [ListingSummary]
    package var grouping: ListingSummary.Grouping
    /// How many errors there were; at least as many as are listed.
    package var errorCount: Int
    package var failures: [Failure] = []
    /// Where a listing was imported from, or exported to.
    package var notes: [String] = []
    /// Ended by a signal before everything was seen.
    package var isInterrupted = false

    package var status: ExitStatus {
        isInterrupted ? .interrupted : errorCount > 0 ? .partly : .done
    }

    /// Reads of the files that are shown how they are protected. Blocks.
    mutating func lookAtProtection() {
        for summary in summaries.indices {
            for node in summaries[summary].nodes.indices {
                let path = FilePath(bytes: summaries[summary].nodes[node].path)
                // What occupies nothing has no header; a link is not what it leads to.
                guard summaries[summary].nodes[node].totals.allocated > .zero,
                    (try? Paths.status(path))?.isRegular == true
                else { continue }
                let found = Protection.of(path)
                summaries[summary].nodes[node].protection = found == .level(.none) ? nil : found
            }
        }
    }

    private var totals: ListingSummary.Totals {
        summaries.reduce(into: ListingSummary.Totals()) { $0 += $1.totals }
    }

    // MARK: - JSON

    package func write(to json: inout JSONWriter) {
        Self.write(totals, to: &json)
        json.member("errors", errorCount)
        json.member("interrupted", isInterrupted)
        json.objects("errorList", failures) { json, failure in
            json.member("path", failure.path)
            json.member("reason", failure.reason)
        }
        json.member("by", grouping.rawValue)
        json.array("roots") { json in
            for summary in summaries {
                json.object { Self.write(summary, to: &$0) }
            }
        }
    }

    private static func write(_ totals: ListingSummary.Totals, to json: inout JSONWriter) {
        json.member("allocatedBytes", totals.allocated)
        json.member("logicalBytes", totals.logical)
        json.member("files", totals.files)
        json.member("directories", totals.directories)
    }

    private static func write(_ summary: ListingSummary, to json: inout JSONWriter) {
        json.member("path", FilePath(bytes: summary.root))
        write(summary.totals, to: &json)
        json.objects("largest", summary.nodes) { json, node in
            json.member("path", FilePath(bytes: node.path))
            write(node.totals, to: &json)
            json.member("protection", node.protection?.name)
        }
        json.objects("groups", summary.groups) { json, group in
            json.member("name", group.name)
            write(group.totals, to: &json)
        }
    }

    // MARK: - Text

    package var document: Document {
        var document = Document()
        for summary in summaries {
            document.addBlank()
            document.add(headline(summary))
            let table = table(summary)
            if !table.rows.isEmpty { document.add(table) }
        }
        describe(in: &document)
        if let root = summaries.first?.root {
            let path = ShellWord(FilePath(bytes: root))
            document.next = [
                "headroom scan \(path) --by \(grouping == .file ? "kind" : "file")",
                "headroom scan \(path) --by age",
            ]
        }
        return document
    }

    /// What was not seen, and why.
    func describe(in document: inout Document) {
        if errorCount > 0 { describeErrors(in: &document) }
        for note in notes { document.add(StyledText(note)) }
        if isInterrupted {
            document.add(StyledText("Stopped before everything was seen.", .warning))
        }
    }

    private func headline(_ summary: ListingSummary) -> StyledText {
        let totals = summary.totals
        return StyledText(FilePath(bytes: summary.root).homeRelativeText, .strong)
            + StyledText("  \(totals.allocated)", .strong)
            + StyledText(
                " in \(totals.files.counted("file")), "
                    + totals.directories.counted("directory", "directories"))
            + StyledText("  (length \(totals.logical))", .faint)
    }

    private func describeErrors(in document: inout Document) {
        document.addBlank()
        let places = errorCount.counted("place")
        document.add(StyledText("\(places) could not be read:", .warning))
        var table = Table([.path(), .text()], indent: 2)
        for failure in failures.prefix(5) {
            table.add(
                .text(StyledText(failure.path.homeRelativeText)),
                .text(StyledText(failure.reason.text, .faint)))
        }
        if errorCount > 5 {
            table.note("and \((errorCount - min(5, failures.count)).grouped) more")
        }
        document.add(table)
    }

    private func table(_ summary: ListingSummary) -> Table {
        var table = Table([.figure(), .figure(), .fixed(), .path(), .figure()], indent: 2)
        let whole = summary.totals.allocated
        func add(_ name: StyledText, _ bytes: ByteCount, files: Int?) {
            let share = Double(bytes.bytes) / Double(max(1, whole.bytes))
            table.add(
                .size(bytes), .text(StyledText(share.percentText, .faint)),
                .bar(share, width: 12, .cache), .text(name),
                .text(StyledText(files.map { "\($0.counted("file"))" } ?? "", .faint)))
        }
        var rest = whole
        for node in summary.nodes {
            let files = grouping == .directory ? node.totals.files : nil
            add(name(of: node, in: summary), node.totals.allocated, files: files)
            if node.depth == 1 || grouping == .file { rest -= node.totals.allocated }
        }
        if !summary.nodes.isEmpty, rest > .zero {
            add(StyledText("everything else", .faint), rest, files: nil)
        }
        for group in sorted(summary.groups) where group.totals.files > 0 {
            add(StyledText(group.name), group.totals.allocated, files: group.totals.files)
        }
        return table
    }

    /// Kinds by size; ages from young to old.
    private func sorted(
        _ groups: [(name: String, totals: ListingSummary.Totals)]
    ) -> [(name: String, totals: ListingSummary.Totals)] {
        guard grouping == .kind else { return groups }
        return groups.sorted { $0.totals.allocated > $1.totals.allocated }
    }

    private func name(of node: ListingSummary.Node, in summary: ListingSummary) -> StyledText {
        guard grouping == .directory else {
            let path = FilePath(bytes: node.path)
            var relative = path
            let isBelow = relative.removePrefix(FilePath(bytes: summary.root))
            let name = StyledText(isBelow ? relative.displayText : path.displayText)
            guard let protection = node.protection else { return name }
            return name + StyledText("  protected: \(protection.name)", .faint)
        }
        let indent = String(repeating: "  ", count: max(0, node.depth - 1))
        let start = node.path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let name = FilePath(bytes: Array(node.path[start...])).displayText
        return StyledText(indent + name)
    }
}
