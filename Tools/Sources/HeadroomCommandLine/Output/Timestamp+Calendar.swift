//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomPlatform

extension Timestamp {
    /// The time as ISO 8601 in UTC, to the second: `2026-11-21T12:44:56Z`.
    package var universalDescription: String {
        let (days, second) = seconds.quotientAndRemainderDown(by: 86_400)
        let (year, month, day) = Self.civil(fromDays: days)
        let time = [second / 3_600, second / 60 % 60, second % 60].map(Self.twoDigits)
        return "\(year)-\(Self.twoDigits(month))-\(Self.twoDigits(day))T"
            + time.joined(separator: ":") + "Z"
    }

    /// The date of a number of days since 1970 (Hinnant, "chrono-compatible date algorithms").
    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainderDown(by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

extension Int64 {
    /// Division that rounds towards negative infinity.
    fileprivate func quotientAndRemainderDown(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
