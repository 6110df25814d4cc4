//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What `headroom log --receipt` shows.
struct ReceiptReport: Report {
    static let schema = "headroom.receipt/1"
    private static let shownPaths = 10

    var receipt: Receipt

    // MARK: - JSON

    func write(to json: inout JSONWriter) { receipt.write(to: &json) }

    // MARK: - Text

    var document: Document {
        let text = ReceiptText(receipt)
        var document = Document()
        document.add(facts: [
            .init("Receipt", StyledText(receipt.id, .strong)),
            .init("Started", StyledText(receipt.started.iso8601)),
            .init("Ended", StyledText(receipt.ended?.iso8601 ?? "never")),
            .init("Outcome", text.outcome),
            .init("Asked by", StyledText(receipt.requester)),
            .init("Target", StyledText(receipt.target)),
        ])
        document.addBlank()
        text.describeResult(in: &document, took: nil)
        addTotals(to: &document)
        addSkipped(to: &document)
        document.next = ["headroom log --receipt \(receipt.shortID) --json", "headroom log"]
        return document
    }

    private func addTotals(to document: inout Document) {
        guard !receipt.perDirectory.isEmpty else { return }
        document.addBlank()
        var table = Table(
            [.figure("bytes"), .fixed(), .figure("items"), .path("from")], indent: 2)
        let whole = Double(max(1, receipt.expected.bytes))
        for total in receipt.perDirectory.prefix(Self.shownPaths) {
            table.add(
                .size(total.bytes), .bar(Double(total.bytes.bytes) / whole, width: 10, .cache),
                .figure(total.count), .text(StyledText(FilePath(total.name).homeRelativeText)))
        }
        let more = receipt.perDirectory.count - Self.shownPaths
        if more > 0 {
            table.note(
                StyledText("and \(more.counted("more directory", "more directories"))", .faint),
                column: 3)
        }
        document.add(table)
    }

    private func addSkipped(to document: inout Document) {
        guard !receipt.skipped.isEmpty else { return }
        document.addBlank()
        document.add(StyledText("Kept", .strong))
        var table = Table([.path(), .text()], indent: 2)
        for skipped in receipt.skipped.prefix(Self.shownPaths) {
            table.add(
                .text(StyledText(skipped.path.homeRelativeText)),
                .text(StyledText(skipped.reason.text, .faint)))
        }
        let more = receipt.skippedCount - min(Self.shownPaths, receipt.skipped.count)
        if more > 0 {
            table.note(StyledText("and \(more.grouped) more (--json lists them)", .faint))
        }
        document.add(table)
    }
}
