//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform

/// `headroom log`
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show what was purged, when, why and by whom.",
        discussion: "With --json: one receipt a line, the oldest first.")

    @Option(help: "How many receipts to show.", transform: Values.count)
    var last = 20

    @Option(help: ArgumentHelp("One receipt, by the start of its id.", valueName: "id"))
    var receipt: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let workspace = try Session.open(forWriting: false)
        let (ledger, interrupted) = (workspace.ledger, workspace.interrupted)
        if let receipt {
            let open = interrupted.first {
                $0.id.hasPrefix(receipt) || $0.shortID.hasPrefix(receipt)
            }
            guard let found = try ledger.receipt(receipt) ?? open else {
                throw HeadroomError(
                    .notFound, "There is no receipt “\(receipt)”. headroom log lists them.")
            }
            return try output.print(ReceiptReport(receipt: found))
        }
        // Those that were cut off come into the ledger with the next purge.
        let receipts = try ledger.receipts(last: last, with: interrupted)
        guard output.json else { return try output.print(LogReport(receipts: receipts)) }
        try output.lines(receipts.map(ReceiptReport.init))
    }
}
