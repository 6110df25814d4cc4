//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// One metric: its name, what it means, and its values by their labels.
struct MetricFamily: Hashable, Sendable {
    /// With the prefix, and without `_total`.
    var name: String
    var kind: Kind
    /// The unit that the name ends with; empty: it is a count.
    var unit = ""
    /// A sentence.
    var help: String
    /// By the labels, each set in the order of its names.
    var values: [MetricLabels: Value] = [:]

    enum Kind: String, Hashable, Sendable {
        /// Only grows, until the process ends.
        case counter
        case gauge
        case histogram
    }

    enum Value: Hashable, Sendable {
        case number(Double)
        case histogram(Histogram)
    }

    /// How often durations were no longer than each bound.
    struct Histogram: Hashable, Sendable {
        /// Each by itself, not added up; the last is of what was longer than all bounds.
        var counts = [UInt64](repeating: 0, count: Histogram.bounds.count + 1)
        var sum = 0.0

        /// In seconds: of a purge of a few files, and of a scan of a disk.
        static let bounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800, 7_200]

        mutating func add(_ seconds: Double) {
            counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
            sum += seconds
        }
    }
}

/// The labels of one value.
struct MetricLabels: Hashable, Comparable, Sendable {
    /// By their names.
    let pairs: [Pair]

    struct Pair: Hashable, Comparable, Sendable {
        var name: String
        var value: String

        static func < (left: Pair, right: Pair) -> Bool {
            (left.name, left.value) < (right.name, right.value)
        }
    }

    init(_ labels: [String: String] = [:]) {
        pairs = labels.map { Pair(name: $0.key, value: $0.value) }.sorted()
    }

    subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

    static func < (left: MetricLabels, right: MetricLabels) -> Bool {
        left.pairs.lexicographicallyPrecedes(right.pairs)
    }
}
