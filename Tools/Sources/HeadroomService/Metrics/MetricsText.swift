//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Writes metrics in the text forms that Prometheus reads.
enum MetricsText {
    /// Which of the two.
    enum Form: Hashable, Sendable {
        /// `text/plain; version=0.0.4`
        case prometheus
        /// `application/openmetrics-text; version=1.0.0`
        case openMetrics

        var contentType: String {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }

        /// What a reader takes, by the header `Accept`.
        init(accept: String?) {
            self =
                accept?.contains("application/openmetrics-text") == true
                ? .openMetrics : .prometheus
        }
    }

    /// The families that have values, by their names.
    static func render(_ families: [MetricFamily], as form: Form) -> String {
        var text = ""
        for family in families.sorted(by: { $0.name < $1.name }) where !family.values.isEmpty {
            // Of a counter, the older form has the name with its ending.
            let isOldCounter = form == .prometheus && family.kind == .counter
            let name = isOldCounter ? family.name + "_total" : family.name
            if form == .openMetrics {
                text += "# TYPE \(name) \(family.kind.rawValue)\n"
                if !family.unit.isEmpty { text += "# UNIT \(name) \(family.unit)\n" }
                text += "# HELP \(name) \(escaped(family.help, quotes: true))\n"
            } else {
                text += "# HELP \(name) \(escaped(family.help, quotes: false))\n"
                text += "# TYPE \(name) \(family.kind.rawValue)\n"
            }
            for (labels, value) in family.values.sorted(by: { $0.key < $1.key }) {
                switch value {
                case .number(let number):
                    let ending = family.kind == .counter ? "_total" : ""
                    text += line(family.name + ending, labels, number)
                case .histogram(let histogram): text += lines(family.name, labels, histogram)
                }
            }
        }
        if form == .openMetrics { text += "# EOF\n" }
        return text
    }

    private static func lines(
        _ name: String, _ labels: MetricLabels, _ histogram: MetricFamily.Histogram
    ) -> String {
        var text = ""
        var count: UInt64 = 0
        for (index, part) in histogram.counts.enumerated() {
            count += part
            let bounds = MetricFamily.Histogram.bounds
            let bound = index < bounds.count ? number(bounds[index], asBound: true) : "+Inf"
            text += line(name + "_bucket", labels, Double(count), and: ("le", bound))
        }
        text += line(name + "_sum", labels, histogram.sum)
        text += line(name + "_count", labels, Double(count))
        return text
    }

    private static func line(
        _ name: String, _ labels: MetricLabels, _ value: Double, and last: (String, String)? = nil
    ) -> String {
        var pairs = labels.pairs.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
        if let last { pairs.append("\(last.0)=\"\(last.1)\"") }
        let list = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
        return "\(name)\(list) \(number(value))\n"
    }

    /// Whole numbers without a point, but for bounds, which OpenMetrics wants with one.
    private static func number(_ value: Double, asBound: Bool = false) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        guard !asBound, let whole = Int64(exactly: value) else { return "\(value)" }
        return "\(whole)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            // mutation: r40c-1
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
