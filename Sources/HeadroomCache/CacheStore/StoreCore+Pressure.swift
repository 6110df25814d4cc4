//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
import Synchronization
import SystemPackage

extension Errno {
    /// The store's own limit is reached and nothing may go. No number of the system's.
    static let storeIsFull = Errno(rawValue: 1 << 20)
    /// The volume's level says that nothing optional is to be put. No number of the system's.
    static let volumeIsLow = Errno(rawValue: 1 << 20 | 1)
    /// The segment that a record was written to has been removed. No number of the system's.
    static let segmentIsGone = Errno(rawValue: 1 << 20 | 2)
    /// The store's files were removed, and another made in their place.
    static let storeWasReplaced = Errno.staleNFSFileHandle

    /// It says nothing of the file: there are too few descriptors, or there is too little memory.
    var isPassing: Bool {
        [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .resourceTemporarilyUnavailable]
            .contains(self)
    }

    /// The volume, or a quota on it, is full.
    var isVolumeFull: Bool { self == .noSpace || self == .diskQuotaExceeded }
}

extension StoreCore {
    /// What is known of the volume's level, and since when.
    struct VolumeLevel {
        var level = PressureLevel.normal
        var next = Timestamp(nanoseconds: 0)
    }

    /// Asks the volume now and then, and gives back what it lacks.
    ///
    /// - Throws: ``Errno/volumeIsLow`` for what is optional, if the level is not normal.
    func heedPressure(isOptional: Bool, at now: Timestamp) throws(Errno) {
        guard options.heedsPressure else { return }
        let (isDue, known) = state.withLock { state in
            // Further ahead than it is ever set: the clock was set back since.
            let isDue =
                state.volume.next <= now || state.volume.next > now.advanced(by: .seconds(60))
            if isDue { state.volume.next = now.advanced(by: .seconds(2)) }
            return (isDue, state.volume.level)
        }
        var level = known
        if isDue, let figures = volumeFigures(directory) {
            level = relieve(figures)
            let pause: Duration =
                switch level {
                case .normal: .seconds(30)
                case .warning: .seconds(10)
                case .critical: .seconds(2)
                }
            state.withLock { $0.volume = VolumeLevel(level: level, next: now.advanced(by: pause)) }
        }
        if isOptional, level != .normal { throw .volumeIsLow }
    }

    /// Gives back what a volume lacks to be normal; last-resort entries only for what it lacks not to be
    /// critical.
    ///
    /// - Returns: the level before.
    @discardableResult
    package func relieve(_ figures: VolumeFigures) -> PressureLevel {
        let thresholds = PressureThresholds.standard
        let (available, total) = (figures.available, figures.total)
        let level = thresholds.level(available: available, total: total)
        guard level != .normal else { return level }
        let missing = thresholds.normal(of: total).bytes - available.bytes
        // mutation: r20g-1
        let freed = shrink(by: missing, through: .cache)
        let critical = thresholds.critical.bytes(of: total).bytes
        // mutation: r20g-2
        if level == .critical, available.bytes + freed < critical {
            shrink(by: critical - available.bytes - freed, through: .lastResort)
        }
        return level
    }

    /// Gives bytes back to the volume, in the order in which entries go.
    ///
    /// - Returns: the bytes; fewer if nothing more may go.
    @discardableResult
    package func shrink(
        by bytes: Int64, through purgeClass: PurgeableClass = .lastResort
    ) -> Int64 {
        guard bytes > 0 else { return 0 }
        // More than there can be is all.
        let bytes = min(bytes, 1 << 60)
        if state.withLock({ $0.unknown.isEmpty }) {
            let demand = StoreDemand(bytes: bytes, classes: .temporary...purgeClass)
            return giveUp(demand) { false }.bytes
        }
        // What is there may have to be known before any of it can go.
        return maintenance.withLock { _ in
            sealOwnSegments()
            try? flush()
            let before = state.withLock { $0.occupied }
            // What cannot be moved or removed stays; the caller sees what came of it.
            try? makeRoom(
                0, limit: before - bytes + Int64(segmentCapacity), through: purgeClass)
            let after = state.withLock { $0.occupied }
            try? flush()
            return before - after
        }
    }

    /// Gives blocks back after the volume was found to be full, by whole files: moving records together
    /// would need room first.
    ///
    /// - Returns: whether any came of it.
    func releaseBlocks(_ bytes: Int64) -> Bool {
        maintenance.withLock { _ in
            sealOwnSegments()
            // Reading needs no room: whether others have the store open, and what they hold.
            _ = try? catchUp()
            _ = try? takeOverFromDead()
            forgetForeignLeases()
            var freed = (try? removeDeadSegments()) ?? 0
            let size = Int64(segmentCapacity)
            while freed < bytes {
                let before = state.withLock { $0.index.allocated }
                if let segment = state.withLock({ $0.index.cheapestSegment }) {
                    guard evictAll(of: segment) else { continue }
                } else if evict(max(bytes - freed, size)) == 0 {
                    break
                }
                _ = try? removeDeadSegments()
                let gained = before - state.withLock { $0.index.allocated }
                if gained <= 0 { break }
                freed += gained
            }
            return freed > 0
        }
    }

    /// Takes all that is in a segment out of the index.
    ///
    /// - Returns: false if another process holds something in it: then all of it stays, and counts as pinned.
    func evictAll(of segment: UInt32) -> Bool {
        let victims = state.withLock { state -> [StoreEntry]? in
            // By another thread in this moment.
            if (state.index.segments[segment]?.pinnedCount ?? 0) > 0 { return nil }
            let hashes = state.index.entries(of: segment)
            let held = state.isShared ? hashes.filter(session.isLockedElsewhere) : []
            guard held.isEmpty else {
                for hash in held { state.keepForOthers(hash) }
                return nil
            }
            return hashes.compactMap { state.take(victim: $0) }
        }
        guard let victims else { return false }
        for victim in victims { retire(victim) }
        return true
    }
}

extension CacheIndex {
    /// The closed segment whose entries are worth least by class and number, without any that is pinned.
    var cheapestSegment: UInt32? {
        var pinned: Set<UInt32> = []
        if pinnedCount > 0 {
            for place in 0..<table.placeCount
            where table[place].isLive && table[place].flags.contains(.isPinned)
                && !table[place].isFile
            {
                pinned.insert(table[place].segment)
            }
        }
        let candidates = segments.numbers.filter { number in
            guard let segment = segments[number] else { return false }
            return segment.isAtRest && !pinned.contains(number)
        }
        return candidates.min { rank($0) < rank($1) }
    }

    private func rank(_ number: UInt32) -> (UInt8, Int64) {
        segments[number].map { ($0.purgeClass.code, $0.liveBytes) } ?? (.max, .max)
    }

    /// The hashes of the entries in a segment.
    ///
    /// - Complexity: O(places).
    func entries(of segment: UInt32) -> [UInt64] {
        var hashes: [UInt64] = []
        for place in 0..<table.placeCount where table[place].isLive {
            let entry = table[place]
            if !entry.isFile, entry.segment == segment { hashes.append(entry.hash) }
        }
        return hashes
    }
}
