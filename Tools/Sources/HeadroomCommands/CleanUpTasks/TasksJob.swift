//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// A clean-up by tasks: the preview, the question, the progress and the report.
struct TasksJob {
    var runner: CleanUpTaskRunner
    var progress: CleanUpTaskProgress
    var output: OutputOptions

    func preview() throws(HeadroomError) -> TasksPreviewReport {
        TasksPreviewReport(
            summary: runner.summary, entries: try runner.plan().map { Array($0) } ?? [],
            directories: runner.measureDirectories())
    }

    /// - Throws: the exit code if the person does not want it, or cannot be asked.
    func confirm() throws {
        let preview = try preview()
        guard preview.items > 0 else { return }
        guard Confirmation.isPossible else {
            throw HeadroomError(
                .refused,
                "Nobody can be asked: standard input or error is no terminal. Add --yes to clean up "
                    + "without a question, or --dry-run to look.")
        }
        output.say(preview.document)
        let question = "Remove \(preview.items.counted("item")), \(preview.bytes)?"
        guard Confirmation().ask(question) == .yes else {
            Diagnostics.say("Nothing was removed.")
            throw ExitStatus.failed.code
        }
    }

    func run() -> TasksReport {
        let progress = progress
        ProgressLine.during(
            isShown: output.showsProgress,
            state: {
                ProgressState(
                    count: progress.removed, noun: progress.phase.words, bytes: progress.freed,
                    goal: nil, path: nil)
            },
            cancel: { progress.cancel() },
            {
                runner.measureBefore()
                runner.clean()
                runner.measureAfter()
                progress.finish()
            })
        return TasksReport(summary: runner.summary)
    }
}

extension CleanUpTaskPhase {
    fileprivate var words: String {
        switch self {
        case .measuringBefore: "items, measuring"
        case .cleaning: "items, cleaning"
        case .measuringAfter: "items, measuring again"
        case .done: "items"
        }
    }
}
