//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
public import HeadroomPlanning
public import HeadroomPlatform
public import HeadroomPurging
public import SystemPackage

extension Workspace {
    /// Cleans up a directory by age and size (R21): first what is too old, then the least recently used
    /// until it is small enough. Blocks.
    ///
    /// The rules hold for the directory and everything below it, except for areas with rules of their own.
    /// Files that turn out to be in use are skipped, and the next files in order are purged in their place.
    ///
    /// - Parameters:
    ///   - path: absolute, of a directory that is purgeable or contains something purgeable.
    ///   - last: the last class that may be purged; nil: last resort only if the directory itself is.
    ///   - requester: the caller's name, for the receipt.
    /// - Throws: `refused` if nothing in it may be purged; `invalid` for rules that make no sense; `busy`
    ///   if another purge is at work there.
    public func cleanUp(
        _ path: FilePath, _ rules: CleanUpRules, through last: PurgeableClass? = nil,
        requester: String, progress: PurgeProgress = PurgeProgress()
    ) throws(HeadroomError) -> CleanUpReport {
        if let age = rules.maxAge, age < .zero {
            throw HeadroomError(.invalid, "\(age) is no age. Give a time of 0 or more.")
        }
        if let size = rules.maxSize, size < .zero {
            throw HeadroomError(.invalid, "\(size) is no size. Give 0 or more.")
        }
        let scope = try ruled(path, rules)
        var inventory = try scope.scan()
        guard let root = scope.roots.first?.path,
            let area = inventory.areas.firstIndex(where: { $0.root == root })
        else {
            throw HeadroomError(
                .refused,
                scope.notes.first?.text ?? "\(path.displayText) is left alone.")
        }
        var report = CleanUpReport(before: ByteCount(AreaUsage(inventory).allocated[area]))
        let own = PurgeableClass(inventory.areas[area].purgeClass) ?? .cache
        var request = try scope.request(
            targets: [.expired, .overLimit], through: last ?? max(own, .cache))
        request.sparing = rules.sparing
        // Ends: each round after the first has skipped something that none before it had.
        while true {
            let plan = Planner.plan(inventory, request)
            report.excess = plan.overLimit.first { $0.area.root == root }?.excess ?? .zero
            guard !plan.isEmpty else { break }
            let receipt: Receipt
            do throws(HeadroomError) {
                receipt = try scope.purge(
                    plan, requester: requester, progress: progress, reportsRemoved: false)
            } catch {
                // The cleanup has not failed if an earlier round has purged files.
                guard !report.receipts.isEmpty else { throw error }
                break
            }
            report.receipts.append(receipt)
            let skipped = Set(receipt.skipped.map(\.path)).subtracting(request.sparing.skipped)
            // mutation: r21a-2
            if skipped.isEmpty { break }
            request.sparing.skipped.formUnion(skipped)
            inventory = try scope.scan()
            // mutation: r21a-3
            report.excess = Self.excess(of: root, over: rules.maxSize, in: inventory)
            if progress.isCancelled || report.excess == .zero { break }
        }
        return report
    }

    /// By how much a directory is larger than it should be.
    private static func excess(
        of root: FilePath, over limit: ByteCount?, in inventory: Inventory
    ) -> ByteCount {
        guard let limit, let area = inventory.areas.firstIndex(where: { $0.root == root }) else {
            return .zero
        }
        return max(.zero, ByteCount(AreaUsage(inventory).allocated[area]) - limit)
    }

    /// Cleans up a directory before something is added to it, if its volume would have less than a
    /// reserve left then. Blocks.
    ///
    /// - Parameters:
    ///   - reserve: what should stay available on the volume.
    ///   - target: what the directory is trimmed to, least recently used first.
    /// - Returns: nil if there is room enough.
    /// - Throws: as ``cleanUp(_:_:through:requester:progress:)``, and if the volume cannot be asked.
    public func cleanUp(
        _ path: FilePath, beforeAdding bytes: ByteCount, reserve: ByteCount, target: ByteCount,
        sparing: Sparing = .nothing, through last: PurgeableClass? = nil, requester: String,
        progress: PurgeProgress = PurgeProgress()
    ) throws(HeadroomError) -> CleanUpReport? {
        guard bytes >= .zero else {
            throw HeadroomError(.invalid, "\(bytes) is no amount to add. Give 0 or more.")
        }
        let volume: Volume
        do throws(Errno) {
            volume = try Volume.containing(path)
        } catch {
            throw HeadroomError("ask the volume of", path, error)
        }
        // mutation: r21c-1
        if let available = volume.available, available - bytes >= reserve { return nil }
        return try cleanUp(
            path, CleanUpRules(maxAge: nil, maxSize: target, sparing: sparing), through: last,
            requester: requester, progress: progress)
    }

    /// The scope of a directory, with an area of its own for it.
    private func ruled(
        _ path: FilePath, _ rules: CleanUpRules
    ) throws(HeadroomError) -> Scope {
        // Refuses what may not be purged.
        let scope = try scope(paths: [path], as: nil)
        guard let root = scope.roots.first else { return scope }
        let known = AreaMap(scope.areas)
        let around = known.areaIndex(for: root.path).map { known.areas[$0] }
        let mark = try effectiveMark(of: root.path)
        var area = Area(
            root: root.path,
            purgeClass: mark.purgeClass?.purgeClass ?? around?.purgeClass ?? .essential,
            origin: "clean-up")
        if let around {
            area.unit = around.root == root.path ? around.unit : .file
            area.importance = around.importance
            area.origin = around.origin
            area.allowsMountRoot = around.allowsMountRoot
            if around.root == root.path { area.purgeClass = around.purgeClass }
        }
        area.retention = rules.maxAge
        area.ageBasis = .used
        area.limit = rules.maxSize
        // mutation: r21a-4
        area.order = .leastRecentlyUsed
        var areas = scope.areas.filter { $0.root != root.path }
        areas.append(area)
        return scope.with(AreaMap(areas).areas)
    }
}
