//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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
    func reserve(_ size: Int, _ purgeClass: PurgeableClass) throws(Errno) -> Reservation {
        while true {
            if let place = reserveInOpen(size, purgeClass) { return place }
            try maintenance.withLock { (_) throws(Errno) in
                if let open = state.withLock({ $0.open[Int(purgeClass.code)] }) {
                    // Somebody else may have been first.
                    let end = state.withLock { Int($0.index.segments[open]?.end ?? .max) }
                    if end + size <= segmentCapacity { return }
                    seal(open)
                }
                try makeRoom(Int64(segmentCapacity))
                // Records that were moved may have opened one.
                if state.withLock({ $0.open[Int(purgeClass.code)] }) == nil {
                    try makeSegment(purgeClass)
                }
            }
        }
    }

    func reserveInOpen(_ size: Int, _ purgeClass: PurgeableClass) -> Reservation? {
        state.withLock { state in
            guard let number = state.open[Int(purgeClass.code)], let file = state.files[number],
                let offset = state.index.reserve(size, in: number, capacity: segmentCapacity)
            else { return nil }
            state.sequence += 1
            return Reservation(
                segment: number, offset: offset, sequence: state.sequence, file: file)
        }
    }

    /// Makes the next segment of a class, whose bytes are within the limit; under the maintenance
    /// lock.
    func makeSegment(_ purgeClass: PurgeableClass) throws(Errno) {
        while true {
            let number = state.withLock { $0.index.segments.takeNumber() }
            let file: SharedFile
            do throws(Errno) {
                file = try SharedFile.make(Self.segmentName(number), in: directory)
            } catch {
                // Of another process, or of one that died before it could write it down.
                if error == .fileExists { continue }
                throw error
            }
            let bytes = Int64(segmentCapacity)
            state.withLock { state in
                state.index.addSegment(number, purgeClass, allocated: bytes, isOpen: true)
                state.files[number] = file
                state.open[Int(purgeClass.code)] = number
                state.pending.addSegment(number, purgeClass, allocated: bytes, isOpen: true)
            }
            // Known before anything is in it: its end is looked at after a crash.
            return try flush()
        }
    }

    /// Closes a segment: from now on it counts with what is in it.
    func seal(_ number: UInt32) {
        state.withLock { state in
            guard let segment = state.index.segments[number] else { return }
            let bytes = (Int64(segment.end) + 4095) & ~4095
            state.index.seal(number, allocated: bytes)
            state.pending.addSegment(
                number, segment.purgeClass, allocated: bytes, isOpen: false)
            let code = Int(segment.purgeClass.code)
            if state.open[code] == number { state.open[code] = nil }
        }
    }
}
