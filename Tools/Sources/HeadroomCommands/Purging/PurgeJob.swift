//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// A purge from the command line: the question, the progress and the report.
struct PurgeJob {
    var plan: Plan
    var scope: Scope
    var output: OutputOptions
    /// The items that the caller left out of the plan, for the list of skipped items.
    var excluded: [Receipt.Skipped] = []

    /// Shows the plan and asks.
    ///
    /// - Returns: false if the person does not want it.
    func isWanted(asks: Bool) throws -> Bool {
        // Nothing to be asked about; the report says why.
        guard asks, !plan.isEmpty else { return true }
        var document = Document()
        PlanText(plan).describe(in: &document, places: 5)
        document.addBlank()
        output.say(document)
        switch Confirmation().ask(plan.reachesTarget ? "Purge?" : "Purge this much?") {
        case .yes: return true
        case .no, .nobody:
            Diagnostics.say("Nothing was purged.")
            return false
        }
    }

    /// Purges and reports.
    ///
    /// - Throws: the exit code unless it is 0; ``HeadroomError`` if nothing could be begun.
    func run() throws {
        let recorder = PurgeRecorder(streams: output.json)
        let report = try output.stream(recorder) { try purge(recorder) }
        guard report.status == .done else { throw report.status.code }
    }

    private func purge(_ recorder: PurgeRecorder) throws -> PurgeReport {
        let started = Timestamp.now()
        guard !plan.isEmpty else {
            return PurgeReport(
                receipt: nil, plan: plan, recorder: recorder, took: .zero,
                unread: scope.unread.count, excluded: excluded)
        }
        let progress = PurgeProgress()
        let goal = plan.frees
        let receipt = try ProgressLine.during(
            isShown: output.showsProgress,
            state: {
                ProgressState(
                    count: progress.removed, noun: "items", bytes: progress.freed, goal: goal,
                    path: progress.currentPath)
            },
            cancel: { progress.cancel() },
            { () throws(HeadroomError) in
                try scope.purge(
                    plan, requester: Session.requester, progress: progress,
                    reportsRemoved: output.json
                ) { event in recorder.note(event) }
            })
        return PurgeReport(
            receipt: receipt, plan: plan, recorder: recorder,
            took: Timestamp.now().duration(since: started), unread: scope.unread.count,
            excluded: excluded)
    }
}
