//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The work of `headroom catalogue`: measures the caches that are there.
struct CatalogueJob {
    var workspace: Workspace
    var showsProgress: Bool

    /// - Parameters:
    ///   - ids: entries to be shown with all that is known; empty: a list of all that are there.
    ///   - all: also those that are not.
    /// - Throws: ``HeadroomError`` `notFound` for an id that there is not; the exit code of an
    ///   interruption.
    func report(ids: [String], all: Bool) throws -> CatalogueReport {
        let entries = try named(ids)
        let caches = workspace.wellKnownCaches()
        // An entry's own are measured with what lies in them of others, which is taken off again.
        let shown = caches.filter { cache in
            ids.isEmpty || ids.contains(cache.entry.id)
                || caches.contains {
                    ids.contains($0.entry.id) && cache.root.starts(with: $0.root)
                }
        }
        let sizes = try measure(shown.map(\.root))
        let reclaimable = try reclaimable(shown)
        var rows: [CatalogueReport.Row] = []
        for entry in entries {
            let own = shown.filter { $0.entry.id == entry.id }
            guard !own.isEmpty || all || !ids.isEmpty else { continue }
            rows.append(
                .init(
                    entry: entry,
                    places: own.map { cache in
                        .init(
                            path: cache.root, bytes: sizes[cache.root],
                            reclaimable: reclaimable[cache.root])
                    }))
        }
        if ids.isEmpty { rows.sort { $1.bytes < $0.bytes } }
        return CatalogueReport(rows: rows, isDetailed: !ids.isEmpty)
    }

    private func named(_ ids: [String]) throws(HeadroomError) -> [CatalogueEntry] {
        guard !ids.isEmpty else { return workspace.catalogue.entries }
        var entries: [CatalogueEntry] = []
        for id in ids {
            guard let entry = workspace.catalogue.entry(id) else {
                throw HeadroomError(
                    .notFound,
                    "The catalogue has no entry “\(id)”. headroom catalogue --all lists its ids.")
            }
            entries.append(entry)
        }
        return entries
    }

    /// The bytes that a purge of each cache would free, from a plan of everything in it; none for those that only
    /// their tools clean.
    private func reclaimable(_ caches: [CatalogueCache]) throws -> [FilePath: ByteCount] {
        let purgeable = caches.filter(\.entry.isPurgeable)
        guard !purgeable.isEmpty else { return [:] }
        let scope = workspace.scope(of: purgeable)
        let progress = ScanProgress()
        let inventory = try ProgressLine.during(
            isShown: showsProgress, state: { progress.state }, cancel: { progress.cancel() },
            { () throws(HeadroomError) -> Inventory in try scope.scan(progress: progress) })
        if progress.isCancelled { throw ExitStatus.interrupted.code }
        let plan = try scope.plan(inventory, targets: [.all], through: .lastResort)
        var sums = Dictionary(purgeable.map { ($0.root, ByteCount.zero) }) { first, _ in first }
        for part in plan.summary().areas { sums[part.area.root]? += part.sum.bytes }
        return sums
    }

    /// What each directory occupies without the others in it; those that may not be read are missing.
    private func measure(_ roots: [FilePath]) throws -> [FilePath: ByteCount] {
        var totals: [FilePath: ByteCount] = [:]
        for root in roots {
            let progress = ScanProgress()
            totals[root] = try ProgressLine.during(
                isShown: showsProgress, state: { progress.state }, cancel: { progress.cancel() },
                { () throws(HeadroomError) -> ByteCount? in
                    let options = ScanOptions(now: workspace.clock())
                    // Somebody else's, or gone meanwhile: it is shown without a size.
                    return try? Scanner.totals(of: root, options: options, progress: progress)
                        .allocated
                })
            if progress.isCancelled { throw ExitStatus.interrupted.code }
        }
        var own = totals
        for root in roots {
            let around = roots.filter { root != $0 && root.starts(with: $0) }
                .max { $0.components.count < $1.components.count }
            if let around, let inner = totals[root], let outer = own[around] {
                own[around] = max(.zero, outer - inner)
            }
        }
        return own
    }
}
