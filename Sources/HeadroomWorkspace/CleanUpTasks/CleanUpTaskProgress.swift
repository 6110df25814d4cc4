//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomInventory
public import HeadroomPlatform
import HeadroomPurging
import Synchronization

/// What a clean-up is doing.
public enum CleanUpTaskPhase: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The container is measured as it is.
    case measuringBefore
    case cleaning
    /// And measured again.
    case measuringAfter
    case done

    public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    private var order: Int {
        switch self {
        case .measuringBefore: 0
        case .cleaning: 1
        case .measuringAfter: 2
        case .done: 3
        }
    }
}

/// How far a clean-up has come, and the way to stop it; from any thread.
///
/// The fraction is of work: it moves when something was looked at, has gone, or has returned, and never by
/// itself. What the rest of the work is worth against that which is done follows from what was measured
/// in this run, and is estimated anew at each look; see ``fraction``.
public final class CleanUpTaskProgress: Sendable {
    let scan = ScanProgress()
    let planScan = ScanProgress()
    let purge: PurgeProgress
    let rescan = ScanProgress()
    private let meter: RemovalMeter
    private let clock: CleanUpClock
    private let state: Mutex<State>

    /// Whether the run may say what its file system usually costs.
    private let hasOwnCosts: Bool

    public convenience init() { self.init(costs: nil, clock: .system) }

    /// - Parameter costs: what is thought before anything was measured; nil: what is usual.
    package init(costs: CleanUpCosts?, clock: CleanUpClock) {
        self.clock = clock
        hasOwnCosts = costs != nil
        meter = RemovalMeter(now: clock.now)
        purge = PurgeProgress(meter: meter)
        state = Mutex(
            State(
                forecast: CleanUpForecast(
                    costs: costs ?? CleanUpCosts(), now: clock.now(), processor: clock.processor()))
        )
    }

    private static let fewNames = 20_000.0

    private struct State {
        var phase = CleanUpTaskPhase.measuringBefore
        /// Of the counting that comes first.
        var counted = 0.0
        var countedNames = 0.0
        var entries: Double?
        /// Those that are there afterwards.
        var directories = EntryCount.Directories()
        var forecast: CleanUpForecast
        /// What had happened at the last look.
        var seen = Seen()
        var shown = 0.0
        var isCancelled = false
        var isFinished = false
    }

    private struct Seen: Hashable {
        var counted = 0.0
        var scanned = 0
        var planned = 0
        var looks = 0
        var items = 0
        var rescanned = 0
        var actions = 0.0
        var stage = CleanUpStage.lookingUp
    }

    public var phase: CleanUpTaskPhase { state.withLock { $0.phase } }

    /// 0…1, of the time that all takes, as far as it can be told by now; never less than before, and 1 only
    /// when all is done.
    ///
    /// It stands still where nothing happens, and where the rest turns out to be more than was thought.
    public var fraction: Double {
        state.withLock { state in
            if state.isFinished { return state.shown }
            look(&state)
            state.shown = max(state.shown, min(0.995, estimate(state)))
            return state.shown
        }
    }

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// What has gone so far.
    public var removed: Int { purge.removed }
    /// What it is expected to free.
    public var freed: ByteCount { purge.freed }

    /// Stops the clean-up before its next removal. Of a directory that goes whole and has been begun, what
    /// is left goes with the next purge.
    public func cancel() {
        state.withLock { $0.isCancelled = true }
        scan.cancel()
        planScan.cancel()
        purge.cancel()
        rescan.cancel()
    }

    // MARK: - Looking

    private func estimate(_ state: State) -> Double {
        guard state.entries != nil else {
            // How far it is nobody knows; but after many names it cannot be far from the end.
            let names = state.countedNames / (state.countedNames + Self.fewNames)
            return CleanUpForecast.countingShare * min(1, max(state.counted, names))
        }
        // mutation: r30e-1
        return state.forecast.fraction
    }

    /// Takes over what has happened; only then does time count.
    private func look(_ state: inout State) {
        let reading = meter.reading
        if state.forecast.stage == .preparing, reading.items + reading.looks > 0,
            let first = reading.first
        {
            state.forecast.enter(.removing, at: first, clock.processor())
        }
        let seen = Seen(
            counted: state.counted, scanned: count(scan), planned: count(planScan),
            looks: reading.looks, items: reading.items, rescanned: count(rescan),
            actions: Double(state.forecast.actionsDone) + state.forecast.actionFraction,
            stage: state.forecast.stage)
        guard seen != state.seen else { return }
        state.seen = seen
        state.forecast.setDone(seen.scanned, directories: scan.directories, of: .measuring)
        state.forecast.setDone(seen.planned, directories: planScan.directories, of: .scanning)
        state.forecast.setDone(
            seen.rescanned, directories: rescan.directories, of: .measuringAgain)
        state.forecast.reading = reading
        state.forecast.pass(clock.now(), clock.processor())
    }

    private func count(_ progress: ScanProgress) -> Int { progress.files + progress.directories }

    // MARK: - Told by the run

    func addCounted(share: Double, names: Int = 0) {
        state.withLock { state in
            state.counted += share
            state.countedNames += Double(names)
        }
    }

    /// - Parameter actions: what each is expected to take, in seconds.
    func setCounted(_ count: EntryCount, actions: [Double?]) {
        state.withLock { state in
            state.entries = Double(count.total)
            let unknown = state.forecast.costs.action
            state.forecast.actions = actions.map { $0 ?? unknown }
            let costs = state.forecast.costs
            state.forecast[.counting].amount =
                Double(count.total)
                + (costs.directory * Double(count.directories.count)
                    + costs.countingLevel * Double(count.directories.levels)) / costs.counting
            state.forecast.setAmount(count.total, count.directories, of: .measuring)
            state.forecast.setAmount(count.scanned, count.scannedDirectories, of: .scanning)
            state.forecast[.preparing].amount = count.scanned > 0 ? 1 : 0
            state.forecast.items = Double(count.chosen)
            state.forecast.directories = Double(count.chosenDirectories)
            state.forecast.members = Double(count.members)
            state.forecast.spread = Double(count.chosen) / Double(max(1, count.largest))
            state.forecast[.emptying].amount = Double(count.registered)
            state.directories = count.remainingDirectories
            state.forecast.wholeDirectories = Double(
                count.directories.count - state.directories.count)
            state.forecast.setAmount(
                count.total - count.chosen - count.registered, state.directories,
                of: .measuringAgain)
        }
    }

    func setPlanned(_ planned: PlannedRemovals, bytes: ByteCount) {
        state.withLock { state in
            guard let entries = state.entries else { return }
            // Where one purge for all was refused, there is one for each.
            let gone = meter.reading
            state.forecast.items = Double(gone.items + planned.all)
            state.forecast.directories = Double(gone.directories.count + planned.directories)
            state.forecast.bytes = Double(gone.bytes + bytes.bytes)
            state.forecast.members = Double(gone.looks) / 2 + Double(planned.inUnits)
            state.forecast.setAmount(
                Int(entries - state.forecast[.emptying].amount) - planned.all, state.directories,
                of: .measuringAgain)
        }
    }

    /// What a file system's removals usually cost.
    func setCosts(_ costs: CleanUpCosts) {
        guard !hasOwnCosts else { return }
        state.withLock { $0.forecast.costs = costs }
    }

    /// Whether what it measures is the volume's pace, against what is known of that.
    var measuresVolume: Bool { !hasOwnCosts }

    /// Adds to what is known of the volume what removing has cost in this run.
    package func teach(_ experience: inout RemovalExperience) {
        let reading = meter.reading
        var forecast = state.withLock { $0.forecast }
        forecast.reading = reading
        forecast.teach(&experience)
    }

    /// How far an action has come; one that was left behind is not heard any more.
    package func noteAction(_ index: Int, fraction: Double) {
        guard fraction.isFinite else { return }
        state.withLock { state in
            guard state.forecast.actionsDone == index else { return }
            state.forecast.actionFraction = max(
                state.forecast.actionFraction, min(1, max(0, fraction)))
        }
    }

    package func addAction() {
        state.withLock { state in
            look(&state)
            state.forecast.finishAction(at: clock.now())
        }
    }

    package func begin(_ stage: CleanUpStage) {
        state.withLock { state in
            look(&state)
            if stage == .emptying { state.forecast.emptyingFrom = Double(meter.reading.items) }
            state.forecast.enter(stage, at: clock.now(), clock.processor())
        }
    }

    package func enter(_ phase: CleanUpTaskPhase) {
        state.withLock { if phase > $0.phase { $0.phase = phase } }
    }

    /// All is done; 1 is reached unless it was cancelled.
    public func finish() {
        state.withLock { state in
            state.phase = .done
            state.isFinished = true
            // mutation: r30e-2
            if !state.isCancelled { state.shown = 1 }
        }
    }

    /// Removals so far, those of members of directories that go whole included.
    public var removals: Int { meter.reading.items }
}
