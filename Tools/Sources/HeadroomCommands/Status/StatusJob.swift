//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomServiceModel
import SystemPackage

/// The work of `headroom status`: looks at volumes, areas and processes.
struct StatusJob {
    var workspace: Workspace
    /// Of the service: where its history is.
    var configuration: ServiceConfiguration
    /// The directory of the configuration; nil: the usual one.
    var directory: FilePath?
    var showsProgress: Bool

    /// - Parameter isWhole: all volumes are shown, rather than those that were asked for.
    func report(_ volumes: [Volume], isWhole: Bool) throws -> StatusReport {
        let job = try PlanJob(AreaOptions.none, in: workspace, showsProgress: showsProgress)
        let inventory = try job.scan()
        let plan = try job.scope.plan(inventory, targets: [.all], through: .lastResort)
        let places = VolumePlaces(volumes)
        let summary = plan.summary(depth: 1)
        let isShown = { (path: FilePath) in isWhole || places.index(of: path) != nil }
        var report = StatusReport(
            volumes: volumes.enumerated().map { index, volume in
                .init(
                    volume: volume,
                    capacity: VolumeCapacity(
                        of: volume,
                        purgeable: places.purgeable(
                            on: index, in: summary, measured: inventory.scanned),
                        now: workspace.clock()))
            },
            ladder: PlannedClass.allCases.compactMap { purgeClass in
                StatusReport.Rung(
                    purgeClass, of: summary, in: job.scope.areas, where: isShown)
            },
            now: workspace.clock())
        report.biggest = inventory.largestItems(5) { item in
            // Deleting one of several hard links frees nothing.
            item.purgeClass != .essential && !item.isPinned && item.linkCount < 2
                && isShown(item.path)
        }.map { ($0.path, $0.allocated, $0.purgeClass) }
        report.pinned = inventory.ladder(now: workspace.clock()).classes.reduce(.zero) {
            $0 + ($1.purgeClass == .essential ? .zero : $1.pinned.allocated)
        }
        report.essential = essential(volumes, places, summary)
        let deleted = DeletedFiles.current()
        report.deleted = deleted.files.filter { file in
            guard let path = file.path else { return isWhole }
            return isShown(path)
        }
        report.hiddenProcesses = deleted.hiddenProcesses
        report.footprint = footprint()
        addHistory(to: &report, isShown)
        return report
    }

    /// Adds when volumes fill and what grew unusually within a day, if the daemon keeps a history.
    private func addHistory(to report: inout StatusReport, _ isShown: (FilePath) -> Bool) {
        let path =
            configuration.history.path ?? workspace.ledger.directory.appending("history.sqlite")
        guard
            let history = RecordedHistory.read(
                report.volumes.map(\.volume), history: path, configuration: directory)
        else { return }
        for index in report.volumes.indices {
            report.volumes[index].forecast =
                history.forecasts[report.volumes[index].volume.mountPoint]
        }
        report.anomalies = history.anomalies.filter { $0.volume.map(isShown) ?? true }
    }

    /// What the home's volume holds besides all that may go.
    private func essential(
        _ volumes: [Volume], _ places: VolumePlaces, _ summary: PlanSummary
    ) -> ByteCount? {
        guard let home = workspace.layouts.first?.root, let index = places.index(of: home),
            let figures = volumes[index].figures
        else { return nil }
        let purgeable = summary.areas.reduce(ByteCount.zero) { sum, part in
            places.index(of: part.area.root) == index ? sum + part.sum.bytes : sum
        }
        return max(.zero, figures.total - figures.free - purgeable)
    }

    /// What Headroom itself occupies.
    private func footprint() -> ByteCount? {
        // No ledger yet, or one that may not be read: nothing to be counted.
        try? Scanner.totals(
            of: workspace.ledger.directory, options: ScanOptions(now: workspace.clock())
        ).allocated
    }
}
