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

/// A check or emptying of registered directories: the question, the progress and the report.
struct DirJob {
    var workspace: Workspace
    var output: OutputOptions

    /// - Throws: the exit code if the person does not want it, or cannot be asked.
    func confirm(_ registered: [Registration]) throws {
        let found = keeper(PurgeProgress()).measure(registered).directories
        let items = found.reduce(0) { $0 + $1.items }
        guard items > 0 else { return }
        guard Confirmation.isPossible else {
            throw HeadroomError(
                .refused,
                "Nobody can be asked: standard input or error is no terminal. Add --yes to empty "
                    + "without a question.")
        }
        output.say(DirListReport(directories: found).document)
        let bytes = found.reduce(ByteCount.zero) { $0 + ($1.usage ?? .zero) }
        guard Confirmation().ask("Empty them: \(items.counted("item")), \(bytes)?") == .yes else {
            Diagnostics.say("Nothing was removed.")
            throw ExitStatus.failed.code
        }
    }

    func run(
        removing: Bool = false, _ body: @Sendable (DirectoryKeeper) -> DirectoryChecks
    ) throws {
        let progress = PurgeProgress()
        let keeper = keeper(progress)
        let checks = ProgressLine.during(
            isShown: output.showsProgress,
            state: {
                ProgressState(
                    count: progress.removed, noun: "items", bytes: progress.freed, goal: nil,
                    path: progress.currentPath)
            },
            cancel: { progress.cancel() }, { body(keeper) })
        if removing, !progress.isCancelled {
            for directory in checks.directories where directory.problem == nil {
                let stray = workspace.strayMark(of: directory.registration)
                try workspace.unregisterDirectory(directory.registration.area.root)
                if let stray { tell(stray, of: directory.registration.area.root) }
            }
        }
        let report = DirCheckReport(
            checks: checks, isRemoved: removing, wasInterrupted: progress.isCancelled)
        try output.print(report)
        guard report.status == .done else { throw report.status.code }
    }

    /// Says what became of the mark of a directory that is not where it was registered.
    private func tell(_ stray: StrayMark, of place: FilePath) {
        switch stray {
        case .beside(let path):
            Diagnostics.say(
                "\(place.homeRelativeText) is \(path.homeRelativeText) by now: its mark was taken off."
            )
        case .unknown:
            Diagnostics.say(
                "\(place.homeRelativeText) is not there. If it was moved away, it is still marked as "
                    + "purgeable. Take that off where it is now: headroom mark --clear PATH")
        }
    }

    private func keeper(_ progress: PurgeProgress) -> DirectoryKeeper {
        DirectoryKeeper(workspace, requester: Session.requester, progress: progress)
    }
}
