//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
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
/// The fraction is of work, not of time: entries looked at, files and bytes removed, actions that have
/// returned; each weighed by what it usually costs.
public final class CleanUpTaskProgress: Sendable {
    let scan = ScanProgress()
    let planScan = ScanProgress()
    let purge = PurgeProgress()
    let rescan = ScanProgress()
    private let state = Mutex(State())

    public init() {}

    private struct State {
        var phase = CleanUpTaskPhase.measuringBefore
        /// Of the counting that comes first.
        var counted = 0.0
        var work: Work?
        var actions = 0.0
        var shown = 0.0
        var isCancelled = false
        var isFinished = false
    }

    /// What there is to do, in entries looked at.
    private struct Work {
        var entries: Double
        var scanned: Double
        var removal: Removal
        /// Entries of the purgeable directories.
        var registered: Double
        var rescanned: Double
        var actions: Double

        var cleaning: Double {
            let tasks = scanned * Cost.scanning + (scanned > 0 ? Cost.preparing : 0) + removal.cost
            return tasks
                + (registered > 0 ? Cost.preparing + registered * Cost.emptied : 0)
        }
    }

    private struct Removal {
        var items: Double
        var bytes: Double

        var cost: Double { items * Cost.item + bytes / Cost.bytes }
    }

    /// What things cost, by estimate; an entry that is looked at costs 1.
    private enum Cost {
        static let counting = 0.3
        static let scanning = 1.6
        static let item = 8.0
        /// Of an entry of a purgeable directory: scanned, and removed.
        static let emptied = 9.6
        /// So many bytes of a file cost as much to free as looking at an entry does.
        static let bytes = 524_288.0
        /// Finding out what is open on the machine.
        static let preparing = 8_000.0
        static let action = 10_000.0
        /// The part of all that counting is taken for, before anything is known.
        static let countingShare = 0.06
    }

    public var phase: CleanUpTaskPhase { state.withLock { $0.phase } }

    /// 0…1, never less than before; 1 only when all is done.
    public var fraction: Double {
        state.withLock { state in
            if state.isFinished { return state.shown }
            state.shown = max(state.shown, min(0.995, estimate(state)))
            return state.shown
        }
    }

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// What has gone so far.
    public var removed: Int { purge.removed }
    /// What it is expected to free.
    public var freed: ByteCount { purge.freed }

    /// Stops the clean-up: what goes whole and has been begun is finished, nothing else is.
    public func cancel() {
        state.withLock { $0.isCancelled = true }
        scan.cancel()
        planScan.cancel()
        purge.cancel()
        rescan.cancel()
    }

    private func estimate(_ state: State) -> Double {
        guard let work = state.work else { return Cost.countingShare * min(1, state.counted) }
        let measuring = work.entries * (1 + Cost.counting)
        let total = measuring + work.cleaning + work.actions * Cost.action + work.rescanned
        guard total > 0 else { return 0 }
        var done = work.entries * Cost.counting + min(work.entries, Double(seen(scan)))
        if state.phase >= .cleaning { done = measuring + cleaned(work, state) }
        if state.phase >= .measuringAfter {
            done = total - work.rescanned + min(work.rescanned, Double(seen(rescan)))
        }
        return done / total
    }

    private func cleaned(_ work: Work, _ state: State) -> Double {
        var done = min(work.scanned, Double(seen(planScan))) * Cost.scanning
        let count = Double(purge.removed + purge.skipped + purge.members)
        // Something has gone, so what is open was found out.
        if count > 0 { done += Cost.preparing }
        let gone = Removal(
            items: min(count, work.removal.items),
            bytes: min(Double(purge.freed.bytes), work.removal.bytes))
        done += gone.cost
        // The tasks come first.
        done += min(max(0, count - work.removal.items), work.registered) * Cost.emptied
        return min(work.cleaning, done) + state.actions * Cost.action
    }

    private func seen(_ progress: ScanProgress) -> Int { progress.files + progress.directories }

    // MARK: - Told by the run

    func addCounted(share: Double) { state.withLock { $0.counted += share } }

    func setCounted(_ count: EntryCount, actions: Int) {
        state.withLock { state in
            state.work = Work(
                entries: Double(count.total), scanned: Double(count.scanned),
                removal: Removal(items: Double(count.chosen), bytes: 0),
                registered: Double(count.registered),
                rescanned: Double(max(0, count.total - count.chosen - count.registered)),
                actions: Double(actions))
        }
    }

    func setPlanned(items: Int, bytes: ByteCount) {
        state.withLock { state in
            guard let work = state.work else { return }
            state.work?.removal = Removal(items: Double(items), bytes: Double(bytes.bytes))
            state.work?.rescanned = max(0, work.entries - Double(items) - work.registered)
        }
    }

    package func addAction() { state.withLock { $0.actions += 1 } }

    package func enter(_ phase: CleanUpTaskPhase) {
        state.withLock { if phase > $0.phase { $0.phase = phase } }
    }

    /// All is done; 1 is reached unless it was cancelled.
    public func finish() {
        state.withLock { state in
            state.phase = .done
            state.isFinished = true
            if !state.isCancelled { state.shown = 1 }
        }
    }
}
