//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

extension StoreCore {
    /// Removes what is under a key.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    package func remove(_ key: RawSpan) throws(HeadroomError) -> Bool {
        let hash = identity.hash(key)
        do throws(Errno) {
            // What another process has put is meant, too.
            try catchUp()
            try lookIfNeeded()
            let isKnown = state.withLock { state in
                state.isShared || !state.unknown.isEmpty || state.index.entry(hash) != nil
                    || state.index.unmarked.mayHave(hash)
            }
            guard isKnown else { return false }
            return (try take([hash]) ?? 0) > 0
        } catch {
            throw HeadroomError("remove from the cache store", path, error)
        }
    }

    /// An older value may stand in a file that the log does not tell of: nothing is removed before that is known.
    private func lookIfNeeded() throws(Errno) {
        guard state.withLock({ !$0.unknown.isListed || !$0.unknown.isEmpty }) else { return }
        do throws(Errno) {
            try finishLooking()
        } catch .storeWasReplaced {
            // Nothing of it is found here any more.
        }
    }

    /// Takes entries out of the index and the log in one step, so that no other process moves one meanwhile
    /// without a word.
    ///
    /// - Parameter losses: of the log had been there when the hashes were found; nil: they are all that is meant.
    /// - Returns: how many there were; nil if the log was lost since: nothing is removed then.
    private func take(_ hashes: [UInt64], since losses: Int? = nil) throws(Errno) -> Int? {
        let now = UInt64(clamping: clock().nanoseconds)
        var olds: [StoreEntry] = []
        var isDone = false
        repeat {
            try lookIfNeeded()
            if let losses, state.withLock({ $0.unknown.losses != losses }) { return nil }
            do throws(Errno) {
                try log.withLock { (log) throws(Errno) in
                    // What the dead have not told is meant as well.
                    try append(
                        to: &log, synchronizing: options.durability == .full,
                        look: { () throws(Errno) in try lookAtDead() }
                    ) { state in
                        // The log was lost in this moment.
                        guard state.unknown.isEmpty else { return }
                        olds = hashes.compactMap { state.remove($0, now) }
                        isDone = true
                    }
                }
            } catch {
                // What others have put is meant as well, and not known. Of a store that was replaced nothing is
                // found any more.
                guard isDone || error == .storeWasReplaced else { throw error }
                // Told with what is told next; nobody finds them either way.
                state.withLock { $0.statistics.logFailures += 1 }
                isDone = true
            }
        } while !isDone
        step?(.removalTold)
        for old in olds { retireReplaced(old) }
        step?(.removalRetired)
        return olds.count
    }

    /// Removes all values that have a tag.
    ///
    /// - Returns: how many.
    /// - Complexity: O(values with the tag), a short read each.
    @discardableResult
    package func removeAll(tagged tag: String) throws(HeadroomError) -> Int {
        let hash = identity.hash(tag: tag)
        do throws(Errno) {
            while true {
                if let count = try removeOnce(hash, tag) { return count }
            }
        } catch {
            throw HeadroomError("remove from the cache store", path, error)
        }
    }

    /// - Returns: nil if the log was lost meanwhile: more may have it.
    private func removeOnce(_ hash: UInt64, _ tag: String) throws(Errno) -> Int? {
        try catchUp()
        try takeOverFromDead()
        try finishLooking()
        let (pairs, losses) = state.withLock { state in
            let members = state.index.tags.hashes[hash] ?? []
            return (members.map { ($0, state.index.entry($0)?.place) }, state.unknown.losses)
        }
        let members = pairs.map(\.0).filter { has($0, tag) }
        guard let removed = try take(members, since: losses) else { return nil }
        state.withLock { state in
            // What was put meanwhile may have it.
            for (member, place) in pairs {
                let now = state.index.entry(member)?.place
                if now == nil || now == place { state.index.tags.remove(member, from: hash) }
            }
        }
        return removed
    }

    /// Whether the value of a key's hash has a tag now; it may have had it when it was put before.
    private func has(_ hash: UInt64, _ tag: String) -> Bool {
        guard let entry = state.withLock({ $0.index.entry(hash) }), entry.flags.contains(.hasTags)
        else { return false }
        // What cannot be read is of no use either.
        guard let details = details(of: entry) else { return true }
        return details.tags.contains(tag)
    }

    /// Removes everything.
    ///
    /// Pins stay words on their keys; values that are being read stay readable where they are.
    package func removeAll() throws(HeadroomError) {
        do throws(Errno) {
            try catchUp()
            try takeOverFromDead()
            try maintenance.withLock { (_) throws(Errno) in
                sealOwnSegments()
                var isDone = false
                while !isDone {
                    try finishLooking()
                    // What lies in closed segments goes with these.
                    let (segments, others, losses) = state.withLock { state in
                        let (segments, others) = state.index.closedSegments()
                        return (segments, others, state.unknown.losses)
                    }
                    try removeSegments {
                        state.withLock { $0.unknown.losses == losses } ? segments : []
                    }
                    isDone = try take(others, since: losses) != nil
                }
                try removeDeadSegments()
                state.withLock { $0.retireUnmarked() }
            }
            try flush(synchronizing: options.durability == .full, compacting: true)
        } catch {
            throw HeadroomError("empty the cache store", path, error)
        }
    }
}

extension StoreCore.State {
    /// Takes an entry out that is to be gone, wherever it is.
    fileprivate mutating func remove(_ hash: UInt64, _ now: UInt64) -> StoreEntry? {
        // What has not been looked into yet may have it as well.
        if !unknown.isEmpty { unknown.noteGone(hash, at: nextSequence(now)) }
        _ = takeUnmarked(hash)
        guard let old = index.remove(hash) else {
            if !unknown.isEmpty { pending.addRemoval(hash, at: 0) }
            return nil
        }
        pending.addRemoval(old)
        noteRetiring(old)
        statistics.removals += 1
        leaving += old.fileAllocated
        return old
    }
}

extension CacheIndex {
    /// Segments that nobody writes to, and the hashes of all entries that lie elsewhere.
    func closedSegments() -> (segments: [UInt32], others: [UInt64]) {
        let closed = segments.numbers.filter { number in
            segments[number].map(\.isAtRest) ?? false
        }
        let isClosed = Set(closed)
        var others: [UInt64] = []
        for place in 0..<table.placeCount where table[place].isLive && !isStray(table[place]) {
            let entry = table[place]
            if entry.isFile || !isClosed.contains(entry.segment) { others.append(entry.hash) }
        }
        return (closed, others)
    }
}
