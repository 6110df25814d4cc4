//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The work of `headroom explain`.
struct ExplainJob {
    private let job: PlanJob
    private let asksForExclusive: Bool

    init(_ job: PlanJob, asksForExclusive: Bool = false) {
        self.job = job
        self.asksForExclusive = asksForExclusive
    }

    func report(_ paths: [FilePath]) throws -> ExplainReport {
        let inventory = try job.scan()
        let request = try job.scope.request(targets: [.all], through: .lastResort)
        let explainer = Explainer(inventory, request)
        let uses = job.scope.inUse()
        let daemon = try DaemonView(job.workspace)
        let backup = job.workspace.backupExclusionReader(for: paths)
        let entries = try paths.map { path in
            let explanation = try rechecked(
                explainer.explain(path) { uses.reason(for: $0) }, uses)
            return ExplainReport.Entry(
                explanation: explanation, size: try size(of: path, explanation),
                exclusive: asksForExclusive ? try exclusive(path) : nil,
                mark: try mark(of: path),
                allowsClassMark: job.workspace.allowsClassMark(on: path),
                // mutation: r18e-1
                backup: try backup.exclusion(of: path), protection: Protection.of(path),
                cache: job.workspace.wellKnownCache(at: path),
                daemon: daemon.notes(on: path, in: explanation.area))
        }
        return ExplainReport(
            // mutation: r25e-2
            entries: entries, now: request.now, agePause: job.workspace.pauseOfAgeRules())
    }

    /// The effective mark. Links and special files have none of their own.
    private func mark(of path: FilePath) throws -> Mark {
        let status = try Paths.status(path)
        let hasOwn = status.isRegular || status.isDirectory
        return try job.workspace.effectiveMark(of: hasOwn ? path : path.removingLastComponent())
    }

    /// What no scan came to, by the marks that it has all the same.
    private func rechecked(_ explanation: Explanation, _ uses: InUseNow) throws -> Explanation {
        let progress = ScanProgress()
        let found = try ProgressLine.during(
            isShown: job.showsProgress, state: { progress.state }, cancel: { progress.cancel() },
            { () throws(HeadroomError) in
                try job.workspace.recheckingMarks(of: explanation, progress: progress) {
                    uses.reason(for: $0)
                }
            })
        guard !progress.isCancelled else { throw ExitStatus.interrupted.code }
        return found
    }

    private func exclusive(_ path: FilePath) throws -> ExclusiveTotals {
        let progress = ScanProgress()
        return try ProgressLine.during(
            isShown: job.showsProgress, state: { progress.state }, cancel: { progress.cancel() },
            { () throws(HeadroomError) in
                try Scanner.exclusiveTotals(
                    of: path, options: ScanOptions(now: job.workspace.clock()), progress: progress)
            })
    }

    /// What a path occupies that lies outside of what was scanned.
    private func size(
        of path: FilePath, _ explanation: Explanation
    ) throws -> ByteCount {
        guard explanation.subject == .unknown else { return explanation.allocated }
        let status = try Paths.status(path)
        guard status.isDirectory else { return status.allocatedSize }
        let progress = ScanProgress()
        return try ProgressLine.during(
            isShown: job.showsProgress, state: { progress.state }, cancel: { progress.cancel() },
            { () throws(HeadroomError) in
                try Scanner.totals(
                    of: path, options: ScanOptions(now: job.workspace.clock()), progress: progress)
            }
        ).allocated
    }
}
