//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The words for a receipt: at the end of a purge, and in the log.
struct ReceiptText {
    let receipt: Receipt

    init(_ receipt: Receipt) {
        self.receipt = receipt
    }

    /// How it ended, in a word or two; with the colour of it.
    var outcome: StyledText {
        switch receipt.outcome {
        case .completed: StyledText("completed", .good)
        case .interrupted: StyledText("interrupted", .warning)
        case .broken: StyledText("stopped", .critical)
        case .crashed: StyledText("cut off", .critical)
        case .started: StyledText("running", .faint)
        }
    }

    /// The few lines that end a purge.
    func describeResult(in document: inout Document, took: Duration?) {
        if let warning { document.add(warning) }
        switch receipt.kind {
        case .purge: document.add(freed(took))
        case .disposal: document.add(thrownAway)
        case .restoration: document.add(broughtBack)
        }
        for difference in receipt.differences { document.add(StyledText(difference, .faint)) }
        if let kept { document.add(kept) }
        for note in receipt.notes { document.add(StyledText(note, .faint)) }
        document.add(StyledText("Receipt ", .faint) + StyledText(receipt.id))
    }

    private var warning: StyledText? {
        switch receipt.outcome {
        case .interrupted: StyledText("Interrupted: the rest stays.", .warning)
        case .broken: StyledText("Stopped, since too much went wrong.", .critical)
        case .crashed:
            StyledText(
                "Cut off: the process died. What it had begun is finished or restored by the next "
                    + "purge.", .critical)
        case .completed, .started: nil
        }
    }

    private func freed(_ took: Duration?) -> StyledText {
        let isNothing = receipt.removedCount + receipt.emptiedCount == 0
        var text = StyledText(isNothing ? "Freed nothing" : "Freed \(receipt.expected)", .strong)
        if !isNothing { text += StyledText(" in \(items)") }
        if let gained = receipt.volumeGained, !isNothing {
            text += StyledText(
                gained == receipt.expected
                    ? " (the volume gained just as much)" : " (the volume gained \(gained))")
        }
        if let took, took >= .milliseconds(100) {
            let tenths =
                took.components.seconds * 10 + took.components.attoseconds / 100_000_000_000_000_000
            text += StyledText(", \(tenths / 10).\(tenths % 10) s", .faint)
        }
        return text + "."
    }

    /// `Moved 3 items to the trash: frees 0 now, 14.2 MB when emptied.`
    private var thrownAway: StyledText {
        guard receipt.removedCount > 0 else {
            return StyledText("Moved nothing to the trash", .strong) + "."
        }
        let bytes = receipt.perClass.reduce(ByteCount.zero) { $0 + $1.bytes }
        return StyledText("Moved \(items) to the trash", .strong)
            + StyledText(": frees 0 now, \(bytes) when emptied.")
    }

    private var broughtBack: StyledText {
        StyledText(
            receipt.removedCount > 0 ? "Brought back \(items)" : "Brought back nothing", .strong)
            + "."
    }

    private var items: String {
        let items = receipt.removedCount.counted("item")
        guard receipt.emptiedCount > 0 else { return items }
        let emptied = receipt.emptiedCount.counted("directory", "directories")
        return receipt.removedCount == 0
            ? "\(emptied) that were empty" : "\(items) and \(emptied) left empty by that"
    }

    /// `Kept 12: in use 9, changed since the plan 3.`
    var kept: StyledText? {
        guard receipt.skippedCount > 0 else { return nil }
        var counts: [Reason.Code: Int] = [:]
        for skipped in receipt.skipped { counts[skipped.reason.code, default: 0] += 1 }
        let parts = counts.sorted {
            ($1.value, $0.key.description) < ($0.value, $1.key.description)
        }
        .map { "\(Self.words(for: $0.key)) \($0.value.grouped)" }
        return StyledText("Kept \(receipt.skippedCount.grouped)", .warning)
            + StyledText(": \(parts.joined(separator: ", ")).")
    }

    /// What is said of items that were planned and stayed.
    static func words(for code: Reason.Code) -> String {
        switch code {
        case .changed: "changed since the plan"
        case .vanished: "gone already"
        case .interrupted: "not reached"
        case .breaker: "not tried any more"
        case .unitBusy: "could not go whole"
        case .notPermitted: "not permitted"
        case .pinned: "pinned"
        case .failed: "failed"
        case .refused: "refused"
        default: PlanText.words(for: code)
        }
    }
}
