//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
import HeadroomPlatform
import Synchronization
import SystemPackage

/// An entry that stays as long as this object is there: pinned, or read from.
package final class StoreLease: Sendable {
    private let core: StoreCore
    private let hash: UInt64
    private let isPin: Bool
    /// The number of the file that is read from, if the value has one of its own.
    private let file: UInt64?

    fileprivate init(_ core: StoreCore, _ hash: UInt64, isPin: Bool, file: UInt64?) {
        self.core = core
        self.hash = hash
        self.isPin = isPin
        self.file = file
    }

    deinit { core.release(hash, isPin: isPin, file: file) }
}

/// What this process keeps from being evicted.
struct Leases {
    struct Held {
        var count = 0
        /// How many of them are pins.
        var pins = 0
        var pinnedBytes: Int64 = 0
    }

    /// A file that is read from.
    struct File {
        var count = 0
        /// What it occupies, if its entry is gone already.
        var leftBytes: Int64 = 0
    }

    /// By the hash of the key.
    var held: [UInt64: Held] = [:]
    var files: [UInt64: File] = [:]
    var pinnedBytes: Int64 = 0
    /// Entries that another process was found to hold, when it was asked last.
    var elsewhere: Set<UInt64> = []
}

extension StoreCore {
    /// Keeps an entry from being evicted, by this process and by others.
    ///
    /// - Returns: nil if there is no such entry.
    /// - Throws: `storeFull` if more would be pinned than the options allow.
    package func pin(_ key: RawSpan) throws(HeadroomError) -> StoreLease? {
        let hash = identity.hash(key)
        let budget = pinBudget
        let outcome: PinOutcome
        do throws(Errno) {
            outcome = try pin(hash, within: budget)
        } catch {
            throw HeadroomError("pin in the cache store", path, error)
        }
        switch outcome {
        case .absent: return nil
        case .pinned: return StoreLease(self, hash, isPin: true, file: nil)
        case .tooMuch(let bytes):
            throw HeadroomError(
                .storeFull,
                "Could not pin \(ByteCount(bytes)) in the cache store \(path.displayText): "
                    + "\(ByteCount(budget)) may be pinned. Unpin something, or raise pinnedShare.")
        }
    }

    /// What this process may pin, in bytes.
    var pinBudget: Int64 {
        // What is no share is none of it.
        let share = options.pinnedShare > 0 ? min(options.pinnedShare, 1) : 0
        return Int64(Double(min(options.limit.bytes, 1 << 60)) * share)
    }

    private enum PinOutcome {
        case absent
        case pinned
        case tooMuch(Int64)
    }

    private func pin(_ hash: UInt64, within budget: Int64) throws(Errno) -> PinOutcome {
        try catchUp()
        let now = tick()
        return try state.withLock { (state) throws(Errno) -> PinOutcome in
            // Before it is looked up: from then on no other process evicts it.
            try session.lock(hash)
            defer { if state.leases.held[hash] == nil { session.unlock(hash) } }
            guard let entry = state.index.entry(hash), entry.expiry > now,
                entry.isFile || entry.segment != state.going
            else { return .absent }
            var held = state.leases.held[hash] ?? Leases.Held()
            let bytes = held.pins == 0 ? Int64(entry.recordSize) : 0
            guard state.leases.pinnedBytes + bytes <= budget else { return .tooMuch(bytes) }
            state.leases.pinnedBytes += bytes
            held.pinnedBytes += bytes
            held.count += 1
            held.pins += 1
            state.leases.held[hash] = held
            // mutation: r20f-1
            _ = state.index.setPinned(true, hash)
            return .pinned
        }
    }

    /// Keeps an entry whose file is being read.
    func lease(_ entry: StoreEntry) -> StoreLease? {
        let isHeld = state.withLock { state in
            guard (try? session.lock(entry.hash)) != nil else { return false }
            state.leases.held[entry.hash, default: Leases.Held()].count += 1
            if entry.isFile { state.leases.files[entry.place, default: Leases.File()].count += 1 }
            _ = state.index.setPinned(true, entry.hash)
            return true
        }
        guard isHeld else { return nil }
        return StoreLease(self, entry.hash, isPin: false, file: entry.isFile ? entry.place : nil)
    }

    fileprivate func release(_ hash: UInt64, isPin: Bool, file: UInt64?) {
        state.withLock { state in
            if let file, var held = state.leases.files[file] {
                held.count -= 1
                if held.count == 0 { state.leaving -= held.leftBytes }
                state.leases.files[file] = held.count == 0 ? nil : held
            }
            guard var held = state.leases.held[hash] else { return }
            held.count -= 1
            if isPin { held.pins -= 1 }
            if held.pins == 0 {
                state.leases.pinnedBytes -= held.pinnedBytes
                held.pinnedBytes = 0
            }
            state.leases.held[hash] = held.count == 0 ? nil : held
            guard held.count == 0 else { return }
            _ = state.index.setPinned(false, hash)
            // Here, lest it take away the lock of a lease that another thread is just given.
            session.unlock(hash)
        }
    }

    /// Looks again at what other processes held.
    func forgetForeignLeases() {
        let hashes = state.withLock { $0.leases.elsewhere }
        for hash in hashes where !session.isLockedElsewhere(hash) {
            state.withLock { $0.forgetForeignLease(hash) }
        }
    }
}

extension StoreCore.State {
    /// Counts what is put under a key that is pinned here.
    ///
    /// - Returns: false if more would be pinned than may be.
    mutating func keepsPinned(_ entry: StoreEntry, within budget: Int64) -> Bool {
        guard let held = leases.held[entry.hash], held.pins > 0 else { return true }
        let more = Int64(entry.recordSize) - held.pinnedBytes
        guard more <= 0 || leases.pinnedBytes + more <= budget else { return false }
        leases.held[entry.hash]?.pinnedBytes += more
        leases.pinnedBytes += more
        return true
    }

    fileprivate mutating func forgetForeignLease(_ hash: UInt64) {
        leases.elsewhere.remove(hash)
        if leases.held[hash] == nil { _ = index.setPinned(false, hash) }
    }

    /// Looks again at what other processes held.
    ///
    /// - Returns: whether any of it may go.
    mutating func forgetForeignLeases(asking session: StoreSession) -> Bool {
        let free = leases.elsewhere.filter { !session.isLockedElsewhere($0) }
        for hash in free { forgetForeignLease(hash) }
        return !free.isEmpty
    }
}
