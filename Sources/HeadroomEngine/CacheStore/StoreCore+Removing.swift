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
            return take(hash)
        } catch {
            throw HeadroomError("remove from the cache store", path, error)
        }
    }

    private func take(_ hash: UInt64, flushing: Bool = true) -> Bool {
        let now = UInt64(clamping: clock().nanoseconds)
        let old = state.withLock { state in
            // What has not been looked into yet may have it as well.
            if !state.unknown.isEmpty { state.unknown.gone[hash] = state.nextSequence(now) }
            let old = state.index.remove(hash)
            if let old {
                state.pending.addRemoval(old)
            } else if !state.unknown.isEmpty {
                state.pending.addRemoval(hash, at: 0)
            }
            if old != nil { state.statistics.removals += 1 }
            if let old { state.leaving += old.fileAllocated }
            return old
        }
        retireReplaced(old)
        // Told at once: it is not to be found in the index after a crash either.
        if old != nil, flushing { try? flush(synchronizing: options.durability == .full) }
        return old != nil
    }

    /// Removes all values that have a tag.
    ///
    /// - Returns: how many.
    /// - Complexity: O(values with the tag), a short read each.
    @discardableResult
    package func removeAll(tagged tag: String) throws(HeadroomError) -> Int {
        let hash = identity.hash(tag: tag)
        do throws(Errno) {
            try catchUp()
            let hashes = state.withLock { $0.index.tags.hashes[hash] ?? [] }
            var removed = 0
            for entry in hashes where has(entry, tag) && take(entry, flushing: false) {
                removed += 1
            }
            state.withLock { $0.index.tags.remove(hash) }
            try flush(synchronizing: options.durability == .full)
            return removed
        } catch {
            throw HeadroomError("remove from the cache store", path, error)
        }
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
            try maintenance.withLock { (_) throws(Errno) in
                sealOwnSegments()
                while try lookIntoNext() {}
                // What lies in closed segments goes with these.
                let (segments, others) = state.withLock { $0.index.closedSegments() }
                for number in segments { removeSegment(number) }
                for hash in others { _ = take(hash, flushing: false) }
                removeDeadSegments()
            }
            try flush(synchronizing: options.durability == .full, compacting: true)
        } catch {
            throw HeadroomError("empty the cache store", path, error)
        }
    }
}

extension CacheIndex {
    /// Segments that nobody writes to, and the hashes of all entries that lie elsewhere.
    func closedSegments() -> (segments: [UInt32], others: [UInt64]) {
        let closed = segments.numbers.filter { number in
            segments[number].map { !$0.isOpen && $0.pending == 0 } ?? false
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
