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
    /// Finds the files that the log does not tell of, and counts their bytes.
    ///
    /// - Parameters:
    ///   - isDamaged: the log may lack records of any segment.
    ///   - losses: so many losses of it are looked for with that.
    /// - Complexity: O(files); their content is not looked at.
    func listFiles(isDamaged: Bool = false, after losses: Int = 0) throws(Errno) {
        let names = try directory.names()
        // What was made before the names were read is in the log by now.
        try catchUp()
        let (known, untagged) = state.withLock { state in
            // What is broken in the log may have been what it said of their tags.
            (state.index.fileNumbers(), isDamaged ? state.index.filesWithoutTheirTags() : [])
        }
        // In order: segments whose numbers are far from those of all others are not ours.
        for name in names.sorted() {
            guard let dot = name.firstIndex(of: "."),
                let number = UInt64(name[..<dot], radix: 16)
            else { continue }
            switch name[dot...] {
            case ".segment": try noteSegment(number, name, isDamaged: isDamaged)
            case ".value":
                if untagged.contains(number) {
                    // Its bytes count by its entry.
                    state.withLock { _ = $0.unknown.note(.file(number), bytes: 0) }
                } else if !known.contains(number) {
                    try noteFile(number, name, isDamaged: isDamaged)
                }
            default: break
            }
        }
        if isDamaged { forgetFiles(notAmong: Set(names)) }
        forgetUnreadable(notAmong: Set(names))
        state.withLock { state in
            state.unknown.noteListing(after: isDamaged ? losses : nil)
            state.settleDoubt()
        }
    }

    /// Forgets closed segments, and values with files of their own, that are not there: no number is used twice.
    private func forgetFiles(notAmong names: Set<String>) {
        // They may have been made since the names were read.
        func isMissing(_ name: String) -> Bool {
            !names.contains(name) && !directory.contains(name)
        }
        let (closed, values) = state.withLock { state in
            let segments = state.index.segments
            let closed = segments.numbers.filter { segments[$0]?.isAtRest == true }
            return (closed, state.index.fileEntries())
        }
        let segments = closed.filter { isMissing(StoreNames.segment($0)) }
        let gone = values.filter { isMissing(StoreNames.value($0.place)) }
        state.withLock { state in
            for number in segments { state.forget(segment: number) }
            state.forget(gone)
        }
    }

    private func forgetUnreadable(notAmong names: Set<String>) {
        guard state.withLock({ !$0.unknown.unreadable.isEmpty }) else { return }
        state.withLock { state in
            state.index.unknownBytes -= state.unknown.forget { item in
                switch item {
                case .segment(let number): names.contains(StoreNames.segment(number))
                case .file(let number): names.contains(StoreNames.value(number))
                }
            }
        }
    }

    func noteSegment(_ number: UInt64, _ name: String, isDamaged: Bool) throws(Errno) {
        guard let number = UInt32(exactly: number), name == StoreNames.segment(number),
            // Nothing that we have written.
            state.withLock({ $0.index.segments.canHold(number) })
        else { return }
        let (bytes, modified) = try status(of: name)
        if isDamaged, isForsaken(number) { seal(number) }
        state.withLock { state in
            state.noticeTime(modified)
            state.index.segments.notice(number)
            // One that was named when it was listed counts from now on, if it is not any more.
            if let waiting = state.unknown.segments[number],
                waiting > 0 || state.index.segments[number] != nil
            {
                return
            }
            if let segment = state.index.segments[number] {
                guard isDamaged, !segment.isOpen else { return }
                state.unknown.segments[number] = 0
                if state.unknown.held.insert(number).inserted {
                    state.index.segments.update(number) { $0.pending += 1 }
                }
                return
            }
            state.index.unknownBytes += state.unknown.note(.segment(number), bytes: bytes)
        }
    }

    /// Whether a segment is open whose owner is gone, and was forgotten with a record that is broken.
    private func isForsaken(_ number: UInt32) -> Bool {
        let owner = state.withLock { state -> UInt32? in
            guard let segment = state.index.segments[number], segment.isOpen,
                state.index.sessions.accounts[segment.owner] == nil
            else { return nil }
            return segment.owner
        }
        guard let owner, owner != session.number else { return false }
        return !session.isAlive(owner)
    }

    private func noteFile(_ number: UInt64, _ name: String, isDamaged: Bool) throws(Errno) {
        guard name == StoreNames.value(number) else { return }
        let owner = UInt32(number >> 32)
        if owner == session.number {
            // Being written now; else of a session of that number which nobody remembers.
            if state.withLock({ $0.making.contains(number) }) { return }
        } else if !isDamaged, session.isAlive(owner) {
            return
        }
        let (bytes, modified) = try status(of: name)
        state.withLock { state in
            state.noticeTime(modified)
            guard state.unknown.files[number] == nil else { return }
            state.index.unknownBytes += state.unknown.note(.file(number), bytes: bytes)
        }
    }

    private func size(of name: String) throws(Errno) -> Int64 { try status(of: name).bytes }

    private func status(of name: String) throws(Errno) -> (bytes: Int64, modified: Timestamp?) {
        do throws(Errno) {
            let status = try directory.status(of: name)
            return (status.allocatedSize.bytes, status.modified)
        } catch .noSuchFileOrDirectory {
            return (0, nil)
        }
    }

    /// Looks for files that the log does not tell of, and into them.
    ///
    /// - Returns: whether all that could be done was.
    func sweep(_ isStopped: () -> Bool) -> Bool {
        // What fails here is done later, or by whoever opens the store next.
        var isDone = (try? listFiles()) != nil
        step?(.filesListed)
        var patience = 100
        while !isStopped() {
            do throws(Errno) {
                guard try lookIntoNext() else { break }
            } catch {
                // There may be descriptors again in a moment.
                guard error.isPassing, patience > 0 else {
                    isDone = false
                    break
                }
                patience -= 1
                Pause.milliseconds(100)
            }
        }
        // Whoever closes the store waits for that, and what is left goes with the next put.
        keepLimit(unless: { isStopped() || sweeper.isToHurry })
        try? flush()
        return isDone
    }

    /// The limit may be lower than it was.
    private func keepLimit(unless isStopped: () -> Bool) {
        if options.isVisitor || isStopped() { return }
        let (isOver, hasTooMany) = state.withLock { state in
            let hasTooMany = state.index.count > options.entryLimit ?? .max
            return (state.occupied > options.limit.bytes, hasTooMany && state.unknown.isEmpty)
        }
        guard isOver || hasTooMany else { return }
        // What may not go now does when something is put.
        maintenance.withLock { _ in
            if hasTooMany { keepEntryLimit(unless: isStopped) }
            if isOver { try? makeRoom(0, unless: isStopped) }
        }
    }

    /// Returns when all that the log does not tell of has been looked into.
    func finishLooking() throws(Errno) {
        if state.withLock({ !$0.unknown.isListed }) { try listFiles() }
        while try lookIntoNext() {}
    }

    /// Lists the files, if that has to come first.
    func listIfDue() throws(Errno) {
        guard state.withLock({ $0.unknown.isDue }) else { return }
        // One that comes meanwhile is another.
        let losses = state.withLock { $0.unknown.losses }
        try noticeOthers()
        try takeFromLiving()
        try listFiles(isDamaged: true, after: losses)
    }

    /// Enters the processes in the log that have the store open, and that it does not know since it was lost.
    ///
    /// Asked and told in one step: what they say themselves comes before, and is known, or behind.
    private func noticeOthers() throws(Errno) {
        var others: [UInt32] = []
        try log.withLock { (log) throws(Errno) in
            try append(
                to: &log, look: { () throws(Errno) in others = try session.others() }
            ) { state in
                // Theirs is that of the store, whatever the limit is of who finds them.
                let known = state.index.allocated + state.index.unknownBytes
                let allowance = min(fileAllowance, max(256 << 10, known / 64))
                for other in others { state.notice(other, holding: allowance) }
            }
        }
    }

    /// Looks into one of the files that the log does not tell of.
    ///
    /// - Returns: whether there was one.
    func lookIntoNext() throws(Errno) -> Bool {
        try listIfDue()
        let (next, losses) = state.withLock { ($0.unknown.next(), $0.unknown.losses) }
        guard let item = next else {
            if state.withLock({ $0.unknown.isEmpty }) {
                removeEvicted()
                return false
            }
            // Another thread looks into the last.
            Pause.milliseconds(1)
            return true
        }
        var isReadable = true
        do throws(Errno) {
            switch item {
            case .segment(let number): isReadable = try look(intoSegment: number)
            case .file(let number): isReadable = try look(intoFile: number)
            }
        } catch {
            state.withLock { $0.unknown.putBack(item) }
            throw error
        }
        state.withLock { state in
            // Of a log that was lost meanwhile nobody knows what was found in it.
            guard state.unknown.losses == losses else { return state.unknown.putBack(item) }
            // What is there and cannot be read goes on counting.
            state.index.unknownBytes -= state.unknown.finish(item, isReadable: isReadable)
            if case .segment(let number) = item, state.unknown.held.remove(number) != nil {
                state.finishWriting(in: number)
            }
            state.settleDoubt()
        }
        step?(.fileSwept)
        return true
    }

    /// Removes what went because of the number of entries while not all was known.
    private func removeEvicted() {
        let victims = state.withLock { state in
            defer { state.unknown.departing = [] }
            return state.unknown.departing
        }
        for victim in victims { retireReplaced(victim) }
    }

    /// - Returns: false if it is there and cannot be read.
    private func look(intoSegment number: UInt32) throws(Errno) -> Bool {
        let name = StoreNames.segment(number)
        var isReadable = true
        try take(ofLiving: false) { () throws(Errno) in
            // One that is there and cannot be read is left as it is.
            guard let bytes = try contents(of: name) else {
                isReadable = !directory.contains(name)
                return []
            }
            let retired = retiredRecords(in: bytes, of: number)
            state.withLock { $0.forget(retired) }
            let found = records(in: bytes, of: number)
            let isUnnamed = state.withLock { $0.index.segments[number] == nil }
            if found.isEmpty, isUnnamed, !session.hasCompany {
                try? directory.remove(name)
                return []
            }
            // One with nothing in use counts as well, and is removed like any other: but not what somebody who lives
            // is about to write to.
            guard let first = RecordWalk(bytes, of: number).first(where: { _ in true }) else {
                isReadable = bytes.isEmpty || !isUnnamed
                return []
            }
            let size = try size(of: name)
            state.withLock { state in
                guard state.index.segments[number] == nil else { return }
                var segment = SegmentAccount(
                    purgeClass: first.header.purgeClass, owner: session.number, allocated: size,
                    isOpen: false)
                segment.end = UInt32(clamping: bytes.count)
                // Told before its entries, as are all, and not removed before it has been looked into.
                segment.pending = 1
                state.unknown.held.insert(number)
                state.index.addSegment(number, segment)
                state.pending.add(StoreRecord.segment(number, segment))
            }
            return found
        }
        return isReadable
    }

    /// - Returns: false if it is there and cannot be read.
    private func look(intoFile number: UInt64) throws(Errno) -> Bool {
        let owner = UInt32(number >> 32)
        let isLiving = owner != session.number && session.isAlive(owner)
        let name = StoreNames.value(number)
        var isReadable = true
        // Whoever has not noticed the loss yet will find out whether it is still there.
        let tells = isLiving && state.withLock { !$0.unknown.silent.contains(owner) }
        try take(ofLiving: tells) { () throws(Errno) in
            if let found = try readFile(number) { return [found] }
            if isUnreadable(name) {
                isReadable = false
            } else if isLiving {
                // Perhaps it is being written.
                let bytes = try size(of: name)
                state.withLock { $0.notice(owner, writing: bytes, to: number) }
            } else {
                try? directory.remove(name)
            }
            return []
        }
        return isReadable
    }

    /// Whether a file is there of which nobody can say what is in it.
    func isUnreadable(_ name: String) -> Bool {
        do throws(Errno) {
            _ = try end(of: openFile(name))
            return false
        } catch {
            return !error.isNoSuchFile
        }
    }
}

extension StoreCore.State {
    /// Anything may be unknown: the log says so until all files have been looked into, so that whoever comes
    /// after this process does not take it for whole.
    mutating func noteLoss() {
        if isAbandoned { return }
        unknown.noteLoss()
        tell(isInDoubt: true)
    }

    /// To be called when a file has been looked into.
    fileprivate mutating func settleDoubt() {
        guard unknown.isEmpty else { return }
        unknown.gone = [:]
        for victim in unknown.evicted.values {
            // Found once more by another process, and told.
            guard index.entry(victim.hash)?.recordPlace != victim.recordPlace else {
                leaving -= victim.fileAllocated
                continue
            }
            pending.addRemoval(victim)
            noteRetiring(victim)
            unknown.departing.append(victim)
        }
        unknown.evicted = [:]
        tell(isInDoubt: false)
    }

    private mutating func tell(isInDoubt: Bool) {
        guard index.sessions.isInDoubt(session) != isInDoubt else { return }
        let record = StoreRecord.session(StoreRecord.doubt, session, isInDoubt ? 1 : 0)
        index.record(record.type, record.payload[...], at: 0)
        pending.add(record)
    }

    /// Forgets entries that are known just there, and are not: whoever marked their records or removed their
    /// files has told of it, to a log that is lost.
    fileprivate mutating func forget(_ gone: [RemovedEntry]) {
        for entry in gone {
            guard let known = index.entry(entry.hash), known.place == entry.place else { continue }
            pending.addRemoval(known)
            _ = index.remove(entry.hash)
        }
    }

    /// Says of another process what it would have said itself if it knew that the log was lost: until then it
    /// counts.
    fileprivate mutating func notice(_ other: UInt32, holding bytes: Int64) {
        if index.sessions.accounts[other] == nil {
            say(StoreRecord.session(StoreRecord.opened, other, sequence))
        } else if !unknown.silent.contains(other) {
            return
        }
        // Their files are looked for anew.
        unknown.silent.insert(other)
        unknown.unfinished = unknown.unfinished.filter { UInt32($0 >> 32) != other }
        say(StoreRecord.session(StoreRecord.held, other, UInt64(clamping: bytes)))
        isShared = true
    }

    /// A file of such a process is not whole, and may grow before it says so.
    fileprivate mutating func notice(_ other: UInt32, writing bytes: Int64, to file: UInt64) {
        // Once, though it may be looked into again.
        guard unknown.silent.contains(other), unknown.unfinished.insert(file).inserted else {
            return
        }
        let more = bytes + min(bytes / 2, StoreWriter.longestStep)
        let all = index.sessions.held(by: other) + more
        say(StoreRecord.session(StoreRecord.held, other, UInt64(clamping: all)))
    }

    private mutating func say(_ record: LogRecord) {
        index.record(record.type, record.payload[...], at: 0)
        pending.add(record)
    }

    /// Of a file that the log does not tell of: what is put from now on is later than what is in it, also where
    /// the clock was set back since.
    fileprivate mutating func noticeTime(_ modified: Timestamp?) {
        guard let modified else { return }
        sequence = max(sequence, UInt64(clamping: modified.nanoseconds))
    }
}

extension CacheIndex {
    /// The numbers of all files that entries have of their own.
    func fileNumbers() -> Set<UInt64> { Set(fileEntries().map(\.place)) }

    /// Of these those that have tags, of which nothing is known.
    func filesWithoutTheirTags() -> Set<UInt64> {
        var files = [UInt64: UInt64]()
        for place in 0..<table.placeCount {
            let entry = table[place]
            if entry.isLive, entry.isFile, entry.flags.contains(.hasTags) {
                files[entry.hash] = entry.place
            }
        }
        if files.isEmpty { return [] }
        for hashes in tags.hashes.values {
            for hash in hashes { files[hash] = nil }
        }
        return Set(files.values)
    }

    /// The entries that have files of their own.
    func fileEntries() -> [RemovedEntry] {
        (0..<table.placeCount).compactMap { place in
            let entry = table[place]
            return entry.isLive && entry.isFile ? RemovedEntry(entry) : nil
        }
    }
}
