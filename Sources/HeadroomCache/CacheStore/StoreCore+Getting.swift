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
    /// What is under a key.
    ///
    /// The key and the checksum of what was read are compared: what is not as it was put is dropped,
    /// and is not there.
    package func get(_ key: RawSpan) throws(HeadroomError) -> [UInt8]? {
        var result: [UInt8]?
        unsafe try read(key) { record, fill in
            var isGood = false
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: record.size) { buffer, count in
                // There may be more of it than was asked for.
                let memory = unsafe UnsafeMutableRawBufferPointer(
                    start: buffer.baseAddress, count: record.size)
                isGood = unsafe fill(memory)
                guard isGood else { return }
                let value = unsafe UnsafeRawBufferPointer(rebasing: memory[record.value])
                // They may overlap.
                if record.value.lowerBound > 0 { unsafe memory.copyMemory(from: value) }
                count = value.count
            }
            result = isGood ? bytes : nil
            return isGood
        }
        return result
    }

    /// Whether there is something under a key, by the index; nothing is read.
    package func contains(_ key: RawSpan) -> Bool {
        let hash = identity.hash(key)
        let now = tick()
        return state.withLock { state in
            guard let entry = state.index.entry(hash) else { return false }
            return entry.expiry > now && !entry.flags.contains(.isNegative)
                && !state.isAwaited(entry)
        }
    }

    /// Reads the value of a key into memory that the caller provides.
    ///
    /// - Parameter receive: is given what is read, and a function that fills so much memory with it and says whether it
    ///   is good; returns what that has said.
    /// - Returns: whether there was a good value.
    @discardableResult
    package func read(
        _ key: RawSpan,
        _ receive: (_ record: RecordExtent, _ fill: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool
    ) throws(HeadroomError) -> Bool {
        let hash = identity.hash(key)
        let now = tick()
        var failed: StoreEntry?
        // Moved, replaced or evicted between looking it up and reading it: looked up again.
        for _ in 0..<8 {
            let (found, file, watch, tellsUses) = state.withLock { state in
                let entry = state.use(hash, at: now)
                let file = entry.flatMap { $0.isFile ? nil : state.files[$0.segment] }
                return (
                    entry, file, entry == nil || failed != nil ? state.watch : nil,
                    state.pending.uses >= Self.useBatch
                )
            }
            if found == nil || found?.place == failed?.place {
                // Perhaps another process knows better.
                var isOther = false
                if watch?.hasNews == true { isOther = try caughtUp() }
                if !isOther { isOther = hasChanged(found, hash) }
                if !isOther { isOther = try isReplaced(found, hash) }
                if isOther {
                    if found != nil { state.withLock { $0.statistics.hits -= 1 } }
                    continue
                }
                if let found { drop(found) }
                state.withLock { state in
                    if found != nil { state.statistics.hits -= 1 }
                    state.statistics.misses += 1
                }
                return false
            }
            guard let entry = found else { return false }
            if entry.flags.contains(.isNegative) {
                // Another process may have put something in its place.
                guard state.withLock({ $0.watch })?.hasNews == true, try caughtUp() else {
                    return false
                }
                state.withLock { $0.statistics.hits -= 1 }
                continue
            }
            do throws(Errno) {
                let file =
                    if let file {
                        file
                    } else if entry.isFile {
                        try openToGet(entry.place)
                    } else {
                        try openSegment(entry.segment)
                    }
                var failure: Errno?
                let isGood = unsafe receive(entry.extent) { buffer in
                    let loaded = unsafe loaded(entry, key, from: file, buffer)
                    failure = loaded.failure
                    return loaded.isGood
                }
                if isGood {
                    // So much of what was used is lost at most with the process. Of no use to the
                    // caller; said with the next put otherwise.
                    if tellsUses { try? flush() }
                    return true
                }
                if let failure { throw failure }
            } catch {
                if !error.isNoSuchFile {
                    throw HeadroomError("read from the cache store", path, error)
                }
            }
            failed = entry
            state.withLock { $0.statistics.hits -= 1 }
        }
        return false
    }

    /// Whether another thread has read the news.
    private func hasChanged(_ found: StoreEntry?, _ hash: UInt64) -> Bool {
        let now = tick()
        let known = state.withLock { $0.index.entry(hash) }
        // What has expired is not found, and still known.
        if found == nil, let known, known.expiry <= now { return false }
        return known?.place != found?.place
    }

    /// Whether another process was just replacing it.
    func isReplaced(_ found: StoreEntry?, _ hash: UInt64) throws(HeadroomError) -> Bool {
        guard found != nil, state.withLock({ $0.isShared }) else { return false }
        do throws(Errno) {
            // Whoever does has the lock of the log, or was killed in between; of a process that ends, the
            // lock of the log may go before the one that says that it lives, and long before where
            // many others want the processor.
            for milliseconds: UInt32 in [0, 1, 4, 16, 64, 256, 1000] {
                Pause.milliseconds(milliseconds)
                try flush()
                if hasChanged(found, hash) { return true }
                try takeOverFromDead()
                if hasChanged(found, hash) { return true }
                if let found, try isDamaged(found) || hasAwaited(found) { return false }
            }
            // Once for all that is said to be in a segment whose file is gone.
            if let found, !found.isFile { try forget(ifGone: found.segment) }
        } catch {
            throw HeadroomError("read the log of the cache store", path, error)
        }
        return false
    }

    /// Whether a get has waited for what somebody would say of a record.
    private func hasAwaited(_ entry: StoreEntry) -> Bool {
        state.withLock { $0.isAwaited(entry) }
    }

    /// Whether a record that could not be used is there and not out of use: nobody is about to say anything of it.
    private func isDamaged(_ entry: StoreEntry) throws(Errno) -> Bool {
        if entry.isFile { return directory.contains(StoreNames.value(entry.place)) }
        guard directory.contains(StoreNames.segment(entry.segment)) else { return false }
        return try header(of: entry).map { !$0.isRetired } ?? true
    }

    private func forget(ifGone number: UInt32) throws(Errno) {
        try maintenance.withLock { (_) throws(Errno) in
            try removeSegments {
                let isThere = directory.contains(StoreNames.segment(number))
                return !isThere && state.withLock { $0.index.segments.contains(number) }
                    ? [number] : []
            }
        }
    }

    func caughtUp() throws(HeadroomError) -> Bool {
        do throws(Errno) {
            return try catchUp()
        } catch {
            throw HeadroomError("read the log of the cache store", path, error)
        }
    }

    private func loaded(
        _ entry: StoreEntry, _ key: RawSpan, from file: SharedFile,
        _ memory: UnsafeMutableRawBufferPointer
    ) -> (isGood: Bool, failure: Errno?) {
        do throws(Errno) {
            return (try unsafe load(entry, key, from: file, memory), nil)
        } catch {
            return (false, error)
        }
    }

    /// Reads a value and makes sure that it is the one of the key.
    ///
    /// In one piece with what stands beside it: of 4 KiB two take the kernel a fifth longer.
    private func load(
        _ entry: StoreEntry, _ key: RawSpan, from file: SharedFile,
        _ memory: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Bool {
        let extent = entry.extent
        precondition(memory.count == extent.size, "memory that does not fit the entry")
        guard try unsafe file.fill(memory, at: extent.offset) == extent.size else { return false }
        let bytes = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(memory))
        guard let header = RecordHeader(of: entry, in: bytes.extracting(extent.front), under: key)
        else { return false }
        // mutation: r20e-1
        return RecordHeader.sum(bytes.extracting(extent.value)) == header.valueSum
    }

    /// Opens the file of an entry for reading.
    func open(_ entry: StoreEntry) throws(Errno) -> SharedFile {
        if entry.isFile {
            return try openFile(StoreNames.value(entry.place))
        }
        return try openSegment(entry.segment)
    }

    /// Forgets an entry that is not what the index says, unless it is another by now.
    func drop(_ entry: StoreEntry) {
        let isMarked = isMarkedByOthers(entry)
        let dropped = state.withLock { state -> StoreEntry? in
            guard let current = state.index.entry(entry.hash), current.place == entry.place,
                current.isFile == entry.isFile
            else { return nil }
            if isMarked, state.mayBeToldOf(current) {
                // Who has marked it may have moved it, and will say where to: what is under the key has to stay known.
                if state.awaited.count >= Self.awaitedLimit { state.awaited = [:] }
                let last = state.awaited[current.recordPlace] ?? state.index.sessions.last
                state.awaited[current.recordPlace] = last
                return nil
            }
            state.awaited[current.recordPlace] = nil
            // What has been given up with its segment is not.
            if current.isFile || state.going != current.segment { state.statistics.damaged += 1 }
            state.pending.addRemoval(current)
            // A record is left as it is: perhaps it is the index that was wrong.
            if current.isFile { state.noteLeaving(current) }
            return state.index.remove(entry.hash)
        }
        if let dropped, dropped.isFile { retireReplaced(dropped) }
    }
}

extension StoreCore {
    /// Of more than these some are waited for once more.
    private static var awaitedLimit: Int { 4096 }

    private func isMarkedByOthers(_ entry: StoreEntry) -> Bool {
        guard !entry.isFile, state.withLock({ $0.isShared }) else { return false }
        return ((try? header(of: entry)) ?? nil)?.isRetired == true
    }
}

extension StoreCore.State {
    /// Whether a get has waited for what somebody would say of a record, who may still say it.
    fileprivate func isAwaited(_ entry: StoreEntry) -> Bool {
        !awaited.isEmpty && awaited[entry.recordPlace] != nil && mayBeToldOf(entry)
    }

    /// Whether one of those who may have marked a record is still there.
    fileprivate func mayBeToldOf(_ entry: StoreEntry) -> Bool {
        let last = awaited[entry.recordPlace] ?? .max
        return index.sessions.accounts.keys.contains { $0 != session && $0 <= last }
    }
}

extension RawSpan {
    func isEqual(to other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        for offset in 0..<byteCount {
            // In bounds: both have as many bytes.
            let byte = unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
            let theirs = unsafe other.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: UInt8.self)
            if byte != theirs { return false }
        }
        return true
    }
}

extension StoreCore.State {
    /// The entry of a hash, which is then the one used last.
    @inline(__always)
    mutating func use(_ hash: UInt64, at now: StoreTick) -> StoreEntry? {
        guard let entry = index.use(hash, at: now) else { return nil }
        statistics.hits += 1
        // Told to the log once in a while, not each time.
        if now.rawValue &- entry.lastUse.rawValue > StoreCore.useResolution {
            pending.addUse(hash, at: now)
        }
        return entry
    }
}
