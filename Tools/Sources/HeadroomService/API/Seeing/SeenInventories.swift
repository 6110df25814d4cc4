//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
package import HeadroomPlatform
package import HeadroomRequests
import Synchronization
import SystemPackage

/// Keeps what was scanned as long as somebody looks, and scans again when it is old.
package actor SeenInventories {
    private let board: JobBoard
    private let now: @Sendable () -> Timestamp
    private var seen: [InventoryView: SeenInventory] = [:]
    private var figures: [InventoryView: SeenFigures] = [:]
    private var lastUse: [InventoryView: Timestamp] = [:]
    private var scans: [InventoryView: Scan] = [:]
    /// Scans by configurations before, which were told to end, by their ids.
    private var ending: [String: Scan] = [:]
    private var isStale: Set<InventoryView> = []
    private var count = 0
    /// How often requests have changed the disk.
    private var requestedChanges = 0
    /// When the latest purge has ended, and how many were noted.
    private let purges = Mutex((latest: Timestamp?.none, count: 0))
    /// The number of the configuration of now.
    private var configuration = 0

    /// A scan that is under way.
    package struct Scan: Sendable {
        /// Of its job.
        let id: String
        package let task: Task<SeenInventory, any Error>
        package let progress: ScanProgress
    }

    /// What is older is scanned again when somebody looks.
    static let freshness: Duration = .seconds(600)
    /// What nobody has looked at for so long is let go: a million files take some 70 MB.
    static let patience: Duration = .seconds(1_800)

    package init(_ board: JobBoard, now: @escaping @Sendable () -> Timestamp = { .now() }) {
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

    package func state(_ view: InventoryView) -> APIInventoryState {
        let figures = figures[view]
        let scan = scans[view]
        let name =
            scan != nil
            ? "scanning" : seen[view] != nil ? "ready" : figures != nil ? "summary" : "none"
        return APIInventoryState(
            state: name, items: figures?.items ?? 0, unreadable: figures?.unreadable ?? 0,
            scanned: figures?.scanned.iso8601, job: scan?.id)
    }

    /// What is on the disk has changed.
    package func markStale() {
        isStale = Set(InventoryView.allCases)
        requestedChanges += 1
    }

    /// How often the disk was changed by this service.
    var changes: Int { requestedChanges + purges.withLock { $0.count } }

    /// Notes the end of a purge: earlier scans are out of date. From any thread.
    nonisolated package func note(purgeEnded time: Timestamp) {
        purges.withLock { purges in
            if let latest = purges.latest, latest >= time { return }
            purges = (time, purges.count + 1)
        }
    }

    /// Another configuration: nothing of what was seen holds, and nothing of what is being looked at.
    func reset(_ number: Int) {
        configuration = number
        for scan in scans.values {
            scan.progress.cancel()
            ending[scan.id] = scan
        }
        scans = [:]
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
        if isInUse(view) { self.seen[view] = seen }
    }

    // MARK: - Scanning

    /// Begins a scan if there is none, or what there is is old. Does not wait. Its figures are kept, and all
    /// of it only if somebody has looked at it lately.
    func refresh(_ view: InventoryView, in situation: APISituation) {
        release()
        guard scans[view] == nil else { return }
        if let figures = figures[view], !isStale.contains(view),
            isFresh(figures)
        {
            return
        }
        // What hinders it is told when somebody waits for it.
        _ = try? scan(view, in: situation)
    }

    /// What was scanned; scans and waits if there is nothing, it is old, or the disk has changed since.
    ///
    /// - Throws: 503 if the situation holds no more, and what hindered the scan.
    package func current(
        _ view: InventoryView, in situation: APISituation
    ) async throws -> SeenInventory {
        lastUse[view] = now()
        guard situation.number == configuration else { throw APIError.reconfigured }
        if scans[view] == nil, let seen = seen[view], !isStale.contains(view),
            isFresh(seen.figures)
        {
            return seen
        }
        let seen = try await wait(for: try begin(view, in: situation), situation)
        // It had begun before the disk was changed.
        guard isStale.contains(view) else { return seen }
        return try await wait(for: try begin(view, in: situation), situation)
    }

    private func wait(
        for scan: Scan, _ situation: APISituation
    ) async throws -> SeenInventory {
        do {
            let seen = try await scan.task.value
            guard situation.number == configuration else { throw APIError.reconfigured }
            return seen
        } catch {
            guard situation.number == configuration else { throw APIError.reconfigured }
            throw error
        }
    }

    private func isFresh(_ figures: SeenFigures) -> Bool {
        // mutation: r38c-9
        if let purged = purges.withLock({ $0.latest }), purged > figures.scanned { return false }
        let age = now().duration(since: figures.scanned)
        // Of the future, by a clock that was set back: nobody knows how old they are.
        return age >= .zero && age < Self.freshness
    }

    /// Begins a scan for somebody who looks, or finds the one under way.
    ///
    /// - Throws: 503 if the situation holds no more: what it finds would be taken for what holds now.
    @discardableResult
    package func begin(
        _ view: InventoryView, in situation: APISituation
    ) throws(APIError) -> Scan {
        lastUse[view] = now()
        return try scan(view, in: situation)
    }

    private func scan(
        _ view: InventoryView, in situation: APISituation
    ) throws(APIError) -> Scan {
        guard situation.number == configuration else { throw .reconfigured }
        if let scan = scans[view] { return scan }
        count += 1
        isStale.remove(view)
        let id = JobBoard.makeID()
        let number = count
        let progress = ScanProgress()
        // Ended by `end`, which awaits it.
        let task = Task {
            defer {
                if self.scans[view]?.id == id { self.scans[view] = nil }
                self.ending[id] = nil
            }
            let seen = try await self.scan(view, id: id, number: number, situation, progress)
            if situation.number == self.configuration { self.keep(seen, view) }
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
                // By somebody else, maybe: who waits for it has not asked for that.
                throw APIError.conflict(
                    "scan-stopped", "The scan that this waits for was stopped before its end.",
                    advice: "Ask again, which begins another.")
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
        let running = Array(scans.values) + ending.values
        for scan in running { scan.progress.cancel() }
        for scan in running { _ = try? await scan.task.value }  // What it found is not wanted.
    }
}
