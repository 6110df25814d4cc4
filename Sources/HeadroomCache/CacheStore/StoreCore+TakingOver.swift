//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import Synchronization
import SystemPackage

extension StoreCore {
    /// Takes over what processes left behind that were killed.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    func takeOverFromDead() throws(Errno) -> Bool {
        guard !deadSessions.isEmpty else { return false }
        var wasAny = false
        try log.withLock { (log) throws(Errno) in
            try append(to: &log, look: { () throws(Errno) in wasAny = try lookAtDead() })
        }
        step?(.leftoversTold)
        return wasAny
    }

    /// Takes in what the dead have not told; under the log's lock, so that nobody else acts in between who
    /// does not know of it.
    @discardableResult
    func lookAtDead() throws(Errno) -> Bool {
        let dead = deadSessions
        if dead.isEmpty { return false }
        let names = try directory.names()
        for session in dead { try takeOver(from: session, names) }
        // One may have moved what was in a segment, alone and without a mark on it: nobody is to find there
        // what is removed now, without an index.
        let useless = deadSegments.filter(removeFile(ofSegment:))
        state.withLock { state in
            for number in useless { state.forget(segment: number) }
        }
        return true
    }

    /// Sessions that the log has, and whose processes are gone.
    private var deadSessions: [UInt32] {
        let others = state.withLock { $0.isShared ? Array($0.index.sessions.accounts.keys) : [] }
        return others.filter { $0 != session.number && !session.isAlive($0) }
    }

    private func takeOver(from dead: UInt32, _ names: [String]) throws(Errno) {
        let segments = openSegments { $0 == dead }
        var found = try filesLeft(by: dead, names)
        for number in segments { found += try recordsOfOpen(number, ofDead: true) }
        // mutation: r20d-1
        try take(found, ofLiving: false)
        step?(.leftoversTaken)
        for number in segments { seal(number) }
        state.withLock { state in
            // Told before: it is nobody else's any more.
            if state.index.sessions.isInDoubt(dead) { state.noteLoss() }
            let record = StoreRecord.session(StoreRecord.closed, dead, state.sequence)
            state.index.record(record.type, record.payload[...], at: 0)
            state.pending.add(record)
            state.isShared = state.index.sessions.accounts.count > 1
        }
    }

    /// Values in files of their own that the log does not know of.
    private func filesLeft(by dead: UInt32, _ names: [String]) throws(Errno) -> [FoundRecord] {
        let numbers = names.compactMap(Self.fileNumber).filter { UInt32($0 >> 32) == dead }
        if numbers.isEmpty { return [] }
        // A snapshot may have an entry whose tags were to be told behind it.
        let known = state.withLock { state in
            state.index.fileNumbers().subtracting(state.index.filesWithoutTheirTags())
        }
        var found: [FoundRecord] = []
        var isReadable = true
        for number in numbers where !known.contains(number) {
            if let record = try readFile(number) {
                found.append(record)
            } else if isUnreadable(StoreNames.value(number)) {
                isReadable = false
            } else {
                // It was being written.
                try? directory.remove(StoreNames.value(number))
            }
        }
        // Whoever opens the store later looks for it again.
        if !isReadable { state.withLock { $0.noteLoss() } }
        return found
    }

    /// Takes in what processes that are at work have not told the log.
    ///
    /// They will, as far as nobody is faster.
    func takeFromLiving() throws(Errno) {
        let number = session.number
        try take(ofLiving: true) { () throws(Errno) in
            var found: [FoundRecord] = []
            for segment in openSegments({ $0 != number }) {
                found += try recordsOfOpen(segment, ofDead: false)
            }
            return try found + newFilesOfLiving()
        }
    }

    private func openSegments(_ isWanted: (_ owner: UInt32) -> Bool) -> [UInt32] {
        state.withLock { state in
            let segments = state.index.segments
            return segments.numbers.filter { number in
                segments[number].map { $0.isOpen && isWanted($0.owner) } ?? false
            }
        }
    }

    /// What stands in a segment that was written to.
    ///
    /// All of it: of two threads the one that wrote further behind may have been told first.
    private func recordsOfOpen(
        _ number: UInt32, ofDead isDead: Bool
    ) throws(Errno) -> [FoundRecord] {
        let name = StoreNames.segment(number)
        guard let bytes = try contents(of: name) else {
            // It is closed now, and looked into with all others.
            if isDead, directory.contains(name) { state.withLock { $0.noteLoss() } }
            return []
        }
        state.withLock { $0.index.noticeEnd(UInt32(clamping: bytes.count), of: number) }
        var found: [FoundRecord] = []
        var hasDoubts = false
        for record in records(in: bytes, of: number) {
            var counts = true
            if record.header.isCopy {
                do throws(Errno) {
                    counts = try self.counts(record, ofDead: isDead)
                } catch {
                    if error.isPassing { throw error }
                    // Of its original nothing can be said now.
                    hasDoubts = hasDoubts || isDead
                    continue
                }
            }
            // Of the living it gives way to its original, where that is there.
            if !counts, !isDead { counts = isInDoubt(record) }
            if counts {
                found.append(record)
            } else if isDead {
                if isInDoubt(record) { hasDoubts = true } else { retire(record.entry) }
            }
        }
        // Its segment is closed then, and looked into with all others.
        if hasDoubts { state.withLock { $0.noteLoss() } }
        return found
    }

    /// Whether the log may not say of a copy what it should: something in it is lost, or the file is gone in which
    /// it says that the copy's original stands.
    private func isInDoubt(_ copy: FoundRecord) -> Bool {
        let (isWhole, known) = state.withLock {
            ($0.unknown.isEmpty, $0.index.entry(copy.entry.hash))
        }
        guard isWhole else { return true }
        guard let known, !known.isFile else { return false }
        return !directory.contains(StoreNames.segment(known.segment))
    }

    /// Whether a copy is what the log says, or would have said next: what is known under its key is the
    /// record that it was made from, which is out of use already.
    private func counts(_ copy: FoundRecord, ofDead isDead: Bool) throws(Errno) -> Bool {
        guard let known = state.withLock({ $0.index.entry(copy.entry.hash) }) else { return false }
        if known.place == copy.entry.place { return true }
        if !isDead || known.isFile { return false }
        // The same sequence: not one that was put since, and is out of use for another reason.
        guard let original = try readHeader(of: known) else { return false }
        return original.isRetired && original.sequence == copy.header.sequence
    }

    /// Values of their own that the log does not know of: their numbers follow those it knows, or are said to be
    /// late. What is known and gone may still be there.
    ///
    /// - Complexity: O(files of the store), a name each.
    private func newFilesOfLiving() throws(Errno) -> [FoundRecord] {
        let sessions = state.withLock { $0.index.sessions }
        guard sessions.accounts.keys.contains(where: { $0 != session.number }) else { return [] }
        var found: [FoundRecord] = []
        for name in try directory.names() {
            guard let number = Self.fileNumber(name), UInt32(number >> 32) != session.number,
                sessions.mayBeTold(number)
            else { continue }
            if let record = try readFile(number) { found.append(record) }
        }
        return found
    }

    /// The number of a value's file by its name.
    private static func fileNumber(_ name: String) -> UInt64? {
        guard let number = UInt64(name.prefix { $0 != "." }, radix: 16),
            name == StoreNames.value(number)
        else { return nil }
        return number
    }
}
