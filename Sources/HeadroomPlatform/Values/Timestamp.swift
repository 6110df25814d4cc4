//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A point in time, in nanoseconds since 1970-01-01 00:00 UTC.
///
/// Covers the years 1678 to 2262; what a file system reports beyond them is clamped.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970; negative before.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Creates a time from the seconds and nanoseconds of a `timespec`, clamped to what fits.
    public init(seconds: Int64, nanoseconds: Int64 = 0) {
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = scaled.addingReportingOverflow(nanoseconds)
        self.nanoseconds = overflow || carried ? (seconds < 0 ? .min : .max) : sum
    }

    /// The time in whole seconds, rounded down.
    public var seconds: Int64 {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0 ? seconds - 1 : seconds
    }

    public static let distantPast = Timestamp(nanoseconds: .min)

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time that passed from `other` to this one.
    public func duration(since other: Timestamp) -> Duration {
        .nanoseconds(nanoseconds.subtractingReportingOverflow(other.nanoseconds).partialValue)
    }

    /// This time moved by a duration, clamped to what fits.
    public func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (delta, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        let (sum, spilled) = nanoseconds.addingReportingOverflow(delta)
        return Timestamp(
            nanoseconds: overflow || carried || spilled ? (seconds < 0 ? .min : .max) : sum)
    }
}
