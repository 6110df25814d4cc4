//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Timestamp {
    /// The time in UTC by ISO 8601, to the millisecond: `2026-11-21T12:44:50.123Z`.
    public var iso8601: String {
        let milliseconds = (nanoseconds - seconds * 1_000_000_000) / 1_000_000
        return "\(date)T\(Self.digits(secondOfDay / 3600, 2)):"
            + "\(Self.digits(secondOfDay / 60 % 60, 2)):\(Self.digits(secondOfDay % 60, 2))"
            + ".\(Self.digits(milliseconds, 3))Z"
    }

    /// The day in UTC by ISO 8601: `2026-11-21`.
    public var date: String {
        // Days are counted from 0000-03-01, so that the leap day comes last (Hinnant,
        // "chrono-Compatible Low-Level Date Algorithms"). All years of the type are positive.
        let days = (seconds - secondOfDay) / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
    }

    private var secondOfDay: Int64 { (seconds % 86_400 + 86_400) % 86_400 }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
