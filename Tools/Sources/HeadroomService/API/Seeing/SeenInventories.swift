//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Keeps what was scanned as long as somebody looks, and scans again when it is old.
actor SeenInventories {
    private let board: JobBoard
    private let now: @Sendable () -> Timestamp
    private var seen: [InventoryView: SeenInventory] = [:]
    private var figures: [InventoryView: SeenFigures] = [:]
    private var lastUse: [InventoryView: Timestamp] = [:]
    private var scans: [InventoryView: Scan] = [:]
    private var isStale: Set<InventoryView> = []
    private var count = 0
    /// Counts configurations.
    private var generation = 0
    /// Lets go what nobody looks at.
    private var releasing: Task<Void, Never>?

    /// A scan that is under way.
    struct Scan: Sendable {
        /// Of its job.
        let id: String
        let task: Task<SeenInventory, any Error>
        let progress: ScanProgress
    }

    /// What is older is scanned again when somebody looks.
    static let freshness: Duration = .seconds(600)
    /// What nobody has looked at for so long is let go: a million files take some 70 MB.
    static let patience: Duration = .seconds(1_800)

    init(_ board: JobBoard, now: @escaping @Sendable () -> Timestamp = { .now() }) {
        self.board = board
        self.now = now
    }

    // MARK: - Looking

    /// What there is, if it is there.
    func latest(_ view: InventoryView) -> SeenInventory? {
        lastUse[view] = now()
        return seen[view]
    }

    /// The figures of the last scan, which are kept.
    func latestFigures(_ view: InventoryView) -> SeenFigures? { figures[view] }

    func state(_ view: InventoryView) -> APIInventoryState {
        let figures = figures[view]
        let scan = scans[view]
        let name =
            scan != nil
            ? "scanning" : seen[view] != nil ? "ready" : figures != nil ? "summary" : "none"
        return APIInventoryState(
            state: name, items: figures?.items ?? 0, unreadable: figures?.unreadable ?? 0,
            scanned: figures?.scanned.apiText, job: scan?.id)
    }

    /// What is on the disk has changed.
    func markStale() { isStale = Set(InventoryView.allCases) }

    /// Another configuration: nothing of what was seen holds.
    func reset() {
        generation += 1
        seen = [:]
        figures = [:]
        isStale = []
    }

    /// Lets go what nobody looks at.
    func release() {
        for view in seen.keys where !isInUse(view) { seen[view] = nil }
    }

    private func isInUse(_ view: InventoryView) -> Bool {
        guard let time = lastUse[view] else { return false }
        return now().duration(since: time) <= Self.patience
    }

    /// Keeps what was seen, if somebody looks: the figures are enough for all others.
    private func keep(_ seen: SeenInventory, _ view: InventoryView) {
        figures[view] = seen.figures
        guard isInUse(view) else { return }
        self.seen[view] = seen
        guard releasing == nil else { return }
        // Cancelled and awaited by `end`.
        releasing = Task {
            while (try? await Task.sleep(for: Self.patience)) != nil { self.release() }
        }
    }

    // MARK: - Scanning

    /// Begins a scan if there is none, or what there is is old. Does not wait. Its figures are kept, and all
    /// of it only if somebody has looked at it lately.
    func refresh(_ view: InventoryView, in situation: APISituation) {
        release()
        guard scans[view] == nil else { return }
        if let figures = figures[view], !isStale.contains(view),
            now().duration(since: figures.scanned) < Self.freshness
        {
            return
        }
        // What hinders it is told when somebody waits for it.
        _ = scan(view, in: situation)
    }

    /// What was scanned; scans and waits if there is nothing, or the disk has changed since.
    func current(
        _ view: InventoryView, in situation: APISituation
    ) async throws -> SeenInventory {
        lastUse[view] = now()
        if scans[view] == nil, let seen = seen[view], !isStale.contains(view) { return seen }
        return try await begin(view, in: situation).task.value
    }

    /// Begins a scan for somebody who looks, or finds the one under way.
    func begin(_ view: InventoryView, in situation: APISituation) -> Scan {
        lastUse[view] = now()
        return scan(view, in: situation)
    }

    private func scan(_ view: InventoryView, in situation: APISituation) -> Scan {
        if let scan = scans[view] { return scan }
        count += 1
        isStale.remove(view)
        let id = JobBoard.makeID()
        let number = count
        let progress = ScanProgress()
        let generation = generation
        // Ended by `end`, which awaits it.
        let task = Task {
            defer { self.scans[view] = nil }
            let seen = try await self.scan(view, id: id, number: number, situation, progress)
            if generation == self.generation { self.keep(seen, view) }
            return seen
        }
        let scan = Scan(id: id, task: task, progress: progress)
        scans[view] = scan
        return scan
    }

    private func scan(
        _ view: InventoryView, id: String, number: Int, _ situation: APISituation,
        _ progress: ScanProgress
    ) async throws -> SeenInventory {
        // Awaited below; `progress` cancels it.
        let work = Task { try await Self.look(view, number: number, situation, progress) }
        do {
            _ = try await board.start(
                JobWork(
                    id: id, kind: .scan,
                    title: view == .areas
                        ? "Looking at what may go" : "Looking at the home directory",
                    progress: { APIJob.Progress(progress) }, cancel: { progress.cancel() },
                    body: {
                        let seen = try await work.value
                        return JobOutcome(
                            text: "\(seen.figures.items) files and directories were seen.")
                    }))
        } catch {
            progress.cancel()
            _ = try? await work.value  // Why it is not done is told already.
            throw error
        }
        return try await work.value
    }

    private static func look(
        _ view: InventoryView, number: Int, _ situation: APISituation, _ progress: ScanProgress
    ) async throws -> SeenInventory {
        let withheld = await situation.withheld()
        return try await BlockingThread.run(lowersPriority: false) {
            let workspace = situation.workspace
            workspace.ledger.refresh()
            let scope: Scope
            switch view {
            case .areas: scope = workspace.scope().openable().withholding(withheld)
            case .home:
                guard let home = workspace.layouts.first?.root else {
                    throw APIError.notFound(
                        "There is no home directory.", advice: "Look at the areas.")
                }
                scope = workspace.scope(showing: home).withholding(withheld)
            }
            let inventory = try scope.scan(progress: progress)
            guard inventory.isComplete else {
                throw APIError.conflict(
                    "conflict", "The scan was stopped before its end.", advice: "Begin another.")
            }
            return SeenInventory(
                id: "\(view.rawValue)-\(number)", view: view, scope: scope, inventory: inventory,
                figures: view == .areas
                    ? try SeenFigures(inventory, scope, now: workspace.clock())
                    : SeenFigures(shown: inventory))
        }
    }

    /// Stops what is under way, and waits for it.
    func end() async {
        let running = Array(scans.values)
        for scan in running { scan.progress.cancel() }
        for scan in running { _ = try? await scan.task.value }  // What it found is not wanted.
        releasing?.cancel()
        await releasing?.value
        releasing = nil
    }
}
