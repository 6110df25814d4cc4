//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims

/// The ticks of the clock that files which were looked at were changed in, as far as they are not over.
///
/// Within one tick a file can be written again without its times telling: what was seen of it is worth
/// nothing as evidence before the tick is over. Documented in Documentation/Design/0037-file-ticks.md.
package struct FileTicks: Sendable {
    /// What was changed before that cannot be in a tick that is not over.
    private let start: Int64
    /// When the last of the ticks is over; nil: all are.
    package private(set) var end: Timestamp?

    /// Begins before the first file is looked at.
    package init() {
        start = Self.now().advanced(by: .zero - Self.longest).nanoseconds
    }

    /// Takes in when a file was changed that was looked at just now.
    ///
    /// - Returns: whether the tick is not over.
    /// - Complexity: a comparison for all that was not changed a moment ago.
    @inline(__always)
    @discardableResult
    package mutating func note(_ changed: Timestamp) -> Bool {
        changed.nanoseconds >= start && noteRecent(changed)
    }

    @inline(never)
    private mutating func noteRecent(_ changed: Timestamp) -> Bool {
        let now = Self.now()
        let over = Self.end(of: changed)
        // Of a time to come nobody knows when it was: see the record.
        guard over > now, over <= now.advanced(by: Self.longest) else { return false }
        end = end.map { max($0, over) } ?? over
        return true
    }

    /// Takes over what another has noted.
    package mutating func join(_ other: FileTicks) {
        guard let over = other.end else { return }
        end = end.map { max($0, over) } ?? over
    }

    /// Returns when all of the ticks are over; at once, if nothing was changed a moment ago.
    package func wait() {
        guard let end else { return }
        // The clock may be set back meanwhile.
        let patience = ContinuousClock.now.advanced(by: Self.longest)
        while Self.now() < end, ContinuousClock.now < patience { Pause.milliseconds(1) }
    }

    // MARK: - The clock

    /// The longest tick there is, of FAT.
    private static let longest = Duration.seconds(2)

    /// What a change made now is stamped with, or later.
    package static func now() -> Timestamp {
        var nanoseconds: Int64 = 0
        let seconds = unsafe hr_file_clock(&nanoseconds)
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// From when on whatever is changed gets a later stamp than this one.
    ///
    /// File systems cut off what they cannot keep, so that a stamp that ends in zeros may be one that was
    /// cut off: to two seconds (FAT, always even), one (ext3), hundredths (exFAT), micro- or tenths of
    /// microseconds (UDF, NTFS).
    package static func end(of stamp: Timestamp) -> Timestamp {
        let nanoseconds = stamp.nanoseconds
        let grain: Int64 =
            if nanoseconds % 2_000_000_000 == 0 {
                2_000_000_000
            } else if nanoseconds % 1_000_000_000 == 0 {
                1_000_000_000
            } else if nanoseconds % 10_000_000 == 0 {
                10_000_000
            } else if nanoseconds % 100 == 0 {
                1_000_000
            } else {
                1
            }
        return stamp.advanced(by: .nanoseconds(grain))
    }
}
