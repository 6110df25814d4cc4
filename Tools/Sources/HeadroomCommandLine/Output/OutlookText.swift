//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomEngine
import HeadroomPlatform

/// Forecasts as sentences.
package enum OutlookText {
    /// `fills in about 41 days (31–60); warning in about 33 days (25–50)`
    package static func bytes(_ forecast: Forecast, samples: Int) -> StyledText {
        switch forecast.full {
        case .unknown:
            return StyledText(
                "too little is known to tell: \(samples.counted("sample")) of "
                    + "\(forecast.span.ageDescription); eight of ten minutes are the least", .faint)
        case .reached: return StyledText("is full", .critical)
        case .expected(let expected):
            var text = StyledText("fills in about \(range(expected))", style(expected))
            text += levels(forecast)
            return text
        case .notExpected(let within, let earliest):
            var text = "does not fill within \(inUnits(within))"
            if let earliest { text += ", as it looks; at the earliest in \(inUnits(earliest))" }
            return StyledText(text) + levels(forecast)
        }
    }

    /// Nil where there is nothing to tell.
    package static func inodes(_ forecast: Forecast) -> StyledText? {
        switch forecast.full {
        case .unknown, .notExpected: return nil
        case .reached: return StyledText("has no inodes left", .critical)
        case .expected(let expected):
            return StyledText("runs out of inodes in about \(range(expected))", style(expected))
        }
    }

    /// The levels that lie ahead and are expected.
    private static func levels(_ forecast: Forecast) -> StyledText {
        var text = StyledText("")
        for (name, outlook) in [("warning", forecast.warning), ("critical", forecast.critical)] {
            switch outlook {
            case .reached: text += StyledText("; \(name) now", .warning)
            case .expected(let expected):
                text += StyledText("; \(name) in about \(range(expected))")
            case .unknown, .notExpected: break
            }
        }
        return text
    }

    private static func style(_ expected: Forecast.Expectation) -> Style {
        expected.likely < .seconds(86_400)
            ? .critical
            : expected.likely < .seconds(14 * 86_400) ? .warning : .plain
    }

    /// `41 days (31–60)`; all in the unit of the first.
    package static func range(_ expected: Forecast.Expectation) -> String {
        let unit = unit(of: expected.likely)
        let likely = count(expected.likely, unit)
        let earliest = count(expected.earliest, unit)
        let name = likely == 1 ? unit.name : unit.name + "s"
        guard let latest = expected.latest else {
            return "\(likely) \(name) (\(earliest) or more)"
        }
        let last = count(latest, unit)
        return earliest == last
            ? "\(likely) \(name)" : "\(likely) \(name) (\(earliest)–\(last))"
    }

    package static func inUnits(_ duration: Duration) -> String {
        let unit = unit(of: duration)
        let number = count(duration, unit)
        return "\(number.grouped) \(number == 1 ? unit.name : unit.name + "s")"
    }

    private static let units: [(name: String, seconds: Int64)] = [
        ("year", 365 * 86_400), ("month", 30 * 86_400), ("day", 86_400), ("hour", 3_600),
        ("minute", 60),
    ]

    /// The largest of which there are at least two and a half; of days up to three months.
    private static func unit(of duration: Duration) -> (name: String, seconds: Int64) {
        let seconds = duration.components.seconds
        return units.first { unit in
            seconds >= (unit.name == "month" ? 3 * unit.seconds : 5 * unit.seconds / 2)
        } ?? ("minute", 60)
    }

    private static func count(_ duration: Duration, _ unit: (name: String, seconds: Int64)) -> Int64
    {
        // Something that is to come is never "in 0 minutes".
        max(
            duration > .zero ? 1 : 0,
            (duration.components.seconds + unit.seconds / 2) / unit.seconds)
    }
}
