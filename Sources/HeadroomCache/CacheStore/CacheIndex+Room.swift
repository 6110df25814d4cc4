//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What has to be done next so that something fits.
enum RoomStep: Equatable {
    /// It fits.
    case fits
    /// Entries of so many bytes have to be given up; where none may, gaps have to be closed.
    case release(Int64)
    /// What is of use in a segment has to be moved, so that the segment can go.
    case move(UInt32)
}

extension CacheIndex {
    /// How to make sure that so many bytes more are within a limit, once dead segments are gone.
    ///
    /// One segment beyond that stays free, so that records can be moved together.
    ///
    /// - Parameter occupied: bytes that are taken; nil: those of the index.
    /// - Complexity: O(segments).
    func stepToRoom(
        for bytes: Int64, occupied: Int64? = nil, limit: Int64, segment: Int64
    ) -> RoomStep {
        // The low watermark; the high one is higher by what is to be taken.
        // mutation: r20b-2
        let target = limit - bytes - segment
        let occupied = occupied ?? allocated
        if occupied <= target { return .fits }
        let (closed, dead) = closedBytes
        if Double(dead) > Double(closed) * Self.deadShare, let number = mostlyDeadSegment {
            return .move(number)
        }
        return .release(occupied - target)
    }

    /// Of segments that are closed: what they occupy, and what is given up or of no use any more.
    private var closedBytes: (all: Int64, dead: Int64) {
        segments.numbers.reduce(into: (0, 0)) { sum, number in
            guard let segment = segments[number], !segment.isOpen else { return }
            sum.all += segment.allocated
            sum.dead += segment.allocated - segment.liveBytes
        }
    }

    /// Of what closed segments occupy, so much is given up before they are moved together: less would
    /// hold little more, since what is given up is still there, and more would have to be moved.
    private static var deadShare: Double { 0.25 }
}
