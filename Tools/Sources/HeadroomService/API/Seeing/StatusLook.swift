//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
import HeadroomEngine
import HeadroomPlatform
import HeadroomRequests
import HeadroomServiceModel
import SystemPackage

/// Looks at volumes, processes, receipts and history, for the first screen. Blocks.
struct StatusLook {
    let situation: APISituation
    /// Nil: nothing was scanned yet.
    let scanned: SeenFigures?
    /// Told when a purge has ended after the scan.
    let notePurge: (Timestamp) -> Void

    /// The receipts that are subtracted from the figures of a scan: as many as there may be in the time that
    /// the next scan takes.
    private static let recent = 100

    func status(version: String, _ inventory: APIInventoryState) throws -> APIStatus {
        let workspace = situation.workspace
        // Also receipts of other processes, which do not notify the daemon.
        var recent = try workspace.ledger.receipts(last: 10)
        if let scanned, let first = recent.first, first.isNewer(than: scanned.scanned) {
            recent = try workspace.ledger.receipts(last: Self.recent)
        }
        // mutation: r38c-8
        let figures = scanned?.subtracting(recent)
        if let scanned {
            for receipt in recent where receipt.isNewer(than: scanned.scanned) {
                notePurge(receipt.ended ?? receipt.started)
            }
        }
        let now = workspace.clock()
        let volumes = try shownVolumes()
        let deleted = DeletedFiles.current().files.sorted { $1.allocated < $0.allocated }
        var budget = AnswerBudget(500_000)
        var status = APIStatus(
            time: now.iso8601, version: version, mode: situation.configuration.mode.rawValue,
            inventory: inventory, volumes: [],
            ladder: PlannedClass.allCases.compactMap { purgeClass in
                figures?.summary.flatMap { APIRung(purgeClass, of: $0, budget: &budget) }
            },
            biggest: (figures?.biggest ?? []).map { item in
                let text = PathText(item.path)
                return .init(
                    path: text.text, pathBytes: text.encoded, class: item.purgeClass,
                    bytes: item.bytes.apiSize)
            },
            pinnedBytes: figures?.pinned.apiSize ?? 0,
            deleted: Self.group(deleted),
            deletedBytes: Self.total(deleted),
            receipts: recent.suffix(10).reversed().map { APIReceiptSummary($0) },
            events: [], asking: [], jobs: [],
            notices: (situation.banners() + workspace.notices + workspace.ledger.notices).uniqued
                .prefix(20).map(\.apiShort))
        let places = VolumePlaces(volumes)
        // What is wrong with it is told where it is opened for writing.
        let history = try? History.openReadOnly(at: situation.history)
        status.events = Self.events(history, now).map { APIEvent($0) }
        status.volumes = volumes.enumerated().map { index, volume in
            let thresholds = situation.configuration.settings(of: volume).thresholds
            let purgeable = figures.flatMap { figures in
                figures.summary.map {
                    places.purgeable(on: index, in: $0, measured: figures.scanned)
                }
            }
            var shown = APIVolume(
                volume,
                VolumeCapacity(
                    of: volume, purgeable: purgeable, thresholds: thresholds, now: now),
                thresholds)
            shown.forecast = history.flatMap {
                HistoryLook.forecast(of: volume, $0, thresholds, now: now)
            }.map { APIForecast($0.bytes) }
            return shown
        }
        if let home = workspace.layouts.first?.root, let index = places.index(of: home),
            let used = volumes[index].figures.map({ $0.total - $0.free }),
            let summary = figures?.summary
        {
            let purgeable = summary.areas.reduce(ByteCount.zero) { sum, part in
                places.index(of: part.area.root) == index ? sum + part.sum.bytes : sum
            }
            status.essentialBytes = max(.zero, used - purgeable).apiSize
        }
        // No ledger yet, or one that may not be read: nothing to be counted.
        status.footprintBytes = try? Scanner.totals(
            of: workspace.ledger.directory, options: ScanOptions(now: now)
        ).allocated.apiSize
        return status
    }

    /// The latest, and what grew beyond its usual rate in the last day however much came after it.
    private static func events(_ history: History?, _ now: Timestamp) -> [HistoryEvent] {
        guard let history else { return [] }
        // One that cannot be read is told of where it is opened for writing.
        let latest = (try? history.events(limit: 20)) ?? []
        // mutation: r41c-2 (3 lines)
        let since = now.advanced(by: .seconds(-86_400))
        let anomalies = (try? history.events(of: .anomaly, since: since, limit: 20)) ?? []
        return (latest + anomalies.filter { !latest.contains($0) }).sorted { $1.time < $0.time }
    }

    /// The volumes that people know: not the system's own small ones.
    private func shownVolumes() throws -> [Volume] {
        try MountedVolumes.all().filter { volume in
            guard !volume.isPseudo else { return false }
            guard let total = volume.figures?.total, volume.error == nil else { return true }
            return total >= .mebibytes(16)
                && !["/sys", "/proc", "/run"].contains {
                    volume.mountPoint.starts(with: FilePath($0))
                }
        }.prefix(100).map { $0 }
    }

    /// One for each file, with all processes that keep it.
    private static func group(_ files: [DeletedFiles.File]) -> [APIStatus.DeletedFile] {
        var order: [FileIdentity] = []
        var found: [FileIdentity: APIStatus.DeletedFile] = [:]
        for file in files {
            let process = APIStatus.DeletedFile.Process(
                id: file.process, name: String(file.command.prefix(100)))
            if found[file.identity] == nil {
                guard order.count < 20 else { continue }
                order.append(file.identity)
                let path = file.path.map { PathText($0) }
                found[file.identity] = .init(
                    path: path?.text, pathBytes: path?.encoded, bytes: file.allocated.apiSize,
                    processes: [])
            }
            if found[file.identity]?.processes.count ?? 0 < 10 {
                found[file.identity]?.processes.append(process)
            }
        }
        return order.compactMap { found[$0] }
    }

    private static func total(_ files: [DeletedFiles.File]) -> Int64 {
        var seen: Set<FileIdentity> = []
        return files.reduce(0) { sum, file in
            seen.insert(file.identity).inserted ? sum &+ file.allocated.apiSize : sum
        }
    }
}

extension [String] {
    /// Each once, in the order in which they come.
    fileprivate var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
