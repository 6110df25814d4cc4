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
    /// Puts a value under a key, in place of what was there.
    ///
    /// - Throws: `noSpace` if the limit is reached and nothing may go, or the volume is full; `invalid`
    ///   for a key or value that is too long. What was under the key is still there then. `io` also where the
    ///   value is in place, and the last few hundred (``CacheDurability/batched``) may not be on disk.
    package func put(
        _ value: RawSpan, under key: RawSpan, _ attributes: CacheAttributes = CacheAttributes()
    ) throws(HeadroomError) {
        try check(value, key, attributes)
        try orExplain(value.byteCount) { () throws(Errno) in
            let time = clock()
            try heedPressure(isOptional: attributes.isOptional, at: time)
            let now = StoreTick(time, since: identity.epoch)
            if value.byteCount <= smallValueLimit {
                try putSmall(value, key, attributes, now, kind: .value)
            } else {
                try putFile(value, key, attributes, now)
            }
        }
    }

    /// Says that there is nothing under a key.
    package func putNothing(
        under key: RawSpan, _ attributes: CacheAttributes
    ) throws(HeadroomError) {
        try check(RawSpan(), key, attributes)
        try orExplain(0) { () throws(Errno) in
            try putSmall(RawSpan(), key, attributes, tick(), kind: .negative)
        }
    }

    /// Does something that needs room on the volume; evicts and tries once more where there is none.
    func orExplain(
        _ bytes: Int, _ body: () throws(Errno) -> Void
    ) throws(HeadroomError) {
        do throws(Errno) {
            do throws(Errno) {
                try body()
            } catch {
                // Whole segments come free, of which a value needs a part.
                guard error.isVolumeFull, releaseBlocks(Int64(bytes + segmentCapacity)) else {
                    throw error
                }
                try body()
            }
        } catch .storeIsFull {
            throw HeadroomError(
                .storeFull,
                "Could not put \(ByteCount(Int64(bytes))) into the cache store \(path.displayText): "
                    + "it may hold \(options.limit), and all that is in it is pinned or in use. "
                    + "Unpin something, or raise the limit.")
        } catch .volumeIsLow {
            throw HeadroomError(
                .noSpace,
                "Did not put \(ByteCount(Int64(bytes))) into the cache store \(path.displayText): "
                    + "it is optional, and the volume is low on space.")
        } catch .storeWasReplaced {
            throw HeadroomError(
                .io,
                "Could not put \(ByteCount(Int64(bytes))) into the cache store \(path.displayText): "
                    + "its files were removed, and another process has made it anew. Open it again."
            )
        } catch {
            throw HeadroomError("put into the cache store", path, error)
        }
    }

    func check(
        _ value: RawSpan, _ key: RawSpan, _ attributes: CacheAttributes
    ) throws(HeadroomError) {
        guard key.byteCount <= Self.keyLimit else {
            throw HeadroomError(
                .invalid,
                "A key of \(key.byteCount) bytes is too long for a cache store: "
                    + "\(Self.keyLimit) are allowed. Use a hash of it.")
        }
        guard attributes.tags.count <= 255, attributes.tags.allSatisfy({ $0.utf8.count <= 255 })
        else {
            throw HeadroomError(
                .invalid,
                "A value may have 255 tags of 255 bytes each. Use fewer, or shorter ones.")
        }
        let details = EncodedTags.encoded(attributes.tags, attributes.metadata).count
        guard key.byteCount + details <= RecordHeader.overheadLimit else {
            throw HeadroomError(
                .invalid,
                "Metadata and tags of \(details) bytes are too long: with the key they may "
                    + "have \(RecordHeader.overheadLimit) bytes. Put them into the value.")
        }
        if value.byteCount >= valueLimit { throw tooLong(value.byteCount) }
    }

    /// Half of the limit, or what a file's header can say.
    var valueLimit: Int { min(1 << 32 - 1 << 16, Int(options.limit.bytes / 2)) }

    func tooLong(_ count: Int) -> HeadroomError {
        HeadroomError(
            .invalid,
            "A value of \(ByteCount(Int64(count))) is too long for the cache store: it may be less than "
                + "half of the limit (\(options.limit)), and than 4 GiB. Raise the limit, or save it as a file."
        )
    }

    // MARK: - Small values

    func putSmall(
        _ value: RawSpan, _ key: RawSpan, _ attributes: CacheAttributes, _ now: StoreTick,
        kind: RecordHeader.Kind, isLast: Bool = false
    ) throws(Errno) {
        var draft = RecordDraft(key, attributes, at: now, identity)
        draft.header.kind = kind
        draft.setValue(count: value.byteCount, sum: RecordHeader.sum(value))
        let place = try reserve(
            draft.header.recordSize, attributes.purgeClass, for: (draft.hash, now))
        step?(.recordReserved)
        draft.header.sequence = place.sequence
        draft.header.container = UInt64(place.segment)
        let front = draft.encoded(at: UInt64(place.offset))
        var isWritten = false
        do throws(Errno) {
            try unsafe place.file.write(front.span.bytes, value, at: UInt64(place.offset))
            isWritten = true
            if options.durability == .full { try place.file.synchronizeData() }
        } catch {
            // It is whole, and would be found.
            if isWritten { try? retire(at: UInt64(place.offset), in: place.file) }
            state.withLock { $0.finishWriting(in: place.segment) }
            throw error
        }
        step?(.recordWritten)
        let position = StoreEntry.place(segment: place.segment, offset: place.offset)
        do throws(Errno) {
            try enter(draft, draft.entry(at: position, isFile: false))
        } catch .segmentIsGone {
            // Where the log was lost others may have taken the segment for one that nobody writes to.
            guard !isLast else { throw .ioError }
            try putSmall(value, key, attributes, now, kind: kind, isLast: true)
        }
    }

    // MARK: - Entering

    /// What happened to an entry that was to be put into the index.
    private struct Entered {
        var old: StoreEntry?
        /// Had to go for it, because of the count, and are to be marked.
        var victims: [StoreEntry] = []
        /// Of what was evicted under the key before.
        var unmarked: [RecordPlace] = []
        var isFull = false
        /// There is no segment any more in which it stands.
        var isLost = false
        var isDone = false
        var waiting = 0
        /// Puts whose values may not be on disk, where that is wanted in batches.
        var unsynchronized = 0
        var isShared = false
    }

    /// Puts an entry whose bytes are written into the index.
    func enter(_ draft: RecordDraft, _ entry: StoreEntry) throws(Errno) {
        var entered = Entered()
        // Its record is written: whoever opens the store after this finds it.
        let isShared = isShared()
        try lookBeforeEntering(entry)
        var isOvertaken = false
        var isLost = false
        if !isShared {
            isLost = isSegmentGone(entry)
            entered = enterAlone(draft, entry, isLost: isLost)
        }
        while !entered.isDone {
            // Counted together with what all others have, and found by them at any moment: what it replaces
            // is gone for them when the log tells of it, and not before.
            do throws(Errno) {
                try log.withLock { (log) throws(Errno) in
                    try append(
                        to: &log,
                        look: { () throws(Errno) in
                            // What the dead have put counts, too, and is older than what may go here.
                            if options.entryLimit != nil { try lookAtDead() }
                            isOvertaken = isOutOfUse(entry)
                            isLost = isSegmentGone(entry)
                        }
                    ) { state in
                        // The log was lost in this moment.
                        if state.isToLook { return }
                        entered =
                            isOvertaken && !isLost
                            ? finish(entry, &state)
                            : enter(entry, draft.tags, &state, isLost: isLost)
                    }
                }
            } catch {
                guard entered.isDone else {
                    giveUp(entry)
                    throw error
                }
                // As below.
                state.withLock { $0.statistics.logFailures += 1 }
            }
            if !entered.isDone { try lookBeforeEntering(entry) }
        }
        step?(.entered)
        if entered.isLost {
            if isLost { state.withLock { $0.forget(segment: entry.segment) } }
            retire(entry)
            throw .segmentIsGone
        }
        // Before the log says so: what it does not speak of any more is never found by a look at the file.
        for victim in entered.victims { retireReplaced(victim) }
        for record in entered.unmarked { retire(record) }
        let failure = retireReplaced(entered.old)
        step?(.oldRetired)
        defer { step?(.told) }
        guard !entered.isFull else {
            retireReplaced(entry)
            throw .storeIsFull
        }
        // Who has the store open would go on finding what was there before.
        if let failure, !failure.isPassing, state.withLock({ $0.isShared }) { throw failure }
        // Who has come since has found it, and knows of it all the same.
        let isFullBatch = entered.waiting >= Self.batch
        let isDue = entered.unsynchronized >= Self.batch
        guard isFullBatch || isDue || entered.isShared && !isShared else { return }
        do throws(Errno) {
            try flush(synchronizing: isDue)
        } catch {
            // The value is there, and says itself what it is; the log is written to again next time.
            if isDue { throw error }
            state.withLock { $0.statistics.logFailures += 1 }
        }
    }

    /// What goes because of their number is chosen among all there are: of what went an older value might be found.
    /// And what others know under the key has to be known, to be taken out of use: they do not ask the log for what
    /// they find.
    private func lookBeforeEntering(_ entry: StoreEntry) throws(Errno) {
        let (isNeeded, hasTooMany) = state.withLock { state in
            let (count, limit) = (state.index.count, options.entryLimit ?? .max)
            return (state.isToLook || count >= limit && !state.unknown.isEmpty, count > limit)
        }
        if isNeeded {
            do throws(Errno) {
                try finishLooking()
            } catch {
                giveUp(entry)
                throw error
            }
        }
        // Not in the step in which it is entered: one goes for one there.
        if hasTooMany { maintenance.withLock { _ in keepEntryLimit() } }
    }

    /// Whether a record that was just written is out of use: somebody who has opened the store since found
    /// it and told of it, and it was replaced, removed or evicted.
    func isOutOfUse(_ entry: StoreEntry) -> Bool {
        if entry.isFile { return !directory.contains(StoreNames.value(entry.place)) }
        let place = UInt64(entry.offset) + UInt64(RecordHeader.retiredOffset)
        let file = try? writableFile(of: entry.segment)
        // What cannot be asked now is entered, and not found if it should be out of use.
        let mark = try? file?.bytes(RecordHeader.retired.count, at: place)
        return mark?.contains { $0 != 0 } ?? false
    }

    /// Whether somebody has removed the segment of a record that was just written: where the log was lost he may
    /// have taken it for one that nobody writes to.
    private func isSegmentGone(_ entry: StoreEntry) -> Bool {
        !entry.isFile && state.withLock { $0.hasMetLoss }
            && !directory.contains(StoreNames.segment(entry.segment))
    }

    /// Takes a record back that was written and cannot be entered.
    private func giveUp(_ entry: StoreEntry) {
        // Its bytes are others' to take when it is gone.
        retire(entry)
        state.withLock { state in
            if entry.isFile {
                state.making.remove(entry.place)
                state.inFlight -= entry.fileAllocated
                state.unlogged -= entry.fileAllocated
            } else {
                state.finishWriting(in: entry.segment)
            }
        }
    }

    /// Whether another process has the store open, by one look at the log where it had it to itself.
    private func isShared() -> Bool {
        let (isShared, watch) = state.withLock { ($0.isShared, $0.watch) }
        if isShared { return true }
        guard watch?.hasNews != false else { return false }
        do throws(Errno) {
            try catchUp()
        } catch {
            // Asked once more, by who can say what follows from it.
            return true
        }
        return state.withLock { $0.isShared }
    }

    /// Enters what nobody else has to be asked about.
    ///
    /// - Returns: not done, if somebody has come meanwhile.
    private func enterAlone(
        _ draft: RecordDraft, _ entry: StoreEntry, isLost: Bool
    ) -> Entered {
        let sequence = draft.header.sequence
        var earlier: RecordPlace?
        while true {
            var rival: StoreEntry?
            let entered = state.withLock { state in
                // Another thread may have read meanwhile what somebody has put who came.
                if state.isShared { return Entered() }
                rival = state.rival(of: entry, sequence)
                if let rival, rival.recordPlace != earlier { return Entered() }
                rival = nil
                return enter(entry, draft.tags, &state, isLost: isLost)
            }
            guard let rival else { return entered }
            // Of two that are put at once the later stays, as for whoever comes in this moment and finds both.
            if let other = try? self.sequence(of: rival), other > sequence {
                let overtaken: Entered? = state.withLock { state in
                    guard state.index.entry(entry.hash)?.recordPlace == rival.recordPlace,
                        !state.isShared
                    else { return nil }
                    state.noteLeaving(entry)
                    var overtaken = finish(entry, &state)
                    overtaken.victims = [entry]
                    return overtaken
                }
                if let overtaken { return overtaken }
            }
            earlier = rival.recordPlace
        }
    }

    private func enter(
        _ entry: StoreEntry, _ tags: [UInt64], _ state: inout State, isLost: Bool
    ) -> Entered {
        // When it was put; later only by what the writing took.
        let now = entry.created
        var entered = Entered()
        guard !isLost, entry.isFile || state.index.segments.contains(entry.segment) else {
            entered.isLost = true
            finish(entry, &state, &entered)
            return entered
        }
        if let limit = options.entryLimit {
            // One that is replaced makes room for it.
            // mutation: r20b-1
            while state.index.count - (state.index.entry(entry.hash) == nil ? 0 : 1) >= limit {
                var victim = state.evict(at: now, asking: session)
                // Perhaps others hold what they do not need any more.
                if victim == nil, state.forgetForeignLeases(asking: session) {
                    victim = state.evict(at: now, asking: session)
                }
                guard let victim else {
                    entered.isFull = true
                    break
                }
                if state.isRetiring(victim) { entered.victims.append(victim) }
            }
        }
        if !entered.isFull, !state.keepsPinned(entry, within: pinBudget) { entered.isFull = true }
        if entered.isFull {
            state.noteLeaving(entry)
        } else {
            // It may be known already, by the log: another process has found it there.
            entered.old = state.index.insert(entry).flatMap {
                $0.recordPlace == entry.recordPlace ? nil : $0
            }
            entered.unmarked = state.takeUnmarked(entry.hash)
            state.add(entry, tags)
            state.index.forgetTagsIfDue()
            state.statistics.puts += 1
            if let old = entered.old { state.noteLeaving(old) }
            if options.durability == .batched { state.noteUnsynchronized(entry) }
        }
        finish(entry, &state, &entered)
        return entered
    }

    /// A put has come to its end whose entry is gone already.
    private func finish(_ entry: StoreEntry, _ state: inout State) -> Entered {
        var entered = Entered()
        state.statistics.puts += 1
        finish(entry, &state, &entered)
        return entered
    }

    private func finish(_ entry: StoreEntry, _ state: inout State, _ entered: inout Entered) {
        if entry.isFile {
            state.making.remove(entry.place)
            state.inFlight -= entry.fileAllocated
        } else {
            state.finishWriting(in: entry.segment)
        }
        entered.isDone = true
        entered.waiting = state.pending.count
        entered.unsynchronized = state.unsynchronized.puts
        entered.isShared = state.isShared
    }
}

extension StoreCore.State {
    /// Tells of an entry: its tags first, so that no entry is known without them where the rest was cut off.
    mutating func add(_ entry: StoreEntry, _ newTags: [UInt64]) {
        for tag in newTags {
            index.tags.add(entry.hash, to: tag)
            pending.addTag(tag, entry.hash)
        }
        pending.add(entry)
    }

    /// What this process has under the key of an entry, if that may have been put later by another thread.
    fileprivate func rival(of entry: StoreEntry, _ sequence: UInt64) -> StoreEntry? {
        guard sequence < self.sequence, let known = index.entry(entry.hash),
            known.recordPlace != entry.recordPlace
        else { return nil }
        let owner =
            known.isFile ? UInt32(known.place >> 32) : index.segments[known.segment]?.owner
        return owner == session ? known : nil
    }

    /// Others have the store open, and not all is known that they know.
    fileprivate var isToLook: Bool { isShared && !unknown.isEmpty && !isAbandoned }
}
