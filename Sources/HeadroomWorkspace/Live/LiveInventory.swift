//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomInventory
public import HeadroomPlanning
import HeadroomPlatform

/// An inventory that follows what happens, so that asking for it costs by what has changed.
///
///     let live = try LiveInventory(scope)
///     let plan = try live.plan(targets: [.normalLevel])
///     …
///     live.close()
///
/// Each inventory it gives is a value: what is given out does not change any more. It equals what a scan
/// of the same roots at that moment finds, but for what no system tells of: when a file was read last;
/// what is written through a shared mapping, until it is unmapped; and a link that a file with one name
/// is given somewhere else. A plan looks again at all it has chosen, see ``plan(targets:through:)``, so
/// it is the plan of that moment all the same; and what goes is looked at once more just before (safety
/// invariant S4).
///
/// The areas, and the marks around the roots, are those that its scope was made with: when the
/// configuration changes, make another one. A thread of its own empties the system's queue of changes;
/// it sleeps while nothing happens.
///
/// Memory: what an inventory costs (`Inventory`), up to a third more for items that were replaced,
/// and about 100 bytes a directory. See Documentation/Design/0028-live-inventory.md.
public final class LiveInventory: @unchecked Sendable {  // `core` is guarded by `lock`.
    private let lock = ConditionLock()
    private let core: LiveCore
    private let scope: Scope?

    /// Scans the roots of a scope, and follows what happens from then on. Blocks.
    ///
    /// - Throws: `HeadroomError` if a root cannot be opened.
    public convenience init(
        _ scope: Scope, options: LiveOptions = LiveOptions(),
        progress: ScanProgress = ScanProgress()
    ) throws(HeadroomError) {
        try self.init(
            roots: scope.roots, areas: scope.areas, scope: scope, options: options,
            progress: progress, scanOptions: { scope.scanOptions() })
    }

    /// Scans directories, none of which lies in another, and follows what happens from then on. Blocks.
    ///
    /// - Parameter scanOptions: asked for each time: how to scan at that moment. Other mounts are never
    ///   entered.
    /// - Throws: `HeadroomError` if a root cannot be opened.
    public convenience init(
        roots: [ScanRoot], areas: [Area] = [], options: LiveOptions = LiveOptions(),
        progress: ScanProgress = ScanProgress(),
        scanOptions: @escaping @Sendable () -> ScanOptions
    ) throws(HeadroomError) {
        try self.init(
            roots: roots, areas: areas, scope: nil, options: options, progress: progress,
            scanOptions: scanOptions)
    }

    private init(
        roots: [ScanRoot], areas: [Area], scope: Scope?, options: LiveOptions,
        progress: ScanProgress, scanOptions: @escaping @Sendable () -> ScanOptions
    ) throws(HeadroomError) {
        self.scope = scope
        core = LiveCore(roots: roots, areas: areas, options: options, scanOptions: scanOptions)
        try core.scan(progress)
    }

    deinit { core.close() }

    /// The inventory of this moment: everything that was done before the call is in it. Blocks.
    ///
    /// - Throws: `HeadroomError` if a root cannot be opened any more, as a scan would.
    /// - Complexity: O(directories + what has changed); O(items) of what is read again each time.
    public func inventory() throws(HeadroomError) -> Inventory {
        lock.lock()
        defer { lock.unlock() }
        return try core.refresh()
    }

    /// The same without blocking the caller.
    public func settled() async throws(HeadroomError) -> Inventory {
        try await BlockingPool.shared.run { () throws(HeadroomError) in try self.inventory() }
    }

    /// Makes a plan of this moment. Deletes nothing. Blocks.
    ///
    /// Files that are chosen are looked at once more: one that was read since is no longer the least
    /// recently used. That is repeated until nothing chosen has changed, so the plan is the one that
    /// a scan of this moment would lead to: by reading, what is not chosen can only have become
    /// younger. (With `Sparing.newest` the youngest are those of the last look.)
    public func plan(
        targets: [Target], through: PurgeableClass = .cache
    ) throws(HeadroomError) -> Plan {
        guard let scope else {
            throw HeadroomError(
                .invalid, "This inventory was made without a scope. Ask with a request.")
        }
        let inventory = try indexedInventory()
        return try plan(inventory, try scope.request(targets: targets, through: through))
    }

    /// Makes the plan of a request, as ``plan(targets:through:)`` does.
    public func plan(_ request: PlanRequest) throws(HeadroomError) -> Plan {
        try plan(try indexedInventory(), request)
    }

    /// The inventory of this moment, with what plans of it are made by.
    func indexedInventory() throws(HeadroomError) -> Inventory {
        lock.lock()
        defer { lock.unlock() }
        core.wantsIndex = true
        return try core.refresh()
    }

    /// The same as it was scanned when this was made: what has changed since is not looked at.
    func firstInventory() throws(HeadroomError) -> Inventory {
        lock.lock()
        defer { lock.unlock() }
        core.wantsIndex = true
        return try core.asScanned()
    }

    /// The plan of a request from an inventory that this gave last, as ``plan(targets:through:)`` makes it.
    func plan(
        _ inventory: Inventory, _ request: PlanRequest
    ) throws(HeadroomError) -> Plan {
        var plan = Planner.plan(inventory, request)
        // Each time round, something has a later use than was known; people do not read for ever.
        for _ in 0..<16 {
            lock.lock()
            defer { lock.unlock() }
            guard let newer = try core.lookAgain(of: plan.inventory, at: plan.forEachChosenItem)
            else { return plan }
            plan = Planner.plan(newer, request)
        }
        return plan
    }

    /// How each root is followed, and where that is not possible.
    public var coverage: [LiveCoverage] {
        lock.lock()
        defer { lock.unlock() }
        return core.coverage
    }

    public var statistics: LiveStatistics {
        lock.lock()
        defer { lock.unlock() }
        return core.statistics
    }

    /// Ends it, and its threads. Afterwards everything is read anew for each inventory.
    public func close() {
        lock.lock()
        defer { lock.unlock() }
        core.close()
    }
}
