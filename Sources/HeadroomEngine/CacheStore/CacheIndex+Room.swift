//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What has to be done next so that something fits.
enum RoomStep: Equatable {
    /// It fits.
    case fits
    /// Entries of so many bytes have to go; where none may, gaps have to be closed.
    case evict(Int64)
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
        let target = limit - bytes - segment
        let occupied = occupied ?? allocated
        if occupied <= target { return .fits }
        if deadBytes > limit / 4, let number = mostlyDeadSegment { return .move(number) }
        // Somewhat more than is missing, so that not every put has to.
        return .evict(occupied - target + segment)
    }
}
