//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The work of `headroom scan`.
struct ScanJob {
    private static let listedFailures = 1_000

    var options: ListingSummary.Options
    var crossesMounts = false
    var showsProgress = false

    /// Sums only: keeps nothing of what is found.
    func totals(_ paths: [FilePath]) throws(HeadroomError) -> ScanReport {
        let progress = ScanProgress()
        return try during(progress) { () throws(HeadroomError) in
            var report = ScanReport(summaries: [], grouping: options.grouping, errorCount: 0)
            for path in paths {
                let totals = try Scanner.totals(
                    of: path, options: scanOptions, progress: progress)
                var summary = ListingSummary()
                summary.root = path.bytes
                summary.totals = .init(
                    allocated: totals.allocated, logical: totals.logical, files: totals.files,
                    directories: totals.directories)
                report.summaries.append(summary)
                report.note(totals.failures, count: totals.errors)
                report.isInterrupted = report.isInterrupted || !totals.isComplete
            }
            return report
        }
    }

    /// Scans, and exports the listing if asked to.
    func scan(_ paths: [FilePath], export: ListingFile?) throws(HeadroomError) -> ScanReport {
        let progress = ScanProgress()
        let inventory = try during(progress) { () throws(HeadroomError) in
            try Scanner.scan(
                paths.map { ScanRoot(path: $0) }, options: scanOptions, progress: progress)
        }
        if inventory.isComplete { try export?.export(inventory) }
        var report = ScanReport(
            summaries: inventory.roots.indices.map { summary(of: inventory, root: $0) },
            grouping: options.grouping, errorCount: 0)
        report.note(inventory.failures, count: inventory.failureCount)
        report.isInterrupted = !inventory.isComplete
        if options.grouping == .file { report.lookAtProtection() }
        return report
    }

    private func summary(of inventory: Inventory, root: Int) -> ListingSummary {
        var builder = ListingSummary.Builder(options)
        let byDirectory = options.grouping == .directory
        inventory.visit(
            root: root, maximumDepth: byDirectory ? options.depth : nil, includesFiles: !byDirectory
        ) { builder.add($0) }
        return builder.finish()
    }

    /// Scans, and finds what grew.
    ///
    /// - Parameter paths: empty: what the listing is of, or the current directory.
    func growth(
        since: Since, _ paths: [FilePath], export: ListingFile?
    ) throws -> GrowthReport {
        let baseline: GrowthSurvey.Baseline
        var paths = paths
        var report = GrowthReport(
            now: options.now, growths: [],
            scan: ScanReport(summaries: [], grouping: options.grouping, errorCount: 0))
        switch since {
        case .time(let time):
            baseline = .time(time)
            report.since = time
            if paths.isEmpty { paths = [try Paths.absolute(".")] }
        case .listing(let file):
            let former = try former(file)
            if paths.isEmpty { paths = [former.root] }
            for path in paths where !path.starts(with: former.root) {
                throw HeadroomError(
                    .invalid,
                    "\(file.displayText) is a listing of \(former.root.displayText), and says nothing "
                        + "of \(path.displayText). Name a directory in it, or none.")
            }
            baseline = .listing(former)
            report.listing = file
            report.since = former.time
            report.unreadableThen = former.unreadable
        }
        let progress = ScanProgress()
        let inventory = try during(progress) { () throws(HeadroomError) in
            var scanOptions = scanOptions
            scanOptions.keepsChanges = true
            return try Scanner.scan(
                paths.map { ScanRoot(path: $0) }, options: scanOptions, progress: progress)
        }
        if inventory.isComplete { try export?.export(inventory) }
        let survey = GrowthSurvey(since: baseline, top: options.top, depth: options.depth)
        report.growths = inventory.roots.indices.map { survey.growth(in: inventory, root: $0) }
        report.scan.note(inventory.failures, count: inventory.failureCount)
        report.scan.isInterrupted = !inventory.isComplete
        return report
    }

    private func former(_ file: FilePath) throws(HeadroomError) -> FormerListing {
        let progress = ListingProgress()
        let listing = try ListingFile(format: "ncdu", name: file.string)
        return try ProgressLine.during(
            isShown: showsProgress, state: { progress.state }, cancel: { progress.cancel() },
            { () throws(HeadroomError) in try listing.former(progress: progress) })
    }

    /// Sums up a listing.
    func imported(_ file: ListingFile) throws(HeadroomError) -> ScanReport {
        let progress = ListingProgress()
        let summary = try ProgressLine.during(
            isShown: showsProgress, state: { progress.state }, cancel: { progress.cancel() },
            { () throws(HeadroomError) in try file.summary(options, progress: progress) })
        return ScanReport(
            summaries: [summary], grouping: options.grouping, errorCount: summary.unreadable)
    }

    private var scanOptions: ScanOptions {
        var scanOptions = ScanOptions(now: options.now)
        scanOptions.crossesMounts = crossesMounts
        return scanOptions
    }

    private func during<Result>(
        _ progress: ScanProgress, _ job: () throws(HeadroomError) -> Result
    ) throws(HeadroomError) -> Result {
        try ProgressLine.during(
            isShown: showsProgress, state: { progress.state }, cancel: { progress.cancel() }, job)
    }
}

extension ScanReport {
    /// Adds what could not be read.
    fileprivate mutating func note(_ failures: [Inventory.Failure], count: Int) {
        errorCount += count
        self.failures += failures.map { failure in
            Failure(
                path: failure.path,
                reason: Reason(.unreadable, "could not \(failure.operation): \(failure.error)"))
        }
    }
}

extension ScanProgress {
    /// What the progress line shows.
    var state: ProgressState {
        ProgressState(
            count: files + directories, noun: "files", bytes: allocated, path: currentPath)
    }
}
