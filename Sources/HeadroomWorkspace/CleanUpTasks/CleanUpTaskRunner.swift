//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
import HeadroomInventory
public import HeadroomPlanning
import HeadroomPlatform
import HeadroomPurging
public import SystemPackage

/// Carries out what tasks remove, and empties the purgeable directories. Blocks.
///
/// The steps are called one after another: ``measureBefore(actions:)``, ``clean()``, ``measureAfter()``.
/// Between the last two is the time for actions, which only a program has.
public final class CleanUpTaskRunner {
    public let list: CleanUpTaskList
    public internal(set) var summary = CleanUpTaskSummary()
    public let progress: CleanUpTaskProgress
    private let workspace: Workspace
    private let measured: [FilePath]
    private let registered: [Registration]
    private let requester: String
    private let through: PurgeableClass
    private let survey: CleanUpSurvey
    private let container: FilePath
    private var places: [CleanUpPlace] = []
    private var availableBefore: ByteCount?

    /// - Parameters:
    ///   - container: what the paths of the tasks are relative to; without links.
    ///   - measured: the directories whose size tells what was freed; nil: the container.
    ///   - registered: the purgeable directories to empty.
    ///   - through: the last class that may be spent.
    ///   - requester: who asks, for the receipts.
    public init(
        _ list: CleanUpTaskList, in workspace: Workspace, container: FilePath,
        measured: [FilePath]? = nil, registered: [Registration],
        through: PurgeableClass = .cache, requester: String,
        progress: CleanUpTaskProgress = CleanUpTaskProgress()
    ) {
        self.list = list
        self.workspace = workspace
        self.container = container
        self.measured = measured ?? [container]
        self.registered = registered
        self.through = through
        self.requester = requester
        self.progress = progress
        survey = CleanUpSurvey(workspace, container: container)
        lookUp()
    }

    /// What is wrong with the list as the container is now; removes nothing.
    public var problems: [CleanUpTaskProblem] { summary.problems }

    // MARK: - What is named

    private func lookUp() {
        for (number, problems) in Dictionary(grouping: list.problems, by: \.task) {
            summary.tasks.append(CleanUpTaskResult(number: number, problems: problems))
        }
        for task in list.tasks {
            guard case .remove = task.work else {
                summary.tasks.append(CleanUpTaskResult(task, .notReached))
                continue
            }
            switch survey.look(at: task) {
            case .found(let place):
                places.append(place)
                summary.tasks.append(CleanUpTaskResult(task, .notReached))
            case .nothing: summary.tasks.append(CleanUpTaskResult(task, .nothingToDo))
            case .refused(let problems):
                var result = CleanUpTaskResult(task, .refused)
                result.problems = problems
                summary.tasks.append(result)
            }
        }
        summary.tasks.sort { $0.number < $1.number }
    }

    func update(_ number: Int, _ body: (inout CleanUpTaskResult) -> Void) {
        guard let index = summary.tasks.firstIndex(where: { $0.number == number }) else { return }
        body(&summary.tasks[index])
    }

    // MARK: - Measuring

    /// Counts and measures the container.
    ///
    /// - Parameter actions: what each of the actions that will be called after the cleaning is expected to
    ///   take; nil: unknown.
    public func measureBefore(actions: [Duration?] = []) {
        // Unknown is as usual.
        if let volume = try? Volume.containing(container) {
            let known = RemovalExperiences(in: workspace.ledger.directory)[volume]
            progress.setCosts(CleanUpCosts(fileSystem: volume.type).with(known))
        }
        progress.begin(.counting)
        let none = EntryCount.Place(isScanned: false, isChosen: false, isRegistered: false)
        var named: [FilePath: EntryCount.Place] = [:]
        for place in places {
            named[place.root, default: none].isScanned = true
            for path in place.chosen { named[path, default: none].isChosen = true }
            for path in place.units { named[path, default: none].isWhole = true }
        }
        for registration in registered {
            named[registration.area.root, default: none].isRegistered = true
        }
        let count = EntryCount(workspace.calls, progress, places: named)
        for root in measured { count.run(root, share: 1 / Double(measured.count)) }
        progress.setCounted(count, actions: actions.map { $0.map { $0 / .seconds(1) } })
        progress.begin(.measuring)
        availableBefore = available
        summary.before = measure(progress.scan)
    }

    /// Measures it again, and says what was gained. Not done once it was cancelled.
    public func measureAfter() {
        if !progress.isCancelled {
            progress.enter(.measuringAfter)
            progress.begin(.measuringAgain)
            summary.after = measure(progress.rescan)
        }
        if let availableBefore, let available { summary.volumeGained = available - availableBefore }
        summary.wasCancelled = progress.isCancelled
        learn()
    }

    /// Remembers what removing has cost, for the bar of the next time.
    ///
    /// Not where it was stopped: of a few files in a large directory most is the price of reading that.
    private func learn() {
        let directory = workspace.ledger.directory
        guard progress.measuresVolume, !progress.isCancelled, !workspace.ledger.isReadOnly,
            let volume = try? Volume.containing(container)
        else { return }
        var experiences = RemovalExperiences(in: directory)
        let before = experiences[volume]
        var experience = before
        progress.teach(&experience)
        guard experience.differs(from: before) else { return }
        experiences.set(experience, of: volume)
        experiences.write(in: directory)
    }

    private func measure(_ scan: ScanProgress) -> ByteCount? {
        var sum = ByteCount.zero
        for root in measured {
            var options = ScanOptions(now: workspace.clock())
            if workspace.hasOwnCalls { options.calls = workspace.calls }
            do {
                let totals = try Scanner.totals(of: root, options: options, progress: scan)
                guard totals.isComplete, !scan.isCancelled else { return nil }
                sum += totals.allocated
            } catch  where error.code == .notFound {
                continue
            } catch {
                return nil
            }
        }
        return sum
    }

    private var available: ByteCount? {
        // Unknown is unknown: the summary says so.
        (try? Volume.containing(container))?.figures?.free
    }

    // MARK: - Cleaning

    /// Removes what the tasks name, in one purge, and by task if that is refused; then empties the
    /// purgeable directories. One that is in use holds up no other.
    public func clean() {
        guard !progress.isCancelled else { return }
        progress.enter(.cleaning)
        if !places.isEmpty { clean(places) }
        emptyDirectories()
    }

    private func clean(_ places: [CleanUpPlace]) {
        do throws(HeadroomError) {
            try purge(places)
        } catch {
            guard !progress.isCancelled else { return }
            guard places.count > 1 else {
                for place in places {
                    update(place.task.number) {
                        $0.outcome = .refused
                        $0.problems.append(
                            CleanUpTaskProblem(
                                place.task, key: "Path", error.code == .busy ? .busy : .failed,
                                error.message))
                    }
                }
                return
            }
            for place in places where !progress.isCancelled { clean([place]) }
        }
    }

    /// What the tasks would remove now, in the order in which it goes; nil: nothing is named that is there.
    /// Purgeable directories are not in it.
    ///
    /// - Throws: `HeadroomError` if a directory cannot be opened.
    public func plan() throws(HeadroomError) -> Plan? {
        guard !places.isEmpty else { return nil }
        let (scope, request) = try scope(of: places)
        return Planner.plan(try scope.scan(), request)
    }

    /// What of the container is looked at, and chosen.
    private func scope(
        of places: [CleanUpPlace]
    ) throws(HeadroomError) -> (Scope, PlanRequest) {
        let known = workspace.knownAreas()
        let scope = workspace.makeScope(
            known.map.areas, workspace.outermost(places.map(\.root)), known.inherited, known.notes)
        guard !scope.roots.isEmpty else {
            throw HeadroomError(.refused, scope.notes.map(\.text).joined(separator: " "))
        }
        var request = try scope.request(targets: [.all], through: through)
        // A task names files to delete, not an amount to free.
        request.includesUnprofitable = true
        var selection = ItemSelection(places.flatMap(\.chosen))
        selection.units = Set(places.flatMap(\.units))
        selection.emptied = Set(places.flatMap(\.emptied))
        selection.keepsOthers = true
        request.selection = selection
        return (scope, request)
    }

    private func purge(_ places: [CleanUpPlace]) throws(HeadroomError) {
        progress.begin(.scanning)
        let (scope, request) = try scope(of: places)
        let inventory = try scope.scan(progress: progress.planScan)
        guard !progress.isCancelled else { return }
        progress.begin(.preparing)
        let plan = Planner.plan(inventory, request)
        progress.setPlanned(plan.memberCounts, bytes: plan.frees)
        let book = CleanUpBook(places, inventory)
        if !plan.isEmpty {
            let receipt = try scope.purge(
                plan, requester: requester, progress: progress.purge, reportsRemoved: false,
                unusableArea: .fails, report: { book.note($0) }, tally: { book.note($0, $1) })
            summary.receipts.append(receipt)
        }
        // Explaining takes a plan of its own: who has stopped it does not wait for that.
        let explainer = progress.isCancelled ? nil : Explainer(inventory, request)
        for place in places {
            update(place.task.number) { result in
                book.settle(place, &result, workspace.calls, progress.isCancelled) { path in
                    explainer?.explain(path).summary ?? "The clean-up was stopped."
                }
            }
        }
    }

    /// What the purgeable directories that will be emptied occupy; removes nothing.
    public func measureDirectories() -> [DirectoryCheck] {
        guard !registered.isEmpty else { return [] }
        return DirectoryKeeper(workspace, requester: requester).measure(registered).directories
    }

    private func emptyDirectories() {
        guard !progress.isCancelled, !registered.isEmpty else { return }
        progress.begin(.emptying)
        let keeper = DirectoryKeeper(workspace, requester: requester, progress: progress.purge)
        summary.directories = keeper.empty(registered)
        summary.receipts += summary.directories.receipts
    }
}

extension Plan {
    fileprivate var memberCounts: PlannedRemovals {
        var counts = PlannedRemovals()
        for candidate in chosen {
            guard candidate.kind == .directory else {
                counts.all += 1
                if candidate.kind == .emptyDirectory { counts.directories += 1 }
                continue
            }
            let totals = inventory.directories[Int(candidate.number)].totals
            let members = Int(totals.files) + Int(totals.directories)
            counts.all += members
            counts.inUnits += members
            counts.directories += 1 + Int(totals.directories)
        }
        return counts
    }
}
