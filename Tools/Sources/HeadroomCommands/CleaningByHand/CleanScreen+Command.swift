//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform

/// What is shown of a cache that only its own tool empties.
extension CleanScreen {
    /// What would be run, or is.
    func commandLines(
        _ item: Cleanable, _ command: CleaningCommand?, isRunning: Bool
    ) -> [StyledText] {
        guard let command else { return [StyledText("Looking for \(item.note) …")] }
        var lines = [
            StyledText("Only its own tool empties \(item.name)", .strong), "",
            StyledText("  runs   ") + StyledText(command.text, .strong),
            StyledText("  holds  ") + StyledText(item.allocated.map { "\($0)" } ?? "?")
                + StyledText("  " + (item.path?.homeRelativeText ?? ""), .faint),
            StyledText("  time   \(CleanCommandLimit.text) at most; esc ends it sooner"), "",
            StyledText("What it removes is up to the tool: nothing brings that back."), "",
        ]
        if !isRunning { lines.append(StyledText("Run it? enter: yes, esc: no")) }
        return lines
    }

    /// What came of it.
    func outcomeLines(_ outcome: CatalogueCleaning) -> [StyledText] {
        let report = CatalogueCleanReport.Row(outcome)
        var lines = [
            StyledText("\(outcome.entry.name): \(report.words)", report.style), "",
            StyledText("  freed  ") + StyledText(report.freedText, .strong)
                + StyledText(", as measured before and after", .faint), "",
        ]
        let room = max(0, model.rows - lines.count - 6)
        lines += report.lastLines(room).map { StyledText("  " + $0, .faint) }
        return lines
    }
}
