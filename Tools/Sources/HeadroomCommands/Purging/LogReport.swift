//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform

/// What `headroom log` shows: one line for each receipt, the newest last, as in any log.
struct LogReport: Report {
    static let schema = "headroom.log/1"

    var receipts: [Receipt]

    func write(to json: inout JSONWriter) {
        json.array("receipts") { json in
            for receipt in receipts {
                json.object { receipt.write(to: &$0) }
            }
        }
    }

    var document: Document {
        var document = Document()
        guard let newest = receipts.last else {
            document.add(StyledText("Nothing has been purged yet."))
            document.next = ["headroom plan --free 1GB"]
            return document
        }
        var table = Table([
            .fixed("receipt"), .fixed("when (UTC)"), .figure("freed"), .figure("items"),
            .figure("kept"), .fixed("outcome"), .text("target"),
        ])
        for receipt in receipts {
            table.add(
                .text(StyledText(receipt.shortID, .strong)),
                .text(StyledText(receipt.started.minuteDescription)),
                .size(receipt.expected), .figure(receipt.removedCount),
                .text(StyledText(receipt.skippedCount == 0 ? "" : receipt.skippedCount.grouped)),
                .text(ReceiptText(receipt).outcome), .text(StyledText(receipt.target, .faint)))
        }
        document.add(table)
        document.next = ["headroom log --receipt \(newest.shortID)"]
        return document
    }
}

extension Timestamp {
    /// The time in UTC to the minute: `2026-11-21 12:44`.
    var minuteDescription: String {
        String(iso8601.prefix(16)).split(separator: "T").joined(separator: " ")
    }
}
