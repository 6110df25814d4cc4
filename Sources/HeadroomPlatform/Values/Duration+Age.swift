//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Duration {
    /// What ``init(parsingAge:)`` accepts, as part of a sentence.
    public static let acceptedAges =
        "write a number with s, min, h, d, w, mo (30 days) or y (365 days), such as 10d, 36h or 1w"

    /// Reads an age as people write it: `10d`, `36h`, `1w`, `90min`, `2mo`.
    ///
    /// A month is 30 days and a year 365. `m` alone is refused: it may mean minutes or months.
    ///
    /// - Throws: ``InvalidValue`` with a sentence that says what is accepted, also when the age is
    ///   more than 290 years.
    public init(parsingAge text: String) throws(InvalidValue) {
        guard let number = DecimalText(text), let unit = Self.secondsPerUnit(number.unit) else {
            throw InvalidValue(text, isNot: "an age", accepted: Self.acceptedAges + ".")
        }
        // Beyond that, a point in time that lies so far back cannot be represented.
        guard let milliseconds = number.times(unit * 1_000),
            milliseconds <= 290 * 365 * 86_400_000
        else {
            throw InvalidValue(text, isNot: "an age", accepted: "it must be less than 290 years.")
        }
        self = .milliseconds(milliseconds)
    }

    private static func secondsPerUnit(_ unit: String) -> UInt64? {
        switch unit {
        case "s", "sec", "second", "seconds": 1
        case "min", "minute", "minutes": 60
        case "h", "hour", "hours": 3_600
        case "d", "day", "days": 86_400
        case "w", "week", "weeks": 7 * 86_400
        case "mo", "month", "months": 30 * 86_400
        case "y", "year", "years": 365 * 86_400
        default: nil
        }
    }

    /// The duration as people read an age, rounded down to one unit: `3 w`, `14 mo`, `5 d`, `40 s`.
    ///
    /// What lies in the future is `0 s`.
    public var ageDescription: String {
        let seconds = max(0, components.seconds)
        let day: Int64 = 86_400
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<(2 * day): "\(seconds / 3_600) h"
        case ..<(14 * day): "\(seconds / day) d"
        case ..<(60 * day): "\(seconds / (7 * day)) w"
        case ..<(730 * day): "\(seconds / (30 * day)) mo"
        default: "\(seconds / (365 * day)) y"
        }
    }
}
