//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import Synchronization
package import SystemPackage

extension StoreCore {
    /// Writes what waits to the log, and reads what others have written.
    ///
    /// - Parameters:
    ///   - synchronizing: and returns when it is on disk, values included.
    ///   - compacting: and replaces all that was appended by a snapshot, if that is worth it.
    package func flush(
        synchronizing: Bool = false, compacting: Bool = false
    ) throws(Errno) {
        if synchronizing { try synchronizeValues() }
        try log.withLock { (log) throws(Errno) in
            try append(to: &log, synchronizing: synchronizing)
            if endsWithoutSnapshot { return }
            // A snapshot is read much faster than what led to it.
            let isNeeded = state.withLock { state in
                // What is broken in the log stays there until all has been found that it may have told of.
                state.needsSnapshot || log.isKnownIncomplete && state.unknown.isEmpty
            }
            guard
                isNeeded || log.wantsSnapshot
                    || compacting && log.log.appendedBytes > 1 << 16
            else { return }
            do throws(Errno) {
                try compact(&log)
            } catch {
                guard !isNeeded, !compacting, error != .storeWasReplaced else { throw error }
                // The log goes on as it is, and is longer than it need be.
                log.lengthAtFailure = log.log.appendedBytes
                state.withLock { $0.statistics.logFailures += 1 }
            }
        }
    }

    /// Appends what waits, and what `decide` adds to it when nobody else can write and all that others have
    /// written is known.
    func append(
        to log: inout LogState, synchronizing: Bool = false,
        _ decide: (inout State) -> Void = { _ in }
    ) throws(Errno) {
        try append(to: &log, synchronizing: synchronizing, look: {}, decide)
    }

    /// - Parameter look: called before `decide`; may read and write files. Its errors come out.
    func append(
        to log: inout LogState, synchronizing: Bool = false, look: () throws(Errno) -> Void,
        _ decide: (inout State) -> Void = { _ in }
    ) throws(Errno) {
        var merge = LogMerge(self)
        var taken: [LogRecord] = []
        do {
            try log.log.append(synchronizing: synchronizing, &merge) { (merge) throws(Errno) in
                merge.finish()
                if state.withLock({ $0.isAbandoned }) { throw .storeWasReplaced }
                try look()
                let retiring: [RecordPlace]
                (taken, retiring) = state.withLock { state in
                    decide(&state)
                    return (
                        state.takePending(allowance: fileAllowance), Array(state.retiring.keys)
                    )
                }
                for record in retiring { retire(record) }
                if !retiring.isEmpty { step?(.marked) }
                return taken
            }
        } catch {
            // Said again next time; what was read of others is true.
            merge.giveUp()
            state.withLock { $0.pending.restore(taken) }
            watch(&log)
            throw error
        }
        step?(.logAppended)
        merge.finish()
        watch(&log)
    }

    /// Reads what other processes have written.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    func catchUp() throws(Errno) -> Bool {
        guard state.withLock({ $0.watch })?.hasNews != false else { return false }
        return try log.withLock { (log) throws(Errno) in
            var merge = LogMerge(self)
            defer { watch(&log) }
            do throws(Errno) {
                try log.log.update(&merge)
            } catch {
                merge.giveUp()
                throw error
            }
            let hasNews = merge.count > 0
            merge.finish()
            return hasNews
        }
    }

    /// Remembers how far the log has been read, and has looked for what it does not tell any more.
    private func watch(_ log: inout LogState) {
        if log.log.isIncomplete != log.isKnownIncomplete {
            log.isKnownIncomplete.toggle()
            if log.isKnownIncomplete { state.withLock { $0.noteLoss() } }
        }
        if state.withLock({ $0.unknown.isDue }) { startSweeping() }
        // Of one that could be opened and not be read nothing is known.
        if !log.log.isReplayStale {
            let read = LogLineage.Reading(inode: log.log.identity.inode, end: log.log.end)
            state.withLock { $0.read = read }
        }
        if log.watched != log.log.identity {
            log.watched = log.log.identity
            let watch = log.log.watch
            return state.withLock { $0.watch = watch }
        }
        let length = log.log.watchedLength
        state.withLock { $0.watch = $0.watch?.advanced(to: length) }
    }

    private func compact(_ log: inout LogState) throws(Errno) {
        var merge = LogMerge(self)
        defer { watch(&log) }
        var lineage = LogLineage()
        var late: Set<UInt64> = []
        var isDone = false
        let wasIncomplete = log.isKnownIncomplete
        var isIncomplete = wasIncomplete
        // Not if somebody else was first.
        func isWanted(_ merge: borrowing LogMerge, _ damage: LogDamage) -> Bool {
            if !damage.isEmpty { isIncomplete = true }
            return !merge.isFresh && !state.withLock { $0.isAbandoned }
        }
        do {
            isDone = try log.log.compact(&merge, where: isWanted) { snapshot, _, _ in
                let head = state.withLock { state in
                    if isIncomplete, !wasIncomplete { state.noteLoss() }
                    // Others may know what was told in the records that are broken.
                    let (file, end) = snapshot.replaced
                    let replaced = LogLineage.Reading(inode: file.inode, end: end)
                    lineage = isIncomplete ? .new() : state.index.lineage.next(replacing: replaced)
                    return state.index.head(lineage)
                }
                for record in head { snapshot.append(record.type, record.payload) }
                writeEntries(to: &snapshot)
                // Behind the entries: what was evicted meanwhile is in one or the other. Of what went with its
                // segment nobody has to know.
                let (unmarked, retiring) = state.withLock { state in
                    late = state.late
                    state.releaseUnmarked()
                    return (state.index.unmarked.encoded(), state.retiring.keys)
                }
                for payload in unmarked { snapshot.append(StoreRecord.unmarked, payload) }
                // In place of what the head says of it.
                let record = StoreRecord.late(session.number, late)
                snapshot.append(record.type, record.payload)
                // What is not in it any more is not to come back.
                for record in retiring { retire(record) }
                step?(.snapshotWritten)
            }
            if isDone {
                state.withLock { state in
                    state.index.lineage = lineage
                    state.index.sessions.await(late, of: state.session)
                }
            }
            step?(.logCompacted)
        } catch {
            merge.giveUp()
            throw error
        }
        merge.finish()
        // The log that somebody else has written may have been lost in turn.
        if isDone { state.withLock { $0.needsSnapshot = false } }
    }

    /// Writes down all entries. What changes meanwhile waits to be written behind them.
    private func writeEntries(to snapshot: inout LogSnapshot) {
        var writer = ByteWriter()
        writer.integer(UInt32(clamping: state.withLock { $0.index.count }))
        snapshot.append(StoreRecord.count, writer.bytes)
        var next: UInt64? = 0
        var bytes: [UInt8] = []
        while let first = next {
            next = state.withLock { $0.index.encode(from: first, slots: 512, to: &bytes) }
            guard bytes.count >= Self.snapshotRecord || next == nil, !bytes.isEmpty else {
                continue
            }
            snapshot.append(StoreRecord.entries, bytes)
            bytes.removeAll(keepingCapacity: true)
        }
    }

    /// Bytes of entries in one record: a damaged one costs not much more than these.
    private static var snapshotRecord: Int { 256 * MemoryLayout<StoreEntry>.stride }

    /// Returns when the values that were written since the last time are on disk.
    private func synchronizeValues() throws(Errno) {
        // Whoever comes while another is at it waits for what that one has taken.
        try synchronizing.withLock { (_) throws(Errno) in try synchronizeDue() }
    }

    private func synchronizeDue() throws(Errno) {
        let due = state.withLock { state in
            defer { state.unsynchronized = Unsynchronized() }
            return state.unsynchronized
        }
        if due.segments.isEmpty, due.files.isEmpty { return }
        do throws(Errno) {
            for number in due.segments {
                let file = state.withLock { $0.files[number] }
                try synchronize(StoreNames.segment(number), file)
            }
            for number in due.files { try synchronize(StoreNames.value(number), nil) }
            try directory.synchronize()
        } catch {
            // Where there were too few descriptors they are the next time's: that of the next put.
            state.withLock { state in
                state.unsynchronized.segments.formUnion(due.segments)
                state.unsynchronized.files += due.files
                state.unsynchronized.puts += due.puts
            }
            throw error
        }
    }

    private func synchronize(_ name: String, _ file: SharedFile?) throws(Errno) {
        do throws(Errno) {
            let file = if let file { file } else { try openFile(name) }
            try file.synchronizeData()
        } catch .noSuchFileOrDirectory {
            // Evicted meanwhile.
        }
    }
}

extension StoreCore.State {
    /// Goes over to the index of a log that was put in place of the one that was read so far.
    mutating func adopt(_ new: inout CacheIndex, of identity: StoreIdentity) {
        guard !isAbandoned else { return }
        guard new.fingerprint != nil else {
            // The log was lost, and nobody has written to the new one but what came up: all that is known goes
            // there, and what others have told there alone is looked for.
            needsSnapshot = true
            index.lineage = .new()
            // Whose it is comes first, and entries after the segments that they are in.
            let waiting = pending.take()
            pending.add(StoreRecord.identity(identity.fingerprint, index.lineage))
            tellSession()
            tellOwnSegments()
            pending.add(waiting)
            hasMetLoss = true
            return noteLoss()
        }
        guard new.fingerprint == identity.fingerprint else { return abandon() }
        // What is known here may have been told to nobody, and who does not know this process has not read it.
        let isWhole =
            !needsSnapshot && new.sessions.accounts[session] != nil
            && new.lineage.follows(index.lineage, readTo: read)
        // An older one, which others may have gone beyond: what comes of it is not to be taken for whole.
        let isOlder = !isWhole && index.lineage.isOrFollows(new.lineage)
        new.keep(from: index, session)
        swap(&index, &new)
        if isOlder { index.lineage = .new() }
        if !isWhole {
            tellSession()
            keepOwnSegments(of: new)
            hasMetLoss = true
            noteLoss()
        }
        toldSequence = min(toldSequence, index.sessions.sequence)
        hold(of: new)
        // The new log may not know all that has not been marked here. Where it does not follow, the places may be
        // those of others' records by now; what is found there is looked into, and the latest stays.
        if isWhole { retire(unmarkedOf: &new) }
        keepHeld(of: new)
        // Where the log was lost, a number may be that of another file now.
        files = files.filter { index.segments[$0.key]?.owner == session }
        for code in open.indices {
            guard let number = open[code] else { continue }
            // Another process has found it in the directory, and taken it for one that is closed.
            if index.segments[number]?.isOpen != true || index.segments[number]?.owner != session {
                open[code] = nil
            }
        }
    }

    /// Keeps what somebody evicted, without a mark, before this process found it and was asked to hold it: a
    /// snapshot has it among what is not marked, and not among the entries.
    ///
    /// It is told once more, and entered with all else that waits; where it is out of use by now it is left out then.
    private mutating func keepHeld(of old: borrowing CacheIndex) {
        for hash in leases.held.keys {
            guard let known = old.entry(hash), !known.isFile, index.entry(hash) == nil,
                index.segments.contains(known.segment), index.spare(known)
            else { continue }
            pending.add(known)
        }
    }

    /// Says which segments this process writes to, before others take them for such that nobody does.
    private mutating func tellOwnSegments() {
        for number in index.segments.numbers {
            guard let segment = index.segments[number], segment.owner == session, !segment.isAtRest
            else { continue }
            pending.add(StoreRecord.segment(number, segment))
        }
    }

    /// Enters this process in a log that does not know it.
    private mutating func tellSession() {
        let record = StoreRecord.session(StoreRecord.opened, session, sequence)
        index.record(record.type, record.payload[...], at: 0)
        pending.add(record)
        hold(unlogged)
    }

    /// Keeps the segments that this process writes to, whatever the log tells of them that was put in place:
    /// closed, so that they are looked into as well.
    private mutating func keepOwnSegments(of old: borrowing CacheIndex) {
        for number in old.segments.numbers {
            guard let known = old.segments[number], known.owner == session,
                known.isOpen || known.pending > 0
            else { continue }
            let bytes = (Int64(known.end) + 4095) & ~4095
            if index.segments[number] != nil {
                if index.seal(number, allocated: bytes) { noteSealed(number) }
                continue
            }
            var segment = SegmentAccount(
                purgeClass: known.purgeClass, owner: session, allocated: bytes, isOpen: false)
            segment.end = known.end
            segment.pending = known.pending
            index.addSegment(number, segment)
            pending.add(StoreRecord.segment(number, segment))
        }
    }

    /// Keeps the segments that have not been looked into from being removed, as before.
    private mutating func hold(of old: borrowing CacheIndex) {
        for number in unknown.held {
            guard index.segments[number] != nil else {
                unknown.held.remove(number)
                continue
            }
            // Of its own it was taken over with all else that they wait for.
            if old.segments[number]?.owner == session { continue }
            index.segments.update(number) { $0.pending += 1 }
        }
    }

    /// Finds nothing from now on, and says nothing: the store is another one, which finds keys by other hashes.
    mutating func abandon() {
        isAbandoned = true
        // Nothing is put but under the log's lock, where it is seen.
        isShared = true
        index.removeAll()
        open = [nil, nil, nil]
        files = [:]
        pending = PendingRecords()
        retiring = [:]
        awaited = [:]
        unknown = UnknownFiles()
        index.unknownBytes = 0
    }

    /// What waits to be written to the log; nothing waits then.
    ///
    /// - Parameter allowance: what may be written without a word.
    mutating func takePending(allowance: Int64) -> [LogRecord] {
        if unlogged > inFlight {
            // From now on these count by their entries.
            let left = max(0, index.sessions.held(by: session) - (unlogged - inFlight))
            hold(left)
            unlogged = inFlight
        }
        // Of what was given up, or has become smaller than it might have.
        if index.sessions.held(by: session) - unlogged > 2 * allowance {
            hold(unlogged + allowance)
        }
        var records = pending.take()
        if !records.isEmpty, sequence > toldSequence &+ SessionTable.slack {
            toldSequence = sequence
            let record = StoreRecord.session(StoreRecord.opened, session, sequence)
            index.record(record.type, record.payload[...], at: 0)
            records.insert(record, at: 0)
        }
        if !records.isEmpty, let late = tellLate() { records.append(late) }
        let done = statistics(all: CacheTotals(statistics))
        let news = done - told
        if news.operations >= (tellsTotals ? 1 : Self.operationsUntold) {
            (told, tellsTotals) = (done, false)
            index.totals += news
            records.append(StoreRecord.totals(news))
        }
        return records
    }

    /// Says which files are being written, if the log does not know that.
    private mutating func tellLate() -> LogRecord? {
        let known = index.sessions.accounts[session]?.late ?? []
        if making.isEmpty, known.isEmpty { return nil }
        let late = late
        if late == known { return nil }
        index.sessions.await(late, of: session)
        return StoreRecord.late(session, late)
    }

    /// The files that are being written, and those that wait to be told of.
    fileprivate var late: Set<UInt64> {
        mutating get {
            making.union(pending.waitingEntries().filter(\.isFile).map(\.place))
        }
    }

    /// After so many gets, puts and removals they are told with what else is.
    private static var operationsUntold: UInt64 { 1024 }

    private func statistics(all totals: CacheTotals) -> CacheTotals {
        var totals = totals
        totals.regrets = UInt64(clamping: index.recent.regrets)
        totals.regretBytes = UInt64(clamping: index.recent.regretBytes)
        return totals
    }

    /// Says what this process may write to files without another word.
    mutating func hold(_ bytes: Int64) {
        toldHeld = bytes
        index.sessions.hold(bytes, session)
        pending.add(StoreRecord.session(StoreRecord.held, session, UInt64(clamping: bytes)))
    }
}
