//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// `headroom clean` without a screen: lists, previews and cleans whole sections or named items.
struct CleanJob {
    var cleaner: Cleaner
    var output: OutputOptions
    var clock: @Sendable () -> Timestamp

    /// Looks for everything, with a line that says how far it is.
    func survey() throws(HeadroomError) -> [CleaningUpdate] {
        let progress = ScanProgress()
        return try ProgressLine.during(
            isShown: output.showsProgress, state: { progress.state },
            cancel: { progress.cancel() },
            { () throws(HeadroomError) -> [CleaningUpdate] in
                var sections: [CleaningSection: CleaningUpdate] = [:]
                try cleaner.survey(progress: progress) { sections[$0.section] = $0 }
                return CleaningSection.all.compactMap { sections[$0] }
            })
    }

    /// What whole sections and single items of the list are.
    func selection(
        _ sections: [CleaningSection], _ items: [String], in list: [CleaningUpdate]
    ) throws(HeadroomError) -> CleaningSelection {
        var chosen = list.filter { sections.contains($0.section) }.flatMap(\.items)
        for item in items {
            let path = (try? Paths.absolute(item).displayText) ?? item
            let found = list.lazy.flatMap(\.items).first { $0.id == item || $0.id == path }
            guard let found else {
                throw HeadroomError(
                    .notFound,
                    "\(FilePath(item).displayText) is not in the list. headroom clean --list shows "
                        + "what is.")
            }
            guard found.isSelectable else {
                let id = cleaner.entry(of: found)?.id ?? ""
                throw HeadroomError(
                    .refused,
                    "Only its own tool cleans \(found.name) (\(found.note)). To run that: headroom "
                        + "catalogue clean \(id)")
            }
            if !chosen.contains(where: { $0.id == found.id }) { chosen.append(found) }
        }
        return CleaningSelection(chosen)
    }

    func preview(_ selection: CleaningSelection) throws(HeadroomError) -> CleanPreviewReport {
        CleanPreviewReport(selection: selection, preview: try cleaner.preview(selection))
    }

    func clean(_ selection: CleaningSelection) throws(HeadroomError) -> CleanReport {
        let progress = CleaningProgress()
        let result = try ProgressLine.during(
            isShown: output.showsProgress,
            state: {
                ProgressState(
                    count: progress.cleanedItems, noun: "items", bytes: progress.cleaned,
                    path: progress.currentPath)
            }, cancel: { progress.cancel() },
            { () throws(HeadroomError) in
                try cleaner.clean(
                    selection, requester: Session.requester, progress: progress)
            })
        return CleanReport(result: result)
    }
}
