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
    /// Where a record is to be written.
    struct Reservation {
        let segment: UInt32
        let offset: UInt32
        let sequence: UInt64
        let file: SharedFile
    }

    /// Reserves the bytes of a record, in a new segment if there is no room in the open one.
    ///
    /// - Parameter entry: which it is to be, and when, if it is put.
    func reserve(
        _ size: Int, _ purgeClass: PurgeableClass, for entry: (hash: UInt64, now: StoreTick)? = nil
    ) throws(Errno) -> Reservation {
        while true {
            if let place = reserveInOpen(size, purgeClass, for: entry) { return place }
            try maintenance.withLock { (_) throws(Errno) in
                let code = Int(purgeClass.code)
                if let open = state.withLock({ $0.open[code] }) {
                    // Somebody else may have been first. What others took for one that nobody writes to, where
                    // the log was lost, is closed.
                    let hasRoom = state.withLock { state in
                        guard let segment = state.index.segments[open], segment.isOpen,
                            state.files[open] != nil
                        else { return false }
                        return Int(segment.end) + size <= segmentCapacity
                    }
                    if hasRoom { return }
                    seal(open)
                }
                try makeSegment(purgeClass)
                gatherSmallSegments(of: purgeClass)
            }
        }
    }

    /// - Parameters:
    ///   - capacity: of the segment; nil: what all have.
    ///   - entry: as above.
    func reserveInOpen(
        _ size: Int, _ purgeClass: PurgeableClass, capacity: Int? = nil,
        for entry: (hash: UInt64, now: StoreTick)? = nil
    ) -> Reservation? {
        let now = UInt64(clamping: clock().nanoseconds)
        return state.withLock { state in
            guard let number = state.open[Int(purgeClass.code)], let file = state.files[number],
                let offset = state.index.reserve(
                    size, in: number, capacity: capacity ?? segmentCapacity)
            else { return nil }
            if let entry { state.index.prepare(for: entry.hash, at: entry.now) }
            return Reservation(
                segment: number, offset: offset, sequence: state.nextSequence(now), file: file)
        }
    }

    /// Makes the next segment of a class, whose bytes are within the limit; under the maintenance
    /// lock.
    ///
    /// - Parameters:
    ///   - isMove: it may use what is kept free for moving.
    ///   - capacity: how long it gets; nil: as all do.
    func makeSegment(
        _ purgeClass: PurgeableClass, isMove: Bool = false, capacity: Int? = nil
    ) throws(Errno) {
        if ending.hasBegun { throw .noSuchFileOrDirectory }
        let bytes = Int64(capacity ?? segmentCapacity)
        while true {
            var number: UInt32?
            try allocate(isMove: isMove) { _ in
                bytes
            } _: { state in
                // Moving may have opened one.
                guard state.open[Int(purgeClass.code)] == nil else { return }
                let new = state.index.segments.takeNumber()
                let segment = SegmentAccount(
                    purgeClass: purgeClass, owner: state.session, allocated: bytes, isOpen: true)
                state.index.addSegment(new, segment)
                state.pending.add(StoreRecord.segment(new, segment))
                number = new
            } giveBack: { state in
                if let number { state.withdraw(segment: number) }
            }
            guard let number else { return }
            step?(.segmentTold)
            do throws(Errno) {
                // Known before anything is in it: its end is looked at after a crash.
                let file = try SharedFile.make(StoreNames.segment(number), in: directory)
                if options.durability == .full { try directory.synchronize() }
                step?(.segmentMade)
                return state.withLock { state in
                    state.files[number] = file
                    state.open[Int(purgeClass.code)] = number
                }
            } catch {
                state.withLock { $0.forget(segment: number) }
                guard error == .fileExists else { throw error }
                // Of a time of which the log knows nothing; who lists the files in this moment takes it for ours.
                try noteSegment(UInt64(number), StoreNames.segment(number), isDamaged: false)
                startSweeping()
            }
        }
    }

    /// Takes bytes of the limit for this process, within what all processes have left.
    ///
    /// - Parameters:
    ///   - amount: how many; asked when nobody else can take any.
    ///   - take: is called once, right after that.
    ///   - giveBack: is called if the log then has no room for it.
    func allocate(
        isMove: Bool = false, _ amount: (borrowing State) -> Int64, _ take: (inout State) -> Void,
        giveBack: (inout State) -> Void
    ) throws(Errno) {
        let spare = isMove ? 0 : Int64(segmentCapacity)
        while true {
            try listIfDue()
            var (isTaken, isDue) = (false, false)
            var bytes: Int64 = 0
            do throws(Errno) {
                try log.withLock { (log) throws(Errno) in
                    // What is said to be on disk has to be found before anything older is.
                    try append(to: &log, synchronizing: options.durability == .full) { state in
                        // What the log does not tell counts as well.
                        isDue = state.unknown.isDue
                        bytes = amount(state)
                        let limit = max(options.limit.bytes, isMove ? state.ceiling : 0)
                        guard !isDue, state.occupied + bytes + spare <= limit else { return }
                        take(&state)
                        isTaken = true
                    }
                }
            } catch {
                if isTaken { state.withLock { giveBack(&$0) } }
                throw error
            }
            if isTaken { return }
            if isDue { continue }
            if isMove { throw .storeIsFull }
            try makeRoom(bytes)
        }
    }

    /// Closes a segment: from now on it counts with what is in it.
    func seal(_ number: UInt32) {
        state.withLock { $0.seal(number) }
        step?(.segmentSealed)
    }

    func sealOwnSegments() {
        for code in 0..<3 {
            guard let number = state.withLock({ $0.open[code] }) else { continue }
            seal(number)
        }
    }
}

extension StoreCore.State {
    /// Closes a segment.
    mutating func seal(_ number: UInt32) {
        guard let segment = index.segments[number], segment.isOpen else {
            // Nobody knows of it any more.
            for code in open.indices where open[code] == number { open[code] = nil }
            return
        }
        let bytes = (Int64(segment.end) + 4095) & ~4095
        let isDone = index.seal(number, allocated: bytes)
        let code = Int(segment.purgeClass.code)
        if open[code] == number { open[code] = nil }
        // Else whoever still writes to it says so: others may remove it from then on.
        if isDone { noteSealed(number) }
    }

    mutating func noteSealed(_ number: UInt32) {
        guard let segment = index.segments[number] else { return }
        pending.add(StoreRecord.segment(number, segment))
    }

    /// A record has been written, or will not be; what is to be said of it was said.
    mutating func finishWriting(in number: UInt32) {
        if index.finishWriting(in: number) { noteSealed(number) }
    }

    mutating func nextSequence(_ now: UInt64) -> UInt64 {
        // Others are ahead of the clock where it was set back.
        sequence = max(sequence &+ 1, now, index.sessions.sequence &+ 1)
        return sequence
    }

    /// Bytes of the volume that are taken, or may be without another word.
    var occupied: Int64 {
        index.allocated + index.unknownBytes + inFlight + leaving
            + index.sessions.heldByOthers(than: session)
            + max(0, index.sessions.held(by: session) - unlogged)
    }

    /// Takes a segment back that the log had no room for: by the time that it has others may have taken the number.
    mutating func withdraw(segment number: UInt32) {
        if !pending.withdraw(segment: number) { return forget(segment: number) }
        index.dropSegment(number)
    }

    /// Forgets a segment and what is said to lie in it.
    mutating func forget(segment number: UInt32) {
        let gone = index.dropSegment(number)
        statistics.evictions += gone.count
        statistics.evictedBytes += gone.bytes
        files[number] = nil
        for code in open.indices where open[code] == number { open[code] = nil }
        pending.add(StoreRecord.segmentGone(number))
    }
}
