//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Timestamp {
    /// The time in UTC by ISO 8601, to the second: `2026-11-21T12:44:50Z`.
    ///
    /// Fractions are cut off. Many readers, such as `fromdate` in jq and the `iso8601` strategy of `JSONDecoder`, reject
    /// them.
    public var iso8601: String {
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }
        return "\(Self.date(daysSince1970: days))T\(time.joined(separator: ":"))Z"
    }

    /// By Howard Hinnant's `civil_from_days` (https://howardhinnant.github.io/date_algorithms.html).
    private static func date(daysSince1970 days: Int64) -> String {
        // From 0000-03-01, so that the leap day comes last. All years of a timestamp are positive.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }
}

extension BinaryInteger {
    /// The number in decimal digits, with zeros in front of short ones.
    package func padded(to digits: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
