//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The work of `headroom forget`.
struct ForgetJob {
    var workspace: Workspace
    var showsProgress: Bool

    func forget(_ paths: [FilePath]) throws -> ForgetReport {
        var forgotten = Forgotten()
        for path in paths {
            forgotten.add(
                try during { (progress) throws(HeadroomError) in
                    try workspace.forget(path, progress: progress)
                })
        }
        return ForgetReport(forgotten: forgotten)
    }

    func forgetAll() throws -> ForgetReport {
        ForgetReport(
            forgotten: try during { (progress) throws(HeadroomError) in
                try workspace.forgetAll(progress: progress)
            })
    }

    private func during(
        _ body: (ScanProgress) throws(HeadroomError) -> Forgotten
    ) throws -> Forgotten {
        let progress = ScanProgress()
        return try ProgressLine.during(
            isShown: showsProgress, state: { progress.state }, cancel: { progress.cancel() },
            { () throws(HeadroomError) in try body(progress) })
    }
}
