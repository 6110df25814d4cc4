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
        do throws(Errno) {
            if value.byteCount <= options.smallValueLimit {
                try putSmall(value, key, attributes, kind: .value)
            } else {
                try putFile(value, key, attributes)
            }
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
        try makeRoomForEntry(key)
        let place = try reserve(size, attributes.purgeClass)
        let now = tick()
        let expiry = attributes.lifetime.map { now.advanced(by: $0) } ?? .never
        var header = RecordHeader(
            keyCount: key.byteCount, metadataCount: attributes.metadata.count,
            purgeClass: attributes.purgeClass, importance: attributes.importance,
            cost: attributes.cost.microseconds, value: value, created: now, expiry: expiry,
            sequence: place.sequence, container: UInt64(place.segment))
        header.kind = kind
        let front = header.encoded(key, attributes.metadata, at: UInt64(place.offset))
        do throws(Errno) {
            try unsafe place.file.write(front.span.bytes, value, at: UInt64(place.offset))
            if options.durability == .full { try place.file.synchronizeData() }
        } catch {
            state.withLock { $0.index.finishWriting(in: place.segment) }
            throw error
        }
        var entry = StoreEntry(
            hash: identity.hash(key),
            place: StoreEntry.place(segment: place.segment, offset: place.offset),
            length: UInt32(value.byteCount), now: now, expiry: expiry,
            purgeClass: attributes.purgeClass, importance: attributes.importance,
            overhead: UInt8((overhead + 7) / 8), flags: kind == .negative ? .isNegative : [])
        entry.cost = attributes.cost
        let (waiting, old) = state.withLock { state in
            state.index.finishWriting(in: place.segment)
            if kind == .removed {
                state.pending.addRemoval(entry.hash)
                return (state.pending.count, state.index.remove(entry.hash))
            }
            let old = state.index.insert(entry)
            state.pending.add(entry)
            state.statistics.puts += 1
            return (state.pending.count, old)
        }
        discard(old)
        if waiting >= Self.batch { try flush(synchronizing: options.durability == .batched) }
    }

    // MARK: - Large values

    private func putFile(
        _ value: RawSpan, _ key: RawSpan, _ attributes: CacheAttributes
    ) throws(Errno) {
        let overhead = key.byteCount + attributes.metadata.count
        let now = tick()
        let expiry = attributes.lifetime.map { now.advanced(by: $0) } ?? .never
        let (number, sequence) = state.withLock { state in
            state.sequence += 1
            return (state.index.takeFileNumber(), state.sequence)
        }
        var entry = StoreEntry(
            hash: identity.hash(key), place: number, length: UInt32(value.byteCount), now: now,
            expiry: expiry, purgeClass: attributes.purgeClass,
            importance: attributes.importance, overhead: UInt8((overhead + 7) / 8),
            flags: .isFile)
        entry.cost = attributes.cost
        try makeRoomForEntry(key)
        let bytes = entry.fileAllocated
        try maintenance.withLock { (_) throws(Errno) in
            try makeRoom(bytes)
            state.withLock { $0.index.hold(bytes) }
        }
        defer { state.withLock { $0.index.hold(-bytes) } }
        let header = RecordHeader(
            keyCount: key.byteCount, metadataCount: attributes.metadata.count,
            purgeClass: attributes.purgeClass, importance: attributes.importance,
            cost: attributes.cost.microseconds, value: value, created: now, expiry: expiry,
            sequence: sequence, container: number)
        let back = header.encoded(key, attributes.metadata, at: UInt64(value.byteCount))
        let name = Self.fileName(number)
        do throws(Errno) {
            let file = try SharedFile.make(name, in: directory)
            try unsafe file.write(value, back.span.bytes, at: 0)
            if options.durability == .full {
                try file.synchronizeData()
                try directory.synchronize()
            }
        } catch {
            try? directory.remove(name)
            throw error
        }
        let (waiting, old) = state.withLock { state in
            let old = state.index.insert(entry)
            state.pending.add(entry)
            state.statistics.puts += 1
            return (state.pending.count, old)
        }
        discard(old)
        if waiting >= Self.batch { try flush(synchronizing: options.durability == .batched) }
    }

    /// Removes the file of an entry that is not in the index any more.
    func discard(_ old: StoreEntry?) {
        guard let old, old.isFile else { return }
        // Gone is gone; what cannot be removed is found by the next clean-up.
        try? directory.remove(Self.fileName(old.place))
    }

    // MARK: - Removing

    /// Removes what is under a key.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    package func remove(_ key: RawSpan) throws(HeadroomError) -> Bool {
        let hash = identity.hash(key)
        guard let old = state.withLock({ $0.index.entry(hash) }) else { return false }
        do throws(Errno) {
            // A word in the files as well: without the index they would bring it back.
            try putSmall(
                RawSpan(), key, CacheAttributes(as: old.purgeClass), kind: .removed)
        } catch {
            throw HeadroomError("remove from the cache store", path, error)
        }
        state.withLock { $0.statistics.removals += 1 }
        return true
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
