//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
import Synchronization
import SystemPackage

/// What a plan takes from a store.
package struct StoreDemand: Hashable, Sendable {
    package var bytes: Int64
    package var classes: ClosedRange<PurgeableClass>
    /// What was used later stays; nil: its use does not matter.
    package var usedUntil: UInt32?
    /// What was created later stays; nil: its age does not matter.
    package var createdUntil: UInt32?
    /// Only what has expired.
    package var isExpiredOnly = false

    package init(bytes: Int64, classes: ClosedRange<PurgeableClass> = .temporary ... .lastResort) {
        // More than there can be is all.
        self.bytes = min(bytes, 1 << 60)
        self.classes = classes
    }

    /// Whether an entry may go, as it is now.
    func allows(_ entry: StoreEntry, _ identity: StoreIdentity, now: StoreTick) -> Bool {
        func isLater(_ tick: StoreTick, _ seconds: UInt32?) -> Bool {
            seconds.map { UInt32(clampedSeconds: tick.time(since: identity.epoch)) > $0 } ?? false
        }
        return !entry.flags.contains(.isPinned) && classes.contains(entry.purgeClass)
            && !isLater(entry.lastUse, usedUntil) && !isLater(entry.created, createdUntil)
            && (!isExpiredOnly || entry.expiry <= now)
    }
}

/// What a store has given up.
package struct StoreYield: Hashable, Sendable {
    package var values = 0
    /// What its files occupy less than before, its log included.
    package var bytes: Int64 = 0
    /// How many segments went with all that was in them, since there was no room to move the better part.
    package var wholeSegments = 0
}

/// Opens a store as one more of its users, who puts nothing, and has it give up values.
package enum StoreRelief {
    /// Blocks.
    ///
    /// On a volume so full that the store cannot even be opened a segment goes first, with all that is in it.
    ///
    /// - Parameter directory: the store's; of the user's own.
    /// - Throws: what opening a store throws. What cannot be given up is not in the yield.
    package static func run(
        _ demand: StoreDemand, in directory: StateDirectory,
        clock: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
        isCancelled: () -> Bool = { false }
    ) throws(HeadroomError) -> StoreYield {
        // What cannot be read is opened as any store, which makes its index anew.
        let settings = try? StoreIndexFile.readIndex(in: directory).settings
        func open() throws(HeadroomError) -> StoreCore {
            try StoreCore(
                at: directory.path, in: directory, CacheOptions(visiting: settings), clock: clock)
        }
        let logBefore = logBytes(in: directory)
        let store: StoreCore
        var yield = StoreYield()
        do throws(HeadroomError) {
            store = try open()
        } catch  where error.code == .noSpace {
            let freed = StoreIndexFile.removeSegment(demand, in: directory, now: clock())
            guard freed > 0 else { throw error }
            yield = StoreYield(values: 1, bytes: freed, wholeSegments: 1)
            guard freed < demand.bytes else { return yield }
            store = try open()
        }
        defer { store.end() }
        store.finishSweeping()
        var rest = demand
        repeat {
            // What went is told in the store's log, which takes room in turn: that much more goes.
            rest.bytes = demand.bytes - yield.bytes + max(0, logBytes(in: directory) - logBefore)
            guard rest.bytes > 0 else { break }
            let more = store.giveUp(rest, isCancelled: isCancelled)
            yield.bytes += more.bytes
            yield.values += more.values
            yield.wholeSegments += more.wholeSegments
            guard more.bytes > 0 else { break }
        } while !isCancelled()
        yield.bytes = max(0, yield.bytes - max(0, logBytes(in: directory) - logBefore))
        return yield
    }

    private static func logBytes(in directory: StateDirectory) -> Int64 {
        (try? directory.status(of: StoreNames.log).allocatedSize.bytes) ?? 0
    }
}

extension StoreCore {
    /// A segment is moved together for a plan if that gives so much of it back; else more values go.
    private static var leastGain: Double { 1.0 / 16 }

    /// Gives up values as a plan says: in the order in which they go, and no more of them than it takes.
    ///
    /// What is worth least lies scattered over segments that are full of better things: these are moved
    /// together, at most sixteen bytes for each one gained. Where that is too much, or there is no room to
    /// move anything, more values go than the bytes that were asked for.
    func giveUp(_ demand: StoreDemand, isCancelled: () -> Bool) -> StoreYield {
        maintenance.withLock { _ in
            var yield = StoreYield()
            // Where the log is lost meanwhile nobody can say what has come of it: that does not count.
            for _ in 0..<3 where !isCancelled() {
                let (more, isWhole) = giveUpOnce(demand, isCancelled)
                yield.values += more.values
                yield.wholeSegments += more.wholeSegments
                yield.bytes = more.bytes
                if isWhole { break }
            }
            return yield
        }
    }

    /// - Returns: also whether all was known from beginning to end.
    private func giveUpOnce(
        _ demand: StoreDemand, _ isCancelled: () -> Bool
    ) -> (yield: StoreYield, isWhole: Bool) {
        sealOwnSegments()
        // What is not known of others stays as it is; what is not told is told later.
        try? flush()
        _ = try? takeOverFromDead()
        if state.withLock({ !$0.unknown.isEmpty }) { try? finishLooking() }
        let losses = state.withLock { $0.unknown.losses }
        func isWhole() -> Bool { state.withLock { $0.unknown.losses } == losses }
        // What others held may be free by now.
        forgetForeignLeases()
        var run = GivingUp(self, demand)
        run.evict(demand.bytes, isCancelled)
        while !isCancelled() {
            try? flush()
            guard isWhole() else { break }
            _ = try? removeDeadSegments()
            let missing = demand.bytes - run.gained
            guard missing > 0, isWhole() else { break }
            if let number = state.withLock({ $0.index.segmentToMove(Self.leastGain) }) {
                if (try? moveRecords(from: number)) != nil { continue }
                guard isWhole() else { break }
                // No room for what is better: all of a segment makes some.
                if run.evictSegment() { continue }
            }
            if run.evict(missing, isCancelled) == 0 { break }
        }
        sealOwnSegments()
        try? flush()
        let isDone = isWhole()
        let yield = StoreYield(
            values: run.values, bytes: isDone ? max(0, run.gained) : 0,
            wholeSegments: run.wholeSegments)
        return (yield, isDone)
    }
}

/// One demand on a store.
private struct GivingUp {
    private let core: StoreCore
    private let demand: StoreDemand
    private let before: (removed: Int64, moved: Int64)
    private let now: StoreTick
    /// In the order in which they go.
    private let entries: [StoreEntry]
    private var next = 0
    /// Of values with files of their own.
    private var fileBytes: Int64 = 0
    private(set) var values = 0
    private(set) var wholeSegments = 0

    init(_ core: StoreCore, _ demand: StoreDemand) {
        self.core = core
        self.demand = demand
        before = core.state.withLock { ($0.removedBytes, $0.movedBytes) }
        let now = core.tick()
        self.now = now
        var found: [StoreEntry] = []
        var place = 0
        while true {
            let (some, isEnd) = core.state.withLock { state in
                let some = state.index.entries(from: &place, count: 4096)
                return (some, some.isEmpty)
            }
            if isEnd { break }
            found += some.filter { demand.allows($0, core.identity, now: now) }
        }
        let order = core.state.withLock { state in
            EvictionOrder(
                policy: core.options.policy, now: now, moment: state.index.model.now,
                waits: state.index.model.waits)
        }
        entries = order.sorted(found)
    }

    /// What the store occupies less than before, whatever others put meanwhile.
    var gained: Int64 {
        let (removed, moved) = core.state.withLock {
            ($0.removedBytes - before.removed, $0.movedBytes - before.moved)
        }
        return fileBytes + removed - moved
    }

    /// Evicts the next ones, of so many bytes.
    ///
    /// - Returns: the bytes of those that went; 0: none may go any more.
    @discardableResult
    mutating func evict(_ bytes: Int64, _ isCancelled: () -> Bool) -> Int64 {
        var freed: Int64 = 0
        while freed < bytes, next < entries.count {
            if next & 255 == 0, isCancelled() { break }
            let entry = entries[next]
            next += 1
            guard evict(entry) else { continue }
            freed += entry.freedBytes
        }
        return freed
    }

    private mutating func evict(_ planned: StoreEntry) -> Bool {
        let victim = core.state.withLock { state -> StoreEntry? in
            guard let entry = state.index.entry(planned.hash), allows(entry) else { return nil }
            // Somebody reads it, or has pinned it.
            guard !core.session.isLockedElsewhere(entry.hash) else {
                state.keepForOthers(entry.hash)
                return nil
            }
            state.index.learn(from: entry)
            return state.take(victim: entry.hash)
        }
        guard let victim else { return false }
        core.step?(.evicted)
        core.retireReplaced(victim)
        core.step?(.victimRetired)
        values += 1
        fileBytes += victim.fileAllocated
        return true
    }

    private func allows(_ entry: StoreEntry) -> Bool {
        demand.allows(entry, core.identity, now: now)
    }

    /// Evicts all that is in a segment, the one with least in it, so that its file can go.
    ///
    /// - Returns: whether there was one.
    mutating func evictSegment() -> Bool {
        var segments: [UInt32: (entries: [StoreEntry], isAllowed: Bool)] = [:]
        for entry in entries[next...] where !entry.isFile {
            segments[entry.segment, default: ([], true)].entries.append(entry)
        }
        let candidates = segments.filter { number, found in
            core.state.withLock { state in
                guard let segment = state.index.segments[number], segment.isAtRest else {
                    return false
                }
                return segment.liveCount == found.entries.count
                    && found.entries.allSatisfy { allows($0) }
            }
        }
        guard let least = candidates.min(by: { $0.value.entries.count < $1.value.entries.count })
        else { return false }
        var isAny = false
        for entry in least.value.entries where evict(entry) { isAny = true }
        if isAny { wholeSegments += 1 }
        return isAny
    }
}

extension CacheIndex {
    /// The segment at rest that gives most back for what has to be moved, if it gives such a share of it.
    fileprivate func segmentToMove(_ least: Double) -> UInt32? {
        var best: (number: UInt32, share: Double)?
        for number in segments.numbers {
            guard let segment = segments[number], segment.isAtRest else { continue }
            // What has been moved occupies whole pages again.
            guard (segment.liveBytes + 4095) & ~4095 < segment.allocated else { continue }
            let share = 1 - Double(segment.liveBytes) / Double(max(1, segment.allocated))
            if share >= least, share > best?.share ?? 0 { best = (number, share) }
        }
        return best?.number
    }
}
