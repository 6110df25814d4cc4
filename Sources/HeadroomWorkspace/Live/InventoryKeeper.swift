//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
import HeadroomPlatform
import SystemPackage

/// Makes plans from a live inventory that it keeps between one time and the next, so that the next costs
/// by what has changed.
///
///     let keeper = InventoryKeeper { reading in print(reading) }
///     let runner = PolicyRunner(workspace, policy, place: "/data", requester: "me", source: keeper)
///     …
///     keeper.close()
///
/// It keeps what it was asked for last: when other directories are asked for, or other areas hold in
/// them, or the marks around them have changed, it begins anew. What cannot be followed is read each
/// time; if that is most of it, nothing is kept, and each look is a scan.
public final class InventoryKeeper: PlanSource, @unchecked Sendable {  // Guarded by `lock`.
    private let lock = ConditionLock()
    private let options: LiveOptions
    private let stopwatch: @Sendable () -> Duration
    private let report: @Sendable (InventoryReading) -> Void
    private var kept: (key: Key, live: LiveInventory)?
    /// Of what most cannot be followed.
    private var unfollowed: Key?
    /// Of which roots it was told that they are not followed.
    private var told: Set<FilePath> = []
    private var toldOfOverflow = false

    /// - Parameters:
    ///   - clock: measures what it takes.
    ///   - report: told what each look has cost, on the thread that looks.
    public init(
        options: LiveOptions = LiveOptions(), clock: some Clock<Duration> = ContinuousClock(),
        report: @escaping @Sendable (InventoryReading) -> Void = { _ in }
    ) {
        self.options = options
        self.report = report
        let start = clock.now
        stopwatch = { start.duration(to: clock.now) }
    }

    deinit { kept?.live.close() }

    /// What an inventory depends on besides the files.
    private struct Key: Hashable {
        var roots: [ScanRoot]
        var areas: [Area]
        var agesByChange: Bool

        init(_ scope: Scope) {
            let roots = scope.roots
            self.roots = roots
            // Others say nothing of what is found there.
            areas = scope.areas.filter { area in
                roots.contains { area.root.lies(in: $0.path) || $0.path.lies(in: area.root) }
            }
            agesByChange = scope.scanOptions().agesByChange
        }
    }

    /// What there is now: by what has changed, if it was asked for the same before; else by a scan.
    public func basis(of scope: Scope) throws(HeadroomError) -> PlanBasis {
        lock.lock()
        defer { lock.unlock() }
        let start = stopwatch()
        let key = Key(scope)
        if let kept, kept.key == key {
            let before = kept.live.statistics
            let inventory = try kept.live.indexedInventory()
            tell(kept.live, inventory, since: before, start)
            return PlanBasis(inventory, of: kept.live)
        }
        closeKept()
        if unfollowed == key {
            let inventory = try scope.scan()
            report(InventoryReading(inventory, isScan: true, duration: stopwatch() - start))
            return PlanBasis(inventory)
        }
        unfollowed = nil
        let live = try LiveInventory(scope, options: options)
        let inventory = try live.firstInventory()
        tell(live, inventory, since: LiveStatistics(), start)
        guard live.followsMost(of: inventory) else {
            live.close()
            unfollowed = key
            return PlanBasis(inventory)
        }
        kept = (key, live)
        return PlanBasis(inventory, of: live)
    }

    private func tell(
        _ live: LiveInventory, _ inventory: Inventory, since before: LiveStatistics,
        _ start: Duration
    ) {
        let now = live.statistics
        var reading = InventoryReading(
            inventory, isScan: now.scans > before.scans, duration: stopwatch() - start)
        reading.directoriesRead = now.directoriesRead - before.directoriesRead
        reading.entriesRead = now.entriesRead - before.entriesRead
        for coverage in live.coverage {
            guard let shortfall = coverage.shortfall else { continue }
            if told.insert(coverage.root).inserted { reading.news.append(shortfall) }
        }
        if now.overflows > before.overflows {
            reading.hasOverflowed = true
            if !toldOfOverflow {
                reading.news.append(
                    Reason(
                        .notWatched,
                        "So much changed at once that the system did not tell all of it: everything "
                            + "there was read again. This is said once."))
            }
            toldOfOverflow = true
        }
        report(reading)
    }

    /// Closes what it keeps, unless that is about these directories: others will be asked for next.
    public func release(unlessOf scope: Scope) {
        lock.lock()
        defer { lock.unlock() }
        if let kept, kept.key.roots != scope.roots { closeKept() }
    }

    public func release() {
        lock.lock()
        defer { lock.unlock() }
        closeKept()
    }

    private func closeKept() {
        kept?.live.close()
        kept = nil
    }
}

extension LiveInventory {
    /// Whether it is worth keeping: to read single directories costs more than to scan them.
    fileprivate func followsMost(of inventory: Inventory) -> Bool {
        let unfollowed = coverage.reduce(0) { $0 + $1.unwatchedDirectories }
        return 2 * unfollowed <= inventory.directoryCount
    }
}
