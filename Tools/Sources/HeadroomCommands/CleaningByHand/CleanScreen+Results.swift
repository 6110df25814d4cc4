//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform

/// What is shown in place of the lists: what would be done, and what was.
extension CleanScreen {
    func previewLines(_ preview: CleaningPreview?, _ isConfirming: Bool) -> [StyledText] {
        guard let preview else { return [StyledText("Working out what would be freed …")] }
        var lines = [
            StyledText("What cleaning \(model.chosen.count.counted("marked item")) does", .strong),
            StyledText(""),
            StyledText("  frees now     ") + StyledText("\(preview.freesNow)", .strong)
                + StyledText(
                    preview.purgedItems > 0
                        ? ", deleted for good: \(preview.purgedItems.counted("item"))" : ""),
            StyledText("  to the trash  ")
                + StyledText("\(preview.disposedItems.counted("item"))", .strong)
                + StyledText(
                    preview.disposedItems > 0
                        ? ": frees 0 now, \(preview.freesLater) when emptied; u undoes" : ""),
        ]
        for kept in preview.kept.prefix(max(0, model.rows - 12)) {
            lines.append(
                StyledText("  stays         \(kept.path.homeRelativeText): ", .warning)
                    + StyledText(kept.reason.text, .faint))
        }
        lines.append(StyledText(""))
        lines.append(
            StyledText(isConfirming ? "Do it? enter: yes, esc: no" : "enter does it, esc goes back")
        )
        return lines
    }

    func resultLines(_ result: CleaningResult) -> [StyledText] {
        var lines = [
            StyledText(result.isCancelled ? "Stopped. What is done is done." : "Done.", .strong),
            StyledText(""),
            StyledText("  freed         ") + StyledText("\(result.freed)", .strong),
        ]
        if let gained = result.purge?.volumeGained {
            let words =
                gained < .zero
                ? "meanwhile others wrote more to the volume" : "the volume gained \(gained)"
            lines.append(StyledText("                " + words, .faint))
        }
        if let disposal = result.disposal, disposal.removedCount > 0 {
            lines.append(
                StyledText("  to the trash  ")
                    + StyledText(disposal.removedCount.counted("item"), .strong)
                    + StyledText(": frees \(result.movedToTrash) when emptied"))
        }
        let skipped = result.skipped
        if !skipped.isEmpty {
            lines.append(
                StyledText("  stayed        \(skipped.count.counted("item"))", .warning))
            for kept in skipped.prefix(max(0, model.rows - 14)) {
                lines.append(
                    StyledText("    \(kept.path.homeRelativeText): ")
                        + StyledText(kept.reason.text, .faint))
            }
        }
        let receipts = [result.purge, result.disposal].compactMap { $0?.shortID }
        if !receipts.isEmpty {
            lines += [
                StyledText(""),
                StyledText(
                    receipts.map { "headroom log --receipt \($0)" }.joined(separator: "   "), .faint
                ),
            ]
        }
        return lines
    }
}
