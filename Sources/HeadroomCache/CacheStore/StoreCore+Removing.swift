//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
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
            return (try take(.keys([hash])) ?? 0) > 0
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

    /// What is to be removed, by the hashes of the keys.
    fileprivate enum Meant {
        case all
        case keys([UInt64])
        /// Those that have a tag, with what is known of that.
        case tagged(String, [UInt64: TagAnswer])
    }

    /// Whether what stands at a place has a tag.
    fileprivate struct TagAnswer {
        var place: UInt64
        var hasTag: Bool
    }

    /// Takes entries out of the index and the log in one step, so that no other process moves one meanwhile
    /// without a word.
    ///
    /// - Parameter losses: of the log had been there when the hashes were found; nil: they are all that is meant.
    /// - Returns: how many there were; nil if the log was lost since: nothing is removed then.
    private func take(_ meant: Meant, since losses: Int? = nil) throws(Errno) -> Int? {
        var meant = meant
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
                        look: { () throws(Errno) in
                            try lookAtDead()
                            // What others have put or moved since it was asked.
                            if case .tagged(let tag, let answers) = meant {
                                meant = .tagged(tag, try asked(answers, tag))
                            }
                        }
                    ) { state in
                        // The log was lost in this moment.
                        guard state.unknown.isEmpty else { return }
                        olds = state.hashes(of: meant).compactMap { state.remove($0) }
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
        var failure: Errno?
        for old in olds {
            if let error = retireReplaced(old), !error.isPassing { failure = error }
        }
        step?(.removalRetired)
        // It is still there for others, and would be again when the log is lost.
        if let failure { throw failure }
        let now = tick()
        return olds.count { $0.expiry > now }
    }

    /// Takes everything out: the files, which are unlinked under the log's lock, in portions, since others wait for
    /// that to put.
    ///
    /// - Returns: whether it is done; not if the log was lost since.
    private func takeAll(since losses: Int) throws(Errno) -> Bool {
        let files = state.withLock { $0.index.fileEntries().map(\.hash) }
        for start in stride(from: 0, to: files.count, by: Self.batch) {
            let portion = Array(files[start..<min(start + Self.batch, files.count)])
            if try take(.keys(portion), since: losses) == nil { return false }
        }
        return try take(.all, since: losses) != nil
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
        // Most of it while others can write; what cannot be told now is asked again when they cannot.
        var answers: [UInt64: TagAnswer] = [:]
        for (member, _) in pairs {
            answers[member] = try answer(member, tag) ?? TagAnswer(place: .max, hasTag: false)
        }
        guard let removed = try take(.tagged(tag, answers), since: losses) else { return nil }
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
    ///
    /// - Returns: nil if nothing is under the key, or its record is damaged or out of use.
    private func answer(_ hash: UInt64, _ tag: String) throws(Errno) -> TagAnswer? {
        guard let entry = state.withLock({ $0.index.entry(hash) }) else { return nil }
        guard entry.flags.contains(.hasTags) else {
            return TagAnswer(place: entry.place, hasTag: false)
        }
        if let details = details(of: entry) {
            return TagAnswer(place: entry.place, hasTag: details.tags.contains(tag))
        }
        do throws(Errno) {
            _ = try open(entry)
        } catch {
            // Nothing is known of it for want of a descriptor.
            if error.isPassing { throw error }
        }
        return nil
    }

    /// Asks again where something else stands now; nobody else can replace it meanwhile.
    private func asked(
        _ answers: [UInt64: TagAnswer], _ tag: String
    ) throws(Errno) -> [UInt64: TagAnswer] {
        var answers = answers
        for (hash, known) in answers {
            guard let place = state.withLock({ $0.index.entry(hash)?.place }), place != known.place
            else { continue }
            // What cannot be read is of no use either.
            answers[hash] = try answer(hash, tag) ?? TagAnswer(place: place, hasTag: true)
        }
        return answers
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
                    // What lies in closed segments goes with these; what others have moved there since, with
                    // all that is left.
                    let (segments, losses) = state.withLock { state in
                        (state.index.closedSegments, state.unknown.losses)
                    }
                    try removeSegments {
                        state.withLock { $0.unknown.losses == losses } ? segments : []
                    }
                    isDone = try takeAll(since: losses)
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
    /// What is meant of what there is now.
    fileprivate func hashes(of meant: StoreCore.Meant) -> [UInt64] {
        switch meant {
        case .all: index.hashes
        case .keys(let hashes): hashes
        case .tagged(_, let answers):
            // What another thread puts in this moment is put after it.
            answers.compactMap { hash, answer in
                answer.hasTag && index.entry(hash)?.place == answer.place ? hash : nil
            }
        }
    }

    /// Takes an entry out that is to be gone, wherever it is.
    fileprivate mutating func remove(_ hash: UInt64) -> StoreEntry? {
        _ = takeUnmarked(hash)
        guard let old = index.remove(hash) else { return nil }
        pending.addRemoval(old)
        noteLeaving(old)
        statistics.removals += 1
        return old
    }
}

extension CacheIndex {
    /// Segments that nobody writes to.
    fileprivate var closedSegments: [UInt32] {
        segments.numbers.filter { segments[$0].map(\.isAtRest) ?? false }
    }

    /// Of the keys of all entries.
    fileprivate var hashes: [UInt64] {
        (0..<table.placeCount).compactMap { place in
            table[place].isLive && !isStray(table[place]) ? table[place].hash : nil
        }
    }
}
