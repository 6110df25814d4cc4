//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Locks between processes: whole files by flock(2), ranges by open-file-description locks.
///
/// Both belong to the open file description: two descriptors that were opened separately exclude
/// each other within one process too, and the kernel releases them when the process dies.
package enum StateLock {
    package enum Kind: Sendable {
        case shared
        case exclusive
    }

    /// Takes the lock of a file, waiting at most `limit`.
    ///
    /// - Throws: `EAGAIN` if somebody else holds it all the while. A process that was stopped with
    ///   the lock in its hands must not stop all others.
    package static func take(
        _ descriptor: Int32, _ kind: Kind, limit: Duration
    ) throws(Errno) {
        let operation = (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
        try wait(limit) { () throws(Errno) -> Bool in
            do throws(Errno) {
                _ = try retrying { flock(descriptor, operation) }
                return true
            } catch .resourceTemporarilyUnavailable {
                return false
            }
        }
    }

    /// Takes the exclusive lock of a range of bytes for the open file, waiting at most `limit`.
    ///
    /// - Throws: `EAGAIN` if somebody else holds a lock on any of it all the while.
    package static func takeRange(
        _ descriptor: Int32, offset: UInt64, count: UInt64, limit: Duration
    ) throws(Errno) {
        try wait(limit) { () throws(Errno) -> Bool in
            try takeRange(descriptor, offset: offset, count: count)
        }
    }

    private static func wait(
        _ limit: Duration, until isTaken: () throws(Errno) -> Bool
    ) throws(Errno) {
        let deadline = ContinuousClock.now.advanced(by: limit)
        // Held for as long as it takes to append a few records: mostly it is free at the next try.
        var tries = 0
        var pause = 20_000
        while true {
            if try isTaken() { return }
            guard ContinuousClock.now < deadline else { throw .resourceTemporarilyUnavailable }
            tries += 1
            if tries <= 8 {
                _ = sched_yield()
                continue
            }
            var time = timespec(tv_sec: 0, tv_nsec: pause)
            unsafe _ = nanosleep(&time, nil)
            pause = min(pause * 3 / 2, tries < 64 ? 500_000 : 10_000_000)
        }
    }

    package static func release(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
    }

    /// Takes the lock of a range of bytes for the open file, without waiting.
    ///
    /// - Returns: false if somebody else holds a lock on any of it that does not go with this one.
    package static func takeRange(
        _ descriptor: Int32, offset: UInt64, count: UInt64, _ kind: Kind = .exclusive
    ) throws(Errno) -> Bool {
        do {
            _ = try retrying {
                hr_lock_range(
                    descriptor, kind == .exclusive ? 1 : 2, Int64(clamping: offset),
                    Int64(clamping: count))
            }
            return true
        } catch .resourceTemporarilyUnavailable {
            return false
        } catch .permissionDenied {
            return false
        }
    }

    /// Whether somebody else holds a lock on any of a range. Changes nothing, and needs a descriptor
    /// for reading only.
    package static func isRangeTaken(
        _ descriptor: Int32, offset: UInt64, count: UInt64
    ) throws(Errno) -> Bool {
        try retrying {
            hr_range_is_locked(descriptor, Int64(clamping: offset), Int64(clamping: count))
        } == 1
    }

    /// The bytes of a range that others have locked, one by one. Changes nothing.
    ///
    /// - Complexity: O(locks) calls.
    package static func takenBytes(
        _ descriptor: Int32, offset: UInt64, count: UInt64
    ) throws(Errno) -> [UInt64] {
        var taken: [UInt64] = []
        var ranges = [offset..<offset + count]
        while let range = ranges.popLast() {
            if range.isEmpty { continue }
            var found: Int64 = 0
            let isTaken = try retrying {
                unsafe hr_find_lock(
                    descriptor, Int64(clamping: range.lowerBound),
                    Int64(clamping: range.upperBound - range.lowerBound), &found)
            }
            guard isTaken == 1 else { continue }
            // The system names any of them, and one that begins before the range by where that begins.
            let byte = max(range.lowerBound, UInt64(clamping: found))
            guard range.contains(byte) else { continue }
            taken.append(byte)
            ranges += [range.lowerBound..<byte, byte + 1..<range.upperBound]
        }
        return taken.sorted()
    }

    package static func releaseRange(_ descriptor: Int32, offset: UInt64, count: UInt64) {
        _ = hr_lock_range(descriptor, 0, Int64(clamping: offset), Int64(clamping: count))
    }
}
