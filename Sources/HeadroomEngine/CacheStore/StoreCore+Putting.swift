//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
import Synchronization
import SystemPackage

extension StoreCore {
    /// Puts a value under a key, in place of what was there.
    ///
    /// - Throws: `noSpace` if the limit is reached and nothing may go, or the volume is full; `invalid`
    ///   for a key or value that is too long. What was under the key is still there then.
    package func put(
        _ value: RawSpan, under key: RawSpan, _ attributes: CacheAttributes = CacheAttributes()
    ) throws(HeadroomError) {
        try check(value, key, attributes)
        try orExplain(value.byteCount) { () throws(Errno) in
            try heedPressure(isOptional: attributes.isOptional)
            if value.byteCount <= options.smallValueLimit {
                try putSmall(value, key, attributes, kind: .value)
            } else {
                try putFile(value, key, attributes)
            }
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
        } catch {
            throw HeadroomError("put into the cache store", path, error)
        }
    }

    private func check(
        _ value: RawSpan, _ key: RawSpan, _ attributes: CacheAttributes
    ) throws(HeadroomError) {
        guard key.byteCount <= Self.keyLimit else {
            throw HeadroomError(
                .invalid,
                "A key of \(key.byteCount) bytes is too long for a cache store: "
                    + "\(Self.keyLimit) are allowed. Use a hash of it.")
        }
        guard key.byteCount + attributes.metadata.count <= RecordHeader.overheadLimit else {
            throw HeadroomError(
                .invalid,
                "Metadata of \(attributes.metadata.count) bytes are too long: with the key they may "
                    + "have \(RecordHeader.overheadLimit) bytes. Put them into the value.")
        }
        guard value.byteCount < min(1 << 32 - 1 << 16, Int(options.limit.bytes / 2)) else {
            throw HeadroomError(
                .invalid,
                "A value of \(ByteCount(Int64(value.byteCount))) is more than half of what the cache "
                    + "store may hold (\(options.limit)). Raise the limit, or save it as a file.")
        }
    }

    // MARK: - Small values

    func putSmall(
        _ value: RawSpan, _ key: RawSpan, _ attributes: CacheAttributes, kind: RecordHeader.Kind
    ) throws(Errno) {
        let overhead = key.byteCount + attributes.metadata.count
        let size = StoreEntry.recordSize(length: value.byteCount, overhead: overhead)
        let place = try reserve(size, attributes.purgeClass)
        let (now, expiry) = times(attributes)
        var header = RecordHeader(
            keyCount: key.byteCount, metadataCount: attributes.metadata.count,
            purgeClass: attributes.purgeClass, importance: attributes.importance,
            cost: attributes.cost.microseconds, value: value, created: now, expiry: expiry,
            sequence: place.sequence, container: UInt64(place.segment), epoch: identity.epoch)
        header.kind = kind
        let front = header.encoded(key, attributes.metadata, at: UInt64(place.offset))
        do throws(Errno) {
            try unsafe place.file.write(front.span.bytes, value, at: UInt64(place.offset))
            if options.durability == .full { try place.file.synchronizeData() }
        } catch {
            state.withLock { $0.finishWriting(in: place.segment) }
            throw error
        }
        var entry = StoreEntry(
            hash: identity.hash(key),
            place: StoreEntry.place(segment: place.segment, offset: place.offset),
            length: UInt32(value.byteCount), now: now, expiry: expiry,
            purgeClass: attributes.purgeClass, importance: attributes.importance,
            overhead: UInt8((overhead + 7) / 8), flags: kind == .negative ? .isNegative : [])
        entry.cost = attributes.cost
        try enter(entry)
    }

    private func times(_ attributes: CacheAttributes) -> (now: StoreTick, expiry: StoreTick) {
        let now = tick()
        return (now, attributes.lifetime.map { now.advanced(by: $0) } ?? .never)
    }

    // MARK: - Entering

    /// What happened to an entry that was to be put into the index.
    private struct Entered {
        var old: StoreEntry?
        /// Had to go for it, because of the count.
        var victims: [StoreEntry] = []
        var isFull = false
        var waiting = 0
        var watch: LogWatch?
        var isShared = false
    }

    /// Puts an entry whose bytes are written into the index.
    private func enter(_ entry: StoreEntry) throws(Errno) {
        let now = tick()
        var entered = Entered()
        if options.entryLimit != nil, state.withLock({ $0.isShared }) {
            // Counted together with what all others have.
            try log.withLock { (log) throws(Errno) in
                try append(to: &log) { entered = enter(entry, now, &$0) }
            }
        } else {
            entered = state.withLock { enter(entry, now, &$0) }
        }
        defer {
            for victim in entered.victims { retire(victim) }
            retireReplaced(entered.old)
        }
        guard !entered.isFull else {
            retire(entry)
            throw .storeIsFull
        }
        // Another process that opens the store reads what is written by now; the next is told it.
        let isFullBatch = entered.waiting >= Self.batch
        guard isFullBatch || entered.isShared || entered.watch?.hasNews != false else { return }
        let isDue = options.durability == .batched && isFullBatch
        do throws(Errno) {
            try flush(synchronizing: isDue)
        } catch {
            // The value is there, and says itself what it is; the log is written to again next time.
            if isDue { throw error }
            state.withLock { $0.statistics.logFailures += 1 }
        }
    }

    private func enter(
        _ entry: StoreEntry, _ now: StoreTick, _ state: inout State
    ) -> Entered {
        var entered = Entered()
        if let limit = options.entryLimit {
            while state.index.count >= limit, state.index.entry(entry.hash) == nil {
                guard let victim = state.evict(at: now, asking: session) else {
                    entered.isFull = true
                    break
                }
                entered.victims.append(victim)
            }
        }
        if !entered.isFull {
            entered.old = state.index.insert(entry)
            state.pending.add(entry)
            state.statistics.puts += 1
            // Counts until it is gone.
            if let old = entered.old { state.leaving += old.fileAllocated }
            if options.durability == .batched { state.noteUnsynchronized(entry) }
        }
        if entry.isFile {
            state.inFlight -= entry.fileAllocated
        } else {
            state.finishWriting(in: entry.segment)
        }
        entered.waiting = state.pending.count
        entered.watch = state.watch
        entered.isShared = state.isShared
        return entered
    }

    // MARK: - Large values

    private func putFile(
        _ value: RawSpan, _ key: RawSpan, _ attributes: CacheAttributes
    ) throws(Errno) {
        let overhead = key.byteCount + attributes.metadata.count
        let (now, expiry) = times(attributes)
        var entry = StoreEntry(
            hash: identity.hash(key), place: 0, length: UInt32(value.byteCount), now: now,
            expiry: expiry, purgeClass: attributes.purgeClass,
            importance: attributes.importance, overhead: UInt8((overhead + 7) / 8),
            flags: .isFile)
        entry.cost = attributes.cost
        try hold(entry.fileAllocated)
        let (number, sequence) = takeFileNumber()
        entry.place = number
        let header = RecordHeader(
            keyCount: key.byteCount, metadataCount: attributes.metadata.count,
            purgeClass: attributes.purgeClass, importance: attributes.importance,
            cost: attributes.cost.microseconds, value: value, created: now, expiry: expiry,
            sequence: sequence, container: number, epoch: identity.epoch)
        let back = header.encoded(key, attributes.metadata, at: UInt64(value.byteCount))
        do throws(Errno) {
            try write(value, back, to: Self.fileName(number))
        } catch {
            state.withLock { state in
                state.inFlight -= entry.fileAllocated
                state.unlogged -= entry.fileAllocated
            }
            throw error
        }
        try enter(entry)
    }

    private func write(_ value: RawSpan, _ back: [UInt8], to name: String) throws(Errno) {
        let file = try SharedFile.make(name, in: directory)
        do throws(Errno) {
            try unsafe file.write(value, back.span.bytes, at: 0)
            if options.durability == .full {
                try file.synchronizeData()
                try directory.synchronize()
            }
        } catch {
            try? directory.remove(name)
            throw error
        }
    }

    private func takeFileNumber() -> (number: UInt64, sequence: UInt64) {
        let now = UInt64(clamping: clock().nanoseconds)
        return state.withLock { state in
            state.lastFile += 1
            return (state.lastFile, state.nextSequence(now))
        }
    }

    /// Makes sure that a file of so many bytes is within the limit, and counts it as being written.
    ///
    /// The log knows of an allowance that a process has for files, not of each file before it is there.
    private func hold(_ bytes: Int64) throws(Errno) {
        if takeHeld(bytes) { return }
        try maintenance.withLock { (_) throws(Errno) in
            // What is in the log does not count any more.
            try flush()
            if takeHeld(bytes) { return }
            let (taken, held) = state.withLock { state in
                (state.unlogged, state.index.sessions.held(by: state.session))
            }
            let allowance = taken + bytes + fileAllowance
            try allocate(max(0, allowance - held)) { state in
                state.hold(allowance)
                state.inFlight += bytes
                state.unlogged += bytes
            }
        }
    }

    private func takeHeld(_ bytes: Int64) -> Bool {
        state.withLock { state in
            guard state.unlogged + bytes <= state.index.sessions.held(by: state.session) else {
                return false
            }
            state.inFlight += bytes
            state.unlogged += bytes
            return true
        }
    }

    /// What a process may write to files before it has to look into the log.
    private var fileAllowance: Int64 {
        max(options.limit.bytes / 64, min(256 << 10, options.limit.bytes / 16))
    }

    // MARK: - Removing

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
}

extension RecordHeader {
    /// Header, key and metadata as they stand on disk, padded to a multiple of eight.
    func encoded(_ key: RawSpan, _ metadata: [UInt8], at offset: UInt64) -> [UInt8] {
        var tail = unsafe key.withUnsafeBytes { unsafe Array($0) }
        tail += metadata
        var bytes = unsafe encoded(tail.span.bytes, at: offset) + tail
        while bytes.count & 7 != 0 { bytes.append(0) }
        return bytes
    }
}

extension Duration {
    /// Clamped to an hour and a bit.
    fileprivate var microseconds: UInt32 {
        UInt32(clamping: Int64(min(max(0, self / .microseconds(1)), Double(UInt32.max))))
    }
}
