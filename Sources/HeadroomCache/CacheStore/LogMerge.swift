//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import Synchronization
import SystemPackage

/// Takes what other processes have written to a store's log into its state.
struct LogMerge: ~Copyable, LogReplay {
    private let core: StoreCore
    /// The index of a log that was put in place of the one that was read so far.
    private var fresh: CacheIndex?
    /// There is such a log.
    private(set) var isFresh = false
    private(set) var count = 0
    private var replaced: [StoreEntry] = []
    /// Moved by other processes, and not where they think that it was.
    private var stale: [StoreMove] = []
    /// Removed by other processes, which may have found them on disk before this one told of them.
    private var removed: Set<RemovedEntry> = []
    /// Keys of which others have told something.
    private var named: Set<UInt64> = []

    init(_ core: StoreCore) {
        self.core = core
    }

    mutating func restart() {
        fresh = CacheIndex(
            policy: core.options.policy, entryLimit: core.options.entryLimit)
        isFresh = true
        count += 1
    }

    mutating func record(_ type: UInt8, _ payload: ArraySlice<UInt8>, at offset: UInt64) {
        count += 1
        if isFresh {
            fresh?.record(type, payload, at: offset)
        } else {
            switch type {
            case StoreRecord.moved: stale += StoreMove.decoded(payload)
            case StoreRecord.opened, StoreRecord.held:
                var reader = ByteReader(payload)
                if let session = try? reader.integer(UInt32.self) {
                    core.state.withLock { _ = $0.unknown.silent.remove(session) }
                }
            case StoreRecord.removed: note(RemovedEntry.decoded(payload))
            case StoreRecord.evicted:
                let (gone, kept) = core.state.withLock {
                    $0.keepHeld(RemovedEntry.decoded(payload))
                }
                note(gone)
                // It is neither marked nor removed, and was found and is held.
                if kept {
                    for entry in gone { evict(entry) }
                    return
                }
            case StoreRecord.entries:
                if core.state.withLock({ !$0.isShared || !$0.pending.isEmpty }) {
                    named.formUnion(StoreEntry.decoded(payload).map(\.hash))
                }
            case StoreRecord.identity:
                // The log was missing for a moment, and is that of the store that was made meanwhile.
                var reader = ByteReader(payload)
                if (try? reader.integer(UInt64.self)) != core.identity.fingerprint {
                    core.state.withLock { $0.abandon() }
                }
            default: break
            }
            take(type, payload)
        }
    }

    private mutating func take(_ type: UInt8, _ payload: ArraySlice<UInt8>) {
        core.state.withLock { state in
            // Hashes of another secret.
            if state.isAbandoned { return }
            let (moves, session) = (state.moves, state.session)
            state.index.record(
                type, payload,
                onReplaced: { index, old in
                    // Moved by this process, of which who replaced it had not heard.
                    if !old.isFile, index.segments[old.segment]?.owner == session {
                        replaced.append(old)
                    }
                    // The same, of who removed it.
                    if type != StoreRecord.entries { removed.insert(RemovedEntry(old)) }
                }, movedFrom: { moves[$0] })
        }
    }

    private mutating func evict(_ entry: RemovedEntry) {
        var pending = PendingRecords()
        pending.addEviction(entry)
        for record in pending.take() { take(record.type, record.payload[...]) }
    }

    private mutating func note(_ gone: [RemovedEntry]) {
        removed.formUnion(gone)
        named.formUnion(gone.map(\.hash))
    }

    /// Puts the state in order though the log could not be read to its end: of one that was put in place nothing
    /// is taken over, and it is read from its first record on the next time.
    mutating func giveUp() {
        fresh = nil
        isFresh = false
        finish()
    }

    /// What waits to be told and is out of use is not told.
    private mutating func leaveOut(where isMeant: (StoreEntry) -> Bool) {
        for entry in core.state.withLock({ $0.pending.waitingEntries() })
        where isMeant(entry) && core.isOutOfUse(entry) { removed.insert(RemovedEntry(entry)) }
    }

    /// Puts the state in order; under the lock of the log.
    mutating func finish() {
        guard count > 0 else { return }
        count = 0
        if var new = fresh.take() {
            isFresh = false
            // Nobody has said yet whose it is.
            let isForeign = new.fingerprint == nil && core.hasAnotherIdentity
            core.state.withLock {
                if isForeign { $0.abandon() }
                $0.adopt(&new, of: core.identity)
            }
            // It does not say what is not there any more.
            leaveOut(where: { _ in true })
        }
        // What was put here before the last under a key of which others have told, or was evicted since, is not told:
        // it would come over what they have put.
        if !named.isEmpty {
            let hashes = named
            leaveOut(where: { hashes.contains($0.hash) })
            named = []
        }
        let gone = removed
        removed = []
        // What others have put that something of this process's comes over first, by the hashes of the keys.
        var conflicts: [UInt64: StoreEntry] = [:]
        core.state.withLock { state in
            if !gone.isEmpty { state.pending.leaveOut(gone) }
            // What waits here stands behind what was there.
            for record in state.pending.all() {
                state.index.record(record.type, record.payload[...]) { index, old in
                    // The same if both have found it where the log was lost.
                    if conflicts[old.hash] == nil, let own = index.entry(old.hash),
                        own.recordPlace != old.recordPlace
                    {
                        conflicts[old.hash] = old
                    }
                }
            }
            // Somebody who had not heard of this process has made a guess.
            if let own = state.index.sessions.accounts[state.session], own.held != state.toldHeld {
                state.hold(state.toldHeld)
            }
            state.isShared = state.index.sessions.accounts.count > 1 || state.isAbandoned
            state.index.forgetTagsIfDue()
            state.noteUnmarkedTooMany()
            for number in state.files.keys where state.index.segments[number] == nil {
                state.files[number] = nil
            }
        }
        for other in conflicts.values { core.settle(other) }
        core.state.withLock { $0.keepWhatIsInUse() }
        for move in stale where core.state.withLock({ $0.isGivenUp(move) }) {
            core.retire(RecordPlace(place: move.new, isFile: false))
        }
        stale = []
        for old in replaced {
            // Not what this process has put in its place, and is about to tell.
            let place = core.state.withLock { $0.index.entry(old.hash)?.place }
            if place != old.place { core.retire(old) }
        }
        replaced = []
    }
}

extension StoreCore {
    /// Whether another store was made here. One that is gone, or cannot be asked, is still this one.
    fileprivate var hasAnotherIdentity: Bool {
        guard let found = try? StoreIdentity.read(in: directory) else { return false }
        return found != identity
    }

    /// Leaves the one that was put later, whichever was told first.
    ///
    /// - Parameter other: in whose place entries of this process have come that are not in the log yet.
    fileprivate func settle(_ other: StoreEntry) {
        let own = state.withLock { $0.index.entry(other.hash) }
        if let own {
            // Told in turns, a record and where it was moved: what counts in the end is not the other.
            if own.recordPlace == other.recordPlace { return }
            if isLater(own, than: other) {
                retire(other)
                return
            }
        } else if isGone(other) {
            return
        }
        let isSettled = state.withLock { state in
            // Nothing, where what was put here was evicted before it was told: the other stays.
            guard state.index.entry(other.hash)?.recordPlace == own?.recordPlace else {
                return false
            }
            _ = state.index.insert(other)
            state.pending.add(other)
            return true
        }
        if isSettled, let own { retire(own) }
    }

    private func isGone(_ entry: StoreEntry) -> Bool {
        do throws(Errno) {
            return try sequence(of: entry) == nil
        } catch {
            // Too few descriptors: it is found out when somebody asks for it.
            return false
        }
    }

    private func isLater(_ own: StoreEntry, than other: StoreEntry) -> Bool {
        do throws(Errno) {
            // What is out of use is the older one.
            return try (sequence(of: own) ?? 0) >= (sequence(of: other) ?? 0)
        } catch {
            // Too few descriptors: to a sixteenth of a second.
            return own.created >= other.created
        }
    }
}

/// What a log says of a record that was moved.
struct StoreMove {
    let hash: UInt64
    let old: UInt64
    let new: UInt64

    static func decoded(_ payload: ArraySlice<UInt8>) -> [StoreMove] {
        var moves: [StoreMove] = []
        var reader = ByteReader(payload)
        while let hash = try? reader.integer(UInt64.self),
            let old = try? reader.integer(UInt64.self), let new = try? reader.integer(UInt64.self)
        {
            moves.append(StoreMove(hash: hash, old: old, new: new))
        }
        return moves
    }
}

extension StoreCore.State {
    /// Keeps what another process evicted, without a mark, before this one found it, and was asked to hold it.
    ///
    /// - Returns: what goes, and whether anything stays.
    fileprivate mutating func keepHeld(
        _ evicted: [RemovedEntry]
    ) -> (gone: [RemovedEntry], isAnyKept: Bool) {
        if leases.held.isEmpty { return (evicted, false) }
        let gone = evicted.filter { entry in
            guard leases.held[entry.hash] != nil, let known = index.entry(entry.hash),
                known.place == entry.place, !known.isFile
            else { return true }
            pending.add(known)
            return false
        }
        return (gone, gone.count < evicted.count)
    }

    /// Whether this process has evicted what another moved, and is about to say so of the place
    /// where it was.
    fileprivate mutating func isGivenUp(_ move: StoreMove) -> Bool {
        guard index.entry(move.hash) == nil, pending.hasRemoval(move.hash, at: move.old) else {
            return false
        }
        pending.addRemoval(move.hash, at: move.new)
        return true
    }
}
