//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The work of `headroom audit --excludes`: the list goes to standard output as it is, what has to be
/// said of it to standard error.
struct ExcludesJob {
    var workspace: Workspace
    var paths: [FilePath]
    var program: BackupProgram
    var showsProgress: Bool

    func run(_ output: OutputOptions) throws {
        let progress = ScanProgress()
        let list = try ProgressLine.during(
            isShown: showsProgress, state: { progress.state }, cancel: { progress.cancel() },
            { () throws(HeadroomError) in
                try workspace.excludeList(of: paths, progress: progress)
            })
        // Half a list would pass for a whole one.
        guard !progress.isCancelled else { throw ExitStatus.interrupted.code }
        let report = ExcludesReport(
            program: program, paths: paths, list: list,
            written: list.written(for: program, base: paths.count == 1 ? paths.first : nil))
        try output.write(report)
        if !output.quiet, !output.json { report.say() }
        guard report.status == .done else { throw report.status.code }
    }
}
